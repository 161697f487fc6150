import { describe, expect, test } from 'vitest';

import { byId } from './column.ts';
import { COMMON, GROUP, SURVEY } from './testing/harness.tsx';
import { isShown } from './visible.ts';
import { holds } from './when.ts';

const known = byId(SURVEY);
const reading = (form: Record<string, unknown>) => ({ valueOf: (key: string) => form[key], columns: known });

describe('conditions of fields', () => {
  test('is, of single and several values; a number is no flag', () => {
    expect(holds([[{ field: 'm', test: 'is', values: ['a', 'b'] }]], reading({ m: 'b' }))).toBe(true);
    expect(holds([[{ field: 'm', test: 'is', values: ['a'] }]], reading({ m: ['x', 'a'] }))).toBe(true);
    expect(holds([[{ field: 'm', test: 'is', values: [true] }]], reading({ m: 1 }))).toBe(false);
  });
  test('filled', () => {
    for (const empty of [null, undefined, '', [], false])
      expect(holds([[{ field: 'm', test: 'filled' }]], reading({ m: empty }))).toBe(false);
    expect(holds([[{ field: 'm', test: 'filled' }]], reading({ m: ['c1'] }))).toBe(true);
  });
  test('levels and measure of the columns chosen', () => {
    const three = [[{ field: 'g', test: 'levels' as const, low: 3, high: null }]];
    expect(holds(three, reading({ g: 'c1' }))).toBe(false);
    expect(holds(three, reading({ g: 'c2' }))).toBe(true);
    expect(holds(three, reading({ g: null }))).toBe(false);
    expect(holds([[{ field: 'x', test: 'measure', measure: '定类' }]], reading({ x: ['c3', 'c1'] }))).toBe(true);
  });
  test('or of ands, and nothing holds always', () => {
    const when = [
      [
        { field: 'a', test: 'filled' as const },
        { field: 'b', test: 'filled' as const },
      ],
      [{ field: 'c', test: 'filled' as const }],
    ];
    expect(holds(when, reading({ a: 1 }))).toBe(false);
    expect(holds(when, reading({ a: 1, b: 1 }))).toBe(true);
    expect(holds(when, reading({ c: 1 }))).toBe(true);
    expect(holds(null, reading({}))).toBe(true);
  });
  test('a hidden field counts as empty for the fields that depend on it, though it keeps its value', () => {
    const flag = { ...COMMON, key: 'ci', title: '区间', type: 'flag' as const, default: false };
    const level = {
      ...COMMON,
      key: 'level',
      title: '水平',
      type: 'number' as const,
      default: 0.95,
      least: null,
      most: null,
      above: null,
      below: null,
      unit: null,
      percent: true,
      when: [[{ field: 'ci', test: 'is' as const, values: [true] }]],
    };
    const note = {
      ...COMMON,
      key: 'note',
      title: '注',
      type: 'flag' as const,
      default: true,
      when: [[{ field: 'level', test: 'filled' as const }]],
    };
    const fields = [GROUP, flag, level, note];
    expect(isShown(level, fields, { level: 0.9 }, {}, known)).toBe(false);
    expect(isShown(note, fields, { level: 0.9 }, {}, known)).toBe(false);
    expect(isShown(note, fields, { ci: true, level: 0.9 }, {}, known)).toBe(true);
    // An automatic value counts as what the engine made of it.
    expect(isShown(level, fields, {}, { ci: true }, known)).toBe(true);
  });
});
