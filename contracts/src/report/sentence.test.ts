import { expect, test } from 'vitest';

import type { TableElement } from '../../generated/contract.ts';
import { READING } from '../format.ts';
import { claim, column, estimates, MAIN, report, table } from '../testing/reports.ts';
import { sentencesOf } from './sentence.ts';

const roles = {
  group: [{ id: 'c1', name: '性别', label: null, measure: '定类' as const }],
  variables: [{ id: 'c2', name: 'hours', label: '每周运动', measure: '定量' as const }],
  y: [{ id: 'c3', name: '收入', label: null, measure: '定量' as const }],
  rows: [{ id: 'c1', name: '性别', label: null, measure: '定类' as const }],
  columns: [{ id: 'c4', name: '城市', label: null, measure: '定类' as const }],
};
const of = (main: TableElement, others: TableElement[] = [], form: Record<string, unknown> = {}, edit = {}) =>
  sentencesOf({
    table: main,
    tables: new Map([main, ...others].map((t) => [t.id, t])),
    report: { form, roles },
    reading: READING,
    edit,
  }).map(({ zh, en }) => [zh, en].map((words) => words.map((t) => t.text).join('')));

const effect = (key: string, title: string) =>
  column(key, 'estimate_ci', { title, parts: [key, 'lo', 'hi'], part_format: 'num' });
const T = table(
  'comparison',
  [column('group', 'text'), column('t'), column('df'), column('p', 'pvalue'), effect('d', "Cohen's *d* [CI]")],
  [
    ['男', 3.1172, 294.14, 0.00201, [0.3601, 0.1299, 0.5903]],
    ['女', 3.1172, 294.14, 0.00201, [0.3601, 0.1299, 0.5903]],
  ],
  {
    merge: ['t', 'df', 'p', 'd'],
    claim: claim('groups', [['*t*', 't', 'df']], { effect: 'd', outcome: 'variables', by: 'group' }),
  },
);

test('a test of two groups: one sentence for both rows, fields as the table shows them', () => {
  expect(of(T)).toEqual([
    [
      '“每周运动”在“性别”各组间的差异有统计学意义，t(294.1) = 3.12，p = .002，d = 0.36，95%CI [0.13, 0.59]。',
      '“每周运动” differed significantly between the groups of “性别”, t(294.1) = 3.12, p = .002, d = 0.36, 95% CI [0.13, 0.59].',
    ],
  ]);
});

test('decimals, the form of p and the level of confidence are those of the table', () => {
  const [pair] = of(T, [], { conf_level: 0.999 }, { decimals: 3, p: 'zero' });
  expect(pair?.[0]).toBe(
    '“每周运动”在“性别”各组间的差异没有统计学意义，t(294.140) = 3.117，p = 0.002，d = 0.360，99.9%CI [0.130, 0.590]。',
  );
});

test('what the reader hid or turned round in the table is still in its sentence', () => {
  expect(of(T, [], {}, { hidden: ['t', 'p'], turned: true, names: { t: 'T 值' } })).toEqual(of(T));
});

test('analysis of variance, coefficients with the df of their model, odds ratios', () => {
  const F = table(
    'comparison',
    [
      column('group', 'text'),
      column('F'),
      column('df1', 'integer'),
      column('df2'),
      column('p', 'pvalue'),
      effect('eta', 'η² [CI]'),
    ],
    [['甲', 12.44, 6, 131.4, 0.0000001, [0.08, 0.04, 0.11]]],
    { claim: claim('groups', [['*F*', 'F', 'df1', 'df2']], { effect: 'eta', outcome: 'variables', by: 'group' }) },
  );
  expect(of(F)[0]?.[1]).toContain('F(6, 131.4) = 12.44, p < .001, η² = 0.08, 95% CI [0.04, 0.11].');
  const coefficient = claim('coefficient', [['*t*', 't']], { outcome: 'y', estimates: estimates(false) });
  coefficient.statistics[0]!.df_elsewhere = { table: 'summary', column: 'df2', row: {}, match: [] };
  const b = table(
    'coefficients',
    [
      column('name', 'text'),
      column('b', 'num', { title: '*B*' }),
      column('se'),
      column('t'),
      column('p', 'pvalue'),
      column('ci', 'interval', { parts: ['low', 'high'], part_format: 'num' }),
    ],
    [
      ['常数项', 1, 0.5, 2, 0.04, [0.1, 1.9]],
      ['年龄', -0.11, 0.15, -0.73, 0.467, [-0.41, 0.19]],
    ],
    { claim: coefficient },
  );
  const summary = table('summary', [column('df2', 'integer')], [[174]]);
  expect(of(b, [summary])).toEqual([
    [
      '“年龄”与“收入”的关联没有统计学意义，B = −0.11，95%CI [−0.41, 0.19]，SE = 0.15，t(174) = −0.73，p = .467。',
      '“年龄” was not significantly associated with “收入”, B = −0.11, 95% CI [−0.41, 0.19], SE = 0.15, t(174) = −0.73, p = .467.',
    ],
  ]);
});

test('a χ² takes the row the conclusion reads and the measure of association from its own table', () => {
  const tests = table(
    'tests',
    [column('test', 'text'), column('read', 'text'), column('value'), column('df', 'integer'), column('p', 'pvalue')],
    [
      ['Pearson χ²', '采用', 11.277, 6, 0.0802],
      ['似然比 χ²', '', 11.63, 6, 0.0707],
    ],
    {
      claim: claim('association', [['χ²', 'value', 'df']], {
        names: ['test'],
        read: 'read',
        outcome: 'columns',
        by: 'rows',
        effect_elsewhere: { table: 'symmetric', column: 'value', row: { measure: "Cramér's V" }, match: ['layer'] },
        effect_symbol: 'Cramér’s *V*',
      }),
    },
  );
  const symmetric = table(
    'symmetric',
    [column('measure', 'text'), column('value')],
    [
      ['Phi (φ)', 0.2],
      ["Cramér's V", 0.109],
    ],
  );
  expect(of(tests, [symmetric])).toEqual([
    [
      '“性别”与“城市”的关联没有统计学意义，χ²(6) = 11.28，p = .080，Cramér’s V = 0.11。',
      '“性别” and “城市” were not significantly associated, χ²(6) = 11.28, p = .080, Cramér’s V = 0.11.',
    ],
  ]);
});

test('a layer is named, so that its sentence cannot be taken for the whole', () => {
  const layered = table(
    'tests',
    [column('layer', 'text'), column('value'), column('df', 'integer'), column('p', 'pvalue')],
    [['男', 11.277, 6, 0.0802]],
    {
      claim: claim('association', [['χ²', 'value', 'df']], { within: 'layer', outcome: 'columns', by: 'rows' }),
    },
  );
  expect(of(layered)[0]?.[0]).toMatch(/^在“男”中，“性别”与“城市”的关联没有统计学意义/);
});

test('a square of correlations: one sentence a pair, with the sign of its method', () => {
  const correlation = claim('correlation', [['*r*', 'r']]);
  correlation.statistics[0]!.symbol_by = { field: 'method', symbols: { kendall: 'τ' } };
  const square = table('matrix', [], [], {
    layout: 'matrix',
    claim: correlation,
    matrix: {
      labels: ['甲', '乙'],
      layers: [
        {
          key: 'r',
          title: '系数',
          format: 'num',
          values: [
            [1, 0.24],
            [0.24, 1],
          ],
        },
        {
          key: 'p',
          title: '*p*',
          format: 'pvalue',
          values: [
            [null, 0.0012],
            [0.0012, null],
          ],
        },
        {
          key: 'n',
          title: '*n*',
          format: 'integer',
          values: [
            [178, 178],
            [178, 178],
          ],
        },
      ],
      show: 'lower',
      diagonal: null,
    },
  });
  expect(of(square)).toEqual([
    [
      '“甲”与“乙”的相关有统计学意义，r = 0.24，p = .001，N = 178。',
      '“甲” and “乙” were significantly correlated, r = 0.24, p = .001, N = 178.',
    ],
  ]);
  expect(of(square, [], { method: 'kendall' })[0]?.[0]).toContain('τ = 0.24');
});

test('a table that claims nothing has no sentence, whatever its columns are called', () => {
  expect(of(table('describe', [column('name', 'text'), column('mean')], [['甲', 1]]))).toEqual([]);
  expect(of(MAIN)).toEqual([]);
  expect(of({ ...T, claim: null })).toEqual([]);
  expect(report([]).parts).toHaveLength(1);
});

test('a mean against a fixed value is no difference between groups', () => {
  const single = table('result', [column('t'), column('df', 'integer'), column('p', 'pvalue')], [[2.5, 19, 0.0218]], {
    claim: claim('value', [['*t*', 't', 'df']], { outcome: 'variables', against: 'mu' }),
  });
  expect(of(single, [], { mu: 3 })).toEqual([
    [
      '“每周运动”与3的差异有统计学意义，t(19) = 2.50，p = .022。',
      '“每周运动” differed significantly from 3, t(19) = 2.50, p = .022.',
    ],
  ]);
});

test('hazard ratios by their own symbol; a row of an exact test by its name and p alone', () => {
  const cox = table(
    'coefficients',
    [
      column('name', 'text'),
      column('b'),
      column('z'),
      column('p', 'pvalue'),
      column('hr'),
      column('ci', 'interval', { parts: ['low', 'high'], part_format: 'num' }),
    ],
    [['年龄', 0.405, 2.1, 0.036, 1.5, [1.03, 2.19]]],
    {
      claim: claim('coefficient', [['*z*', 'z']], {
        outcome: 'y',
        estimates: { ...estimates(true), ratio: 'hr', ratio_symbol: 'HR' },
      }),
    },
  );
  expect(of(cox)[0]?.[0]).toBe('“年龄”与“收入”的关联有统计学意义，HR = 1.50，95%CI [1.03, 2.19]，z = 2.10，p = .036。');
  const exact = table(
    'tests',
    [column('test', 'text'), column('value'), column('p', 'pvalue')],
    [['Fisher精确检验', null, 0.2]],
    { claim: claim('association', [['χ²', 'value']], { names: ['test'], outcome: 'columns', by: 'rows' }) },
  );
  expect(of(exact)[0]?.[0]).toBe('“性别”与“城市”的关联没有统计学意义（Fisher精确检验），p = .200。');
});

test('an assumption is named, by whichever statistic its row has', () => {
  const homogeneity = table(
    'homogeneity',
    [column('test', 'text'), column('F'), column('chi2'), column('df1'), column('df2'), column('p', 'pvalue')],
    [
      ['Levene', 1.2, null, 2, 57, 0.309],
      ['Bartlett', null, 4.1, 2, null, 0.129],
    ],
    {
      title: '方差齐性检验',
      claim: claim(
        'named',
        [
          ['*F*', 'F', 'df1', 'df2'],
          ['χ²', 'chi2', 'df1'],
        ],
        { names: ['test'] },
      ),
    },
  );
  expect(of(homogeneity).map(([zh]) => zh)).toEqual([
    '方差齐性检验 · Levene：F(2.00, 57.00) = 1.20，p = .309。',
    '方差齐性检验 · Bartlett：χ²(2.00) = 4.10，p = .129。',
  ]);
});
