/** Codes of "no answer" that nobody declared: found where they stand apart, and nowhere else. */
import { expect, test } from 'vitest';
import { suspectedCodes } from './missing-codes.ts';
import { Column } from './schema.ts';

/** A column as the engine profiles it. */
function columnOf(name: string, cells: number[], missing: number[] = []): Column {
  const valid = cells.filter((cell) => !missing.includes(cell)).toSorted((a, b) => a - b);
  const counts = new Map<number, number>();
  for (const cell of valid) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const ends = [...counts].map(([value, count]) => ({ value, count }));
  const at = (share: number) => valid[Math.floor((valid.length - 1) * share)] ?? null;
  return Column.parse({
    id: 'c1',
    name,
    label: null,
    measure: '定量',
    ordered: false,
    flags: [],
    storage: 'int',
    decimals: 0,
    unit: null,
    why: '',
    levels: null,
    missing: { values: missing, ranges: [] },
    profile: {
      n: valid.length,
      missing: 0,
      distinct: ends.length,
      min: valid[0],
      max: valid.at(-1),
      q1: at(0.25),
      q3: at(0.75),
      whole: true,
      top: ends.toSorted((a, b) => b.count - a.count).slice(0, 10),
      lowest: ends.slice(0, 5),
      highest: ends.toReversed().slice(0, 5),
    },
  });
}

const codes = (name: string, cells: number[], missing: number[] = []) =>
  suspectedCodes(columnOf(name, cells, missing)).map(({ value, count }) => [value, count]);
const range = (from: number, to: number, times = 1) =>
  Array.from({ length: (to - from + 1) * times }, (_, at) => from + (at % (to - from + 1)));
const times = (value: number, count: number) => Array.from({ length: count }, () => value);

test('a repeated 99 above ages that end long before is a code', () => {
  expect(codes('年龄', [...range(18, 65, 3), ...times(99, 4)])).toEqual([[99, 4]]);
  expect(codes('age', [...range(18, 88, 2), ...times(99, 2)])).toEqual([[99, 2]]);
  expect(codes('年龄', [...range(18, 65, 3), ...times(98, 2), ...times(99, 4)])).toEqual([
    [99, 4],
    [98, 2],
  ]);
});

test('people and points that merely reach 99 are left alone', () => {
  expect(codes('年龄', [...range(60, 95, 2), 97, 99, 101])).toEqual([]);
  expect(codes('年龄', [...range(60, 95, 2), 99])).toEqual([]);
  expect(codes('年龄', [...range(60, 98), 99, 99])).toEqual([]);
  expect(codes('成绩', [...range(50, 95, 2), 99, 99])).toEqual([]);
  expect(codes('成绩', range(0, 100))).toEqual([]);
});

test('999 far above everything needs no repetition', () => {
  expect(codes('体重', [...range(45, 90, 2), 999])).toEqual([[999, 1]]);
  expect(codes('编号', range(1, 999))).toEqual([]);
});

test('negative codes below numbers that are never negative', () => {
  expect(codes('年龄', [...range(18, 65, 2), -1])).toEqual([[-1, 1]]);
  expect(codes('次数', [...range(0, 30), ...times(-9, 3)])).toEqual([[-9, 3]]);
  expect(codes('次数', [...range(0, 30), ...times(-1, 6)])).toEqual([[-1, 6]]);
  expect(codes('气温', range(-9, 30, 2))).toEqual([]);
  expect(codes('变化', [...range(-3, 20, 2)])).toEqual([]);
  expect(codes('净胜球', [...range(-1, 20, 2)])).toEqual([]);
});

test('9 on a short scale is a code, on a long one an answer', () => {
  expect(codes('Q1', [...range(1, 5, 20), ...times(9, 3)])).toEqual([[9, 3]]);
  expect(codes('性别', [...range(1, 2, 20), ...times(9, 3)])).toEqual([[9, 3]]);
  expect(codes('评分', [...range(1, 7, 20), ...times(9, 3)])).toEqual([]);
  expect(codes('评分', [...range(0, 10, 5)])).toEqual([]);
  expect(codes('Q1', [...range(1, 5, 20), ...times(99, 1)])).toEqual([[99, 1]]);
  expect(codes('Q1', [...range(1, 5, 20), ...times(9, 3)], [9])).toEqual([]);
});

test('a scale around zero has no codes', () => {
  expect(codes('倾向', range(-3, 3, 10))).toEqual([]);
  expect(codes('比去年', range(-1, 1, 10))).toEqual([]);
  expect(codes('是否', [...range(0, 1, 30), ...times(-1, 2)])).toEqual([[-1, 2]]);
});
