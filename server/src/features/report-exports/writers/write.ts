/** Job in, bytes out: picks the writer of a format and loads no other, so that a small document is there at once. */
import { type Block, documentOf, type TableBlock } from '@hengxi/contracts/report/blocks';
import { escapeHtml } from '@hengxi/contracts/report/copy';
import { combined } from '@hengxi/contracts/report/models';
import { zipSync } from 'fflate';
import type { CombineOptions, ReportFormat } from '../schema.ts';
import type { Drawn } from './figures.ts';
import type { Job, WrittenDocument, Tell } from './job.ts';
import { Refused } from './job.ts';
import { wholeChapters } from './whole-tables.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export async function write(job: Job, tell: Tell): Promise<WrittenDocument> {
  if (job.combine !== null) return combinedModels(job, job.combine, tell);
  const { blocks: only, style } = job.options;
  // 医学 also writes some numbers in another way, so the text of the tables has to know.
  const whole = await wholeChapters(job);
  const chapters =
    style === 'medical' ? whole.map((one) => ({ ...one, presentation: { ...one.presentation, style } })) : whole;
  const extent = isRead(job.format) ? job.options.extent : 'all';
  const blocks = documentOf(chapters, only === null ? null : new Set(only), extent);
  switch (job.format) {
    case 'docx': {
      const { writeDocx } = await import('./docx.ts');
      return { bytes: await writeDocx(job, blocks, tell), extension: '.docx', notes: await fontNote(blocks) };
    }
    case 'xlsx': {
      const { writeXlsx } = await import('./xlsx.ts');
      return { bytes: await writeXlsx(job, blocks, tell), extension: '.xlsx', notes: [] };
    }
    case 'html': {
      const { writePage } = await import('./page.ts');
      return { bytes: bytesOf(await writePage(job, blocks, false, tell)), extension: '.html', notes: [] };
    }
    case 'pdf': {
      const { writePage } = await import('./page.ts');
      const { withPrinter } = await import('./pdf.ts');
      const page = await writePage(job, blocks, true, tell);
      tell(0, 0, '排版');
      return { bytes: await withPrinter(job, (print) => print(page)), extension: '.pdf', notes: [] };
    }
    case 'figures':
      return figures(job, blocks, tell);
    case 'package': {
      const { writePackage } = await import('./package.ts');
      return { bytes: await writePackage(job, { chapters: whole, blocks }, tell), extension: '.zip', notes: [] };
    }
    default: {
      const unknown: never = job.format;
      return unknown;
    }
  }
}

/** Read from the first page to the last; from the other formats one takes what one needs. */
const isRead = (format: ReportFormat): boolean => format === 'docx' || format === 'pdf' || format === 'html';

async function fontNote(blocks: readonly Block[]): Promise<WrittenDocument['notes']> {
  const { figuresIn, hasHanFont } = await import('./figures.ts');
  if (figuresIn(blocks).length === 0 || hasHanFont()) return [];
  return [{ code: 'export.fonts', text: '服务器没有中文字体，图中的汉字可能显示为方框，请管理员安装 fonts-noto-cjk' }];
}

async function combinedModels(job: Job, options: CombineOptions, tell: Tell): Promise<WrittenDocument> {
  const models = job.chapters.map(({ report, title }) => ({ title, report }));
  const table = combined(models, { ...options, parted: true });
  if (table === null) throw new Refused('export.models', '所选的结果里不足两个回归模型');
  const { writeXlsx } = await import('./xlsx.ts');
  const { title, notes, grid } = table;
  const block: TableBlock = {
    type: 'table',
    key: 'combined',
    part: '',
    n: 1,
    title,
    subject: '',
    grid,
    flat: () => grid,
    notes,
    style: null,
  };
  return { bytes: await writeXlsx(job, [block], tell), extension: '.xlsx', notes: [] };
}

type Print = (html: string) => Promise<Uint8Array>;

async function figures(job: Job, blocks: readonly Block[], tell: Tell): Promise<WrittenDocument> {
  if (job.options.figure === 'pdf') {
    const { withPrinter } = await import('./pdf.ts');
    return withPrinter(job, (print) => figureFiles(job, blocks, tell, print));
  }
  const none: Print = () => Promise.reject(new Error('Only PDF is printed'));
  return figureFiles(job, blocks, tell, none);
}

/** One figure is a file, several are an archive. */
async function figureFiles(job: Job, blocks: readonly Block[], tell: Tell, print: Print): Promise<WrittenDocument> {
  const { figure, mm } = job.options;
  const { figuresIn, PAGE_MM, pictured } = await import('./figures.ts');
  const list = figuresIn(blocks);
  const files: Record<string, Uint8Array> = {};
  const failed: WrittenDocument['notes'] = [];
  for (const [i, block] of list.entries()) {
    const pictures = await pictured(block, { mm, most: PAGE_MM }, (drawn) => figureBytes(job, drawn, print));
    if (typeof pictures !== 'string')
      for (const [k, { drawn, made }] of pictures.entries())
        files[
          fileName(
            `图${block.n} ${drawn.title}${block.part === '' ? '' : `（${block.part}）`}`,
            `${pictures.length === 1 ? '' : `（${k + 1}）`}.${figure}`,
          )
        ] = made;
    else if (pictures === 'failed') failed.push({ code: 'export.figure', text: `图 ${block.n} 画不出来，没有导出` });
    tell(i + 1, list.length, `图 ${block.n}`);
  }
  const written = Object.values(files);
  const [only] = written;
  if (only === undefined) throw new Refused('export.figures', '所选内容里没有图');
  const notes = [...failed, ...(figure === 'png' || figure === 'tiff' ? await fontNote(blocks) : [])];
  if (written.length === 1) return { bytes: only, extension: `.${figure}`, notes };
  return { bytes: zipSync(files, { level: figure === 'png' ? 0 : 6 }), extension: '.zip', notes };
}

async function figureBytes(job: Job, drawn: Drawn, print: Print): Promise<Uint8Array> {
  const { figure, dpi } = job.options;
  const { asPng, asSvg, asTiff } = await import('./figures.ts');
  switch (figure) {
    case 'png':
      return asPng(drawn, dpi);
    case 'tiff':
      return asTiff(drawn, dpi);
    case 'svg':
      return bytesOf(await asSvg(drawn));
    case 'pdf':
      return print(figurePage(drawn, await asSvg(drawn)));
    default: {
      const unknown: never = figure;
      return unknown;
    }
  }
}

/** A page as large as the picture; a hair more, or rounding would begin a second one. */
function figurePage({ plate, title }: Drawn, svg: string): string {
  const { width, height } = plate;
  const style = `@page{size:${width}px ${Math.ceil(height) + 1}px;margin:0}html,body{margin:0}svg{display:block}body>svg{width:${width}px;height:${height}px}`;
  return `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>${escapeHtml(title)}</title><style>${style}</style></head><body>${svg}</body></html>`;
}

/** What file systems take: the ending always stays, and most allow 255 bytes, 85 of 汉字. */
export function fileName(name: string, ending: string): string {
  const letters = Array.from(name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '_'));
  return letters.slice(0, 60).join('') + ending;
}
