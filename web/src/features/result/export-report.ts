/** The whole report on the clipboard: styled for word processors, and as plain text. */
import { documentOf } from '@hengxi/contracts/report/blocks';
import { escapeHtml } from '@hengxi/contracts/report/copy';
import { reportBody } from '@hengxi/contracts/report/html';
import type { Presentation } from '@hengxi/contracts/report/presentation';

import { toast } from '../../lib/toast.ts';
import { picturesOf } from '../../report/chart/pictures.ts';
import { copyForms } from '../../report/clipboard.ts';
import type { OpenReport } from './queries.ts';

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
    const { document, title, made_at, note } = report;
    const blocks = documentOf([{ report: document, title, madeAt: made_at, note, presentation }]);
    const html = reportBody({
      blocks,
      style: presentation.style,
      pictures: await picturesOf(blocks),
      math: (tex) => `<p>${escapeHtml(tex)}</p>`,
    });
    await copyForms({ html, text: textOf(html) }, '整份报告已复制，可粘贴到 Word 或 WPS');
  } catch {
    toast.warn('报告没有复制，请改用导出');
  }
}
