/** The XML of a Word document, where it decides what a reader sees. What all of it says is in documents.slow.test.ts. */
import type { Element } from '@hengxi/contracts/contract';
import { documentOf } from '@hengxi/contracts/report/blocks';
import { PRESENTATION } from '@hengxi/contracts/report/presentation';
import { ELEMENTS } from '@hengxi/contracts/testing/elements';
import { column, MAIN, report, table } from '@hengxi/contracts/testing/reports';
import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { ExportOptions } from '../schema.ts';
import { writeDocx } from './docx.ts';
import type { Job } from './job.ts';

async function partsOf(elements: Element[]): Promise<{ document: string; styles: string }> {
  const chapter = { report: report(elements), title: '报告', madeAt: null, note: '', presentation: PRESENTATION };
  const job = { options: ExportOptions.parse({}), title: '报告', date: '' } as Partial<Job> as Job;
  const files = unzipSync(await writeDocx(job, documentOf([chapter]), () => undefined));
  const text = (path: string): string => strFromU8(files[path] ?? new Uint8Array());
  return { document: text('word/document.xml'), styles: text('word/styles.xml') };
}

const noteOf = (id: string): Element =>
  ({ ...ELEMENTS.text, id: `${id}-note`, place: 'main', about: id, voice: null, text: '注文。', facts: {} }) as Element;
const lastRow = (xml: string): string => xml.slice(xml.lastIndexOf('<w:tr>'), xml.lastIndexOf('</w:tr>'));

test('no line has an exact height: two lines of a title do not cover each other', async () => {
  const { styles, document } = await partsOf([MAIN]);
  const lines = [...`${styles}${document}`.matchAll(/<w:spacing [^>]*w:line="[^>]*>/g)].map(([tag]) => tag);
  expect(lines.length).toBeGreaterThan(5);
  for (const tag of lines) expect(tag).toContain('w:lineRule="auto"');
});

test('a note stays with its table, and nothing is held by a table without one', async () => {
  const kept = lastRow((await partsOf([MAIN, noteOf(MAIN.id)])).document).match(/<w:keepNext\/>/g) ?? [];
  expect(kept.length).toBeGreaterThan(0);
  const bare = table('bare', [column('who', 'text'), column('x')], [['甲', 1]]);
  expect(lastRow((await partsOf([bare])).document)).not.toContain('<w:keepNext/>');
});

test('a table wider than the page stands in parts below each other on the same page', async () => {
  const wide = Array.from({ length: 30 }, (_, i) => column(`c${i}`, 'num', { title: `一列数字${i}` }));
  const rows = [['甲', ...wide.map((_c, i) => 10_000.5 + i)]];
  const { document } = await partsOf([table('wide', [column('who', 'text'), ...wide], rows), MAIN]);
  expect(document.match(/<w:sectPr/g)).toHaveLength(1);
  expect(document).not.toContain('landscape');
  expect(document).toContain('续表 1');
});

test('numbers are not torn by the end of a line', async () => {
  const text = '相差 0.32（95% CI 0.08 到 0.56），F(1, 298) = 6.80，在 [−0.91, 0.85] 之内，3.33 ± 1.09。';
  const words = { ...ELEMENTS.text, place: 'main', voice: null, about: null, text, facts: {} } as Element;
  const { document } = await partsOf([words, MAIN]);
  const said = document.replaceAll(/<[^>]+>/g, '').replaceAll('\u00A0', '~');
  expect(said).toContain('（95%~CI~0.08~到~0.56），F(1,~298)~=~6.80，在 [−0.91,~0.85] 之内，3.33~±~1.09。');
  // In the cells of a table too.
  expect(said).toContain('3.82~±~1.69');
});

test('an equation of many terms stands in lines', async () => {
  const symbolic = `y = b_0 ${Array.from({ length: 20 }, (_, i) => `+ b_{${i}} x_{${i}}`).join(' ')}`;
  const formula = { ...ELEMENTS.formula, symbolic, filled: null, facts: {} } as Element;
  const { document } = await partsOf([formula]);
  const lines = document.match(/<m:oMath>/g) ?? [];
  expect(lines.length).toBeGreaterThan(1);
});

test('captions of main tables say what is compared', async () => {
  const { document } = await partsOf([MAIN]);
  expect(document.replaceAll(/<[^>]+>/g, '')).toContain('两组比较：不同性别学生的每周运动时长');
});
