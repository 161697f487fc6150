/** How the file will look: the same blocks, styles and pictures as the writers take, in a frame that runs nothing. */
import type { Element } from '@hengxi/contracts/contract';
import { type Block, type Chapter, documentOf, type FigureBlock, wordsOf } from '@hengxi/contracts/report/blocks';
import { coverHtml, type Picture, reportFile } from '@hengxi/contracts/report/html';
import { date } from '@hengxi/contracts/format';
import type { ReportExportBody } from '@hengxi/server/report-exports/schema';
import katex from 'katex';
import { useEffect, useState } from 'react';

import { picturesOf } from '../../report/chart/pictures.ts';
import { ReportSkeleton } from '../../ui/skeleton.tsx';
import { hasExtent } from './export-choices.ts';
import styles from './export-dialog.module.css';

type Asked = Pick<ReportExportBody, 'format' | 'options'>;

const PACKAGE = ['设置.json', '报告.json', '变量.json', '数据.csv', '结果表.xlsx', '说明.md', '校验和.txt'];

export function ExportPreview({ chapter, asked }: { chapter: Chapter; asked: Asked }) {
  const { format, options } = asked;
  const [page, setPage] = useState<string | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let gone = false;
    if (format === 'package') return undefined;
    previewOf(chapter, { format, options }).then(
      (html) => (gone ? undefined : setPage(html)),
      () => (gone ? undefined : setFailed(true)),
    );
    return () => {
      gone = true;
    };
    // The choices stand still while the preview is open.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  if (format === 'package') return <PackageFiles hasData={options.data} />;
  if (failed) return <p role="alert">预览没有画出来，可以直接导出。</p>;
  if (page === null) return <ReportSkeleton />;
  return (
    <>
      <iframe className={styles['preview']} title="导出预览" sandbox="" srcDoc={page} />
      <p className={styles['hint']}>{HINTS[format]}</p>
    </>
  );
}

const HINTS: Readonly<Record<Exclude<Asked['format'], 'package'>, string>> = {
  docx: '分页与页眉页脚由 Word 决定；长表在这里只显示前 1,000 行，文件里有更多。',
  pdf: '分页以导出的文件为准；长表在这里只显示前 1,000 行，文件里有更多。',
  html: '长表在这里只显示前 1,000 行，文件里有更多。',
  xlsx: '每张表是一个工作表；数字在文件里保留全部精度，长表有更多行。',
  figures: '图的像素大小和格式按所选的宽度与分辨率。',
};

function PackageFiles({ hasData }: { hasData: boolean }) {
  return (
    <>
      <p>压缩包里有：</p>
      <ul className={styles['files']}>
        {PACKAGE.filter((name) => hasData || name !== '数据.csv').map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
      <p className={styles['hint']}>每个文件是什么、怎样复现，写在“说明.md”里。数据已经删除时，包里只有其余的文件。</p>
    </>
  );
}

/** Rows that lie beside the report are brought when the file is made. */
function withoutRest(chapter: Chapter): Chapter {
  const whole = (element: Element): Element => (element.type === 'table' ? { ...element, more: null } : element);
  const parts = chapter.report.parts.map((part) => ({ ...part, elements: part.elements.map(whole) }));
  return { ...chapter, report: { ...chapter.report, parts } };
}

async function previewOf(given: Chapter, { format, options }: Asked): Promise<string> {
  const { blocks: only, style, cover, header } = options;
  const { title, presentation } = given;
  const chapter = withoutRest({
    ...given,
    presentation: style === 'medical' ? { ...presentation, style } : presentation,
  });
  const blocks = shownIn(
    format,
    documentOf([chapter], only === null ? null : new Set(only), hasExtent(format) ? options.extent : 'all'),
  );
  const paper = format !== 'html';
  const before = cover === null ? '' : coverHtml({ ...cover, title, date: date(new Date()) });
  return reportFile({
    title,
    blocks,
    style,
    pictures: await namedPictures(blocks, format === 'figures' ? options.figure : null),
    math: (tex) => katex.renderToString(tex, { displayMode: true, throwOnError: false, output: 'mathml' }),
    paper,
    before: `${paper ? SHEET : ''}${header === '' || !paper ? '' : headLine(header)}${before}`,
  });
}

/** A sheet of paper on a desk; on a phone the paper is the desk. */
const SHEET = `<style>html{background:#eceae4}body{box-sizing:border-box;max-width:210mm;margin:16px auto;padding:18mm 25mm;background:#fff}
.cover{height:auto;min-height:150mm;border-bottom:1px dashed #bbb;margin-bottom:18mm}.running{margin:-10mm 0 8mm;text-align:center;font-size:9pt;color:#444}
@media (max-width:600px){html{background:#fff}body{margin:0;padding:16px}.figures tr{display:grid;grid-template-columns:1fr 1fr}}</style>`;

function headLine(header: string): string {
  const line = document.createElement('p');
  line.className = 'running';
  line.textContent = header;
  return line.outerHTML;
}

function shownIn(format: Asked['format'], blocks: readonly Block[]): Block[] {
  if (format === 'figures') return blocks.filter((block) => block.type === 'figure');
  if (format !== 'xlsx') return [...blocks];
  return blocks.flatMap((block): Block[] =>
    block.type === 'table'
      ? [
          { type: 'heading', level: 3, text: `工作表：表${block.n} ${wordsOf(block.title)}` },
          { ...block, grid: block.flat(), style: 'plain' },
        ]
      : [],
  );
}

/** With what the file of a figure will be called. */
async function namedPictures(blocks: readonly Block[], extension: string | null): Promise<Map<FigureBlock, Picture>> {
  const pictures = await picturesOf(blocks);
  if (extension === null) return pictures;
  return new Map(
    [...pictures].map(([block, picture]) => [
      block,
      { ...picture, reading: `图${block.n} ${wordsOf(block.title)}.${extension}　${picture.reading}` },
    ]),
  );
}
