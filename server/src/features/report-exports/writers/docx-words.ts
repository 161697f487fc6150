/** Text of a Word document: fonts for both scripts, symbols in italics, quotation marks as Chinese ones. */
import type { Token } from '@hengxi/contracts/format';
import { TextRun } from 'docx';
import type { IRunOptions } from 'docx';

export interface Fonts {
  /** Running text. */
  body: Record<'ascii' | 'hAnsi' | 'eastAsia' | 'cs', string>;
  /** Headings and captions. */
  head: Record<'ascii' | 'hAnsi' | 'eastAsia' | 'cs', string>;
}

const faces = (latin: string, han: string): Fonts['body'] => ({ ascii: latin, hAnsi: latin, eastAsia: han, cs: latin });

export const PRINT: Fonts = { body: faces('Times New Roman', '宋体'), head: faces('Times New Roman', '黑体') };
export const SCREEN: Fonts = { body: faces('Segoe UI', '微软雅黑'), head: faces('Segoe UI', '微软雅黑') };

/** What XML cannot hold, and halves of characters. */
export function clean(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '');
}

/** Marks that both scripts have: between 汉字 they are as wide as these. */
const BOTH = /([“”‘’…]+|——)/;

/** Runs of a sentence: p = .061 and 95% CI are not torn by the end of a line, for Word breaks at every other space. */
export function sentenceRuns(words: readonly Token[]): TextRun[] {
  const text = words
    .map((token) => token.text)
    .join('')
    .replace(/ ([=<>≈≤≥]) (?=[−\-.\d])/g, '\u00A0$1\u00A0')
    .replace(/(\d%) CI/g, '$1\u00A0CI');
  // A space for a space: every token keeps its length.
  let at = 0;
  return runsOf(words.map((token) => ({ ...token, text: text.slice(at, (at += token.text.length)) })));
}

export function runsOf(words: readonly Token[], style: IRunOptions = {}): TextRun[] {
  return words.flatMap((token) =>
    clean(token.text)
      .split(BOTH)
      .flatMap((text, i) =>
        text === ''
          ? []
          : [
              new TextRun({
                ...style,
                text,
                ...(token.st ? { italics: true } : {}),
                ...(token.b ? { bold: true } : {}),
                ...(i % 2 === 1 ? { font: { hint: 'eastAsia' } } : {}),
              }),
            ],
      ),
  );
}
