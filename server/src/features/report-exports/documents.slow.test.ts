/** Every format written from one report with everything, and opened again by other means (testing/read_document.py). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentOf, type TableBlock } from '@hengxi/contracts/report/blocks';
import { PRESENTATION } from '@hengxi/contracts/report/presentation';
import type { Presentation } from '@hengxi/contracts/report/presentation';
import { everything } from '@hengxi/contracts/testing/elements';
import { column, MAIN, report, table } from '@hengxi/contracts/testing/reports';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDocument } from '../../testing/documents.ts';
import { findBrowser } from './browser.ts';
import { ExportOptions } from './schema.ts';
import type { ReportFormat } from './schema.ts';
import type { Job, WrittenDocument } from './writers/job.ts';
import { Refused } from './writers/job.ts';
import { write } from './writers/write.ts';

let folder: string;
const scratches: string[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hengxi-documents-'));
});
afterAll(() => {
  for (const one of [folder, ...scratches]) rmSync(one, { recursive: true, force: true });
});

/** Beside everything: values that break exports, a wide table with spanners, a total, a name that would be a formula. */
const HARD = table(
  'hard',
  [
    column('name', 'text', { title: '变量' }),
    column('b', 'num', { title: '*B*', span: ['模型一'], stars: 'p', decimals: 2 }),
    column('p', 'pvalue', { title: '*p*', span: ['模型一'] }),
    column('share', 'percent', { title: '占比(%)', span: ['模型二'] }),
    column('n', 'integer', { title: '*n*', span: ['模型二'] }),
  ],
  [
    ['=HYPERLINK("http://x")', -0.51234, 0.0004, 0.1256, 1234],
    ['“引号”与<标签>&', 12.5, 0.0496, 0.5, 7],
    ['合计', null, null, 1, 1241],
  ],
  { place: 'detail', title: '难写的表', totals: [2] },
);

function jobOf(format: ReportFormat, options: object = {}, presentation: Partial<Presentation> = {}): Job {
  const document = everything();
  document.parts[0]?.elements.push(HARD);
  // The browser runs as nobody and must be able to come here.
  const scratch = mkdtempSync(join(tmpdir(), 'hengxi-documents-job-'));
  scratches.push(scratch);
  return {
    chapters: [
      {
        report: document,
        title: '不同性别学生的每周运动时长',
        madeAt: null,
        note: '',
        presentation: { ...PRESENTATION, ...presentation },
      },
    ],
    kept: [],
    data: [],
    combine: null,
    format,
    options: ExportOptions.parse({ extent: 'all', ...options }),
    title: '不同性别学生的每周运动时长',
    date: '2026-11-21',
    file: join(scratch, 'out'),
    scratch,
    browser: findBrowser(process.env['HENGXI_CHROMIUM'] ?? null),
  };
}

const make = (job: Job): Promise<WrittenDocument> => write(job, () => undefined);

const read = (made: WrittenDocument): any => readDocument(folder, made);

const plainBlanks = (text: string): string => text.replaceAll('\u00A0', ' ');

const tablesOf = (job: Job): TableBlock[] =>
  documentOf(job.chapters).filter((b): b is TableBlock => b.type === 'table');

describe('Word', () => {
  test('has every table as a table with the texts of the screen, three rules and no others', async () => {
    const job = jobOf('docx');
    const back = read(await make(job));
    expect(back.broken).toBeNull();
    const tables = tablesOf(job);
    expect(back.tables).toHaveLength(tables.length);
    for (const [i, block] of tables.entries()) {
      const { rows, outer } = back.tables[i];
      const body = rows.slice(block.grid.head.length);
      expect(rows.slice(0, block.grid.head.length).every((r: any) => r.head)).toBe(true);
      for (const [r, row] of block.grid.body.entries()) {
        const shown = row.cells.map((c) =>
          c === null ? '' : [`${c.text}${c.stars ?? ''}${c.mark ?? ''}`, c.sub].filter(Boolean).join('\n'),
        );
        // Blanks inside a number hold it together.
        expect(body[r].cells.map(plainBlanks)).toEqual(shown);
      }
      expect(outer).toMatchObject({ top: 'single', bottom: 'single', left: 'none', right: 'none', insideV: 'none' });
      // Eighths of a point: 1.5 pt above and below, 0.75 pt under the head.
      expect(rows[0].rules.every((sides: any) => sides.top === 12)).toBe(true);
      expect(rows[block.grid.head.length - 1].rules.every((sides: any) => sides.bottom === 6)).toBe(true);
      expect(rows.at(-1).rules.every((sides: any) => sides.bottom === 12)).toBe(true);
      expect(rows.flatMap((r: any) => r.rules).some((sides: any) => 'left' in sides || 'right' in sides)).toBe(false);
    }
    const hard = back.tables.at(-1).rows;
    expect(hard[0].spans).toEqual([1, 2, 2]);
    expect(hard.at(-1).rules.every((sides: any) => sides.top === 6)).toBe(true);
  });

  test('numbers its captions by fields, sets both scripts, writes formulas as formulas', async () => {
    const back = read(await make(jobOf('docx')));
    expect(back.fonts).toMatchObject({ ascii: 'Times New Roman', eastAsia: '宋体' });
    const captions = back.paragraphs.filter((p: any) => p.style === 'Caption');
    expect(captions.map((p: any) => p.text)).toEqual([
      '表 1　两组比较：不同性别学生的每周运动时长',
      '图 1　bar图：不同性别学生的每周运动时长',
      '图 2　四合一',
      '表 2　难写的表',
    ]);
    expect(captions.map((p: any) => p.fields[0])).toEqual(
      ['表', '图', '图', '表'].map((word) => `SEQ ${word} \\* ARABIC`),
    );
    expect(back.headings).toEqual([
      '不同性别学生的每周运动时长',
      '前提检验',
      '解读',
      '样本说明',
      '明细',
      '方法说明与引用',
      '参考文献',
    ]);
    const lead = back.paragraphs.find((p: any) => p.style === 'Conclusion');
    expect(lead.text).toBe('男生比女生多 0.61 小时（p\u00A0=\u00A0.001）（见表 1、图 1）。');
    expect(lead.fields).toEqual(['REF table_1 \\h', 'REF figure_1 \\h']);
    expect(back.formulas).toHaveLength(2);
    expect(back.formulas[1]).toMatch(/1\.23.*0\.50/);
    expect(back.page_numbers).toBe(true);
    // Two figures and nothing else is a picture, and each is said in words.
    expect(back.pictures).toHaveLength(2);
    expect(back.pictures[0]).toContain('bar图');
  });

  test('in APA has the number and the title above each other and thin rules; cover and contents when asked for', async () => {
    const options = { style: 'apa', cover: { school: '某某大学', author: '张三' }, contents: true, header: '毕业论文' };
    const back = read(await make(jobOf('docx', options)));
    const at = back.paragraphs.findIndex((p: any) => p.style === 'CaptionLeft');
    expect(back.paragraphs.slice(at, at + 2).map((p: any) => p.text)).toEqual([
      '表 1',
      '两组比较：不同性别学生的每周运动时长',
    ]);
    expect(back.tables[0].rows[0].rules[0]).toEqual({ top: 6, bottom: 6 });
    const texts = back.paragraphs.map((p: any) => p.text);
    expect(texts.slice(0, 4)).toEqual(['某某大学', '不同性别学生的每周运动时长', '张三', '2026-11-21']);
    expect(texts).toContain('目　录');
  });

  test('lists works by APA without numbers, indented', async () => {
    const job = jobOf('docx', {}, { cite: 'apa' });
    const made = await make(job);
    const xml = Buffer.from(unzipSync(made.bytes)['word/document.xml'] ?? []).toString('utf8');
    const last = xml.slice(xml.lastIndexOf('<w:p>', xml.indexOf('Welch, B. L.')));
    expect(last.slice(0, last.indexOf('</w:pPr>'))).toMatch(/<w:ind (?=[^>]*w:left="480")(?=[^>]*w:hanging="480")/);
    expect(last).not.toContain('<w:numPr>');
    const page = Buffer.from((await make(jobOf('html', {}, { cite: 'apa' }))).bytes).toString('utf8');
    expect(page).toMatch(/<p class="work" [^>]*>Welch, B\. L\. \(1947\)/);
    expect(page).not.toContain('<ol class="references">');
    const { sheets } = read(await make(jobOf('xlsx', {}, { cite: 'apa' })));
    const lines = sheets[0].rows.map((row: any) => row[0].value);
    expect(lines.at(-1)).toMatch(/^Welch, B\. L\./);
  });

  test('follows the presentation', async () => {
    const tables = { result: { turned: true, decimals: 3 } };
    const back = read(await make(jobOf('docx', {}, { tables })));
    expect(back.tables[0].rows.map((r: any) => r.cells.map(plainBlanks))).toEqual([
      ['组别', '男', '女'],
      ['n', '139', '164'],
      ['M ± SD', '3.821 ± 1.690', '3.207 ± 1.510'],
      ['均值 95% CI', '[3.540, 4.110]', '[2.980, 3.440]'],
      // Of the whole test: one cell over both groups.
      ['p', '.001**'],
    ]);
  });

  test('writes figures as their reader edited them, tables in their own style, notes below', async () => {
    const edits: Partial<Presentation> = {
      figures: { panel: { title: '改过的图题', size: 'single', pt: 12 } },
      tables: { result: { style: 'medical' } },
      notes: { result: '样本见第二章。' },
    };
    const back = read(await make(jobOf('docx', {}, edits)));
    const words = back.paragraphs.map((p: any) => p.text);
    expect(words.some((t: string) => t.includes('改过的图题'))).toBe(true);
    expect(words.some((t: string) => t.startsWith('注：') && t.endsWith('样本见第二章。'))).toBe(true);
    expect(back.tables[0].rows[0].cells).toContain('x̄±s');
    const svg = await make(jobOf('figures', { figure: 'svg', mm: 180, blocks: ['panel'] }, edits));
    const text = Buffer.from(svg.bytes).toString('utf8');
    expect(text).toContain('width="85mm"');
    expect(text).toMatch(/font-size="16"/);
  });
});

describe('Excel', () => {
  test('has numbers as numbers at full precision with the formats of the report, and texts never as formulas', async () => {
    const { sheets } = read(await make(jobOf('xlsx')));
    expect(sheets.map((s: any) => s.name)).toEqual(['说明', '表1 两组比较', '表2 难写的表']);
    const [, first, hard] = sheets;
    const values = (sheet: any, r: number): unknown[] => sheet.rows[r].map((c: any) => c.value);
    expect(values(first, 0)[0]).toBe('表 1　两组比较');
    expect(values(first, 2)).toEqual([null, null, '均值', '标准差', '下限', '上限', null]);
    // Merged cells are written again, or a filter would lose them.
    expect(values(first, 3)).toEqual(['男', 139, 3.8212, 1.69, 3.54, 4.11, 0.0011]);
    expect(values(first, 4)).toEqual(['女', 164, 3.2071, 1.51, 2.98, 3.44, 0.0011]);
    const [name, b, p, share, n] = hard.rows[3];
    expect(name).toMatchObject({ value: '=HYPERLINK("http://x")', type: 's' });
    expect(b).toMatchObject({ value: -0.51234, type: 'n', format: '0.00"***";"−"0.00"***"' });
    expect(p).toMatchObject({ value: 0.0004, format: '[<0.001]"< .001";.000' });
    expect(share).toMatchObject({ value: 0.1256, format: '0.0%;"−"0.0%' });
    expect(n).toMatchObject({ value: 1234, format: '#,##0;"−"#,##0' });
    expect(hard.rows[1].every((c: any) => c.top === 'medium')).toBe(true);
    expect(hard.rows[2].every((c: any) => c.bottom === 'thin')).toBe(true);
    expect(hard.rows[5].every((c: any) => c.top === 'thin' && c.bottom === 'medium')).toBe(true);
    expect(hard.merged).toEqual(expect.arrayContaining(['B2:C2', 'D2:E2', 'A2:A3']));
  });

  test('splits rows where the variables stand in rows, and keeps the columns that the reader hid out', async () => {
    const tables = { result: { turned: true }, hard: { hidden: ['p'] } };
    const { sheets } = read(await make(jobOf('xlsx', {}, { tables })));
    const values = sheets[1].rows.slice(1).map((row: any) => row.map((c: any) => c.value));
    expect(values).toEqual([
      ['组别', '男', '女'],
      ['n', 139, 164],
      ['M ± SD（均值）', 3.8212, 3.2071],
      ['M ± SD（标准差）', 1.69, 1.51],
      ['均值 95% CI（下限）', 3.54, 2.98],
      ['均值 95% CI（上限）', 4.11, 3.44],
      ['p', 0.0011, 0.0011],
      [expect.stringContaining('注：'), null, null],
    ]);
    expect(sheets[2].rows[3].map((c: any) => c.value)).toEqual(['=HYPERLINK("http://x")', -0.51234, 0.1256, 1234]);
  });
});

describe('web page and PDF', () => {
  test('the page needs nothing else, runs nothing, and escapes what it was given', async () => {
    const html = Buffer.from((await make(jobOf('html'))).bytes).toString('utf8');
    expect(/<script|<link|<iframe|\son\w+=|(src|href)\s*=\s*["']?(?!data:|#)|url\(/.exec(html)).toBeNull();
    expect(html).toContain('“引号”与&lt;标签&gt;&amp;');
    expect(html).toContain('<math');
    expect(html.match(/<svg [^>]*role="img"/g)).toHaveLength(2);
  });

  test('a PDF has text that can be selected, an outline, page numbers, and no script', async () => {
    const job = jobOf('pdf', { header: '运动与健康' });
    const back = read(await make(job));
    const text = back.pages.join('').replaceAll(/\s/g, '');
    const cells = tablesOf(job).flatMap(({ grid }) => grid.body.flatMap((row) => row.cells.flatMap((c) => c ?? [])));
    for (const cell of cells) expect(text).toContain(cell.text.replaceAll(/\s/g, ''));
    for (const said of ['男生比女生多0.61小时', '正态性（注意）', '样本说明', 'WELCHBL', '箱体为上、下折叶点'])
      expect(text).toContain(said);
    // Radicals that share a glyph with a character are found by nobody.
    expect(text).not.toMatch(/[\u2E80-\u2FDF]/);
    // Chromium names a heading twice that its page could not hold with what follows.
    const outline = back.outline.map((title: string) => title.replace(/^(.+)\1$/u, '$1'));
    expect(outline).toEqual(expect.arrayContaining(['前提检验', '解读', '参考文献']));
    for (const [i, page] of back.pages.entries()) {
      const said = page.replaceAll(/\s/g, '');
      expect(said).toContain(`第${i + 1}页，共${back.pages.length}页`);
      expect(said).toContain('运动与健康');
    }
    expect(back).toMatchObject({ tagged: true, scripts: false });
    expect(back.boxes[0][2]).toBeCloseTo(595, 0);
  });

  test('a PDF holds its 汉字 as TrueType, which journals take', async () => {
    const bytes = Buffer.from((await make(jobOf('pdf'))).bytes).toString('latin1');
    expect(bytes).toMatch(/\/FontName \/[A-Z]+\+NotoSerifSC/);
    expect(bytes).toContain('/CIDFontType2');
    expect(bytes).not.toContain('/Type3');
  });

  test('without a browser says what is missing', async () => {
    await expect(make({ ...jobOf('pdf'), browser: null })).rejects.toThrow(/Chromium.*HENGXI_CHROMIUM/);
    await expect(make({ ...jobOf('pdf'), browser: null })).rejects.toBeInstanceOf(Refused);
  });
});

describe('figures', () => {
  const files = (made: WrittenDocument): Record<string, Uint8Array> => unzipSync(made.bytes);

  test('several are an archive; pixels follow size and dpi', async () => {
    const png = files(await make(jobOf('figures', { figure: 'png', dpi: 600, mm: 85 })));
    expect(Object.keys(png)).toEqual(['图1 bar图.png', '图2 四合一.png']);
    const bytes = Buffer.from(png['图1 bar图.png'] ?? []);
    // 85 mm at 600 dpi.
    expect(bytes.readUInt32BE(16)).toBe(Math.round((85 / 25.4) * 600));
    const at = bytes.indexOf('pHYs');
    expect(bytes.readUInt32BE(at + 4)).toBe(Math.round(600 / 0.0254));
    const tiff = Buffer.from(files(await make(jobOf('figures', { figure: 'tiff', dpi: 300 })))['图1 bar图.tiff'] ?? []);
    expect(tiff.toString('latin1', 0, 2)).toBe('II');
  });

  test('one alone is a file, as vectors with its text', async () => {
    const svg = await make(jobOf('figures', { figure: 'svg', blocks: ['panel'] }));
    expect(svg.extension).toBe('.svg');
    expect(Buffer.from(svg.bytes).toString('utf8')).toMatch(/<text [^>]*>histogram图<\/text>/);
    const made = await make(jobOf('figures', { figure: 'pdf', mm: 140, blocks: ['chart_bar'] }));
    expect(made.extension).toBe('.pdf');
    const pdf = read(made);
    expect(pdf.pages).toHaveLength(1);
    expect(pdf.boxes[0][2]).toBeCloseTo((140 / 25.4) * 72, 0);
    expect(pdf.pages[0]).toContain('大一');
    // What a reader shows in its title bar.
    const title = Buffer.from('\ufeffbar图', 'utf16le').swap16().toString('hex');
    expect(Buffer.from(made.bytes).toString('latin1').toLowerCase()).toContain(`/title <${title}>`);
  });

  test('one that cannot be drawn says so, and takes nothing else with it', async () => {
    const broken = (job: Job): Job => {
      // A copy: the elements are those of all tests.
      const chapters = job.chapters.map((one) => ({ ...one, report: structuredClone(one.report) }));
      const panel = chapters[0]?.report.parts[0]?.elements.find((e) => e.type === 'panel');
      if (panel?.type !== 'panel' || panel.charts[0] === undefined) throw new Error('no panel');
      Object.assign(panel.charts[0], { kind: 'unheard of' });
      return { ...job, chapters };
    };
    const back = read(await make(broken(jobOf('docx'))));
    expect(back.paragraphs.map((p: any) => p.text)).toContain('这张图画不出来，数字见表。');
    expect(back.pictures).toHaveLength(1);
    expect(Buffer.from((await make(broken(jobOf('html')))).bytes).toString('utf8')).toContain('这张图画不出来');
    const one = await make(broken(jobOf('figures', { figure: 'svg' })));
    expect(one.extension).toBe('.svg');
    expect(one.notes).toEqual([{ code: 'export.figure', text: '图 2 画不出来，没有导出' }]);
  });

  test('a long title leaves the ending of the file', async () => {
    const job = jobOf('figures', { figure: 'svg' }, { figures: { panel: { title: '𠮷'.repeat(200) } } });
    const [, name = ''] = Object.keys(files(await make(job)));
    expect(name).toMatch(/^图2 (𠮷)+\.svg$/u);
    expect(Buffer.byteLength(name)).toBeLessThan(256);
  });

  test('none chosen is refused in words', async () => {
    await expect(make(jobOf('figures', { blocks: ['lead'] }))).rejects.toThrow('所选内容里没有图');
  });
});

test('of a split report sheets and files of figures name their group; a wide table does not turn the page', async () => {
  const job = jobOf('docx');
  const [only] = job.chapters;
  if (only === undefined) throw new Error('no chapter');
  const wide = Array.from({ length: 16 }, (_, i) => column(`c${i}`, 'num', { title: `一列数字${i}` }));
  const rows = [['甲', ...wide.map((_c, i) => 10_000.5 + i)]];
  const elements = [...everything().parts[0]!.elements.filter((e) => e.type === 'chart'), MAIN];
  const lying = table('wide', [column('name', 'text'), ...wide], rows, { place: 'detail', title: '宽表' });
  const document = report([]);
  const parts = ['男', '女'].map((label) => ({
    ...document.parts[0]!,
    group: { column: 'c1', name: '性别', value: label, label, total: false },
    elements: [...elements, lying],
  }));
  const chapters = [{ ...only, report: { ...document, parts } }];
  const { sheets } = read(await make({ ...jobOf('xlsx'), chapters }));
  expect(sheets[1].rows[0][0].value).toBe('表 1　两组比较（性别 = 男）');
  expect(sheets.map((s: any) => s.name)).toContain('表3 两组比较（性别 = 女）');
  const xml = Buffer.from(unzipSync((await make({ ...job, chapters })).bytes)['word/document.xml'] ?? []).toString();
  expect(xml.match(/<w:sectPr/g)).toHaveLength(1);
  expect(xml).not.toContain('landscape');
});

test('several reports are chapters of one document, counted through', async () => {
  const job = jobOf('docx');
  const other = { ...job.chapters[0], report: report([{ ...HARD, place: 'main' }]), title: '第二份' };
  const back = read(await make({ ...job, chapters: [...job.chapters, other as Job['chapters'][0]] }));
  const captions = back.paragraphs.filter((p: any) => p.style === 'Caption').map((p: any) => p.text);
  expect(captions.filter((t: string) => t.startsWith('表'))).toEqual([
    '表 1　两组比较：不同性别学生的每周运动时长',
    '表 2　难写的表',
    '表 3　难写的表：不同性别学生的每周运动时长',
  ]);
  expect(back.headings).toContain('第二份');
});
