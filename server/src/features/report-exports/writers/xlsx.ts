/** Tables as sheets: numbers are numbers at full precision, shown with the decimals, signs and stars of the report. */
import type { Block, TableBlock } from '@hengxi/contracts/report/blocks';
import { wordsOf } from '@hengxi/contracts/report/blocks';
import { numberFormat } from '@hengxi/contracts/report/number-format';
import { textWidth } from '@hengxi/contracts/chart/scale';
import writeXlsxFile from 'write-excel-file/node';
import type { CellObject, Row, Sheet } from 'write-excel-file/node';
import { clean } from './docx-words.ts';
import type { Job, Tell } from './job.ts';
import { spreadGrid } from './xlsx-grid.ts';
import type { Spread, SpreadCell } from './xlsx-grid.ts';
import { LONG, LongRows, ROW_HEIGHT, withLongRows, type WriteRow } from './xlsx-long.ts';

const FONT = '宋体';
const LONGEST_NAME = 31;

type Written = Sheet<Buffer>;

export async function writeXlsx(job: Job, blocks: readonly Block[], tell: Tell): Promise<Uint8Array> {
  const tables = blocks.filter((b): b is TableBlock => b.type === 'table');
  const names = new Set<string>();
  const sheets: Written[] = [aboutSheet(job, blocks, names)];
  const long = new Map<number, LongRows>();
  for (const [i, table] of tables.entries()) {
    const grid = spreadGrid(table.flat());
    const rows = grid.size > LONG ? new LongRows(grid, bodyRow) : null;
    if (rows !== null) long.set(i + 1, rows);
    sheets.push(tableSheet(table, grid, rows, names));
    tell(i + 1, tables.length, `表 ${table.n}`);
  }
  const written = new Uint8Array(await writeXlsxFile(sheets, { fontFamily: FONT, fontSize: 10 }).toBuffer());
  return long.size === 0 ? written : withLongRows(written, long);
}

/** 表1 两组比较: what a sheet may be called, once. */
function sheetName(wanted: string, taken: Set<string>): string {
  const base =
    clean(wanted)
      .replace(/[[\]:*?/\\]/g, ' ')
      .replace(/^'|'$/g, '')
      .trim() || '表';
  for (let k = 1; ; k += 1) {
    const tail = k === 1 ? '' : ` (${k})`;
    const name =
      Array.from(base)
        .slice(0, LONGEST_NAME - tail.length)
        .join('') + tail;
    if (taken.has(name.toLowerCase())) continue;
    taken.add(name.toLowerCase());
    return name;
  }
}

// --- a table ---------------------------------------------------------------------------------------------------------

function tableSheet(block: TableBlock, grid: Spread, long: LongRows | null, names: Set<string>): Written {
  // A sheet stands alone: no heading above it says of which group it is.
  const title = wordsOf(block.title) + (block.part === '' ? '' : `（${block.part}）`);
  const caption: Row = [{ value: clean(`表 ${block.n}　${title}`), type: String, fontWeight: 'bold', height: 20 }];
  const note = wordsOf(block.notes);
  const below: Row[] =
    note === '' ? [] : [[{ value: clean(`注：${note}`), type: String, fontSize: 9, textColor: '#444444' }]];
  return {
    sheet: sheetName(`表${block.n} ${title}`, names),
    data: [caption, ...headRows(grid), ...(long === null ? bodyRows(grid) : [long.specimens]), ...below],
    columns: widthsOf(grid).map((width) => ({ width })),
    stickyRowsCount: 1 + grid.head.length,
    showGridLines: false,
  };
}

function headRows(grid: Spread): Row[] {
  return grid.head.map((row, r) => {
    // What lies under a merged cell stays empty; the writer gives it the borders of that cell.
    const cells: (CellObject | null)[] = Array.from({ length: grid.columns }, () => null);
    const put = (at: number, cell: CellObject): void => {
      cells[at] = cell;
    };
    for (const h of row)
      put(h.at, {
        ...headStyle(grid, r, h.spanner),
        value: clean(h.text),
        type: String,
        fontWeight: 'bold',
        align: h.at === 0 ? 'left' : h.spanner ? 'center' : h.numeric ? 'right' : 'left',
        alignVertical: 'bottom',
        height: 18,
        ...(h.colSpan > 1 ? { columnSpan: h.colSpan } : {}),
        ...(h.rowSpan > 1 ? { rowSpan: h.rowSpan } : {}),
        ...(r + h.rowSpan === grid.head.length ? { bottomBorderStyle: 'thin', bottomBorderColor: '#000000' } : {}),
      });
    return cells;
  });
}

function headStyle(grid: Spread, r: number, isSpanner: boolean): CellObject {
  return {
    ...(r === 0 ? { topBorderStyle: 'medium', topBorderColor: '#000000' } : {}),
    ...(isSpanner || r === grid.head.length - 1 ? { bottomBorderStyle: 'thin', bottomBorderColor: '#000000' } : {}),
  };
}

function bodyRows(grid: Spread): Row[] {
  const rows = grid.rows(0, grid.size);
  return rows.map((row, r) =>
    bodyRow(row, { isFirst: r === 0, isLast: r === rows.length - 1, hasHead: hasHead(grid) }),
  );
}

const hasHead = (grid: Spread): boolean => grid.head.length > 0;

/** `hasHead`: there is a head above, whose line also parts it from the first row. */
const bodyRow: WriteRow = (row, { isFirst, isLast, hasHead: headed }) =>
  row.cells.map((cell) => ({
    ...valueOf(cell),
    height: ROW_HEIGHT,
    alignVertical: 'center',
    align: cell.numeric ? 'right' : 'left',
    ...(cell.depth > 0 ? { indent: cell.depth } : {}),
    ...(isFirst && !headed ? { topBorderStyle: 'medium', topBorderColor: '#000000' } : {}),
    ...(row.isTotal && !isFirst ? { topBorderStyle: 'thin', topBorderColor: '#000000' } : {}),
    ...(isLast ? { bottomBorderStyle: 'medium', bottomBorderColor: '#000000' } : {}),
  }));

/** A text is never a formula here: the writer stores strings as strings (F2). */
function valueOf(cell: SpreadCell): CellObject {
  const { number, after } = cell;
  const format = number === null ? null : numberFormat(number, after);
  if (number === null || number.x === null || format === null) {
    const text = clean(cell.text + after);
    return text === '' ? {} : { value: text, type: String };
  }
  return { value: number.x, type: Number, format };
}

function widthsOf(grid: Spread): number[] {
  const first = grid.rows(0, 500);
  return Array.from({ length: grid.columns }, (_, c) => {
    const heads = grid.head.flat().filter((h) => h.at === c && h.colSpan === 1);
    const texts = [...heads.map((h) => h.text), ...first.map((row) => row.cells[c]?.text ?? '')];
    return Math.max(8, Math.min(40, Math.ceil(Math.max(...texts.map((t) => textWidth(t, 2))) + 2)));
  });
}

// --- the first sheet -------------------------------------------------------------------------------------------------

/** Points a text of the first sheet takes when it is broken; spreadsheets do not measure it themselves. */
function heightOf(text: string): number {
  const LINE_EM = 52;
  return 4 + 14 * Math.max(1, Math.ceil(textWidth(text, 1) / LINE_EM));
}

const MARKS = {
  bullets: () => '· ',
  numbers: (n: number) => `${n}. `,
  references: (n: number) => `[${n}] `,
  works: () => '',
} as const;

/** What the tables belong to: title, conclusions, sample, method, and which sheet holds which table. */
function aboutSheet(job: Job, blocks: readonly Block[], names: Set<string>): Written {
  const line = (text: string, more: CellObject = {}): Row => [
    { value: clean(text), type: String, wrap: true, alignVertical: 'top', height: heightOf(text), ...more },
  ];
  const rows = blocks.flatMap((block): Row[] => {
    switch (block.type) {
      case 'heading':
        return [[], line(block.text, { fontWeight: 'bold', fontSize: block.level === 1 ? 14 : 11, height: 22 })];
      case 'text':
        return [line(wordsOf(block.words))];
      case 'figures':
        return block.list.map((f) =>
          line(`${wordsOf(f.title)}：${wordsOf(f.value)}${f.note === null ? '' : `，${wordsOf(f.note)}`}`),
        );
      case 'list':
        return block.items.map((item, i) => line(MARKS[block.as](i + 1) + wordsOf(item)));
      case 'formula':
        return [line(`${block.title}：${block.tex.join('；')}`)];
      case 'table':
        return [line(`表 ${block.n}　${wordsOf(block.title)}（见工作表）`, { textColor: '#1F5582' })];
      case 'figure':
        return [line(`图 ${block.n}　${wordsOf(block.title)}`)];
      default: {
        const unknown: never = block;
        return unknown;
      }
    }
  });
  return {
    sheet: sheetName('说明', names),
    data: [line(`${job.title}　${job.date}`, { fontSize: 9, textColor: '#444444' }), ...rows],
    columns: [{ width: 100 }],
    showGridLines: false,
  };
}
