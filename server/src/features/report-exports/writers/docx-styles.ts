/** The styles of a Word document: what a thesis asks for, each under a name its reader can change once for all. */
import { AlignmentType, LineRuleType } from 'docx';
import type { IStylesOptions } from 'docx';
import type { Fonts } from './docx-words.ts';

/** An indent of two letters of 小四, in twentieths of a point. */
export const TWO_LETTERS = 480;

export function stylesOf(fonts: Fonts): IStylesOptions {
  const head = (size: number, before: number) => ({
    run: { font: fonts.head, size, bold: true, color: '000000' },
    // Without its rule Word processors take the height of a line as exact, and two lines of a title cover each other.
    paragraph: { spacing: { before, after: 120, line: 300, lineRule: LineRuleType.AUTO }, keepNext: true },
  });
  const own = (id: string, run: object, paragraph: object, name = id) => ({
    id,
    name,
    basedOn: 'Base',
    run,
    paragraph,
  });
  const small = { size: 18 };
  const single = { line: 260, lineRule: LineRuleType.AUTO };
  const left = { spacing: { before: 240, after: 0, ...single }, keepNext: true };
  return {
    default: {
      document: {
        run: { font: fonts.body, size: 24, language: { value: 'en-US', eastAsia: 'zh-CN' } },
        paragraph: { spacing: { line: 360, lineRule: LineRuleType.AUTO } },
      },
      heading1: head(32, 0),
      heading2: head(28, 280),
      heading3: head(24, 200),
      title: { run: { font: fonts.head, size: 44, bold: true }, paragraph: { alignment: AlignmentType.CENTER } },
    },
    paragraphStyles: [
      { id: 'Base', name: 'Base', run: {}, paragraph: {} },
      {
        id: 'BodyText',
        name: 'Body Text',
        basedOn: 'Base',
        quickFormat: true,
        run: {},
        // Not justified: numbers that stay whole would tear wide gaps between the 汉字 of the line above.
        paragraph: { indent: { firstLine: TWO_LETTERS }, alignment: AlignmentType.LEFT },
      },
      own('Plain', {}, { spacing: { before: 40, after: 40 } }),
      own('Conclusion', { bold: true }, { spacing: { before: 120, after: 120 }, indent: { firstLine: TWO_LETTERS } }),
      own('Small', { ...small, color: '444444' }, { spacing: { after: 80, ...single } }),
      own('ListText', { size: 21 }, { spacing: { after: 40, line: 300, lineRule: LineRuleType.AUTO } }),
      own(
        'Caption',
        { font: fonts.head, size: 18, bold: true },
        { alignment: AlignmentType.CENTER, spacing: { before: 200, after: 80, ...single } },
        'caption',
      ),
      own('CaptionLeft', { font: fonts.head, size: 21, bold: true }, left),
      own('CaptionTitle', { size: 21, italics: true }, { spacing: { before: 0, after: 80, ...single } }),
      own('TableText', small, { spacing: { before: 20, after: 20, ...single } }),
      own('TableNote', small, { spacing: { before: 60, after: 240, ...single }, keepLines: true }),
      own('Formula', {}, { spacing: { before: 40, after: 40 }, indent: { left: TWO_LETTERS }, keepLines: true }),
      own('Figure', {}, { alignment: AlignmentType.CENTER, spacing: { before: 240, after: 40, ...single } }),
      own('Cover', { size: 28 }, { alignment: AlignmentType.CENTER, spacing: { before: 200 } }),
    ],
  };
}
