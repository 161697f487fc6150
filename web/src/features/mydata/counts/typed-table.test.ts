import { describe, expect, test } from 'vitest';

import {
  added,
  begin,
  bodyOf,
  full,
  pasted,
  problemsOf,
  readCount,
  readTable,
  removed,
  totalsOf,
  type TypedTable,
  withCell,
  withKind,
  withName,
  withSame,
  withTitle,
} from './typed-table.ts';

const AT = { layer: 0, row: 0, column: 0 };

function filled(table: TypedTable, counts: readonly number[]): TypedTable {
  let next = table;
  const width = table.kind === 'one' ? 1 : table.columns.length;
  const size = width * table.rows.length;
  for (const [at, count] of counts.entries()) {
    const inside = at % size;
    const place = { layer: Math.floor(at / size), row: Math.floor(inside / width), column: inside % width };
    next = withCell(next, place, String(count));
  }
  return next;
}

function done(result: ReturnType<typeof pasted>): TypedTable {
  if (result === null || 'fault' in result) throw new Error(JSON.stringify(result));
  return result.table;
}

test.each([
  ['12', 12],
  [' 1,204 ', 1204],
  ['１２', 12],
  ['3.0', 3],
  ['0', 0],
  ['1,20', null],
  ['-1', null],
  ['1.5', null],
  ['1e3', null],
  ['十', null],
  ['', null],
  ['9999999999', null],
])('“%s” is read as %s', (typed, count) => {
  expect(readCount(typed)).toBe(count);
});

describe('what is sent', () => {
  test('rows × columns, the columns running fastest', () => {
    expect(bodyOf(filled(begin(), [1, 2, 3, 4]))).toEqual({
      name: '频数表',
      factors: [
        { name: '分组', levels: ['甲组', '乙组'] },
        { name: '结果', levels: ['是', '否'] },
      ],
      counts: [1, 2, 3, 4],
    });
  });

  test('one variable', () => {
    const body = bodyOf(filled(withKind(begin(), 'one'), [5, 6]));
    expect(body?.factors).toEqual([{ name: '分组', levels: ['甲组', '乙组'] }]);
    expect(body?.counts).toEqual([5, 6]);
  });

  test('strata come first, as the slowest variable', () => {
    const body = bodyOf(filled(withKind(begin(), 'strata'), [1, 2, 3, 4, 5, 6, 7, 8]));
    expect(body?.factors.map(({ name }) => name)).toEqual(['分层', '分组', '结果']);
    expect(body?.counts).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('nothing while something is wrong, and each fault says where', () => {
    const texts = (table: TypedTable) => problemsOf(table).map(({ text }) => text);
    expect(texts(begin())).toEqual(['还有 4 格没有填；没有的填 0']);
    expect(texts(filled(begin(), [0, 0, 0, 0]))).toEqual(['频数全部是 0']);
    const wrong = withCell(filled(begin(), [1, 2, 3, 4]), { layer: 0, row: 1, column: 0 }, '1.5');
    expect(problemsOf(wrong)).toEqual([
      { text: '乙组，是：“1.5”不是 0 或正整数', place: { layer: 0, row: 1, column: 0 } },
    ]);
    expect(texts(withName(filled(begin(), [1, 2, 3, 4]), 'rows', 1, '甲组'))).toEqual(['有两行都叫“甲组”']);
    expect(texts(withName(filled(begin(), [1, 2, 3, 4]), 'columns', 1, ' '))).toEqual(['第 2 列没有名称']);
    expect(texts(withTitle(filled(begin(), [1, 2, 3, 4]), 'columns', '分组'))).toEqual(['两个变量都叫“分组”']);
    expect(texts({ ...filled(begin(), [1, 2, 3, 4]), name: '' })).toEqual(['请给数据起个名称']);
    expect(bodyOf(wrong)).toBeNull();
  });
});

describe('rows and columns', () => {
  test('are added under a free name and taken out again with their counts', () => {
    const wide = added(filled(begin(), [1, 2, 3, 4]), 'columns');
    expect(wide.columns).toEqual(['是', '否', '列3']);
    expect(wide.cells[0]).toEqual([
      ['1', '2', ''],
      ['3', '4', ''],
    ]);
    expect(removed(wide, 'columns', 0).cells[0]).toEqual([
      ['2', ''],
      ['4', ''],
    ]);
    expect(removed(begin(), 'rows', 0)).toEqual(begin());
  });

  test('are the same categories where the table is one of pairs', () => {
    const same = withSame(filled(begin(), [1, 2, 3, 4]), true);
    expect(same.columns).toEqual(['甲组', '乙组']);
    const grown = withName(added(same, 'rows'), 'rows', 2, '丙组');
    expect(grown.columns).toEqual(['甲组', '乙组', '丙组']);
    expect(removed(grown, 'rows', 0).cells[0]).toEqual([
      ['4', ''],
      ['', ''],
    ]);
  });

  test('have an end', () => {
    let table = begin();
    for (let n = 0; n < 300; n += 1) table = added(table, 'rows');
    expect(table.rows).toHaveLength(200);
    expect(full(table, 'rows')).toBe('最多 200 个类别');
    for (let n = 0; n < 50; n += 1) table = added(table, 'columns');
    expect(table.columns).toHaveLength(20);
    expect(full(table, 'columns')).toBe('最多 4000 格');
  });

  test('have sums, of what is a count already', () => {
    const table = withCell(filled(begin(), [1, 2, 3, 4]), AT, 'x');
    expect(totalsOf(table, 0)).toEqual({ rows: [2, 7], columns: [3, 6], layer: 9, whole: 9 });
  });
});

describe('a block from a spreadsheet', () => {
  test('of numbers goes in from the cell on, and the table grows', () => {
    const table = done(pasted(begin(), { layer: 0, row: 1, column: 1 }, '7\t8\n9\t10\n'));
    expect(table.rows).toEqual(['甲组', '乙组', '行3']);
    expect(table.columns).toEqual(['是', '否', '列3']);
    expect(table.cells[0]).toEqual([
      ['', '', ''],
      ['', '7', '8'],
      ['', '9', '10'],
    ]);
  });

  test('with names is a table of its own; totals stay out', () => {
    const table = done(
      pasted(begin(), AT, '\t有效\t无效\t合计\n新药\t1,030\t10\t1040\n对照\t18\t22\t40\n合计\t1048\t32\t1080'),
    );
    expect(table.rows).toEqual(['新药', '对照']);
    expect(table.columns).toEqual(['有效', '无效']);
    expect(bodyOf(table)?.counts).toEqual([1030, 10, 18, 22]);
  });

  test('of names and one column is one variable', () => {
    const table = done(pasted(begin(), AT, '血型\t人数\nA\t20\nB\t14\nO\t30'));
    expect(table.kind).toBe('one');
    expect(table.rows).toEqual(['A', 'B', 'O']);
    expect(bodyOf(table)?.counts).toEqual([20, 14, 30]);
  });

  test('with an empty corner has names that may be numbers', () => {
    const table = done(pasted(begin(), AT, '\t0\t1\t2\n是\t3\t6\t10\n否\t20\t17\t12'));
    expect(table.columns).toEqual(['0', '1', '2']);
    expect(bodyOf(table)?.counts).toEqual([3, 6, 10, 20, 17, 12]);
  });

  test('goes into the layer that is open, the others keep theirs', () => {
    const table = filled(withKind(begin(), 'strata'), [1, 2, 3, 4]);
    const next = done(pasted(table, { layer: 1, row: 0, column: 0 }, '5\t6\n7\t8'));
    expect(bodyOf(next)?.counts).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test.each([
    ['\t有效\t无效\n新药\t3\tabc\n对照\t1\t2', '粘贴的第 2 行第 3 列是“abc”，频数要 0 或正整数'],
    ['1.5\t2\n3\t4', '第 1 行第 1 列'],
    ['\t有效\t无效\n新药\t3\t4', '只有一行频数'],
    [Array.from({ length: 201 }, () => '1\t1').join('\n'), '粘贴的表太大'],
  ])('that is no table of counts is refused: %#', (text, fault) => {
    expect(pasted(begin(), AT, text)).toEqual({ fault: expect.stringContaining(fault) });
  });

  test('of one cell is left to the browser', () => {
    expect(pasted(begin(), AT, '12')).toBeNull();
  });
});

test('a draft is read again; anything else is none', () => {
  const table = filled(begin(), [1, 2, 3, 4]);
  expect(readTable(JSON.parse(JSON.stringify(table)))).toEqual(table);
  for (const odd of [null, 5, {}, { ...table, rows: ['a'] }, { ...table, cells: 'x' }, { ...table, kind: 'x' }])
    expect(readTable(odd)).toBeNull();
});
