/**
 * Long tables of a workbook. The library holds every cell as an object until the end; beyond a few thousand rows only one
 * row of specimens goes through it, a cell of each look, and the rows are written as text into the sheet while it is packed.
 */
import { strFromU8, strToU8, unzipSync, Zip, ZipDeflate } from 'fflate';
import type { CellObject } from 'write-excel-file/node';
import type { Spread, SpreadRow } from './xlsx-grid.ts';

/** Tables of more rows than this are written here. */
export const LONG = 5000;
export const ROW_HEIGHT = 17;
const PART = 2000;
/** What a cell of a spreadsheet can hold. */
const LONGEST_TEXT = 32_767;

export interface RowPlace {
  isFirst: boolean;
  isLast: boolean;
  hasHead: boolean;
}
export type WriteRow = (row: SpreadRow, place: RowPlace) => CellObject[];

export class LongRows {
  /** Rows above the first of the table: its caption and head. */
  readonly above: number;
  private readonly looks = new Map<string, CellObject>();

  constructor(
    private readonly grid: Spread,
    private readonly write: WriteRow,
  ) {
    this.above = 1 + grid.head.length;
    for (const cells of this.rows())
      for (const { value, ...look } of cells) {
        const key = keyOf(look);
        if (!this.looks.has(key)) this.looks.set(key, typeof value === 'number' ? { ...look, value: 0 } : look);
      }
  }

  get specimens(): CellObject[] {
    return [...this.looks.values()];
  }

  private *rows(): Generator<CellObject[]> {
    const { grid } = this;
    let last: SpreadRow | null = null;
    let isFirst = true;
    const place = (isLast: boolean): RowPlace => ({ isFirst, isLast, hasHead: grid.head.length > 0 });
    for (let from = 0; from < grid.size; from += PART)
      for (const row of grid.rows(from, from + PART)) {
        if (last !== null) {
          yield this.write(last, place(false));
          isFirst = false;
        }
        last = row;
      }
    if (last !== null) yield this.write(last, place(true));
  }

  /** The sheet with the rows in the place of the specimens, in pieces. */
  *sheet(text: string): Generator<string> {
    const specimen = this.above + 1;
    const start = text.indexOf(`<row r="${specimen}"`);
    const end = text.indexOf('</row>', start) + '</row>'.length;
    if (start < 0) throw new Error('The specimens of a long table are lost');
    const styles = [...text.slice(start, end).matchAll(/<c r="[A-Z]+\d+" s="(\d+)"/g)].map((found) => found[1] ?? '0');
    const styleOf = new Map([...this.looks.keys()].map((key, i) => [key, styles[i] ?? '0']));
    yield text.slice(0, start);
    let r = specimen;
    let piece: string[] = [];
    for (const cells of this.rows()) {
      piece.push(rowXml(cells, r, styleOf));
      r += 1;
      if (piece.length < PART) continue;
      yield piece.join('');
      piece = [];
    }
    const moved = r - specimen - 1;
    const below = text
      .slice(end)
      .replace(/(<row r="|<c r="[A-Z]+)(\d+)"/g, (_, head: string, n: string) => `${head}${Number(n) + moved}"`);
    yield piece.join('') + below;
  }
}

const keyOf = (look: CellObject): string => JSON.stringify(look);

function rowXml(cells: readonly CellObject[], r: number, styleOf: ReadonlyMap<string, string>): string {
  const inner = cells.map(({ value, ...look }, c) => {
    const at = `<c r="${columnName(c)}${r}" s="${styleOf.get(keyOf(look)) ?? '0'}"`;
    if (typeof value === 'number') return `${at}><v>${value}</v></c>`;
    return typeof value === 'string'
      ? `${at} t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`
      : `${at}/>`;
  });
  return `<row r="${r}" ht="${ROW_HEIGHT}" customHeight="1">${inner.join('')}</row>`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string): string => text.slice(0, LONGEST_TEXT).replace(/[&<>]/g, (c) => ENTITIES[c] ?? c);

/** 0 → A, 26 → AA. */
function columnName(c: number): string {
  const own = String.fromCodePoint(65 + (c % 26));
  return c < 26 ? own : columnName(Math.floor(c / 26) - 1) + own;
}

/** The workbook with its long sheets filled in; sheets are counted from 0, the first being the page about the report. */
export function withLongRows(workbook: Uint8Array, long: ReadonlyMap<number, LongRows>): Uint8Array {
  const packed: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    packed.push(chunk);
  });
  const sheets = new Map([...long].map(([at, rows]) => [`xl/worksheets/sheet${at + 1}.xml`, rows]));
  for (const [name, bytes] of Object.entries(unzipSync(workbook))) {
    const file = new ZipDeflate(name, { level: 6 });
    zip.add(file);
    const rows = sheets.get(name);
    if (rows === undefined) file.push(bytes);
    else for (const piece of rows.sheet(strFromU8(bytes))) file.push(strToU8(piece));
    file.push(new Uint8Array(), true);
  }
  zip.end();
  return Buffer.concat(packed);
}
