/** A code book as a table for people: CSV with a heading, as Excel and WPS open and save it. */
import { csvField, guarded } from '@hengxi/contracts/csv';
import type { Code, CodeEdit, CodeKind } from '@hengxi/server/answer-coding/schema';

const HEADS = ['编码', '上级', '定义', '算在内的例子', '不算的例子', '词语规则', '类型'] as const;
const KINDS: Record<CodeKind, string> = { plain: '普通', other: '其他', unclear: '无法归类', invalid: '无效' };

type Head = (typeof HEADS)[number];
const FIELDS = {
  group: '上级',
  definition: '定义',
  includes: '算在内的例子',
  excludes: '不算的例子',
  rule: '词语规则',
} as const satisfies Partial<Record<keyof Code, Head>>;
const BLANK = { id: null, group: '', definition: '', includes: '', excludes: '', rule: '', gone: false };

const cell = (text: string): string => csvField(guarded(text));
/** Without the apostrophe that `guarded` has put there. */
const plain = (text: string): string =>
  text.startsWith("'") && guarded(text.slice(1)) === text ? text.slice(1) : text;

/** Begins with the mark by which Excel knows UTF-8. */
export function writeBook(codes: readonly Code[]): string {
  const rows = codes
    .filter(({ gone }) => !gone)
    .map((one) => [one.name, one.group, one.definition, one.includes, one.excludes, one.rule, KINDS[one.kind]]);
  return `\uFEFF${[HEADS, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}

/** Cells of a CSV text; quotes may hold commas, line ends and doubled quotes. */
export function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]];
  const pattern = /("(?:[^"]|"")*"|[^,\n]*)(,|\n|$)/gy;
  const source = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  while (pattern.lastIndex < source.length) {
    const [, raw = '', end = ''] = pattern.exec(source) ?? [];
    const value = raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw;
    rows.at(-1)?.push(plain(value.trim()));
    if (end !== ',' && pattern.lastIndex < source.length) rows.push([]);
    if (raw === '' && end === '') break;
  }
  return rows.filter((row) => row.some((one) => one !== ''));
}

export interface ReadBook {
  codes: CodeEdit[];
  added: number;
  changed: number;
}

/** The book with the codes of a file: those of a name that is there get the words of the file, others come last. */
export function readBook(text: string, known: readonly Code[]): ReadBook {
  const [head = [], ...rows] = cellsOf(text);
  const place = new Map<Head, number>(HEADS.map((name) => [name, head.indexOf(name)]));
  if ((place.get('编码') ?? -1) < 0) throw new Error('文件的第一行里没有“编码”这一列，请按导出的码表的样子填写');
  const codes: CodeEdit[] = [...known];
  let [added, changed] = [0, 0];
  for (const row of rows) {
    const cellOf = (head: Head): string => row[place.get(head) ?? -1] ?? '';
    const name = cellOf('编码');
    if (name === '') continue;
    // A column the file has not says nothing of a code that is there.
    const words: Partial<Record<keyof typeof FIELDS, string>> = {};
    for (const field of Object.keys(FIELDS) as (keyof typeof FIELDS)[])
      if ((place.get(FIELDS[field]) ?? -1) >= 0) words[field] = cellOf(FIELDS[field]);
    const own = codes.findIndex((one) => one.name === name && !one.gone);
    const old = codes[own];
    if (old) {
      codes[own] = { ...old, ...words, name };
      changed += JSON.stringify(codes[own]) === JSON.stringify(old) ? 0 : 1;
    } else {
      const kind = (Object.keys(KINDS) as CodeKind[]).find((one) => KINDS[one] === cellOf('类型')) ?? 'plain';
      const isTaken = kind !== 'plain' && codes.some((one) => one.kind === kind && !one.gone);
      codes.push({ ...BLANK, ...words, name, kind: isTaken ? 'plain' : kind });
      added += 1;
    }
  }
  return { codes, added, changed };
}
