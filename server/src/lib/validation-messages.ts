/** What is wrong with a call, in Chinese and with the place: 「columns.0.name 应为文本，不能是数字」. */
import type { z } from 'zod';

type Issue = Parameters<NonNullable<NonNullable<Parameters<typeof z.config>[0]>['localeError']>>[0];

const TYPES: Record<string, string> = {
  string: '文本',
  number: '数字',
  int: '整数',
  bigint: '整数',
  boolean: 'true 或 false',
  array: '列表',
  tuple: '列表',
  set: '列表',
  object: '对象',
  record: '对象',
  map: '对象',
  null: '空值（null）',
  undefined: '空',
  date: '日期',
};
const typeWord = (name: string): string => TYPES[name] ?? '其他类型';

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

const FORMATS: Record<string, string> = {
  email: '邮箱地址',
  url: '网址',
  uuid: 'UUID',
  datetime: '日期时间（如 2024-01-31T08:00:00Z）',
  date: '日期（如 2024-01-31）',
  time: '时间（如 08:00:00）',
  ipv4: 'IPv4 地址',
  ipv6: 'IPv6 地址',
  base64: 'base64 文本',
  json_string: 'JSON 文本',
};

/** 最多 200 个字, 至少 1 项, 不能大于 500. */
function limit(origin: string, bound: number | bigint, isMost: boolean, inclusive: boolean): string {
  if (origin === 'string') return `${isMost ? '最多' : '至少'} ${bound} 个字`;
  if (['array', 'set', 'map', 'object', 'tuple'].includes(origin)) return `${isMost ? '最多' : '至少'} ${bound} 项`;
  if (origin === 'file') return `${isMost ? '最多' : '至少'} ${bound} 字节`;
  if (inclusive) return `不能${isMost ? '大于' : '小于'} ${bound}`;
  return `应${isMost ? '小于' : '大于'} ${bound}`;
}

const NAMED = 5;
const shown = (values: readonly unknown[]): string =>
  values
    .slice(0, NAMED)
    .map((value) => (typeof value === 'string' ? value.slice(0, 40) : JSON.stringify(value)))
    .join('、') + (values.length > NAMED ? ` 等 ${values.length} 个` : '');

export function validationMessage(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return '必填';
      if (issue.expected === 'int') return '应为整数';
      if (issue.input === null && !issue.path?.length) return '请求没有内容：应发送一个对象，没有要说明的就发送空对象';
      // Nothing sent is one: it is what is left of an absent text, or of words, where a number was to be read.
      if (Number.isNaN(issue.input)) return `应填写${typeWord(issue.expected)}`;
      return `应为${typeWord(issue.expected)}，不能是${typeWord(kindOf(issue.input))}`;
    case 'invalid_value':
      return issue.values.length === 1 ? `应为 ${shown(issue.values)}` : `应为以下之一：${shown(issue.values)}`;
    case 'too_big':
      return limit(issue.origin, issue.maximum, true, issue.inclusive ?? true);
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return '不能为空';
      return limit(issue.origin, issue.minimum, false, issue.inclusive ?? true);
    case 'invalid_format':
      return FORMATS[issue.format] === undefined ? '格式不正确' : `应为${FORMATS[issue.format]}`;
    case 'not_multiple_of':
      return `应为 ${issue.divisor} 的倍数`;
    case 'unrecognized_keys':
      return `没有这些内容：${shown(issue.keys)}`;
    case 'invalid_key':
      return '含有不允许的名称';
    case 'invalid_element':
      return '含有不允许的内容';
    default:
      return '的内容不符合要求';
  }
}

interface ValidationFault {
  path: readonly PropertyKey[];
  message: string;
  code?: string | undefined;
  /** Of a union: the issues of every branch. */
  errors?: readonly (readonly ValidationFault[])[] | undefined;
  /** Of a choice: what it may be. */
  values?: readonly unknown[] | undefined;
}

/** Of a union of single values: all of them, since none fits better than another. */
function choices(branches: readonly (readonly ValidationFault[])[]): readonly unknown[] | null {
  const values = branches.map(([only, more]) => (more || only?.path.length ? undefined : only?.values));
  return values.length > 1 && values.every((one) => one !== undefined) ? values.flat() : null;
}

/** Of a union the branch that fits best: one that knows the keys that were sent, with the fewest faults. */
function best(branches: readonly (readonly ValidationFault[])[]): readonly ValidationFault[] {
  const cost = (branch: readonly ValidationFault[]): number =>
    branch.length +
    branch.filter(({ code, path }) => code === 'unrecognized_keys' || (code === 'invalid_type' && path.length === 0))
      .length *
      100;
  return branches.toSorted((a, b) => cost(a) - cost(b))[0] ?? [];
}

/** The first fault with its place. */
export function faultMessage({ path, message, errors }: ValidationFault): string {
  const all = choices(errors ?? []);
  if (all) return faultMessage({ path, message: `应为以下之一：${shown(all)}` });
  const [inner] = best(errors ?? []);
  if (inner) return faultMessage({ ...inner, path: [...path, ...inner.path] });
  return [path.map(String).join('.').slice(0, 80), message].filter(Boolean).join(' ');
}
