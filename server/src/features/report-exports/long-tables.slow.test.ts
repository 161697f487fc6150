/** Tables of thousands of rows in each format, opened again by other means. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cell } from '@hengxi/contracts/contract';
import { PRESENTATION } from '@hengxi/contracts/report/presentation';
import { claim, column, estimates, report, table } from '@hengxi/contracts/testing/reports';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readDocument } from '../../testing/documents.ts';
import { findBrowser } from './browser.ts';
import { fetchStoredRows } from './stored-rows.ts';
import { ExportOptions } from './schema.ts';
import type { ReportFormat } from './schema.ts';
import type { Job } from './writers/job.ts';
import { write } from './writers/write.ts';

vi.setConfig({ testTimeout: 120_000 });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hengxi-long-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const COLUMNS = [
  column('name', 'text', { title: '取值' }),
  column('n', 'integer', { title: '频数' }),
  column('m', 'mean_sd', { title: '*M* ± *SD*', parts: ['m', 'sd'], part_format: 'num' }),
  column('p', 'pvalue', { title: '*p*' }),
];
const INLINE = 1000;
const rowOf = (i: number): Cell[] => [i === 7 ? '=1+1 <a>&' : `第${i}行`, i, [i / 3, 1.5], (i % 100) / 1000];

/** A table of so many rows, of which the report holds the first thousand; the last is a total, one carries a mark. */
async function jobOf(format: ReportFormat, size: number, most = size): Promise<Job> {
  const rows = Array.from({ length: size }, (_, i) => rowOf(i));
  const whole = table('long', COLUMNS, rows.slice(0, INLINE), { title: '长表', more: { rows: size, file: 'r0_0' } });
  const document = report([whole]);
  const asked: number[] = [];
  const kept = await fetchStoredRows(document, 0, {
    most,
    folder,
    signal: new AbortController().signal,
    read: async ({ offset, limit }) => {
      asked.push(limit);
      const page = rows.slice(INLINE + offset, INLINE + offset + limit);
      const isLast = INLINE + offset + page.length === size;
      return {
        total: size - INLINE,
        rows: page,
        depth: page.map(() => 0),
        totals: isLast ? [page.length - 1] : [],
        marks: Object.fromEntries(offset === 0 ? [['0,1', 'a']] : []),
      };
    },
  });
  // A page at a time, never all.
  expect(Math.max(...asked)).toBeLessThanOrEqual(1000);
  return {
    chapters: [{ report: document, title: '长表', madeAt: null, note: '', presentation: PRESENTATION }],
    kept,
    data: [],
    combine: null,
    format,
    options: ExportOptions.parse({}),
    title: '长表',
    date: '2026-11-21',
    file: join(folder, 'out'),
    scratch: folder,
    browser: findBrowser(process.env['HENGXI_CHROMIUM'] ?? null),
  };
}

const make = async (job: Job) => write(job, () => undefined);

test('Excel has every row with its number, its look, and the note below at the end', async () => {
  const size = 7400;
  const { sheets } = readDocument(folder, await make(await jobOf('xlsx', size)));
  const [, sheet] = sheets;
  const [caption, , , ...all] = sheet.rows;
  const note = all.at(-1);
  const rest = all.slice(0, -1);
  expect(note[0].value).toMatch(/^注：/);
  expect(caption[0].value).toBe('表 1　长表');
  expect(rest).toHaveLength(size);
  for (const i of [0, 6, 999, 1001, 5000, size - 1])
    expect(rest[i].map((c: any) => c.value)).toEqual([`第${i}行`, i, i / 3, 1.5, (i % 100) / 1000]);
  expect(rest[7][0]).toMatchObject({ value: '=1+1 <a>&', type: 's' });
  expect(rest[1000].map((c: any) => c.value)).toEqual(['第1000行', 1000, 1000 / 3, 1.5, 0]);
  expect(rest[1000][1].format).toContain('"a"');
  expect(rest[1000][4].format).toBe('[<0.001]"< .001***";.000');
  expect(rest[12][2].format).toBe(rest[4000][2].format);
  expect(rest.at(-1).every((c: any) => c.top === 'thin' && c.bottom === 'medium')).toBe(true);
  expect(rest[4000].every((c: any) => c.bottom === null)).toBe(true);
  expect(sheet.merged).toEqual(expect.arrayContaining(['C2:D2', 'A2:A3']));
});

test('several models become one sheet, each number of an estimate in a row of its own', async () => {
  const model = (b: number) =>
    report([
      table(
        'coefficients',
        [column('name', 'text'), column('b'), column('se'), column('p', 'pvalue')],
        [
          ['年龄', b, 0.123456, 0.0004],
          ['性别', -b, 0.2, 0.4],
        ],
        { claim: claim('coefficient', [], { estimates: estimates(false) }) },
      ),
    ]);
  const job = await jobOf('xlsx', 1000);
  const chapters = [1.23456, 2.5].map((b) => ({ ...job.chapters[0]!, report: model(b), title: `模型${b}` }));
  const combine = { below: 'se', odds: true, stars: 'usual' } as const;
  const { sheets } = readDocument(folder, await make({ ...job, chapters, combine }));
  const rows = sheets[1].rows.map((row: any) => row.map((c: any) => c.value));
  expect(rows).toContainEqual(['年龄（系数或比值）', 1.23456, 2.5]);
  expect(rows).toContainEqual(['年龄（标准误）', 0.123456, 0.123456]);
  expect(sheets[1].rows.flat().find((c: any) => c.value === 1.23456).format).toContain('***');
  await expect(make({ ...job, chapters: chapters.slice(1), combine })).rejects.toThrow('不足两个回归模型');
});

test('Word has every row as a row of the one table, rules only at its ends', async () => {
  const size = 1310;
  const back = readDocument(folder, await make(await jobOf('docx', size)));
  expect(back.broken).toBeNull();
  expect(back.tables).toHaveLength(1);
  const [{ rows }] = back.tables;
  expect(rows).toHaveLength(size + 1);
  for (const i of [0, 249, 250, 1000, size - 1]) expect(rows[i + 1].cells[0]).toBe(`第${i}行`);
  expect(rows[1001].cells[1]).toBe('1,000a');
  expect(rows[8].cells[0]).toBe('=1+1 <a>&');
  expect(rows.filter((r: any) => r.head)).toHaveLength(1);
  expect(rows.at(-1).rules.every((sides: any) => sides.bottom === 12)).toBe(true);
  expect(rows[600].rules.every((sides: any) => sides.bottom === undefined)).toBe(true);
});

test('a long table that is too wide for Word stands in parts, each with all rows, its head repeated', async () => {
  const size = 510;
  const wide = Array.from({ length: 40 }, (_, i) => column(`c${i}`, 'num', { title: `第${i}列` }));
  const rows = Array.from({ length: size }, (_, r) => [`第${r}行`, ...wide.map((_c, i) => r + i / 100)]);
  const document = report([table('wide', [column('name', 'text'), ...wide], rows, { title: '宽表' })]);
  const job = await jobOf('docx', INLINE);
  const chapters = [{ ...job.chapters[0]!, report: document }];
  const { tables, paragraphs } = readDocument(folder, await make({ ...job, chapters, kept: [] }));
  expect(tables.length).toBeGreaterThan(1);
  const columns = tables.flatMap((t: any) => t.rows[0].cells.slice(1));
  expect(columns).toEqual(wide.map((c) => c.title));
  for (const { rows: found } of tables) {
    expect(found[0].head).toBe(true);
    expect(found).toHaveLength(size + 1);
    expect(found.slice(1).map((r: any) => r.cells[0])).toEqual(rows.map((r) => r[0]));
  }
  expect(tables.at(-1).rows.at(-1).cells.at(-1)).toBe('509.4');
  const captions = paragraphs.filter((p: any) => p.style === 'Caption').map((p: any) => p.text);
  expect(captions).toEqual(['表 1　宽表：不同性别学生的每周运动时长', ...tables.slice(1).map(() => '续表 1　宽表')]);
});

test('a PDF says on every page but the first that the table goes on, under nothing that hides it', async () => {
  const job = await jobOf('pdf', INLINE);
  const document = report([
    table(
      'long',
      COLUMNS,
      Array.from({ length: 110 }, (_, i) => rowOf(i)),
      { title: '长表' },
    ),
  ]);
  const chapters = [{ ...job.chapters[0]!, report: document }];
  const scratch = mkdtempSync(join(tmpdir(), 'hengxi-long-pdf-'));
  try {
    const { pages } = readDocument(folder, await make({ ...job, chapters, kept: [], scratch }));
    const said: string[] = pages.map((page: string) => page.replaceAll(/\s/g, ''));
    const rows = said.map((page) => [...page.matchAll(/第(\d+)行/g)].map((found) => Number(found[1])));
    expect(rows.flat()).toEqual([
      ...Array.from({ length: 7 }, (_, i) => i),
      ...Array.from({ length: 102 }, (_, i) => i + 8),
    ]);
    for (const [i, page] of said.entries()) {
      expect(page.split('续表1长表').length - 1).toBe(i > 0 && (rows[i]?.length ?? 0) > 0 ? 1 : 0);
      expect(/(?<!续)表1长表/.test(page)).toBe(i === 0);
    }
    expect(rows.filter((found) => found.length > 0).length).toBeGreaterThan(1);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});

test('a web page has every row, cells of one look sharing a class', async () => {
  const html = Buffer.from((await make(await jobOf('html', 3000))).bytes).toString('utf8');
  expect(html.match(/<tr>/g)).toHaveLength(3001);
  expect(html).toContain('第2999行');
  expect(html.length).toBeLessThan(3000 * 320);
  expect(html).not.toContain('<td style');
});

test('a format that takes no more says how many rows stand there and where all are', async () => {
  const job = await jobOf('html', 5200, 2000);
  const html = Buffer.from((await make(job)).bytes).toString('utf8');
  expect(html).toContain('此处为前 2,000 行，共 5,200 行，全部行可导出到 Excel。');
  expect(html).toContain('第1999行');
  expect(html).not.toContain('第2000行');
});
