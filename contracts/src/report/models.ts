/**
 * 合并多模型: the coefficients of several regressions as one 三线表, a column a model. Made of stored reports as they are;
 * the texts are those of format.ts.
 */
import type { Estimates, Report, TableElement } from '../../generated/contract.ts';
import type { BodyCell, CellNumber } from '../cell-text.ts';
import {
  ABSENT,
  columnDecimals,
  fixed,
  integer,
  interval,
  num,
  numeric,
  percent,
  plain,
  scientific,
  stars,
  type Token,
  starsNote,
} from '../format.ts';
import type { HeadCell } from '../table-head.ts';
import type { BodyRow, TableText } from '../table-text.ts';
import type { TableCopy } from './copy.ts';
import { CONSTANT } from './sentence.ts';

export interface ModelOf {
  title: string;
  report: Report;
}

export interface CombineOptions {
  below: 'se' | 'ci';
  /** Of logistic models: the coefficient or the odds ratio. */
  odds: boolean;
  stars: 'usual' | 'economics' | 'none';
  /** For spreadsheets: every number of an estimate by itself, the standard error and both ends of the interval. */
  parted?: boolean;
}

type Column = { at: number; part: number | null };

function columnOf(table: TableElement, key: string): Column | null {
  for (const [at, column] of table.columns.entries()) {
    if (column.key === key) return { at, part: null };
    const part = column.parts?.indexOf(key) ?? -1;
    if (part >= 0) return { at, part };
  }
  return null;
}

function valueOf(table: TableElement, row: number, key: string): number | null {
  const place = columnOf(table, key);
  if (place === null) return null;
  const cell = table.rows[row]?.[place.at];
  return numeric(place.part === null ? cell : Array.isArray(cell) ? cell[place.part] : null);
}

/** The table of coefficients of a model, as it declares them; null where the report is of no model. */
export function coefficientsOf(report: Report): Coefficients | null {
  for (const element of report.parts[0]?.elements ?? []) {
    const estimates = element.type === 'table' ? element.claim?.estimates : null;
    if (element.type === 'table' && estimates) return { table: element, estimates, p: element.claim?.p ?? 'p' };
  }
  return null;
}

const plainSymbol = (symbol: string | null | undefined): string | null => (symbol ? plain(symbol) : null);

interface Coefficients {
  table: TableElement;
  estimates: Estimates;
  p: string;
}

export const isModel = (report: Report): boolean => coefficientsOf(report) !== null;
/** OR, HR or IRR where the model has one beside its coefficients. */
export const ratioOf = (report: Report): string | null => plainSymbol(coefficientsOf(report)?.estimates.ratio_symbol);

interface Estimate {
  y: number;
  se: number | null;
  low: number | null;
  high: number | null;
  p: number | null;
}

interface Model {
  title: string;
  terms: ReadonlyMap<string, Estimate>;
  decimals: number;
  summary: TableElement | null;
  /** OR, HR, IRR where the model has one. */
  ratio: string | null;
}

function modelOf({ title, report }: ModelOf, { odds }: CombineOptions): Model | null {
  const coefficients = coefficientsOf(report);
  if (coefficients === null) return null;
  const { table, estimates, p } = coefficients;
  const terms = new Map<string, Estimate>();
  const shownRatio = odds ? estimates.ratio : null;
  table.rows.forEach((row, r) => {
    const name = row[columnOf(table, estimates.term)?.at ?? 0];
    const y = valueOf(table, r, shownRatio ?? estimates.value);
    if (typeof name !== 'string' || y === null) return;
    const [low, high] = intervalOf(table, r, estimates, shownRatio !== null);
    const se = shownRatio !== null || estimates.se === null ? null : valueOf(table, r, estimates.se);
    terms.set(name, { y, se, low, high, p: valueOf(table, r, p) });
  });
  const summary = (report.parts[0]?.elements ?? []).find(
    (e): e is TableElement => e.type === 'table' && e.name === 'summary',
  );
  const decimals = Math.max(2, columnDecimals([...terms.values()].map((t) => t.y)));
  return { title, terms, decimals, summary: summary ?? null, ratio: plainSymbol(estimates.ratio_symbol) };
}

/** The interval on the scale asked for: that of a ratio is the exponentiated one of its coefficient. */
function intervalOf(
  table: TableElement,
  row: number,
  estimates: Estimates,
  ofRatio: boolean,
): [number | null, number | null] {
  const { interval, interval_of } = estimates;
  const place = interval === null ? null : columnOf(table, interval);
  const cell = place === null ? null : table.rows[row]?.[place.at];
  if (!Array.isArray(cell)) return [null, null];
  const scaled = (x: number | null): number | null =>
    x === null || (interval_of === 'ratio') === ofRatio ? x : ofRatio ? Math.exp(x) : Math.log(x);
  return [scaled(numeric(cell[0])), scaled(numeric(cell[1]))];
}

/** Terms in the order of the first model that has them; the constant last. */
function termsOf(models: readonly Model[]): string[] {
  const names = [...new Set(models.flatMap((m) => [...m.terms.keys()]))];
  return [...names.filter((n) => n !== CONSTANT), ...names.filter((n) => n === CONSTANT)];
}

const blank: BodyCell = { text: '', rowSpan: 1, head: false, numeric: true };

function written(x: number, decimals: number): string {
  const shown = fixed(x, decimals);
  return x !== 0 && !/[1-9]/.test(shown) ? scientific(x) : shown;
}

function cellOf(estimate: Estimate | undefined, { decimals }: Model, options: CombineOptions): BodyCell {
  if (estimate === undefined) return blank;
  const marks = stars(estimate.p, options.stars);
  const { se, low, high } = estimate;
  const below =
    options.below === 'se' && se !== null
      ? `(${written(se, decimals)})`
      : low === null && high === null
        ? ''
        : interval(low, high, decimals);
  return {
    ...blank,
    text: written(estimate.y, decimals),
    exact: String(estimate.y),
    numbers: options.parted
      ? partsOf(estimate, decimals)
      : [{ x: estimate.y, text: written(estimate.y, decimals), what: '', kind: 'number' }],
    ...(marks === '' ? {} : { stars: marks }),
    ...(below === '' ? {} : { sub: below }),
  };
}

/** Rows of a spreadsheet below each other: the estimate is called by the row it stands in. */
function partsOf({ y, se, low, high }: Estimate, decimals: number): CellNumber[] {
  const named: [string, number | null][] = [
    ['系数或比值', y],
    ['标准误', se],
    ['区间下限', low],
    ['区间上限', high],
  ];
  return named.map(([what, x]): CellNumber => ({
    x,
    what,
    text: x === null ? '' : written(x, decimals),
    kind: 'number',
  }));
}

/** What a table of models says about each as a whole: the rows there are. */
const FOOT: readonly { key: string; title: Token[]; write: (x: number) => string }[] = [
  { key: 'n', title: [{ text: 'N', st: true }], write: integer },
  { key: 'r2', title: [{ text: 'R', st: true }, { text: '²' }], write: (x) => num(x, 3) },
  { key: 'adjusted', title: [{ text: '调整 ' }, { text: 'R', st: true }, { text: '²' }], write: (x) => num(x, 3) },
  { key: 'F', title: [{ text: 'F', st: true }], write: (x) => num(x, 2) },
  { key: 'mcfadden', title: [{ text: 'McFadden ' }, { text: 'R', st: true }, { text: '²' }], write: (x) => num(x, 3) },
  {
    key: 'nagelkerke',
    title: [{ text: 'Nagelkerke ' }, { text: 'R', st: true }, { text: '²' }],
    write: (x) => num(x, 3),
  },
  { key: 'chi2', title: [{ text: '似然比 χ²' }], write: (x) => num(x, 2) },
  { key: 'aic', title: [{ text: 'AIC' }], write: (x) => num(x, 1) },
];

function footOf(models: readonly Model[]): BodyRow[] {
  return FOOT.flatMap(({ key, title, write }): BodyRow[] => {
    const values = models.map((m) => (m.summary === null ? null : valueOf(m.summary, 0, key)));
    if (values.every((v) => v === null)) return [];
    const cells = values.map((x): BodyCell =>
      x === null
        ? { ...blank, text: ABSENT }
        : {
            ...blank,
            text: write(x),
            exact: String(x),
            numbers: [{ x, text: write(x), what: '', kind: key === 'n' ? 'count' : 'number' }],
          },
    );
    const head: BodyCell = {
      text: title.map((t) => t.text).join(''),
      tokens: title,
      rowSpan: 1,
      head: true,
      numeric: false,
    };
    return [{ index: 0, depth: 0, total: true, cells: [head, ...cells] }];
  });
}

/** Below the table: what stands in a cell, what stars mean, which model is which. */
function notesOf(
  models: readonly Model[],
  given: readonly ModelOf[],
  options: CombineOptions,
  hasStars: boolean,
): Token[] {
  const level = percent(numeric(given[0]?.report.form['conf_level']) ?? 0.95);
  const ratios = options.odds ? [...new Set(models.map((m) => m.ratio).filter((ratio) => ratio !== null))] : [];
  const isRatio = ratios.length > 0;
  const others = models.some((m) => m.ratio === null);
  const cell: Token[] = [
    { text: isRatio ? `单元格为 ${ratios.join('、')}${others ? '（其余模型为系数 ' : ''}` : '单元格为回归系数 ' },
    ...(isRatio && !others ? [] : [{ text: 'B', st: true } as Token]),
    { text: isRatio && others ? '）' : '' },
    {
      text:
        options.below === 'se' && !isRatio
          ? '，括号内为标准误；'
          : `，${options.below === 'se' ? `括号内为标准误，${ratios.join('、')} 下为` : '下为'} ${level} 置信区间；`,
    },
  ];
  const named = models.map(({ title }, i) => `模型 ${i + 1}：${title}`).join('；');
  return [
    ...cell,
    { text: `${named}。` },
    ...(hasStars ? [...starsNote({ stars: options.stars, p: 'short' }), { text: '。' }] : []),
  ];
}

/** The table with its caption and notes; null where fewer than two of the reports are regressions. */
export function combined(given: readonly ModelOf[], options: CombineOptions): TableCopy | null {
  const known = given.filter(({ report }) => isModel(report));
  const models = known.map((one) => modelOf(one, options)).filter((m): m is Model => m !== null);
  if (models.length < 2) return null;
  const body: BodyRow[] = termsOf(models).map((name, index) => ({
    index,
    depth: 0,
    total: false,
    cells: [
      { text: name, rowSpan: 1, head: true, numeric: false },
      ...models.map((m) => cellOf(m.terms.get(name), m, options)),
    ],
  }));
  const foot = footOf(models).map((row, i) => ({ ...row, index: body.length + i }));
  const outcome = (m: ModelOf): string => {
    const [y] = m.report.roles['y'] ?? [];
    return y?.label ?? y?.name ?? '';
  };
  const head: HeadCell[] = [
    [{ text: '' }] as Token[],
    ...models.map((_, i): Token[] => [{ text: `模型 ${i + 1}` }]),
  ].map((words, at) => ({
    tokens: words,
    text: plain(words.map((t) => t.text).join('')),
    colSpan: 1,
    rowSpan: 1,
    at,
    spanner: false,
    hint: at === 0 ? null : (models[at - 1]?.title ?? null),
    numeric: at > 0,
  }));
  const outcomes: BodyRow = {
    index: -1,
    depth: 0,
    total: false,
    cells: [
      { text: '因变量', rowSpan: 1, head: true, numeric: false },
      ...known.map((m): BodyCell => ({ ...blank, text: outcome(m) })),
    ],
  };
  const all = [outcomes, ...body, ...foot];
  const starRoom = [0, ...models.map((_, c) => Math.max(0, ...all.map((row) => row.cells[c + 1]?.stars?.length ?? 0)))];
  const hasStars = starRoom.some((n) => n > 0);
  const grid: TableText = {
    head: [head],
    body: all,
    columns: models.length + 1,
    starRoom,
    hasStars,
    stacked: true,
    told: [],
  };
  return { number: '', title: [{ text: '各模型的回归系数' }], notes: notesOf(models, known, options, hasStars), grid };
}
