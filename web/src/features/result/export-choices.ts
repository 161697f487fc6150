/** What can be chosen for the document of a report, and the body that follows from it. */
import type { ExportOptions, ReportExportBody, ReportFormat } from '@hengxi/server/report-exports/schema';

import type { ExportWish } from '../../report/context.ts';

export const FORMATS: readonly { key: ReportFormat; title: string; hint: string }[] = [
  { key: 'docx', title: 'Word（docx）', hint: '原生表格和公式，题注自动编号，可直接放进论文' },
  { key: 'pdf', title: 'PDF', hint: '版面固定，文字可选，带书签和页码' },
  { key: 'xlsx', title: 'Excel（xlsx）', hint: '每张表一个工作表，数字保留全部精度' },
  { key: 'html', title: '网页（单个文件）', hint: '任何浏览器都能打开，不需要联网' },
  { key: 'figures', title: '图', hint: '投稿用的 PNG、TIFF、SVG 或 PDF' },
  { key: 'package', title: '复现包（zip）', hint: '设置、版本、种子、所用数据、全精度数字与复算脚本，供审稿和复算' },
];

export interface Choices {
  format: ReportFormat;
  extent: ExportOptions['extent'];
  style: ExportOptions['style'];
  dpi: ExportOptions['dpi'];
  figure: ExportOptions['figure'];
  mm: ExportOptions['mm'];
  contents: boolean;
  hasCover: boolean;
  school: string;
  author: string;
  header: string;
  data: boolean;
}

export const FIRST: Choices = {
  format: 'docx',
  extent: 'main',
  style: 'three',
  dpi: 300,
  figure: 'png',
  mm: 140,
  contents: false,
  hasCover: false,
  school: '',
  author: '',
  header: '',
  data: true,
};

export const isPaged = (format: ReportFormat): boolean => format === 'docx' || format === 'pdf';
export const hasStyle = (format: ReportFormat): boolean => isPaged(format) || format === 'html';
/** Whether one chooses between the main results and everything. */
export const hasExtent = hasStyle;
export const hasDpi = ({ format, figure }: Choices): boolean =>
  format === 'docx' || (format === 'figures' && (figure === 'png' || figure === 'tiff'));

/** What a tool of a block asks for. */
export function chosenOf({ element, as, mm }: ExportWish): { choices: Choices; blocks: string[] } {
  const choices: Choices =
    as === 'xlsx' ? { ...FIRST, format: 'xlsx' } : { ...FIRST, format: 'figures', figure: 'pdf', mm: mm ?? FIRST.mm };
  return { choices, blocks: [element] };
}

/** `blocks`: ids of what is to be written, null = everything. */
export function bodyOf(choices: Choices, blocks: string[] | null): Pick<ReportExportBody, 'format' | 'options'> {
  const { format, extent, style, dpi, figure, mm, contents, hasCover, school, author, header, data } = choices;
  const cover = hasCover && isPaged(format) ? { school, author } : null;
  return {
    format,
    options: {
      extent,
      style,
      dpi,
      figure,
      mm,
      blocks,
      cover,
      contents: contents && format === 'docx',
      header: isPaged(format) ? header : '',
      data,
    },
  };
}
