/**
 * Rows of long tables that lie beside the report: brought page by page into files of the job, so that the server holds
 * one page at a time whatever the length of the table.
 */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Report, TableElement } from '@hengxi/contracts/contract';
import { EXCEL_ROWS } from '@hengxi/contracts/report/join-rows';
import type { TableRows } from '../reports/schema.ts';
import type { ReportFormat } from './schema.ts';
import type { KeptRows } from './writers/job.ts';

/**
 * Rows of one table that a format takes. Word needs minutes to open longer tables; the browser that prints a PDF took a
 * minute and 2.9 GB for 10,000 rows, which are 234 pages. What is left out is said below the table.
 */
export const MAX_ROWS: Readonly<Record<ReportFormat, number>> = {
  docx: 10_000,
  pdf: 2000,
  html: EXCEL_ROWS,
  xlsx: EXCEL_ROWS,
  package: EXCEL_ROWS,
  figures: 0,
};
const PAGE = 1000;

export type ReadPage = (query: { file: string; offset: number; limit: number }) => Promise<TableRows>;

/** `folder` belongs to the job; tables that stand in the report whole need nothing. */
export async function fetchStoredRows(
  report: Report,
  chapter: number,
  { most, folder, read, signal }: { most: number; folder: string; read: ReadPage; signal: AbortSignal },
): Promise<KeptRows[]> {
  const stored: KeptRows[] = [];
  for (const table of longTables(report)) {
    const { more, rows } = table;
    if (!more?.file || rows.length >= most) continue;
    const path = join(folder, `${chapter}-${more.file}.ndjson`);
    const wanted = Math.min(more.rows, most) - rows.length;
    const pages = Readable.from(pagesOf(more.file, wanted, read));
    await pipeline(pages, createWriteStream(path, { mode: 0o600 }), { signal });
    stored.push({ chapter, file: more.file, path });
  }
  return stored;
}

const longTables = (report: Report): TableElement[] =>
  report.parts.flatMap(({ elements }) =>
    elements.filter((e): e is TableElement => e.type === 'table' && e.more !== null),
  );

async function* pagesOf(file: string, wanted: number, read: ReadPage): AsyncGenerator<string> {
  for (let offset = 0; offset < wanted;) {
    const page = await read({ file, offset, limit: Math.min(PAGE, wanted - offset) });
    if (page.rows.length === 0) return;
    yield `${JSON.stringify(page)}\n`;
    offset += page.rows.length;
  }
}
