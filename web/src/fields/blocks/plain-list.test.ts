import { expect, test } from 'vitest';

import { columnsOf } from '../level/level-field.tsx';
import { LOOSE, readBlocks, withNew } from './read-blocks.ts';

test('a plain list of variables, as an old report or another method has it, is one group without a name', () => {
  expect(readBlocks(['c1', 'c2'])).toEqual([{ id: LOOSE, name: null, columns: ['c1', 'c2'] }]);
  expect(withNew({ names: '维度{i}' }, ['c1', 'c2'], ['c3']).map(({ name }) => name)).toEqual([null, '维度1']);
  const blocks = [{ id: 'b1', name: '信任', columns: ['c1'] }];
  expect(readBlocks(blocks)).toEqual(blocks);
});

test('settings for each variable find those that stand in groups', () => {
  const known = new Map(['c1', 'c2'].map((id) => [id, { id }])) as never;
  const form = {
    items: [
      { id: 'b1', name: '信任', columns: ['c2'] },
      { id: LOOSE, name: null, columns: ['c1'] },
    ],
  };
  expect(columnsOf(['items'], form, known).map(({ id }) => id)).toEqual(['c2', 'c1']);
  expect(columnsOf(['items'], { items: ['c1'] }, known).map(({ id }) => id)).toEqual(['c1']);
});
