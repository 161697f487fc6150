import { expect, test } from 'vitest';

import { claim, column, estimates, report, table } from '../testing/reports.ts';
import { toHtml, toTsv } from './copy.ts';
import { combined, isModel, type CombineOptions } from './models.ts';
import { effectForest, effectsOf, effectTable, judgedAlike, sharedEffects } from './variants.ts';

const OPTIONS: CombineOptions = { below: 'se', odds: true, stars: 'usual' };
const ci = column('ci', 'interval', { parts: ['low', 'high'], part_format: 'num' });
const linear = (rows: [string, number, number, number][], r2: number) =>
  report(
    [
      table(
        'coefficients',
        [column('name', 'text'), column('b'), column('se'), column('p', 'pvalue'), ci],
        rows.map(([name, b, se, p]) => [name, b, se, p, [b - 2 * se, b + 2 * se]]),
        { claim: claim('coefficient', [], { outcome: 'y', estimates: estimates(false) }) },
      ),
      table('summary', [column('n', 'integer'), column('r2'), column('adjusted')], [[1178, r2, r2 - 0.01]], {
        layout: 'record',
      }),
    ],
    { roles: { y: [{ id: 'c1', name: '收入', label: null, measure: '定量' }] }, form: { conf_level: 0.95 } },
  );
const A = {
  title: '只有年龄',
  report: linear(
    [
      ['常数项', 2, 0.5, 0.2],
      ['年龄', 1.5, 0.16, 0.00001],
    ],
    0.39,
  ),
};
const B = {
  title: '加上性别',
  report: linear(
    [
      ['常数项', 1, 0.4, 0.03],
      ['年龄', 1.25, 0.15, 0.004],
      ['性别', -0.5, 0.25, 0.06],
    ],
    0.534,
  ),
};

test('coefficients stand beside each other with their standard errors, stars, N and R²; what a model lacks stays empty', () => {
  const made = combined([A, B], OPTIONS)!;
  expect(toTsv(made).split('\r\n')).toEqual([
    '\t模型 1\t模型 2',
    '因变量\t收入\t收入',
    '年龄\t1.50*** (0.16)\t1.25** (0.15)',
    '性别\t\t-0.50 (0.25)',
    '常数项\t2.00 (0.50)\t1.00* (0.40)',
    'N\t1,178\t1,178',
    'R²\t0.390\t0.534',
    '调整 R²\t0.380\t0.524',
  ]);
  expect(made.notes.map((t) => t.text).join('')).toBe(
    '单元格为回归系数 B，括号内为标准误；模型 1：只有年龄；模型 2：加上性别。* p < .05，** p < .01，*** p < .001。',
  );
  expect(toHtml(made)).toContain('border-top:0.75pt solid #000');
});

test('intervals instead of standard errors; odds ratios of a logistic model, never with the standard error of B', () => {
  const tsv = toTsv(combined([A, B], { ...OPTIONS, below: 'ci', stars: 'none' })!);
  expect(tsv).toContain('年龄\t1.50 [1.18, 1.82]\t1.25 [0.95, 1.55]');
  const logistic = report([
    table(
      'coefficients',
      [column('name', 'text'), column('b'), column('se'), column('p', 'pvalue'), column('odds'), ci],
      [['年龄', Math.log(2), 0.1, 0.001, 2, [1.5, 2.7]]],
      { claim: claim('coefficient', [], { outcome: 'y', estimates: estimates(true) }) },
    ),
  ]);
  const two = [
    { title: '一', report: logistic },
    { title: '二', report: logistic },
  ];
  expect(toTsv(combined(two, OPTIONS)!)).toContain('年龄\t2.00** [1.50, 2.70]');
  expect(toTsv(combined(two, { ...OPTIONS, odds: false, below: 'ci' })!)).toContain('年龄\t0.69** [0.41, 0.99]');
});

test('for a spreadsheet every number of an estimate stands by itself at full precision', () => {
  const { grid } = combined([A, B], { ...OPTIONS, parted: true })!;
  const age = grid.body.find((row) => row.cells[0]?.text === '年龄');
  expect(age?.cells[1]?.numbers?.map(({ what, x }) => [what, x])).toEqual([
    ['系数或比值', 1.5],
    ['标准误', 0.16],
    ['区间下限', 1.18],
    ['区间上限', 1.82],
  ]);
  const sex = grid.body.find((row) => row.cells[0]?.text === '性别');
  expect(sex?.cells[1]?.numbers).toBeUndefined();
});

test('what is no regression is left out; one model alone is no table', () => {
  expect(isModel(report([]))).toBe(false);
  expect(combined([A, { title: '别的', report: report([]) }], OPTIONS)).toBeNull();
});

test('variants of a result: effects both have, as a table of estimates and a forest with a line at no effect', () => {
  const variants = [
    { name: '原始', report: A.report },
    { name: '筛选', report: B.report },
  ];
  const shared = sharedEffects(variants);
  expect(shared.map((e) => e.title)).toEqual(['年龄 · b']);
  const age = shared[0]!;
  expect(effectTable(variants, age).rows).toEqual([
    ['原始', 1.5, [1.18, 1.82], 0.00001, 303],
    ['筛选', 1.25, [0.95, 1.55], 0.004, 303],
  ]);
  expect(effectForest(age).over).toEqual([{ type: 'reference', x: 0, y: null, label: null }]);
  expect(effectsOf(A.report)).toHaveLength(1);
});

test('a second way of computing: which tests are judged otherwise at a level', () => {
  expect(judgedAlike(A.report, B.report, 0.05)).toEqual({ compared: 1, changed: [] });
  expect(judgedAlike(A.report, B.report, 0.001)).toEqual({
    compared: 1,
    changed: [{ title: '年龄 · b', before: 0.00001, after: 0.004 }],
  });
  expect(judgedAlike(A.report, report([]), 0.05)).toEqual({ compared: 0, changed: [] });
});
