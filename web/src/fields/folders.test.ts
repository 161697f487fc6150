import { describe, expect, test } from 'vitest';

import { column } from './testing/harness.tsx';
import { foldersOf, prefixOf, rowsOf, saidByFolder } from './folders.ts';

const columns = ['编号', 'Q9(跑步)', 'Q9(篮球)', 'Q9(游泳)', '年龄', 'i1', 'i2'].map((name, at) =>
  column(`c${at + 1}`, name, '定量'),
);

describe('folders', () => {
  test('question prefixes', () => {
    expect([
      prefixOf('Q11_1 难以放松'),
      prefixOf('9、运动（跑步）'),
      prefixOf('压力量表_01'),
      prefixOf('年龄'),
      prefixOf('x10'),
      prefixOf('A2_1'),
      prefixOf('满意度12'),
    ]).toEqual(['Q11', '9', '压力量表', null, null, 'A2', '满意度']);
  });
  test('three columns of one question make a folder; the order of the file stays', () => {
    const entries = foldersOf(columns);
    expect(
      entries.map((entry) => (entry.is === 'folder' ? `[${entry.folder.columns.length}]` : entry.column.name)),
    ).toEqual(['编号', '[3]', '年龄', 'i1', 'i2']);
  });
  test('items of a question are told apart by what its title does not say', () => {
    expect([
      saidByFolder('您对下列说法的态度：我喜欢运动', '您对下列说法的态度'),
      saidByFolder('满意度评价—场地', '满意度评价'),
      saidByFolder('压力量表_01', '压力量表'),
      saidByFolder('年龄', '基本信息'),
    ]).toEqual(['您对下列说法的态度：', '满意度评价—', '', '']);
    const rows = rowsOf(columns, new Set(), 'file', null);
    expect(rows.map((row) => (row.is === 'column' ? row.said : row.title))).toEqual([
      '',
      'Q9',
      'Q9',
      'Q9',
      'Q9',
      '',
      '',
      '',
    ]);
  });
  test('a closed folder hides its rows, a search shows them flat', () => {
    const folder = foldersOf(columns).find((entry) => entry.is === 'folder');
    const key = folder?.is === 'folder' ? folder.folder.key : '';
    expect(rowsOf(columns, new Set([key]), 'file', null)).toHaveLength(5);
    expect(rowsOf(columns, new Set([key]), 'file', columns.slice(1, 3))).toHaveLength(2);
  });

  test('a multiple-answer question stands at its first column, whatever its columns are called', () => {
    const set = { id: 's1', name: 'Q20', label: '去过哪里', columns: ['c5', 'c7', 'c2'] };
    const entries = foldersOf(columns, [set]);
    expect(entries.map((entry) => (entry.is === 'folder' ? entry.folder.title : entry.column.name))).toEqual([
      '编号',
      '去过哪里',
      'Q9(篮球)',
      'Q9(游泳)',
      'i1',
    ]);
    const [, folder] = rowsOf(columns, new Set(), 'file', null, [set]);
    expect(folder).toMatchObject({ is: 'folder', count: 3, isSet: true });
  });

  test('own folders stand first, keep the order of the file, and take their variables out of the questions', () => {
    const own = [
      { id: 'f1', name: '基本信息', columns: ['c5', 'c1'] },
      { id: 'f2', name: '空的', columns: [] },
      { id: 'f3', name: '球类', columns: ['c3'] },
    ];
    const rows = rowsOf(columns, new Set(), 'file', null, [], own);
    expect(rows.map((row) => (row.is === 'folder' ? `[${row.title} ${row.count}]` : row.key))).toEqual([
      '[基本信息 2]',
      'c1',
      'c5',
      '[空的 0]',
      '[球类 1]',
      'c3',
      'c2',
      'c4',
      'c6',
      'c7',
    ]);
    expect(rowsOf(columns, new Set(['own f1']), 'file', null, [], own)).toHaveLength(8);
    expect(rowsOf(columns, new Set(), 'name', null, [], own).every((row) => row.is === 'column')).toBe(true);
  });
});
