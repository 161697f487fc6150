/** The data of a 复现包 as csv files of the job: the columns the report looks at, written page by page. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { csvField } from '@hengxi/contracts/csv';
import type { Cell } from '../files/schema.ts';
import type { UsedData } from '../reports/service.ts';
import type { PackedData } from './writers/job.ts';

/** Rows a package takes. */
export const PACKED_ROWS = 1_000_000;

/** `withCells`: the person wants the data itself and not only its description. */
export async function packData(
  data: UsedData | null,
  { folder, chapter, withCells, signal }: { folder: string; chapter: number; withCells: boolean; signal: AbortSignal },
): Promise<PackedData | null> {
  if (data === null) return null;
  const { pages: _, ...facts } = data;
  if (!withCells || data.columns.length === 0 || data.rows > PACKED_ROWS) return { ...facts, path: null };
  const path = join(folder, `${chapter}-data.csv`);
  await pipeline(Readable.from(linesOf(data)), createWriteStream(path, { mode: 0o600 }), { signal });
  return { ...facts, path };
}

/** UTF-8 with a byte order mark, as spreadsheets want it; values and texts exactly as they are stored. */
async function* linesOf({ columns, pages }: UsedData): AsyncGenerator<string> {
  yield `\uFEFF${lineOf(columns.map(({ name }) => name))}`;
  for await (const page of pages()) yield page.map(lineOf).join('');
}

const lineOf = (cells: readonly Cell[]): string =>
  `${cells.map((cell) => csvField(cell === null ? '' : String(cell))).join(',')}\r\n`;
