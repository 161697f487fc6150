/** 对比: the same effect in several results, as a table and as a forest. Made of stored reports; nothing is computed anew. */
import type { ChartElement, Report, TableColumn, TableElement } from '../../generated/contract.ts';
import { numeric, plain, text } from '../format.ts';
import { NUMBERS } from '../cell-text.ts';
import { CONSTANT } from './sentence.ts';

export interface VariantOf {
  /** 原始, 筛选, 第 2 次 … as the reader sees it; no two alike. */
  name: string;
  report: Report;
}

export interface Effect {
  /** Names the effect in every variant. */
  id: string;
  title: string;
  y: number;
  low: number | null;
  high: number | null;
  p: number | null;
}

const MOST = 60;

/** Estimates with an interval of the main tables: differences, effect sizes, coefficients, odds ratios. */
export function effectsOf(report: Report): Effect[] {
  const tables = (report.parts[0]?.elements ?? []).filter(
    (e): e is TableElement => e.type === 'table' && e.place === 'main' && e.matrix === null && !e.hidden,
  );
  const effects = new Map<string, Effect>();
  for (const table of tables) {
    table.columns.forEach((column, at) => {
      table.rows.forEach((row, r) => {
        const triple = tripleOf(table, column, at, r);
        // The constant is no effect.
        if (triple === null || effects.size >= MOST || row.includes(CONSTANT)) return;
        const merged = table.merge.includes(column.key);
        const named = table.columns
          .flatMap((c, i) => (NUMBERS.has(c.format) || (merged && !table.merge.includes(c.key)) ? [] : [said(row[i])]))
          .filter(Boolean);
        const title = [...(table.at === null ? [] : [table.at]), ...named, titleOf(column)].join(' · ');
        const place = table.columns.findIndex((c) => c.key === (table.claim?.p ?? null));
        const id = `${table.name}/${title}`;
        if (!effects.has(id)) effects.set(id, { id, title, ...triple, p: place < 0 ? null : numeric(row[place]) });
      });
    });
  }
  return [...effects.values()];
}

const said = (cell: unknown): string =>
  typeof cell === 'object' && cell !== null && 'label' in cell ? text(cell.label) : text(cell);

const titleOf = ({ title }: TableColumn): string => plain(title).replace(/\s*\[.*\]$/, '');

/** An estimate with its interval in one cell; or a coefficient whose interval stands in its own column. */
function tripleOf(
  table: TableElement,
  column: TableColumn,
  at: number,
  r: number,
): Pick<Effect, 'y' | 'low' | 'high'> | null {
  const cell = table.rows[r]?.[at];
  if (column.format === 'estimate_ci' && Array.isArray(cell)) {
    const [y = null, low = null, high = null] = cell.map(numeric);
    return y === null ? null : { y, low, high };
  }
  const estimates = table.claim?.estimates ?? null;
  if (estimates === null || column.key !== (estimates.ratio ?? estimates.value)) return null;
  if (estimates.ratio !== null && estimates.interval_of !== 'ratio') return null;
  const ends = table.columns.findIndex((c) => c.key === estimates.interval);
  const y = numeric(cell);
  const interval = table.rows[r]?.[ends];
  if (y === null || !Array.isArray(interval)) return null;
  return { y, low: numeric(interval[0]), high: numeric(interval[1]) };
}

/** Effects that at least two of the variants have, in the order of the first. */
export function sharedEffects(variants: readonly VariantOf[]): Pick<Effect, 'id' | 'title'>[] {
  const lists = variants.map(({ report }) => effectsOf(report));
  return (lists[0] ?? [])
    .filter(({ id }) => lists.filter((list) => list.some((e) => e.id === id)).length >= 2)
    .map(({ id, title }) => ({ id, title }));
}

export interface Judged {
  /** Tests that both results have. */
  compared: number;
  /** Those whose *p* is on the other side of the level now. */
  changed: { title: string; before: number; after: number }[];
}

/** Whether a second way of computing leads to other judgements: the tests of both results at one level. */
export function judgedAlike(first: Report, second: Report, level: number): Judged {
  const after = new Map(effectsOf(second).map((effect) => [effect.id, effect.p]));
  const seen = new Set<string>();
  const both = effectsOf(first).flatMap(({ id, title, p: before }) => {
    const then = after.get(id) ?? null;
    // A difference and its size stand in one row and share its test.
    const row = `${title.split(' · ').slice(0, -1).join(' · ')}/${String(before)}`;
    if (before === null || then === null || seen.has(row)) return [];
    seen.add(row);
    return [{ title, before, after: then }];
  });
  return { compared: both.length, changed: both.filter((one) => one.before < level !== one.after < level) };
}

function column(key: string, title: string, format: TableColumn['format'], parts: string[] | null = null): TableColumn {
  return {
    key,
    title,
    format,
    parts,
    part_format: parts === null ? null : 'num',
    around: null,
    hint: null,
    span: [],
    stars: null,
    decimals: null,
    unit: null,
    wide: null,
    action: null,
  };
}

/** One line a variant: estimate, interval, p, cases used. */
export function effectTable(variants: readonly VariantOf[], effect: Pick<Effect, 'id' | 'title'>): TableElement {
  const rows = variants.map(({ name, report }) => {
    const own = effectsOf(report).find((e) => e.id === effect.id);
    return [name, own?.y ?? null, own === undefined ? null : [own.low, own.high], own?.p ?? null, report.sample.used];
  });
  return {
    type: 'table',
    id: 'effect',
    name: 'effect',
    place: 'main',
    title: effect.title,
    at: null,
    layout: 'long',
    turned: false,
    merge: [],
    hidden: false,
    columns: [
      column('variant', '结果', 'text'),
      column('y', '估计', 'num'),
      column('ci', '置信区间', 'interval', ['low', 'high']),
      column('p', '*p*', 'pvalue'),
      column('n', '分析的份数', 'integer'),
    ],
    rows,
    depth: rows.map(() => 0),
    totals: [],
    marks: {},
    matrix: null,
    more: null,
    claim: null,
  };
}

/** The same as a forest with a line at no effect: 1 for ratios, else 0. */
export function effectForest(effect: Pick<Effect, 'id' | 'title'>): ChartElement {
  const none = /\bOR$/.test(effect.title) ? 1 : 0;
  return {
    type: 'chart',
    id: 'forest',
    name: 'forest',
    place: 'main',
    title: effect.title,
    at: null,
    facet: [],
    over: [{ type: 'reference', x: none, y: null, label: null }],
    titles: { y: effect.title },
    thinned: null,
    kind: 'interval',
    of: 'effect',
    x: 'variant',
    y: 'y',
    low: 'low',
    high: 'high',
    group: null,
    size: null,
    texts: null,
    raw: null,
    contrast: null,
  };
}
