import { describe, expect, test } from 'vitest';

import { byId } from '../column.ts';
import { SURVEY } from '../testing/harness.tsx';
import type { Condition } from './condition.ts';
import { fromFormula, toFormula } from './condition.ts';
import { columnsIn, conditionWords } from './words.ts';

const one = (rows: Condition['groups'][0]['rows'], join: 'and' | 'or' = 'and'): Condition => ({
  join: 'and',
  groups: [{ join, rows }],
});

describe('rows to formula and back', () => {
  const cases: [Condition, string][] = [
    [one([{ column: 'c3', operator: '>=', values: [60] }]), '{c3} >= 60'],
    [one([{ column: 'c1', operator: 'in', values: ['男', '女'] }]), '{c1} in ("男", "女")'],
    [one([{ column: 'c1', operator: 'not in', values: ['男'] }]), 'not ({c1} in ("男"))'],
    [one([{ column: 'c3', operator: 'missing', values: [] }]), 'missing({c3})'],
    [
      one(
        [
          { column: 'c3', operator: 'present', values: [] },
          { column: 'c4', operator: '<', values: [-1.5] },
        ],
        'or',
      ),
      'not missing({c3}) or {c4} < -1.5',
    ],
    [one([{ column: 'c4', operator: 'not in', values: [1, 99], entered: true }]), 'not (value({c4}) in (1, 99))'],
    [one([{ column: 'c4', operator: '=', values: [99], entered: true }]), 'value({c4}) = 99'],
    [one([{ column: 'c5', operator: '=', values: ['说"好"'] }]), '{c5} = "说""好"""'],
    [
      {
        join: 'or',
        groups: [
          {
            join: 'and',
            rows: [
              { column: 'c3', operator: '>', values: [1] },
              { column: 'c4', operator: '>', values: [2] },
            ],
          },
          { join: 'and', rows: [{ column: 'c1', operator: 'in', values: ['男'] }] },
        ],
      },
      '({c3} > 1 and {c4} > 2) or {c1} in ("男")',
    ],
  ];
  test.each(cases)('%#', (condition, formula) => {
    expect(toFormula(condition)).toBe(formula);
    expect(fromFormula(formula)).toEqual(condition);
  });

  test('full-width and Chinese signs are read', () => {
    expect(fromFormula('{c3} ≥ 60 且 {c4} ≠ 2')).toEqual(
      one([
        { column: 'c3', operator: '>=', values: [60] },
        { column: 'c4', operator: '!=', values: [2] },
      ]),
    );
  });
  test('unfinished rows are left out', () => {
    expect(
      toFormula(
        one([
          { column: '', operator: '=', values: [] },
          { column: 'c3', operator: '>', values: [] },
        ]),
      ),
    ).toBe('');
  });
  test('what rows cannot say is left to the text', () => {
    expect(fromFormula('{c3} + {c4} > 2')).toBeNull();
    expect(fromFormula('{c3} > 1 and {c4} > 1 or {c1} = "男"')).toBeNull();
    expect(fromFormula('{c3} >')).toBeNull();
  });
  test('in words', () => {
    expect(conditionWords('{c3} >= 60 and {c1} in ("男")', byId(SURVEY))).toBe('运动时长 ≥ 60 小时 且 性别 属于 男');
    expect(columnsIn('{c3} > 1 and {c3} < 2 or {c1} = 1')).toEqual(['c3', 'c1']);
  });
});
