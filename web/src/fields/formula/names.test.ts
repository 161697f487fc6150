import { describe, expect, test } from 'vitest';

import { markAt, piecesOf, toText, toWire, typedBefore } from './names.ts';

const COLUMNS = [
  { id: 'c1', name: '身高' },
  { id: 'c2', name: '体重 kg' },
  { id: 'c3', name: 'mean' },
];
const KNOWN = new Map(COLUMNS.map((column) => [column.id, column]));

describe('formulas with names', () => {
  test('travel with ids and come back with names', () => {
    expect(toWire('`体重 kg` / (身高 / 100) ^ 2', COLUMNS)).toBe('{c2} / ({c1} / 100) ^ 2');
    expect(toText('{c2} / ({c1} / 100) ^ 2', KNOWN)).toBe('`体重 kg` / (`身高` / 100) ^ 2');
    expect(toWire(toText('MEAN({c1}, {c2})', KNOWN), COLUMNS)).toBe('MEAN({c1}, {c2})');
    expect(toText('{c9} + 1', KNOWN)).toBe('{c9} + 1');
  });

  test('a label stands for its column where only one has it and none is named so', () => {
    const labelled = [
      { id: 'c1', name: 'q1', label: '月收入' },
      { id: 'c2', name: '年龄', label: '同名' },
      { id: 'c3', name: 'q3', label: '年龄' },
      { id: 'c4', name: 'q4', label: '同名' },
    ];
    expect(toWire('月收入 + `月收入` + 年龄 + q3 + 同名', labelled)).toBe('{c1} + {c1} + {c2} + {c3} + 同名');
  });

  test('a word before a bracket is a function, in quotes it is text', () => {
    expect(toWire('mean(身高, mean)', COLUMNS)).toBe('mean({c1}, {c3})');
    expect(toWire('IF(身高 > 1, "身高", "")', COLUMNS)).toBe('IF({c1} > 1, "身高", "")');
    expect(toWire('身高2 + `身', COLUMNS)).toBe('身高2 + `身');
    expect(piecesOf('', COLUMNS)).toEqual([]);
  });

  test('any name comes through, and text stays text', () => {
    const odd = ['有 空格', '带"引号"', '带`反`引号', 'in', '且', '非常满意', "it's (1)", '{c1}', '𠮷 㐂 龘'];
    const columns = odd.map((name, at) => ({ id: `c${at + 1}`, name }));
    const known = new Map(columns.map((column) => [column.id, column]));
    const wire = columns.map(({ id }) => `{${id}} = "{c1} ${id} in"`).join(' and ');
    expect(toText(wire, known)).toContain('`带``反``引号` = "{c1} c3 in"');
    expect(toWire(toText(wire, known), columns)).toBe(wire);
    expect(toWire('非常满意 in (1, 2) 且非常满意 != “且”', columns)).toBe('{c6} in (1, 2) 且{c6} != “且”');
  });

  test('faults are marked at their token', () => {
    expect(markAt('`体重 kg` + 年龄', COLUMNS, 7)).toEqual({ before: '`体重 kg` + ', token: '年龄', after: '' });
    expect(markAt('身高 + * 2', COLUMNS, 7)).toEqual({ before: '身高 + ', token: '*', after: ' 2' });
    expect(markAt('`体重 kg` > 1', COLUMNS, 0).token).toBe('`体重 kg`');
    expect(markAt('身高 +', COLUMNS, 99)).toEqual({ before: '身高 +', token: ' ', after: '' });
  });

  test('what is being typed is completed', () => {
    expect(typedBefore('1 + 身', 5)).toEqual({ from: 4, query: '身' });
    expect(typedBefore('1 + `体重 k', 9)).toEqual({ from: 4, query: '体重 k' });
    expect(typedBefore('IF(x, "身', 8)).toBeNull();
    expect(typedBefore('1 + ', 4)).toBeNull();
  });
});
