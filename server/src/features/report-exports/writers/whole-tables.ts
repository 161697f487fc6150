/** Chapters with the rows that were brought from beside the reports joined to their tables again. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Element, TableElement } from '@hengxi/contracts/contract';
import type { Chapter } from '@hengxi/contracts/report/blocks';
import { joinRows, type RowsPage } from '@hengxi/contracts/report/join-rows';
import type { Job, KeptRows } from './job.ts';

export async function wholeChapters({ chapters, kept }: Pick<Job, 'chapters' | 'kept'>): Promise<Chapter[]> {
  const whole: Chapter[] = [];
  for (const [i, chapter] of chapters.entries()) {
    const own = new Map(kept.filter((k) => k.chapter === i).map((k) => [k.file, k]));
    const parts = [];
    for (const part of chapter.report.parts) {
      const elements: Element[] = [];
      for (const element of part.elements) {
        const rows = element.type === 'table' ? own.get(element.more?.file ?? '') : undefined;
        elements.push(element.type === 'table' && rows !== undefined ? await joined(element, rows) : element);
      }
      parts.push({ ...part, elements });
    }
    whole.push({ ...chapter, report: { ...chapter.report, parts } });
  }
  return whole;
}

async function joined(table: TableElement, { path }: KeptRows): Promise<TableElement> {
  const pages: RowsPage[] = [];
  for await (const line of createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Infinity }))
    if (line !== '') pages.push(JSON.parse(line) as RowsPage);
  return joinRows(table, ...pages);
}
