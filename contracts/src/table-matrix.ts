/** A matrix of a report as rows of finished texts: one number a cell, others under it, one half or both. */
import type { MatrixBody, MatrixLayer } from '../generated/contract.ts';
import { type BodyCell, type CellNumber, exactly, kindOf } from './cell-text.ts';
import {
  columnDecimals,
  integer,
  num,
  numeric,
  percent,
  plain,
  pvalue,
  type Reading,
  stars,
  type Token,
  tokens,
} from './format.ts';
import { constantNote } from './constant-columns.ts';
import type { HeadCell } from './table-head.ts';
import { chosenLabels, type RowsEdit } from './table-rows.ts';
import type { BodyRow, TableText } from './table-text.ts';

/** Sizes further apart than this share no decimals: covariances of incomes and of shares have each their own unit. */
const ALIKE = 1e4;
/** Correlations and loadings are one unit: decimals at most, however near zero one of hundreds lies. */
const SHARED = 3;

/** null: each number its own. */
export function layerDecimals(layer: MatrixLayer, reading: Reading): number | null {
  if (layer.format === 'percent') return reading.decimals ?? 1;
  const values = layer.values.flatMap((row) => row.map(numeric));
  const sizes = values.filter((v): v is number => v !== null && v !== 0 && Number.isFinite(v)).map(Math.abs);
  const largest = sizes.reduce((a, b) => Math.max(a, b), 0);
  const smallest = sizes.reduce((a, b) => Math.min(a, b), Infinity);
  if (layer.format === 'num' && largest <= 1) return reading.decimals ?? Math.min(SHARED, columnDecimals(values));
  const apart = largest / smallest > ALIKE && layer.format === 'num';
  return reading.decimals ?? (apart ? null : columnDecimals(values));
}

function layerText(layer: MatrixLayer, x: number, decimals: number | null, reading: Reading): string {
  if (layer.format === 'integer') return integer(x);
  if (layer.format === 'pvalue') return pvalue(x, reading.p);
  return layer.format === 'percent' ? percent(x, decimals) : num(x, decimals);
}

interface Alike {
  layer: MatrixLayer;
  value: number;
}

/** Counts that are the same in every cell are said once below the table. */
function alikeLayer(others: readonly MatrixLayer[]): Alike | null {
  for (const layer of others) {
    const [value = null, ...rest] = new Set(layer.values.flat().flatMap((cell) => numeric(cell) ?? []));
    if (layer.format === 'integer' && value !== null && rest.length === 0) return { layer, value };
  }
  return null;
}

function matrixNotes({ diagonal, layers }: MatrixBody, alike: Alike | null): Token[] {
  const below = layers.slice(1).filter((layer) => layer !== alike?.layer);
  return [
    ...(below.length === 0
      ? []
      : [
          { text: `格内第二行${below.length > 1 ? '依次' : ''}为 ` },
          ...below.flatMap((layer, k) => [...(k > 0 ? [{ text: '、' }] : []), ...tokens(layer.title)]),
          { text: '。' },
        ]),
    ...(diagonal === null || diagonal === undefined ? [] : [{ text: `对角线为${diagonal}。` }]),
    ...(alike === null ? [] : constantNote(alike.layer.title, alike.value)),
  ];
}

export function matrixText(matrix: MatrixBody, reading: Reading, rows?: RowsEdit): TableText {
  const order = chosenLabels(matrix.labels, rows);
  const labels = order.map((i) => rows?.names[matrix.labels[i] ?? ''] ?? matrix.labels[i] ?? '');
  const [main, ...others] = matrix.layers;
  const ps = matrix.layers.find((l) => l.format === 'pvalue');
  const alike = alikeLayer(others);
  const places = matrix.layers.map((l) => layerDecimals(l, reading));
  const visible = (r: number, c: number): boolean =>
    matrix.show === 'full' || r === c || (matrix.show === 'lower' ? c < r : c > r);
  // A correlation of a variable with itself has no p; its covariance with itself has a sum of squares.
  const isBare = (r: number, c: number): boolean => r === c && ps !== undefined;
  const body = labels.map((label, at): BodyRow => ({
    index: order[at] ?? at,
    depth: 0,
    total: false,
    cells: [
      { text: label, rowSpan: 1, head: true, numeric: false },
      ...labels.map((_, place): BodyCell => {
        const [r, c] = [order[at] ?? at, order[place] ?? place];
        const x = numeric(main?.values[r]?.[c]);
        if (main === undefined || x === null || !visible(at, place))
          return { text: '', rowSpan: 1, head: false, numeric: true };
        const own = r !== c && ps !== undefined && ps !== main ? stars(numeric(ps.values[r]?.[c]), reading.stars) : '';
        const below = others.flatMap((layer, k) => {
          const v = numeric(layer.values[r]?.[c]);
          return v === null || layer === alike?.layer || isBare(r, c)
            ? []
            : [layerText(layer, v, places[k + 1] ?? null, reading)];
        });
        const shown = layerText(main, x, places[0] ?? null, reading);
        return {
          text: shown,
          numbers: matrix.layers.map((layer, k): CellNumber => {
            const v = k > 0 && isBare(r, c) ? null : numeric(layer.values[r]?.[c]);
            const what = others.length === 0 ? '' : plain(layer.title);
            const said = v === null ? '' : layerText(layer, v, places[k] ?? null, reading);
            return { x: v, text: said, what, kind: kindOf(layer.format) };
          }),
          ...(own === '' ? {} : { stars: own }),
          ...(below.length > 0 ? { sub: below.join('，') } : {}),
          ...exactly([x]),
          ...(r === c && matrix.diagonal !== null && matrix.diagonal !== undefined ? { strong: true } : {}),
          rowSpan: 1,
          head: false,
          numeric: true,
        };
      }),
    ],
  }));
  const head = ['', ...labels].map((label, at): HeadCell => ({
    tokens: [{ text: label }],
    text: label,
    colSpan: 1,
    rowSpan: 1,
    at,
    spanner: false,
    hint: null,
    numeric: at > 0,
  }));
  const starRoom = [
    0,
    ...labels.map((_, c) => Math.max(0, ...body.map((row) => row.cells[c + 1]?.stars?.length ?? 0))),
  ];
  return {
    head: [head],
    body,
    columns: labels.length + 1,
    starRoom,
    hasStars: starRoom.some((n) => n > 0),
    stacked: others.some((layer) => layer !== alike?.layer),
    told: matrixNotes(matrix, alike),
  };
}
