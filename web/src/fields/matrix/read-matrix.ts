/** Grids of typed numbers as the wire has them; what one half of a mirrored matrix says of the other. */
import type { MatrixField } from '@hengxi/contracts/contract';

import { isRecord, listOf, recordsOf, textOf } from '../form.ts';
import { readNumber } from '../number/read-number.ts';

export interface Grid {
  rows: readonly string[];
  columns: readonly string[];
  values: readonly (readonly (number | null)[])[];
}

export interface Sheet extends Grid {
  key: readonly string[];
}

/** What there is a matrix of: a node of a hierarchy, an expert; names are those of its rows. */
export interface SheetPlan {
  key: readonly string[];
  title: string;
  names: readonly string[];
}

const MIRRORED: ReadonlySet<string> = new Set(['reciprocal', 'complementary', 'symmetric', 'distance']);
const DIAGONAL: Readonly<Record<string, number>> = { reciprocal: 1, complementary: 0.5, distance: 0, influence: 0 };

export const isMirrored = (field: MatrixField): boolean => MIRRORED.has(field.kind);
export const isSquare = (field: MatrixField): boolean => field.kind !== 'free' && field.kind !== 'binary';
export const diagonalOf = (field: MatrixField): number | null => DIAGONAL[field.kind] ?? null;

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);

function readGrid(value: unknown): Grid {
  const given = isRecord(value) ? value : {};
  const rows = listOf(given['rows']).map(String);
  const columns = listOf(given['columns']).map(String);
  return { rows, columns, values: listOf(given['values']).map((row) => listOf(row).map(numberOrNull)) };
}

/** A grid of these names; cells whose names are still there keep their numbers. */
export function reshaped(field: MatrixField, grid: Grid, rows: readonly string[], columns: readonly string[]): Grid {
  const at = (row: number, column: number): number | null => {
    const value = grid.values[row]?.[column];
    return value ?? (row === column && isSquare(field) ? diagonalOf(field) : null);
  };
  return { rows, columns, values: rows.map((_, row) => columns.map((__, column) => at(row, column))) };
}

const START = ['1', '2', '3'];

export function readMatrix(field: MatrixField, value: unknown): Grid {
  const grid = readGrid(value);
  const rows = grid.rows.length > 0 ? grid.rows : START.map((name) => `对象${name}`);
  const columns = isSquare(field) ? rows : grid.columns.length > 0 ? grid.columns : START.map((name) => `列${name}`);
  return reshaped(field, grid, rows, columns);
}

const sameKey = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((part, at) => part === b[at]);

export function readSheets(value: unknown): Sheet[] {
  const given = isRecord(value) ? value['sheets'] : null;
  return recordsOf(given).map((sheet) => ({ ...readGrid(sheet), key: listOf(sheet['key']).map(String) }));
}

export function sheetFor(field: MatrixField, value: unknown, plan: SheetPlan): Sheet {
  const kept = readSheets(value).find((sheet) => sameKey(sheet.key, plan.key));
  return { ...reshaped(field, kept ?? { rows: [], columns: [], values: [] }, plan.names, plan.names), key: plan.key };
}

/** The sheets of all plans; what belongs to a node or an expert that is gone is left out. */
export function withSheet(field: MatrixField, value: unknown, plans: readonly SheetPlan[], sheet: Sheet): unknown {
  const parsedSheets = readSheets(value);
  const sheets = plans.flatMap((plan) => {
    if (sameKey(plan.key, sheet.key)) return [sheet];
    return parsedSheets.some(({ key }) => sameKey(key, plan.key)) ? [sheetFor(field, value, plan)] : [];
  });
  return { sheets };
}

/** What the mirrored cell must hold; null where the kind says nothing. */
export function mirrored(field: MatrixField, value: number | null): number | null {
  if (value === null) return null;
  if (field.kind === 'reciprocal') return value === 0 ? null : 1 / value;
  return field.kind === 'complementary' ? Number((1 - value).toPrecision(12)) : value;
}

/** A number typed into a cell; of a mirrored matrix the other half follows. */
export function withNumber(field: MatrixField, grid: Grid, row: number, column: number, value: number | null): Grid {
  const set = (values: Grid['values'], i: number, j: number, next: number | null): Grid['values'] =>
    values.map((cells, index) => (index === i ? cells.with(j, next) : cells));
  const values = set(grid.values, row, column, value);
  const other = isMirrored(field) && row !== column ? set(values, column, row, mirrored(field, value)) : values;
  return { ...grid, values: other };
}

/** A block of cells copied from a spreadsheet, put in from this cell on; null where the text is none. */
export function withPasted(field: MatrixField, grid: Grid, row: number, column: number, text: string): Grid | null {
  const lines = text.replace(/\r?\n$/u, '').split(/\r?\n/u);
  if (lines.length === 1 && !text.includes('\t')) return null;
  let next = grid;
  lines.forEach((line, i) =>
    line.split('\t').forEach((part, j) => {
      const [at, place] = [row + i, column + j];
      const read = readNumber(part);
      const isInside = at < grid.rows.length && place < grid.columns.length;
      // Of a mirrored matrix the lower half of what is pasted says nothing new.
      if (read === null || !isInside || (isMirrored(field) && at >= place && lines.length > 1)) return;
      next = withNumber(field, next, at, place, read);
    }),
  );
  return next;
}

/** 0.3333 as it is meant: 1/3. */
export function shownNumber(field: MatrixField, value: number | null): string {
  if (value === null) return '';
  const inverse = Math.round(1 / value);
  const isShare = field.kind === 'reciprocal' && value > 0 && value < 1 && Math.abs(1 / value - inverse) < 1e-9;
  return isShare ? `1/${inverse}` : String(Number(value.toPrecision(6)));
}

interface TreeNode {
  id: string;
  name: string;
  children: TreeNode[];
}

function readNode(value: unknown): TreeNode | null {
  if (!isRecord(value)) return null;
  const children = listOf(value['children'])
    .map(readNode)
    .filter((node) => node !== null);
  return { id: textOf(value['id']), name: textOf(value['name']), children };
}

/**
 * The matrices there are: for each node of the tree with things to compare, for each row of the records. With `compared`,
 * records of their own, these are compared under each lowest node.
 */
export function plansOf(values: readonly unknown[], compared?: unknown): SheetPlan[] {
  const names = compared === undefined ? null : recordsOf(compared).map((row) => textOf(row['name'] ?? row['id']));
  let plans: SheetPlan[] = [];
  values.forEach((value, at) => {
    const root = readNode(value);
    if (root !== null) {
      const nodes: TreeNode[] = [];
      const walk = (node: TreeNode): void => {
        if (names === null ? node.children.length > 1 : node.children.length === 0) nodes.push(node);
        node.children.forEach(walk);
      };
      walk(root);
      plans = nodes.map((node) => ({
        key: [node.id],
        title: node.name,
        names: names ?? node.children.map(({ name }) => name),
      }));
    } else if (at > 0) {
      const rows = recordsOf(value);
      if (rows.length > 0)
        plans = plans.flatMap((plan) =>
          rows.map((row) => ({
            ...plan,
            key: [...plan.key, textOf(row['id'])],
            title: `${plan.title} · ${textOf(row['name'] ?? row['id'])}`,
          })),
        );
    }
  });
  return plans;
}

/** How many pairs of this sheet hold a judgement. */
export function filledPairs(grid: Grid): number {
  return grid.rows.reduce(
    (sum, _, i) => sum + grid.rows.filter((__, j) => j > i && (grid.values[i]?.[j] ?? null) !== null).length,
    0,
  );
}
