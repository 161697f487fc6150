/** The whole report for elsewhere: on the clipboard, or as a web page in one file. */
import { date } from '@hengxi/contracts/format';

import { toast } from '../../lib/toast.ts';
import { pngPictures, svgPictures } from '../../report/chart/pictures.ts';
import { copyForms, saveFile } from '../../report/clipboard.ts';
import { reportBody, reportFile } from '../../report/document-html.ts';
import type { Presentation } from '../../report/presentation.ts';
import type { OpenReport } from './queries.ts';

const partsOf = (report: OpenReport, presentation: Presentation, pictures: ReadonlyMap<string, string>) => ({
  report: report.document,
  title: report.title,
  madeAt: report.made_at,
  presentation,
  pictures,
});

/** HTML as plain text: what a text box takes. */
function textOf(html: string): string {
  const page = new DOMParser().parseFromString(
    html.replaceAll('</td>', '\t</td>').replaceAll(/<\/(p|tr|h\d|li)>/g, '\n</$1>'),
    'text/html',
  );
  return (page.body.textContent ?? '').replaceAll(/\n{3,}/g, '\n\n').trim();
}

export async function copyReport(report: OpenReport, presentation: Presentation): Promise<void> {
  try {
    const html = reportBody(partsOf(report, presentation, await pngPictures(report.document, presentation.grey)));
    await copyForms({ html, text: textOf(html) }, '整份报告已复制，可粘贴到 Word 或 WPS');
  } catch {
    toast.warn('报告没有复制，请改用下载网页');
  }
}

export async function downloadHtml(report: OpenReport, presentation: Presentation): Promise<void> {
  try {
    const html = reportFile(partsOf(report, presentation, await svgPictures(report.document, presentation.grey)));
    saveFile(`${report.title}_${date(report.made_at)}.html`, 'text/html;charset=utf-8', html);
  } catch {
    toast.warn('网页没有生成，请重试');
  }
}
