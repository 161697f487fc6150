/** Small made-up reports for tests: every element type, every table layout, every chart kind. Never shipped. */
import { plainColumn as column } from '../report/plain-column.ts';
import type {
  Cell,
  Claim,
  Element,
  Part,
  Report,
  Sample,
  TableColumn,
  TableElement,
} from '../../generated/contract.ts';

export { column };

export function table(
  id: string,
  columns: TableColumn[],
  rows: Cell[][],
  more: Partial<TableElement> = {},
): TableElement {
  return {
    type: 'table',
    id,
    name: id,
    place: 'main',
    title: `${id}的标题`,
    at: null,
    layout: 'long',
    turned: false,
    merge: [],
    hidden: false,
    columns,
    rows,
    depth: rows.map(() => 0),
    totals: [],
    marks: {},
    matrix: null,
    more: null,
    claim: null,
    ...more,
  };
}

/** A claim with what matters to a test; statistics as [symbol, column, …columns of df]. */
export function claim(
  about: Claim['about'],
  statistics: readonly [string, string, ...string[]][],
  more: Partial<Claim> = {},
): Claim {
  return {
    about,
    p: 'p',
    statistics: statistics.map(([symbol, column, ...df]) => ({
      symbol,
      column,
      df,
      symbol_by: null,
      df_elsewhere: null,
    })),
    beside: [],
    effect: null,
    effect_symbol: null,
    effect_elsewhere: null,
    interval: null,
    outcome: null,
    by: null,
    first: null,
    second: null,
    against: null,
    names: [],
    within: null,
    read: null,
    estimates: null,
    ...more,
  };
}

/** The estimates of a table of coefficients with the columns name, b, se, ci, and odds where it has a ratio. */
export function estimates(ratio: boolean): NonNullable<Claim['estimates']> {
  return {
    term: 'name',
    value: 'b',
    se: 'se',
    interval: 'ci',
    interval_of: ratio ? 'ratio' : 'value',
    ratio: ratio ? 'odds' : null,
    ratio_symbol: ratio ? 'OR' : null,
  };
}

const SAMPLE: Sample = {
  file: 326,
  filter: 312,
  weight: 312,
  missing: 303,
  used: 303,
  weighted: null,
  chosen: null,
  either: null,
  why: [{ column: 'c2', name: '运动时长', rows: 9, reason: null }],
  columns: ['c2'],
};

export function report(elements: Element[], more: Partial<Report> = {}, part: Partial<Part> = {}): Report {
  return {
    contract: 1,
    path: 'hypothesis_test/independent_t_test',
    version: 1,
    title: '不同性别学生的每周运动时长',
    method: { path: 'hypothesis_test/independent_t_test', title: '独立样本t检验', version: 1 },
    form: {},
    seed: 20240101,
    libraries: { hengxi: '0.1.0', numpy: '2.4.6' },
    parts: [{ group: null, sample: SAMPLE, elements, refusal: null, ...part }],
    sample: SAMPLE,
    conventions: ['*d* 以合并标准差为分母。'],
    references: [
      {
        key: 'welch1947',
        gbt: 'WELCH B L. The generalization of Student’s problem[J]. Biometrika, 1947.',
        apa: 'Welch, B. L. (1947). The generalization of Student’s problem.',
        doi: '10.1093/biomet/34.1-2.28',
        named: [],
      },
    ],
    roles: { group: [{ id: 'c1', name: '性别', label: null, measure: '定类' }] },
    filter: { condition: '{c3} >= 60', filter_type: 'keep', text: '用时 >= 60' },
    split: null,
    weight: null,
    fill_missing: false,
    elapsed: 0.034,
    stopped: false,
    next_steps: null,
    ...more,
  };
}

export const MAIN = table(
  'result',
  [
    column('group', 'level', { title: '组别' }),
    column('n', 'integer', { title: '*n*' }),
    column('desc', 'mean_sd', {
      title: '*M* ± *SD*',
      parts: ['mean', 'sd'],
      part_format: 'num',
      hint: '均值 ± 标准差',
    }),
    column('ci', 'interval', { title: '均值 95% CI', parts: ['low', 'high'], part_format: 'num' }),
    column('p', 'pvalue', { title: '*p*' }),
  ],
  [
    [{ value: 1, label: '男' }, 139, [3.8212, 1.69], [3.54, 4.11], 0.0011],
    [{ value: 2, label: '女' }, 164, [3.2071, 1.51], [2.98, 3.44], 0.0011],
  ],
  { merge: ['p'], title: '两组比较' },
);
