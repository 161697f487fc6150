import { describe, expect, test } from 'vitest';

import { dissolved, freshName, movedInto, movedOut, type OwnFolder, renamed, shown, withNew } from './own-folders.ts';

const folders: OwnFolder[] = [
  { id: 'f1', name: '甲', columns: ['c1', 'c2'] },
  { id: 'f4', name: '乙', columns: ['c3'] },
];
const contents = (list: readonly OwnFolder[]) => list.map(({ name, columns }) => `${name}:${columns.join('')}`);

describe('own folders', () => {
  test('a variable lies in one of them at most', () => {
    expect(contents(movedInto(folders, 'f4', ['c2', 'c9']))).toEqual(['甲:c1', '乙:c3c2c9']);
    expect(contents(movedInto(folders, 'f1', ['c1']))).toEqual(['甲:c2c1', '乙:c3']);
    expect(contents(withNew(folders, '丙', ['c1', 'c3']))).toEqual(['甲:c2', '乙:', '丙:c1c3']);
    expect(contents(movedOut(folders, ['c2', 'c3']))).toEqual(['甲:c1', '乙:']);
  });

  test('ids and names stay single', () => {
    expect(withNew(folders, '乙', []).at(-1)).toEqual({ id: 'f5', name: '乙 2', columns: [] });
    expect(contents(renamed(folders, 'f1', '乙'))).toEqual(['乙 2:c1c2', '乙:c3']);
    expect(contents(renamed(folders, 'f1', '甲'))).toEqual(contents(folders));
    expect(freshName([])).toBe('新文件夹');
  });

  test('a dissolved folder leaves its variables to the list', () => {
    expect(contents(dissolved(folders, 'f1'))).toEqual(['乙:c3']);
  });
});

test('hidden variables are not listed, the order of the others stays', () => {
  const columns = ['c1', 'c2', 'c3'].map((id) => ({ id }));
  expect(shown(columns, ['c2', 'c9'])).toEqual([{ id: 'c1' }, { id: 'c3' }]);
  expect(shown(columns, [])).toBe(columns);
});
