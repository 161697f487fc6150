/** A report as a page of its own: no script, no address, the same words as on screen. */
import {
  comparedWith,
  countedText,
  figureLines,
  HOW_FOUND,
  KIND_TEXT,
  NO_VERDICT,
  notesText,
  PART_TEXT,
  shareText,
} from '@hengxi/contracts/plagdet';
import { piecesOf, spansOf } from '@hengxi/contracts/plagdet-marks';
import type { Report } from './schema.ts';

const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.codePointAt(0) ?? 0};`);

const STYLE = `@page{size:A4;margin:18mm}body{font:15px/1.8 "Noto Sans SC","Noto Sans CJK SC",sans-serif;color:#1f2933;max-width:820px;margin:24px auto;padding:0 16px}
h1{font-size:22px;margin:0 0 8px}h2{font-size:17px;margin:28px 0 8px}table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #ddd;padding:6px 8px;text-align:left;vertical-align:top}
td.n,th.n{text-align:right;white-space:nowrap}.lead{background:#f5f7fa;padding:10px 14px;border-radius:6px}.text{white-space:pre-wrap;overflow-wrap:anywhere}
mark{color:inherit}mark.same{background:#fde2e1;border-bottom:2px solid #c0392b}mark.similar{background:#fdebd3;border-bottom:2px dashed #b9770e}
mark.common{background:#eceff1;border-bottom:2px dotted #607d8b}mark.quotation{background:#e1ecfb;border-bottom:2px double #1f5fa8}small{color:#52606d}`;

export const marked = (report: Pick<Report, 'text' | 'passages' | 'parts'>): { text: string; kind: string | null }[] =>
  piecesOf(report.text, spansOf(report)).map(({ start, end, kind }) => ({ text: report.text.slice(start, end), kind }));

export function reportHtml(report: Report): string {
  const { check, figures, sources, claims } = report;
  const names = new Map(sources.map(({ document, name }) => [document, name]));
  const largest = figures.largest ? (names.get(figures.largest.document) ?? null) : null;
  const row = (cells: string[]): string => `<tr>${cells.join('')}</tr>`;
  const cell = (text: string, isNumber = false): string => `<td${isNumber ? ' class="n"' : ''}>${escape(text)}</td>`;
  const lines = figureLines(figures, largest).map(({ label, value, of, means }) =>
    row([cell(label), cell(value, true), cell(of, true), cell(means)]),
  );
  const listed = sources.map(({ name, same, similar, passages, is_own: own }) =>
    row([
      cell(own ? `${name}（作者称是本人文献）` : name),
      cell(shareText(same, figures.counted), true),
      cell(shareText(similar, figures.counted), true),
      cell(String(passages), true),
    ]),
  );
  const notes = [
    ...notesText(report.notes),
    ...(report.removed > 0 ? [`${report.removed} 篇来源已从文库删除，它们的标记和比例不再列出。`] : []),
    ...(claims.quoted.length > 0 ? [`作者把 ${claims.quoted.length} 处标为引用，这是作者的说法，没有核对。`] : []),
    ...(claims.own.length > 0 ? [`作者把 ${claims.own.length} 篇来源标为本人文献，这是作者的说法，没有核对。`] : []),
  ];
  const list = (items: readonly string[]): string =>
    `<ul>${items.map((item) => `<li>${escape(item)}</li>`).join('')}</ul>`;
  const text = marked(report)
    .map(({ text: piece, kind }) => (kind === null ? escape(piece) : `<mark class="${kind}">${escape(piece)}</mark>`))
    .join('');
  const legend = [...Object.entries(KIND_TEXT), ['quotation', PART_TEXT.quotation] as const]
    .map(([kind, title]) => `<mark class="${kind}">${escape(title)}</mark>`)
    .join(' ');
  return `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title>${escape(check.name)} 查重结果</title><style>${STYLE}</style></head><body>
<h1>${escape(check.name)} 查重结果</h1><p class="lead">${escape(comparedWith(check))}${escape(NO_VERDICT)}</p>
<table><tr><th>项目</th><th class="n">比例</th><th class="n">字数</th><th>怎么算</th></tr>${lines.join('')}</table>
<p><small>${escape(countedText(figures))}</small></p>
<h2>来源</h2>${listed.length === 0 ? '<p>没有找到相同或相似的来源。</p>' : `<table><tr><th>文档</th><th class="n">相同</th><th class="n">改写相似</th><th class="n">处</th></tr>${listed.join('')}</table><p><small>几篇来源可能有同样的文字，各篇比例不能相加。</small></p>`}
${notes.length === 0 ? '' : `<h2>发现的情况</h2>${list(notes)}`}<h2>怎么比对</h2>${list(HOW_FOUND)}
<h2>全文</h2><p>${legend}</p><div class="text">${text}</div></body></html>`;
}
