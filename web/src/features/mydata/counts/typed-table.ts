/** A table of counts while it is typed: every change gives a new whole, so that undo need not play anything backwards. */
import { TYPED_COUNTS } from '@hengxi/contracts/typed-counts';
import type { TypedCounts } from '@hengxi/server/files/schema';

import { parseBlock } from '../upload/paste.ts';

/** One variable, rows × columns, or a table of rows × columns in each stratum. */
export type Kind = 'one' | 'two' | 'strata';
export type Axis = 'rows' | 'columns' | 'layers';

export interface TypedTable {
  kind: Kind;
  name: string;
  /** Rows and columns are the same categories: pairs, two raters. */
  same: boolean;
  titles: Readonly<Record<Axis, string>>;
  rows: readonly string[];
  columns: readonly string[];
  layers: readonly string[];
  /** As typed: of each layer its rows. */
  cells: readonly (readonly (readonly string[])[])[];
}

export interface Place {
  layer: number;
  row: number;
  column: number;
}

const NOUN: Readonly<Record<Axis, string>> = { rows: '行', columns: '列', layers: '层' };
/** One layer, one row or one column at least stays; of categories there are two. */
const LEAST = 2;
const TOTAL = /^(合\s*计|总\s*计|小\s*计|总\s*和|total|sum|all)$/iu;

const range = (length: number): number[] => Array.from({ length }, (_, place) => place);
const blanks = (rows: number, columns: number): string[][] => range(rows).map(() => range(columns).map(() => ''));

export function begin(): TypedTable {
  return {
    kind: 'two',
    name: '频数表',
    same: false,
    titles: { rows: '分组', columns: '结果', layers: '分层' },
    rows: ['甲组', '乙组'],
    columns: ['是', '否'],
    layers: ['第一层', '第二层'],
    cells: [blanks(2, 2), blanks(2, 2)],
  };
}

/** The axes that the kind of table has, in the order of the variables it becomes. */
export function axesOf({ kind }: Pick<TypedTable, 'kind'>): Axis[] {
  return kind === 'one' ? ['rows'] : kind === 'two' ? ['rows', 'columns'] : ['layers', 'rows', 'columns'];
}

export const layersOf = (table: TypedTable): number[] => (table.kind === 'strata' ? range(table.layers.length) : [0]);
export const columnsOf = (table: TypedTable): number[] => (table.kind === 'one' ? [0] : range(table.columns.length));

/** A whole number as people write it: 1,204 and full-width digits too. Null: no count. */
export function readCount(typed: string): number | null {
  const plain = typed.normalize('NFKC').trim();
  if (!/^(\d{1,10}|\d{1,3}(,\d{3}){1,3})(\.0+)?$/u.test(plain)) return null;
  const count = Number(plain.replaceAll(',', ''));
  return count <= TYPED_COUNTS.count ? count : null;
}

export function withCell(table: TypedTable, { layer, row, column }: Place, typed: string): TypedTable {
  const cells = table.cells.map((sheet, l) =>
    l === layer ? sheet.map((line, r) => (r === row ? line.with(column, typed) : line)) : sheet,
  );
  return { ...table, cells };
}

export function withName(table: TypedTable, axis: Axis, at: number, name: string): TypedTable {
  const next = { ...table, [axis]: table[axis].with(at, name) };
  return axis === 'rows' && table.same ? { ...next, columns: next.rows } : next;
}

export const withTitle = (table: TypedTable, axis: Axis, title: string): TypedTable => ({
  ...table,
  titles: { ...table.titles, [axis]: title },
});

/** Cells of another size; what was typed stays where it was. */
function sized(table: TypedTable): TypedTable {
  const cells = table.layers.map((_, l) =>
    table.rows.map((__, r) => table.columns.map((___, c) => table.cells[l]?.[r]?.[c] ?? '')),
  );
  return { ...table, cells };
}

const freshName = (axis: Axis, names: readonly string[]): string => {
  let number = names.length + 1;
  while (names.includes(`${NOUN[axis]}${number}`)) number += 1;
  return `${NOUN[axis]}${number}`;
};

/** Why no more of an axis can be added, or null. */
export function full(table: TypedTable, axis: Axis): string | null {
  if (table[axis].length >= TYPED_COUNTS.levels) return `最多 ${TYPED_COUNTS.levels} 个类别`;
  const grown = axesOf(table).map(
    (one) => table[one].length + (one === axis || (table.same && axis === 'rows' && one === 'columns') ? 1 : 0),
  );
  return grown.reduce((product, length) => product * length, 1) > TYPED_COUNTS.cells
    ? `最多 ${TYPED_COUNTS.cells} 格`
    : null;
}

export function added(table: TypedTable, axis: Axis): TypedTable {
  if (full(table, axis) !== null) return table;
  const names = [...table[axis], freshName(axis, table[axis])];
  const next = { ...table, [axis]: names };
  return sized(axis === 'rows' && table.same ? { ...next, columns: names } : next);
}

export const canRemove = (table: TypedTable, axis: Axis): boolean => table[axis].length > LEAST;

export function removed(table: TypedTable, axis: Axis, at: number): TypedTable {
  if (!canRemove(table, axis)) return table;
  const without = <T>(list: readonly T[]): T[] => list.filter((_, place) => place !== at);
  const both = axis === 'rows' && table.same;
  const cells = (axis === 'layers' ? without(table.cells) : table.cells).map((sheet) =>
    (axis === 'rows' ? without(sheet) : sheet).map((line) => (axis === 'columns' || both ? without(line) : line)),
  );
  const next = { ...table, [axis]: without(table[axis]), cells };
  return both ? { ...next, columns: next.rows } : next;
}

export function withKind(table: TypedTable, kind: Kind): TypedTable {
  return { ...table, kind, same: kind === 'one' ? false : table.same };
}

export function withSame(table: TypedTable, same: boolean): TypedTable {
  return sized({ ...table, same, columns: same ? table.rows : table.columns });
}

// ---- paste ---------------------------------------------------------------------------------------------------------
export type Pasted = { table: TypedTable } | { fault: string };

/**
 * A block from a spreadsheet. Numbers alone go in from the cell on, and the table grows where they reach beyond it; a
 * block with names in its first row and column is a table of its own. Rows and columns of totals stay out.
 */
export function pasted(table: TypedTable, place: Place, text: string): Pasted | null {
  const block = parseBlock(text).map((line) => line.map((cell) => cell.trim()));
  while (block.length > 0 && block.at(-1)?.every((cell) => cell === '')) block.pop();
  const width = Math.max(0, ...block.map((line) => line.length));
  if (block.length * width < 2) return null;
  const whole = block.map((line) => range(width).map((at) => line[at] ?? ''));
  const isNumber = (cell: string): boolean => readCount(cell) !== null;
  const heads = whole[0]?.slice(1).some((cell) => cell !== '' && !isNumber(cell)) ?? false;
  const sides = whole.slice(1).some(([cell = '']) => cell !== '' && !isNumber(cell));
  // An empty corner stands above names, even where they are numbers (doses).
  const both = (heads || sides) && whole[0]?.[0] === '';
  return heads || sides ? named(table, place.layer, whole, heads || both, sides || both) : numbers(table, place, whole);
}

function numbers(table: TypedTable, { layer, row, column }: Place, block: readonly (readonly string[])[]): Pasted {
  const wrong = firstWrong(block);
  if (wrong !== null) return { fault: wrong };
  let next = table;
  const columns = table.kind === 'one' ? 1 : table.columns.length;
  const width = block[0]?.length ?? 0;
  if (table.kind === 'one' && column + width > columns) return { fault: '一个变量的频数表只有一列，粘贴的有多列' };
  while (next.rows.length < row + block.length && full(next, 'rows') === null) next = added(next, 'rows');
  if (table.kind !== 'one' && !table.same)
    while (next.columns.length < column + width && full(next, 'columns') === null) next = added(next, 'columns');
  if (next.rows.length < row + block.length || (table.kind !== 'one' && next.columns.length < column + width))
    return {
      fault: table.same
        ? '粘贴的表不是方形，与“同一组类别”不符'
        : `粘贴的表太大：最多 ${TYPED_COUNTS.cells} 格，每个变量最多 ${TYPED_COUNTS.levels} 个类别`,
    };
  for (const [r, line] of block.entries())
    for (const [c, cell] of line.entries()) next = withCell(next, { layer, row: row + r, column: column + c }, cell);
  return { table: next };
}

function named(
  table: TypedTable,
  layer: number,
  block: readonly (readonly string[])[],
  heads: boolean,
  sides: boolean,
): Pasted {
  const head = heads ? (block[0] ?? []) : [];
  const keepColumns = range(block[0]?.length ?? 0).filter((at) => at >= (sides ? 1 : 0) && !TOTAL.test(head[at] ?? ''));
  const lines = block.slice(heads ? 1 : 0).filter((line) => !(sides && TOTAL.test(line[0] ?? '')));
  const cells = lines.map((line) => keepColumns.map((at) => line[at] ?? ''));
  const wrong = firstWrong(cells, heads ? 2 : 1, sides ? 2 : 1);
  if (wrong !== null) return { fault: wrong };
  const rows = sides ? lines.map(([name = '']) => name) : cells.map((_, at) => `行${at + 1}`);
  const columns = heads ? keepColumns.map((at) => head[at] ?? '') : keepColumns.map((_, at) => `列${at + 1}`);
  const isOne = columns.length === 1;
  if (rows.length < LEAST) return { fault: '粘贴的表只有一行频数，至少要有两行' };
  if (
    rows.length > TYPED_COUNTS.levels ||
    columns.length > TYPED_COUNTS.levels ||
    rows.length * columns.length > TYPED_COUNTS.cells
  )
    return { fault: `粘贴的表太大：最多 ${TYPED_COUNTS.cells} 格，每个变量最多 ${TYPED_COUNTS.levels} 个类别` };
  const kind: Kind = isOne ? 'one' : table.kind === 'one' ? 'two' : table.kind;
  const same = !isOne && table.same && rows.length === columns.length && rows.every((name, at) => name === columns[at]);
  const wide = isOne ? table.columns : columns;
  const base = sized({
    ...table,
    kind,
    same,
    rows,
    columns: wide,
    cells: table.cells.map((sheet, at) => (at === layer ? [] : sheet)),
  });
  const sheet = rows.map((_, r) => wide.map((__, c) => cells[r]?.[c] ?? ''));
  return { table: { ...base, cells: base.cells.with(layer, sheet) } };
}

function firstWrong(block: readonly (readonly string[])[], row = 1, column = 1): string | null {
  for (const [r, line] of block.entries())
    for (const [c, cell] of line.entries())
      if (cell !== '' && readCount(cell) === null)
        return `粘贴的第 ${r + row} 行第 ${c + column} 列是“${cell.slice(0, 20)}”，频数要 0 或正整数`;
  return null;
}

// ---- what is wrong, and what is sent --------------------------------------------------------------------------------
export interface Problem {
  text: string;
  /** The cell to go to; −1 for a name. Null: none in particular. */
  place: Place | null;
}

export function problemsOf(table: TypedTable): Problem[] {
  return [...nameProblems(table), ...cellProblems(table)];
}

function nameProblems(table: TypedTable): Problem[] {
  const found: Problem[] = [];
  if (table.name.trim() === '') found.push({ text: '请给数据起个名称', place: null });
  const axes = axesOf(table);
  const titles = axes.map((axis) => table.titles[axis].trim());
  for (const [at, axis] of axes.entries()) {
    if (titles[at] === '') found.push({ text: `请输入${NOUN[axis]}变量的名称`, place: null });
    else if (titles.indexOf(titles[at] ?? '') < at) found.push({ text: `两个变量都叫“${titles[at]}”`, place: null });
    if (axis === 'columns' && table.same) continue;
    const names = table[axis].map((name) => name.trim());
    for (const [i, name] of names.entries()) {
      const place = { layer: 0, row: axis === 'rows' ? i : -1, column: axis === 'columns' ? i : -1 };
      if (name === '') found.push({ text: `第 ${i + 1} ${NOUN[axis]}没有名称`, place });
      else if (names.indexOf(name) < i) found.push({ text: `有两${NOUN[axis]}都叫“${name}”`, place });
    }
  }
  return found;
}

function cellProblems(table: TypedTable): Problem[] {
  const found: Problem[] = [];
  const empty: Place[] = [];
  let sum = 0;
  for (const layer of layersOf(table))
    for (const row of range(table.rows.length))
      for (const column of columnsOf(table)) {
        const typed = table.cells[layer]?.[row]?.[column] ?? '';
        const count = readCount(typed);
        if (typed.trim() === '') empty.push({ layer, row, column });
        else if (count === null)
          found.push({
            text: `${wordsOf(table, { layer, row, column })}：“${typed}”不是 0 或正整数`,
            place: { layer, row, column },
          });
        else sum += count;
      }
  const [first] = empty;
  if (first) found.push({ text: `还有 ${empty.length} 格没有填；没有的填 0`, place: first });
  else if (found.length === 0 && sum === 0) found.push({ text: '频数全部是 0', place: null });
  return found;
}

/** What a cell is called: 甲组，是. */
export function wordsOf(table: TypedTable, { layer, row, column }: Place): string {
  const words = [table.rows[row] ?? ''];
  if (table.kind !== 'one') words.push(table.columns[column] ?? '');
  if (table.kind === 'strata') words.unshift(table.layers[layer] ?? '');
  return words.join('，');
}

export interface Totals {
  rows: number[];
  columns: number[];
  layer: number;
  whole: number;
}

/** Of one layer; what is no count yet counts nothing. */
export function totalsOf(table: TypedTable, layer: number): Totals {
  const count = (l: number, r: number, c: number): number => readCount(table.cells[l]?.[r]?.[c] ?? '') ?? 0;
  const rows = range(table.rows.length);
  const columns = columnsOf(table);
  const add = (list: number[]): number => list.reduce((sum, one) => sum + one, 0);
  const ofLayer = (l: number): number => add(rows.flatMap((r) => columns.map((c) => count(l, r, c))));
  return {
    rows: rows.map((r) => add(columns.map((c) => count(layer, r, c)))),
    columns: columns.map((c) => add(rows.map((r) => count(layer, r, c)))),
    layer: ofLayer(layer),
    whole: add(layersOf(table).map(ofLayer)),
  };
}

/** The body of the call; null while something is wrong. */
export function bodyOf(table: TypedTable): TypedCounts | null {
  if (problemsOf(table).length > 0) return null;
  const factors = axesOf(table).map((axis) => ({
    name: table.titles[axis].trim(),
    levels: table[axis].map((name) => name.trim()),
  }));
  const counts = layersOf(table).flatMap((layer) =>
    table.rows.flatMap((_, row) =>
      columnsOf(table).map((column) => readCount(table.cells[layer]?.[row]?.[column] ?? '') ?? 0),
    ),
  );
  return { name: table.name.trim(), factors, counts };
}

/** A draft this browser kept; anything else gives null. */
export function readTable(stored: unknown): TypedTable | null {
  const table = stored as TypedTable | null;
  const names = (list: unknown): list is string[] =>
    Array.isArray(list) &&
    list.length >= LEAST &&
    list.length <= TYPED_COUNTS.levels &&
    list.every((one) => typeof one === 'string');
  const isWhole =
    typeof table === 'object' &&
    table !== null &&
    ['one', 'two', 'strata'].includes(table.kind) &&
    typeof table.name === 'string' &&
    typeof table.same === 'boolean' &&
    [table.titles?.rows, table.titles?.columns, table.titles?.layers].every((one) => typeof one === 'string') &&
    names(table.rows) &&
    names(table.columns) &&
    names(table.layers) &&
    Array.isArray(table.cells);
  return isWhole ? sized(table) : null;
}
