/**
 * 数据体检: what may harm an analysis, read from the profiles the engine made. Nothing is changed by it; every finding
 * says where, how much, and what helps. `count: null` means that the condition has still to be counted in the table.
 */
import { clockText } from '@hengxi/contracts/clock-text';
import type { Texts } from './engine.ts';
import { identifiers, NO_IDS } from './identifiers.ts';
import { suspectedCodes } from './missing-codes.ts';
import type { AnswerSet, Column, ColumnEdit, Finding } from './schema.ts';

interface Examination {
  /** Lower is more harmful; the list is sorted by it. */
  harm: number;
  find: (columns: Column[], rows: number, texts: Texts) => Finding[];
}

const MISSING_SHARE = 0.2;
const SHORT_SECONDS = 60;
const MANY_LEVELS = 30;
/** Categories named in one sentence. */
const NAMED_MOST = 3;
const CONDITION_MOST = 2000;
const NUMBERS = new Set(['int', 'float']);

const isNumeric = (column: Column): boolean => NUMBERS.has(column.storage);
const quoted = (column: Column): string => `“${column.label ?? column.name}”`;
const percent = (part: number, whole: number): string => `${Math.round((part / whole) * 1000) / 10}%`;

function finding(parts: Partial<Finding> & Pick<Finding, 'code' | 'title' | 'text' | 'columns'>): Finding {
  return { state: 'care', count: null, condition: null, edit: null, trouble: null, subject: parts.columns, ...parts };
}

/** A number of a column as people write it: times as times. */
const written = (value: number, { clock }: Column): string =>
  typeof clock === 'string' ? clockText(Math.round(value)) : String(Number(value.toPrecision(4)));

/** As the grammar of conditions writes it. */
const literal = (value: string | number | boolean): string =>
  typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : String(value);

function undeclaredCodes(columns: Column[]): Finding[] {
  return columns.flatMap((column) =>
    suspectedCodes(column).map(({ value, count }) => {
      const { missing } = column;
      const edit: ColumnEdit = {
        id: column.id,
        missing: { values: [...missing.values, value], ranges: missing.ranges },
      };
      return finding({
        code: 'missing_code',
        state: 'fail',
        title: `编码 ${value} 没有设为缺失`,
        text: `${quoted(column)}中的 ${value} 远离其他取值，像是“未作答”的编码；当作数值会${value > 0 ? '拉高' : '拉低'}均值。`,
        columns: [column.id],
        count,
        condition: `{${column.id}} = ${value}`,
        edit: { title: '设为缺失', columns: [edit] },
      });
    }),
  );
}

function empty(columns: Column[], rows: number): Finding[] {
  return columns
    .filter((column) => rows > 0 && column.profile.n === 0)
    .map((column) =>
      finding({
        code: 'empty',
        state: 'fail',
        title: `${quoted(column)}全部缺失`,
        text: `${quoted(column)}没有任何有效值，不能参与分析。`,
        columns: [column.id],
        count: rows,
        trouble: 'useless',
      }),
    );
}

function muchMissing(columns: Column[], rows: number): Finding[] {
  return columns
    .filter(({ profile }) => profile.n > 0 && rows > 0 && profile.missing / rows > MISSING_SHARE)
    .map((column) =>
      finding({
        code: 'missing',
        title: `${quoted(column)}缺失 ${percent(column.profile.missing, rows)}`,
        text: `${quoted(column)}有 ${column.profile.missing} 个缺失值，超过 20%；用到它的分析会少掉这些行。`,
        columns: [column.id],
        count: column.profile.missing,
        condition: `missing({${column.id}})`,
        trouble: column.measure === '定量' ? 'missing' : 'missing_levels',
      }),
    );
}

function constant(columns: Column[]): Finding[] {
  return columns
    .filter(({ profile }) => profile.n > 1 && profile.distinct === 1)
    .map((column) =>
      finding({
        code: 'constant',
        title: `${quoted(column)}全部相同`,
        text: `${quoted(column)}的 ${column.profile.n} 个有效值完全相同，没有可分析的差异。`,
        columns: [column.id],
        count: column.profile.n,
        trouble: 'useless',
      }),
    );
}

function codedAsNumbers(columns: Column[]): Finding[] {
  return identifiers(columns).map((column) =>
    finding({
      code: 'identifier',
      title: `${quoted(column)}像编号`,
      text: `${quoted(column)}的每个值都只出现一次，像编号而不是可以求平均的数。`,
      columns: [column.id],
      count: column.profile.n,
      edit: { title: '设为标识', columns: [{ id: column.id, flags: [...column.flags, '标识'] }] },
    }),
  );
}

const MOBILE = /^1[3-9]\d{9}$/;
const RESIDENT_ID = /^\d{17}[\dXx]$/;

function personal(columns: Column[]): Finding[] {
  return columns.flatMap((column) => {
    const samples = (column.profile.top ?? []).map(({ value }) => String(value));
    const { min, max } = column.profile;
    const bounds = typeof min === 'number' && typeof max === 'number' ? [String(min), String(max)] : samples;
    const is = (pattern: RegExp): boolean => bounds.length > 0 && bounds.every((text) => pattern.test(text));
    const kind = is(MOBILE) ? '手机号' : is(RESIDENT_ID) ? '身份证号' : null;
    if (!kind) return [];
    return finding({
      code: 'personal',
      title: `${quoted(column)}疑似${kind}`,
      text: `${quoted(column)}看起来是${kind}。分享前先打码或删去这一列；以前的版本里还有原值。`,
      columns: [column.id],
      count: column.profile.n,
      trouble: 'personal',
    });
  });
}

/** From this share of the cells on, a text column is called one of numbers, of dates. */
const MOST_CELLS = 0.8;
/** Below this share, numbers among words are no surprise. */
const SOME_CELLS = 0.2;
/** A question with so few answers is one of categories, whatever they are called. */
const FEW_ANSWERS = 10;

const isIdentifier = ({ flags }: Column): boolean => flags.includes('标识');

/** Of a table whose texts were not read, the most frequent values speak for the others. */
function holdsNumbers(column: Column, texts: Texts): boolean {
  const known = texts[column.id];
  if (known !== undefined) return known.numbers >= 2 && known.numbers / known.n >= MOST_CELLS;
  const top = column.profile.top ?? [];
  const numeric = top.filter(({ value }) => /^\s*-?\d+(\.\d+)?\s*$/.test(String(value)));
  return top.length >= 2 && numeric.length / top.length >= MOST_CELLS;
}

function numbersAsText(columns: Column[], _: number, texts: Texts): Finding[] {
  return columns
    .filter(
      (column) =>
        column.storage === 'text' && column.measure !== '定量' && !isIdentifier(column) && holdsNumbers(column, texts),
    )
    .map((column) =>
      finding({
        code: 'text_numbers',
        title: `${quoted(column)}是文本型数字`,
        text: `${quoted(column)}的取值大多是数字，但按文本保存。转为数值后，不是数字的单元格将作缺失。`,
        columns: [column.id],
        count: texts[column.id]?.numbers ?? null,
        edit: { title: '改为定量', columns: [{ id: column.id, measure: '定量' }] },
        trouble: 'text_numbers',
      }),
    );
}

function datesAsText(columns: Column[], _: number, texts: Texts): Finding[] {
  return columns.flatMap((column) => {
    const { n = 0, dates = 0, moments = 0 } = texts[column.id] ?? {};
    const both = dates + moments;
    if (both < 2 || both / n < MOST_CELLS || column.measure === '时间') return [];
    return finding({
      code: 'text_dates',
      title: `${quoted(column)}是文本型日期`,
      text: `${quoted(column)}有 ${both} 格是日期，但按文本保存。转为日期后才能按时间排序、求间隔。`,
      columns: [column.id],
      count: both,
      trouble: moments > 0 ? 'text_moments' : 'text_dates',
    });
  });
}

function mixed(columns: Column[], _: number, texts: Texts): Finding[] {
  return columns.flatMap((column) => {
    const { n = 0, numbers = 0 } = texts[column.id] ?? {};
    if (isIdentifier(column) || column.measure === '文本' || column.profile.distinct <= FEW_ANSWERS) return [];
    if (numbers / n < SOME_CELLS || numbers / n >= MOST_CELLS || n === 0) return [];
    return finding({
      code: 'mixed',
      title: `${quoted(column)}混有数字和文字`,
      text: `${quoted(column)}有 ${numbers} 格是数字，${n - numbers} 格不是。转为数值时，不是数字的格会成为缺失。`,
      columns: [column.id],
      count: n - numbers,
      trouble: 'mixed',
    });
  });
}

function strayCharacters(columns: Column[], _: number, texts: Texts): Finding[] {
  const concerned = columns.filter(({ id, measure }) => measure !== '文本' && (texts[id]?.stray ?? 0) > 0);
  const [first] = concerned;
  if (!first) return [];
  const cells = concerned.reduce((sum, { id }) => sum + (texts[id]?.stray ?? 0), 0);
  const named = concerned.slice(0, NAMED_MOST).map(quoted).join('');
  const which = concerned.length > NAMED_MOST ? `${named}等 ${concerned.length} 个变量` : named;
  return [
    finding({
      code: 'stray_characters',
      title:
        concerned.length > 1
          ? `${concerned.length} 个变量有多余的空格或全角字符`
          : `${quoted(first)}有多余的空格或全角字符`,
      text: `${which}有 ${cells} 格带多余的空格、全角字母数字或看不见的字符；同一个类别可能因此分成几个。`,
      columns: concerned.map(({ id }) => id),
      count: cells,
      trouble: 'stray_characters',
    }),
  ];
}

function manyLevels(columns: Column[]): Finding[] {
  return columns
    .filter(
      (column) => column.measure === '定类' && !column.flags.includes('标识') && column.profile.distinct > MANY_LEVELS,
    )
    .map((column) =>
      finding({
        code: 'many_levels',
        title: `${quoted(column)}有 ${column.profile.distinct} 个类别`,
        text: `${quoted(column)}的类别超过 ${MANY_LEVELS} 个，分组后每组人数会很少；可以先合并类别。`,
        columns: [column.id],
        trouble: 'levels',
      }),
    );
}

function lonelyLevels(columns: Column[]): Finding[] {
  return columns.flatMap((column) => {
    if (column.measure !== '定类' || column.profile.distinct > MANY_LEVELS) return [];
    const lonely = (column.levels ?? []).filter(({ count }) => count === 1);
    const [first] = lonely;
    if (!first || column.profile.n < 20) return [];
    const condition = `{${column.id}} in (${lonely.map(({ value }) => literal(value)).join(', ')})`;
    const named = lonely.slice(0, NAMED_MOST).map(({ label }) => `“${label}”`);
    const who =
      named.length < lonely.length
        ? `${named.join('')}等 ${lonely.length} 个类别各`
        : `${named.join('')}${named.length > 1 ? '各' : ''}`;
    return finding({
      code: 'lonely_level',
      title: `${quoted(column)}有只出现一次的类别`,
      text: `${quoted(column)}中的${who}只有 1 例，分组比较时无法估计组内差异。`,
      columns: [column.id],
      count: lonely.length,
      // Where it is too long to be asked, the column's card has to do.
      condition: typeof first.value === 'boolean' || condition.length > CONDITION_MOST ? null : condition,
      trouble: 'levels',
    });
  });
}

function extremes(columns: Column[]): Finding[] {
  return columns.flatMap((column) => {
    const { min, max, q1, q3, distinct } = column.profile;
    if (column.measure !== '定量' || !isNumeric(column) || column.flags.length > 0 || distinct <= 10) return [];
    if (typeof min !== 'number' || typeof max !== 'number' || q1 == null || q3 == null || q3 === q1) return [];
    const low = q1 - 3 * (q3 - q1);
    const high = q3 + 3 * (q3 - q1);
    if (min >= low && max <= high) return [];
    // Nothing lies below zero where nothing can.
    const range =
      column.profile.non_negative && low <= 0
        ? `大于 ${written(high, column)}`
        : `${written(low, column)} 至 ${written(high, column)} 以外`;
    return finding({
      code: 'extreme',
      title: `${quoted(column)}有极端值`,
      text: `${quoted(column)}有值超出 3 倍四分位距（${range}），先核对是否录入有误。`,
      columns: [column.id],
      condition: `{${column.id}} < ${low} or {${column.id}} > ${high}`,
      trouble: 'extremes',
    });
  });
}

const DURATION = /用时|时长|耗时|答题时间|duration/i;

function tooQuick(columns: Column[]): Finding[] {
  return columns.flatMap((column) => {
    const name = `${column.name} ${column.label ?? ''}`;
    const { min, median } = column.profile;
    const isInSeconds = typeof column.clock === 'string' || /秒|second|\bs\b/i.test(name);
    if (!isNumeric(column) || !DURATION.test(name) || !isInSeconds) return [];
    if (typeof min !== 'number' || min >= SHORT_SECONDS || median == null || median <= SHORT_SECONDS) return [];
    return finding({
      code: 'too_quick',
      title: '用时过短',
      text: `有答卷的${quoted(column)}少于 ${typeof column.clock === 'string' ? clockText(SHORT_SECONDS) : `${SHORT_SECONDS} 秒`}，可能没有认真作答。`,
      columns: [column.id],
      condition: `{${column.id}} < ${SHORT_SECONDS}`,
      trouble: 'rows',
    });
  });
}

/** Sibling rating questions stand side by side and share their range; the same answer to all of them is suspect. */
function straightLines(columns: Column[]): Finding[] {
  const groups: Column[][] = [];
  for (const column of columns) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (!column.flags.includes('量表') || !isNumeric(column)) {
      groups.push([]);
      continue;
    }
    const isSibling = last && last.profile.min === column.profile.min && last.profile.max === column.profile.max;
    if (group && (isSibling || group.length === 0)) group.push(column);
    else groups.push([column]);
  }
  return groups
    .filter((group) => group.length >= 5)
    .map((group) => {
      const [first, ...others] = group;
      const ids = group.map(({ id }) => id);
      // 40 terms keep the condition within the length the grammar allows.
      const condition = others
        .slice(0, 40)
        .map(({ id }) => `{${first?.id}} = {${id}}`)
        .join(' and ');
      return finding({
        code: 'straight_line',
        title: '直线作答',
        text: `有答卷在${first ? quoted(first) : ''}等 ${group.length} 道相邻的量表题上全选同一项。`,
        columns: ids,
        condition,
        trouble: 'careless',
      });
    });
}

/** Below so many variables, or so few possible combinations, rows are equal by chance. */
const REPEAT_LEAST = 5;
const REPEAT_SPARE = 4;

/** What differs between two deliveries of the same answers: numbers of the sheet, times, seconds taken. */
const isOfDelivery = ({ measure, flags, name, label, profile }: Column): boolean =>
  measure === '时间' ||
  flags.some((flag) => NO_IDS.includes(flag)) ||
  DURATION.test(`${name} ${label ?? ''}`) ||
  profile.unique ||
  profile.n === 0;

/** Rows that equal an earlier one in everything but number and time. */
function repeats(columns: Column[], rows: number): Finding[] {
  const answers = columns.filter((column) => !isOfDelivery(column));
  const spread = answers.reduce((bits, { profile }) => bits + Math.log2(Math.max(profile.distinct, 1)), 0);
  if (answers.length < REPEAT_LEAST || rows < 2 || spread < 2 * Math.log2(rows) + REPEAT_SPARE) return [];
  let condition = '';
  const compared: string[] = [];
  for (const { id } of answers) {
    const longer = condition === '' ? `repeated({${id}})` : `${condition.slice(0, -1)}, {${id}})`;
    if (longer.length > CONDITION_MOST - ' not '.length) break;
    condition = longer;
    compared.push(id);
  }
  const isSurvey = columns.some(({ flags }) => flags.includes('量表') || flags.includes('用时'));
  const row = isSurvey ? '答卷' : '行';
  const where = compared.length < answers.length ? `前 ${compared.length} 个变量` : '除编号和时间以外的全部变量';
  return [
    finding({
      code: 'repeated',
      title: isSurvey ? '重复答卷' : '重复的行',
      text: `有${row}在${where}上与前面的一${isSurvey ? '份' : '行'}完全相同，可能是重复提交或重复录入，先核对再决定是否删去。`,
      columns: [],
      condition,
      trouble: 'repeated',
      subject: compared,
    }),
  ];
}

/** Findings of which only their count tells whether there is anything to find. */
export const UNPROVEN: ReadonlySet<string> = new Set(['straight_line', 'repeated']);

const EXAMINATIONS: Examination[] = [
  { harm: 1, find: undeclaredCodes },
  { harm: 2, find: empty },
  { harm: 3, find: muchMissing },
  { harm: 4, find: numbersAsText },
  { harm: 4, find: datesAsText },
  { harm: 4, find: mixed },
  { harm: 5, find: codedAsNumbers },
  { harm: 5, find: strayCharacters },
  { harm: 6, find: constant },
  { harm: 7, find: repeats },
  { harm: 8, find: tooQuick },
  { harm: 9, find: straightLines },
  { harm: 10, find: extremes },
  { harm: 11, find: lonelyLevels },
  { harm: 12, find: manyLevels },
  { harm: 13, find: personal },
];

/** Options of a question with several answers whose cells are blank where they were not chosen: nothing is missing. */
function blankOptions(columns: Column[], sets: readonly AnswerSet[]): Set<string> {
  const members = new Set(sets.flatMap((set) => set.columns));
  const isOption = ({ id, profile }: Column): boolean => members.has(id) && profile.n > 0 && profile.distinct === 1;
  return new Set(columns.filter(isOption).map(({ id }) => id));
}

/** All findings, most harmful first, with the number of examinations made and passed. `texts`: what the engine read. */
export function examine(
  columns: Column[],
  rows: number,
  sets: readonly AnswerSet[],
  texts: Texts = {},
): { checks: number; passed: number; findings: Finding[] } {
  const left = blankOptions(columns, sets);
  const seen = columns.filter(({ id }) => !left.has(id));
  const results = EXAMINATIONS.toSorted((a, b) => a.harm - b.harm).map(({ find }) => find(seen, rows, texts));
  return {
    checks: results.length,
    passed: results.filter((found) => found.length === 0).length,
    findings: results.flat(),
  };
}
