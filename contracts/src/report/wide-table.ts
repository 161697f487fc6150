/** Tables wider than a page: how wide their columns want to be, and the parts they are cut into. */
import type { BodyCell } from '../cell-text.ts';
import { textWidth } from '../chart/scale.ts';
import type { TableText } from '../table-text.ts';

/** Of each column in em: the longest cell, and the longest part of its head; texts break after `text`. */
export function naturalWidths(grid: TableText, text: number): number[] {
  return Array.from({ length: grid.columns }, (_, c) => {
    const body = grid.body.map((row) => cellWidth(row.cells[c] ?? null));
    const heads = grid.head
      .flat()
      .filter((h) => h.at === c && h.colSpan === 1)
      .map((h) => Math.min(6, textWidth(h.text, 1)));
    const most = isNumeric(grid, c) ? 16 : text;
    // Not spread: a table may have more rows than a call may have arguments.
    const longest = body.reduce((a, b) => Math.max(a, b), 0);
    return Math.max(2, ...heads, Math.min(most, longest)) + 0.4;
  });
}

function isNumeric(grid: TableText, c: number): boolean {
  return grid.body.some((row) => row.cells[c]?.numeric);
}

function cellWidth(cell: BodyCell | null): number {
  if (cell === null) return 0;
  // Digits of Times are half an em wide, a little less than the figure of the screen's fonts.
  const latin = 0.92;
  const main = textWidth(`${cell.text}${cell.stars ?? ''}${cell.mark ?? ''}`, 1);
  return (Math.max(main, textWidth(cell.sub ?? '', 0.9)) * (cell.numeric ? latin : 1)) / (cell.colSpan ?? 1);
}

/** Columns that say what a row is; every part needs them. */
const MOST_KEYS = 3;

function keysOf(grid: TableText): number {
  let keys = 0;
  while (keys < Math.min(MOST_KEYS, grid.columns - 1) && !isNumeric(grid, keys)) keys += 1;
  return Math.max(1, keys);
}

/** Parts that each fit into the room; the columns that name the rows stand in all of them. */
export function partsOf(grid: TableText, widths: readonly number[], room: number): TableText[] {
  const keys = Array.from({ length: Math.min(keysOf(grid), grid.columns) }, (_, c) => c);
  const left = room - keys.reduce((sum, c) => sum + (widths[c] ?? 0), 0);
  const others = Array.from({ length: grid.columns - keys.length }, (_, i) => keys.length + i);
  const ends = partEnds(
    others.map((c) => widths[c] ?? 0),
    left,
  );
  if (ends.length < 2) return [grid];
  return ends.map((end, part) => {
    const columns = others.slice(ends[part - 1] ?? 0, end);
    return withoutBlank(withColumns(grid, [...keys, ...columns]), keys.length);
  });
}

interface Way {
  parts: number;
  uneven: number;
  from: number;
}

/** Where the parts end: as few as the room allows, and these as even as can be, so that no column is left alone. */
function partEnds(widths: readonly number[], room: number): number[] {
  const ways: Way[] = [{ parts: 0, uneven: 0, from: 0 }];
  for (let end = 1; end <= widths.length; end += 1) ways.push(bestWay(ways, widths, end, room));
  const ends: number[] = [];
  for (let end = widths.length; end > 0; end = ways[end]?.from ?? 0) ends.unshift(end);
  return ends;
}

/** The best last part of the columns before `end`; one that is wider than the room stands alone. */
function bestWay(ways: readonly Way[], widths: readonly number[], end: number, room: number): Way {
  let best: Way = { parts: Infinity, uneven: Infinity, from: end - 1 };
  let used = 0;
  for (let from = end - 1; from >= 0; from -= 1) {
    used += widths[from] ?? 0;
    if (used > room && from < end - 1) break;
    const before = ways[from];
    if (before === undefined) break;
    const way = { parts: before.parts + 1, uneven: before.uneven + used * used, from };
    if (way.parts < best.parts || (way.parts === best.parts && way.uneven < best.uneven)) best = way;
  }
  return best;
}

/** In a part of a triangle the rows above it have nothing to say. */
function withoutBlank(grid: TableText, keys: number): TableText {
  const isBlank = (cell: BodyCell | null): boolean =>
    cell !== null && cell.rowSpan === 1 && cell.text === '' && cell.sub === undefined;
  const says = ({ cells }: TableText['body'][number]): boolean =>
    cells.slice(0, keys).some((cell) => cell === null || cell.rowSpan > 1) || !cells.slice(keys).every(isBlank);
  return { ...grid, body: grid.body.filter(says) };
}

/** A cell that spans columns stands over those of them that are left. */
function cellsOf(cells: readonly (BodyCell | null)[], columns: readonly number[]): (BodyCell | null)[] {
  const ownerOf = (c: number): number => {
    const before = cells.findLastIndex((cell, at) => at <= c && cell !== null);
    return before >= 0 && c - before < (cells[before]?.colSpan ?? 1) ? before : c;
  };
  const owners = columns.map(ownerOf);
  return owners.map((owner, at) => {
    const cell = cells[owner] ?? null;
    if (cell?.colSpan === undefined) return cell;
    if (at > 0 && owners[at - 1] === owner) return null;
    return { ...cell, colSpan: owners.filter((one) => one === owner).length };
  });
}

/** The same rows with some of the columns; a spanner shrinks to what is left below it. */
function withColumns(grid: TableText, columns: readonly number[]): TableText {
  const head = grid.head.map((row) =>
    row.flatMap((h) => {
      const under = columns.filter((c) => c >= h.at && c < h.at + h.colSpan);
      const [first] = under;
      return first === undefined ? [] : [{ ...h, at: columns.indexOf(first), colSpan: under.length }];
    }),
  );
  return {
    ...grid,
    head,
    body: grid.body.map((row) => ({ ...row, cells: cellsOf(row.cells, columns) })),
    columns: columns.length,
    starRoom: columns.map((c) => grid.starRoom[c] ?? 0),
  };
}
