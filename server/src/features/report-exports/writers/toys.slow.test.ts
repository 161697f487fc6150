/** Elements and chart kinds that no method of the product has used yet, as the engine's toy methods send them, written into every format. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '@hengxi/contracts/contract';
import { PRESENTATION } from '@hengxi/contracts/report/presentation';
import { DRAWINGS, elementsOf, SOLVING } from '@hengxi/contracts/testing/toys';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDocument } from '../../../testing/documents.ts';
import { findBrowser } from '../browser.ts';
import { ExportOptions } from '../schema.ts';
import type { ReportFormat } from '../schema.ts';
import type { Job } from './job.ts';
import { write } from './write.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hengxi-toys-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const chapter = (report: Report): Job['chapters'][number] => ({
  report,
  title: report.title,
  madeAt: null,
  note: '',
  presentation: PRESENTATION,
});

async function written(format: ReportFormat): Promise<any> {
  // The browser runs as nobody and must be able to come here.
  const scratch = mkdtempSync(join(tmpdir(), 'hengxi-toys-job-'));
  try {
    const job: Job = {
      chapters: [chapter(DRAWINGS), chapter(SOLVING)],
      kept: [],
      data: [],
      combine: null,
      format,
      options: ExportOptions.parse({ extent: 'all' }),
      title: '样张',
      date: '2026-11-21',
      file: join(scratch, 'out'),
      scratch,
      browser: findBrowser(process.env['HENGXI_CHROMIUM'] ?? null),
    };
    return readDocument(folder, await write(job, () => undefined));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const CHARTS = elementsOf(DRAWINGS).flatMap((e) => (e.type === 'chart' ? [e.title] : []));

test('Word has every picture with its caption, the rules as a list, the equation as an equation', async () => {
  const { broken, pictures, paragraphs, formulas } = await written('docx');
  expect(broken).toBeNull();
  const texts: string[] = paragraphs.map(({ text }: { text: string }) => text.replaceAll('\u00A0', ' '));
  for (const title of [...CHARTS, '价格、销量与收入'])
    expect(texts.some((text) => text.startsWith('图 ') && text.includes(title))).toBe(true);
  expect(pictures).toHaveLength(CHARTS.length + 1);
  expect(texts.join('\n')).toContain('如果 价格 > 5 且 销量 ≠ 0，则 降价');
  expect(formulas).toHaveLength(2);
});

test('PDF prints the labels of the pictures as text', async () => {
  const { pages } = await written('pdf');
  const text: string = pages.join('').replaceAll(/\s+/g, '');
  for (const label of ['UCL 14.00', '改进前', '交货迟', '小程序', '关注区', '定价规则', '提价'])
    expect(text).toContain(label.replaceAll(' ', ''));
});

test('Excel has the rows behind the pictures and the rules', async () => {
  const { sheets } = await written('xlsx');
  const cells = sheets.flatMap((sheet: any) => sheet.rows.flat().map((cell: any) => String(cell?.value ?? '')));
  expect(cells).toEqual(expect.arrayContaining(['价格', '收入', '已达最优']));
  expect(cells.join('\n')).toContain('如果 价格 ≤ 5，则 提价');
});
