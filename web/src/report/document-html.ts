/** A report as one piece of HTML: for the clipboard (inline styles) and for a file that needs nothing else. All text is escaped; pictures come in as made. */
import type { CheckElement, Element, Fact, Part, Report, TextElement } from '@hengxi/contracts/contract';
import {
  bytes,
  date,
  duration,
  integer,
  percent,
  plain,
  starsNote,
  type Token,
  tokens,
} from '@hengxi/contracts/format';
import { tableText } from '@hengxi/contracts/table-text';

import { checkWord } from '../ui/check-mark.tsx';
import { keyOf, numbersOf, partTitle, sectionsOf } from './outline.ts';
import type { Presentation } from './presentation.ts';
import { escapeHtml, toHtml } from './table/copy.ts';

export interface DocumentParts {
  report: Report;
  title: string;
  madeAt: string | null;
  presentation: Presentation;
  /** Picture of each chart by its key, as markup of our own (svg or img). */
  pictures: ReadonlyMap<string, string>;
}

type Facts = Readonly<Record<string, Fact>>;

function htmlOf(list: readonly Token[]): string {
  return list
    .map((t) => {
      const text = escapeHtml(t.text);
      const inner = t.st ? `<i>${text}</i>` : text;
      return t.b ? `<b>${inner}</b>` : inner;
    })
    .join('');
}

class Writer {
  private readonly numbers: ReadonlyMap<string, string>;

  constructor(private readonly parts: DocumentParts) {
    this.numbers = numbersOf(parts.report);
  }

  whole(): string {
    const { report, title, madeAt } = this.parts;
    const meta = [
      report.method.title,
      ...(madeAt === null ? [] : [date(madeAt, true)]),
      `分析 ${integer(report.sample.used)} 份`,
    ];
    return [
      `<p class="meta">${meta.map(escapeHtml).join(' · ')}</p>`,
      `<h1>${escapeHtml(title)}</h1>`,
      ...report.parts.map((part, p) => this.part(part, p)),
      this.method(),
    ].join('\n');
  }

  private say(text: string, facts: Facts): string {
    return htmlOf(tokens(text, facts, this.parts.presentation.reading));
  }

  private part(part: Part, p: number): string {
    const s = sectionsOf(part);
    const { hidden } = this.parts.presentation;
    const blocks = (list: readonly Element[]): string =>
      list
        .filter((e) => !hidden.includes(keyOf(p, e.id)))
        .map((e) => this.element(e, p, s.notes.get(e.id) ?? []))
        .join('\n');
    const heading = (title: string, inner: string): string => (inner === '' ? '' : `<h2>${title}</h2>\n${inner}`);
    const title = partTitle(part);
    return [
      title === '' ? '' : `<h2 class="part">${escapeHtml(title)}</h2>`,
      ...(part.refusal?.fields ?? []).map((f) => `<p>${escapeHtml(f.text)}</p>`),
      blocks(s.lead),
      blocks(s.main),
      heading(
        '前提检验',
        [...s.checks.map((c) => this.check(c)), blocks(s.besides)].filter((t) => t !== '').join('\n'),
      ),
      heading('解读', this.reading(s.texts)),
      heading('样本说明', this.sample(part)),
      heading('明细', blocks(s.detail)),
    ]
      .filter((t) => t !== '')
      .join('\n');
  }

  private reading(texts: readonly TextElement[]): string {
    const { voice } = this.parts.presentation;
    return texts
      .filter((t) => t.voice === null || t.voice === voice)
      .map((t) => `<p>${this.say(t.text, t.facts)}</p>`)
      .join('\n');
  }

  private check(check: CheckElement): string {
    return `<p><b>${escapeHtml(check.title)}</b>（${checkWord(check.state)}）${this.say(check.text, check.facts)}</p>`;
  }

  private sample(part: Part): string {
    const sample = part.group === null ? this.parts.report.sample : part.sample;
    const steps = [
      `文件 ${integer(sample.file)} 行`,
      ...(sample.filter === sample.file ? [] : [`筛选后 ${integer(sample.filter)} 行`]),
      `进入分析 ${integer(sample.used)} 行`,
    ];
    return `<p>${steps.join(' → ')}</p>`;
  }

  private element(element: Element, p: number, notes: readonly TextElement[]): string {
    const key = keyOf(p, element.id);
    switch (element.type) {
      case 'lead': {
        const figures = element.figures.map(
          (f) =>
            `<td><small>${this.say(f.title, element.facts)}</small><br><b>${this.say(f.value, element.facts)}</b>${f.note === null ? '' : `<br><small>${this.say(f.note, element.facts)}</small>`}</td>`,
        );
        return `<p class="lead">${this.say(element.text, element.facts)}</p>${figures.length > 0 ? `<table class="figures"><tr>${figures.join('')}</tr></table>` : ''}`;
      }
      case 'text':
        return `<p>${this.say(element.text, element.facts)}</p>`;
      case 'warning':
        return `<p class="note">注意：${this.say(element.text, element.facts)}</p>`;
      case 'check':
        return this.check(element);
      case 'table':
        return this.table(element, key, notes);
      case 'chart':
      case 'panel':
        return this.figure(element, key, notes);
      case 'formula':
        return `<p><b>${escapeHtml(element.title)}</b><br><code>${escapeHtml(element.symbolic)}</code></p>`;
      case 'rules':
        return `<p><b>${escapeHtml(element.title)}</b></p><ol>${element.rules.map((r) => `<li>${escapeHtml(`${r.when.map((w) => w.join(' ')).join(' 且 ')} → ${r.then}`)}（${integer(r.n)} 行，${percent(r.share, 1)}）</li>`).join('')}</ol>`;
      case 'file':
        return `<p>${escapeHtml(`${element.title}：${element.file_name}`)}（${bytes(element.bytes)}）</p>`;
      case 'try':
      case 'model':
      case 'data':
        return `<p>${escapeHtml(element.title)}</p>`;
      default: {
        const unknown: never = element;
        return unknown;
      }
    }
  }

  private caption(element: { title: string; at: string | null }, key: string): string {
    return `${this.numbers.get(key) ?? ''}　${plain(element.title)}${element.at === null ? '' : `：${element.at}`}`;
  }

  private table(table: Extract<Element, { type: 'table' }>, key: string, notes: readonly TextElement[]): string {
    if (table.hidden) return '';
    const { reading, tables } = this.parts.presentation;
    const grid = tableText(table, reading, tables[key]);
    const said = [
      ...notes.map((n) => plain(n.text, n.facts, reading)),
      ...(grid.hasStars
        ? [
            `${starsNote(reading.stars)
              .map((t) => t.text)
              .join('')}。`,
          ]
        : []),
    ].join('');
    return toHtml({ caption: this.caption(table, key), grid, notes: said === '' ? [] : [`注：${said}`] });
  }

  private figure(
    figure: Extract<Element, { type: 'chart' | 'panel' }>,
    key: string,
    notes: readonly TextElement[],
  ): string {
    const pictures = [...this.parts.pictures]
      .filter(([name]) => name === key || name.startsWith(`${key}/`))
      .map(([, markup]) => markup);
    const said = notes.map((n) => plain(n.text, n.facts, this.parts.presentation.reading)).join('');
    return `<div class="figure">${pictures.join('')}<p><b>${escapeHtml(this.caption(figure, key))}</b></p>${said === '' ? '' : `<p class="note">${escapeHtml(said)}</p>`}</div>`;
  }

  private method(): string {
    const { report, presentation } = this.parts;
    const libraries = Object.entries(report.libraries).map(([name, version]) => `${name} ${version}`);
    const facts = [
      `${report.method.title} 第 ${report.method.version} 版`,
      ...(report.seed === null ? [] : [`随机种子 ${report.seed}`]),
      `耗时 ${duration(report.elapsed)}`,
      ...libraries,
    ];
    const references = report.references.map(
      (r) => `<li>${htmlOf(tokens(presentation.cite === 'gbt' ? r.gbt : r.apa))}</li>`,
    );
    return [
      '<h2>方法与可信</h2>',
      `<ul>${report.conventions.map((c) => `<li>${htmlOf(tokens(c))}</li>`).join('')}</ul>`,
      `<p class="note">${escapeHtml(facts.join(' · '))}</p>`,
      references.length > 0 ? `<h3>参考文献</h3><ol>${references.join('')}</ol>` : '',
    ].join('\n');
  }
}

export function reportBody(parts: DocumentParts): string {
  return new Writer(parts).whole();
}

const STYLE = `body{max-width:820px;margin:40px auto;padding:0 20px;color:#1D232B;background:#fff;font:15px/27px -apple-system,"Segoe UI","PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
h1{font:700 26px/38px "Songti SC","Noto Serif CJK SC",serif;margin:8px 0}h2{font-size:16px;margin:32px 0 6px}h3{font-size:14px}p{margin:6px 0}
.lead{font:600 20px/34px "Songti SC","Noto Serif CJK SC",serif;margin:16px 0}.meta,.note,small{color:#4C545E;font-size:12px;line-height:19px}
.figures{width:100%;border-collapse:collapse;border-top:1px solid #E4E1D9;border-bottom:1px solid #E4E1D9;margin:16px 0}.figures td{padding:10px 12px;vertical-align:top}.figures b{font-size:20px}
.figure{margin:28px 0;text-align:center;break-inside:avoid}.figure svg,.figure img{max-width:100%;height:auto}i{font-family:"Times New Roman",serif}ol,ul{padding-left:24px}li{font-size:13px;line-height:22px}
@media print{body{margin:0}}`;

/** A file of its own: no scripts, no addresses, readable in any browser and by any word processor. */
export function reportFile(parts: DocumentParts): string {
  return `<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"><title>${escapeHtml(parts.title)} - 衡析</title><style>${STYLE}</style></head><body>
${reportBody(parts)}
</body></html>
`;
}
