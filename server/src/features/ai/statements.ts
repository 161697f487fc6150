/**
 * What a report states, as numbered statements: filled by us and shown as they stand. A model is told of each only its
 * kind and, where no word and no number of the owner's stands in it, its unfilled template.
 */
import type { Element, Report } from '@hengxi/contracts/contract';
import { plain, READING } from '@hengxi/contracts/format';
import { decimalsOf } from '@hengxi/contracts/report/decimals';
import { partTitle, sectionsOf } from '@hengxi/contracts/report/outline';
import { sentencesOf } from '@hengxi/contracts/report/sentence';
import type { ReadingSentence } from './schema.ts';

type Kind = 'lead' | 'check' | 'test' | 'text' | 'warning';

export interface Statement {
  id: string;
  kind: Kind;
  /** Of a check; null otherwise. */
  state: 'pass' | 'care' | 'fail' | 'unknown' | null;
  text: string;
  /** What a check is called; null where there is none, or where it holds a word of the owner's. */
  title: string | null;
  /** Without anything of the owner's; null where that cannot be said for certain. */
  template: string | null;
}

const STATEMENTS_MAX = 60;
const TEXT_MAX = 600;

export function statementsOf(report: Report): Statement[] {
  const own = ownWords(report);
  const withoutOwn = (text: string): string | null => {
    const template = text.replace(/\{[^{}]*\}/gu, '…').replaceAll('*', '');
    const isOwn = /\p{N}/u.test(template) || own.some((word) => text.includes(word) || template.includes(word));
    return isOwn ? null : template;
  };
  // As the screen shows them: a number has the decimals of its table.
  const reading = { ...READING, places: decimalsOf(report, READING) };
  const many = report.parts.length > 1;
  const list = report.parts.flatMap((part): Omit<Statement, 'id'>[] => {
    const sections = sectionsOf(part);
    const group = many ? `${partTitle(part)}：` : '';
    const filled = (
      kind: Kind,
      { text, facts, at }: Extract<Element, { facts: unknown; text: string }>,
      state: Statement['state'] = null,
      title = '',
    ): Omit<Statement, 'id'> => {
      const head = title === '' ? '' : `${title}${at === null ? '' : ` ${at}`}：`;
      return {
        kind,
        state,
        text: `${group}${head}${plain(text, facts, reading)}`.trim(),
        title: title === '' ? null : withoutOwn(title),
        template: withoutOwn(text),
      };
    };
    const tests = sections.main.flatMap((element) =>
      element.type === 'table' && element.claim !== null
        ? sentencesOf({ table: element, tables: sections.tables, report, reading })
        : [],
    );
    return [
      ...sections.lead.map((e) => filled('lead', e)),
      ...part.elements.flatMap((e) => (e.type === 'warning' ? [filled('warning', e)] : [])),
      ...sections.checks.map((e) => filled('check', e, e.state, e.title)),
      ...tests.map(({ zh }) => ({
        kind: 'test' as const,
        state: null,
        text: group + zh.map(({ text }) => text).join(''),
        title: null,
        template: null,
      })),
      ...sections.texts.filter(({ voice }) => voice === null || voice === 'student').map((e) => filled('text', e)),
    ];
  });
  return list
    .filter(({ text }) => text !== '' && text.length <= TEXT_MAX)
    .slice(0, STATEMENTS_MAX)
    .map((statement, n) => ({ id: `s${n + 1}`, ...statement }));
}

/** Every text of the report that may come from the owner's data: names, labels, cells, conditions. */
function ownWords(report: Report): string[] {
  const words = new Set<string>();
  const add = (value: unknown): void => {
    if (typeof value === 'string') words.add(value.trim());
    else if (Array.isArray(value)) value.forEach(add);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(add);
  };
  add([report.title, report.roles, report.filter, report.split, report.weight, report.form]);
  for (const { group, elements } of report.parts) {
    add(group);
    for (const element of elements) {
      add(element.at);
      if ('facts' in element) add(element.facts);
      if (element.type === 'table')
        add([element.rows, element.matrix?.labels, element.columns.map(({ span }) => span)]);
    }
  }
  words.delete('');
  return [...words];
}

const HEADS: Readonly<Record<Kind, string>> = {
  lead: '结论',
  check: '前提',
  test: '检验',
  text: '说明',
  warning: '注意',
};

/** The reading by rules: conclusion, what to mind, assumptions that do not hold, tests; in the words of the report. */
export function rulesReading(statements: readonly Statement[]): ReadingSentence[] {
  const of = (kind: Kind) => statements.filter((statement) => statement.kind === kind);
  const checks = of('check');
  const troubled = checks.filter(({ state }) => state !== 'pass');
  const chosen = [...of('lead'), ...of('warning'), ...troubled, ...of('test').slice(0, 5), ...of('text').slice(0, 3)];
  const sentences = chosen.map(({ id, kind, text }): ReadingSentence => [
    { text: `${HEADS[kind]}：` },
    { text, ref: id },
  ]);
  if (checks.length > 0 && troubled.length === 0) sentences.push([{ text: '前提：报告里的前提检验都已通过。' }]);
  return sentences;
}
