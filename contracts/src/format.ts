/**
 * How a value is shown: the only place of the product that rounds. Screen, copies and exports all use it,
 * so a number can never read differently in two places. Full-precision values come in, text goes out.
 */

/** What a reader may choose about numbers; kept with a report's presentation. */
export interface Reading {
  /** Decimals of ordinary numbers; null = chosen from the values. */
  decimals: number | null;
  /** `.002`, `0.002`, or all digits that tell (`1.99×10⁻³`). */
  p: 'short' | 'zero' | 'exact';
  stars: 'usual' | 'economics' | 'none';
  /** As medical journals write: x̄±s, n (%) without the sign behind the number. */
  medical?: boolean;
  /** Of the report's tables; computed with the report, never kept. */
  places?: Places;
}

/** Sizes of numbers that stand in tables, and the decimals they have there: sentences say them alike. */
export type Places = ReadonlyMap<number, number>;

export const READING: Reading = { decimals: null, p: 'short', stars: 'usual' };

export const MINUS = '−';
export const EN_DASH = '–';
/** Not computed; the report carries a note that says why. */
export const ABSENT = '—';

const STEPS: Record<Reading['stars'], readonly (readonly [number, string])[]> = {
  usual: [
    [0.001, '***'],
    [0.01, '**'],
    [0.05, '*'],
  ],
  economics: [
    [0.01, '***'],
    [0.05, '**'],
    [0.1, '*'],
  ],
  none: [],
};

/** `"inf"` and `"-inf"` travel as text because JSON has no such number. */
export function numeric(value: unknown): number | null {
  if (typeof value === 'number') return Number.isNaN(value) ? null : value;
  if (value === 'inf') return Infinity;
  if (value === '-inf') return -Infinity;
  return null;
}

/** A fixed number of decimals, true minus, and no minus before a zero. */
export function fixed(x: number, decimals: number): string {
  if (x === Infinity) return '∞';
  if (x === -Infinity) return `${MINUS}∞`;
  if (Math.abs(x) >= 1e15) return scientific(x);
  const digits = Math.abs(x).toFixed(Math.max(0, Math.min(20, decimals)));
  return x < 0 && /[1-9]/.test(digits) ? MINUS + digits : digits;
}

const SUPERSCRIPT: Record<string, string> = Object.fromEntries(
  [...'0123456789-'].map((c, i) => [c, '⁰¹²³⁴⁵⁶⁷⁸⁹⁻'[i] ?? c]),
);

export function scientific(x: number, digits = 2): string {
  if (!Number.isFinite(x)) return fixed(x, 0);
  const [mantissa = '', power = '0'] = x.toExponential(digits - 1).split('e');
  return mantissa.replace('-', MINUS) + timesTen(power.replace('+', ''));
}

const timesTen = (power: string): string => `×10${[...power].map((c) => SUPERSCRIPT[c] ?? c).join('')}`;

/** Decimals that let a single number say about three digits: 279.5, 3.30, 0.61, 0.012, 0.0034. */
export function decimalsOf(x: number): number {
  const size = Math.abs(x);
  if (size === 0 || !Number.isFinite(size)) return 2;
  if (size >= 99.95) return 1;
  if (size >= 0.05) return 2;
  return size >= 0.00995 ? 3 : 4;
}

function roundsAway(x: number, decimals: number): boolean {
  return x !== 0 && Number.isFinite(x) && Number(Math.abs(x).toFixed(decimals)) === 0;
}

/**
 * Thousands of a written number, from five digits on: 2015 may be a year (GB/T 15835 leaves four digits whole).
 * 1,201,129,084.8 can be read, 1201129084.8 cannot.
 */
export function grouped(written: string): string {
  return written.replace(/^([+−]?)(\d{5,})(?=\.\d|$)/, (_, sign: string, whole: string) => sign + thousands(whole));
}

const thousands = (whole: string): string => whole.replace(/\B(?=(\d{3})+$)/g, ',');

/** One number in a sentence. A number that is not zero never reads as zero. */
export function num(x: number, decimals: number | null = null): string {
  if (decimals === null && Number.isInteger(x) && Math.abs(x) >= 100) return grouped(fixed(x, 0));
  const places = decimals ?? decimalsOf(x);
  if (!roundsAway(x, places)) return grouped(fixed(x, places));
  // With one decimal 0.022 is 0.02: a power of ten in a column of plain numbers is only for what is small indeed.
  return Math.abs(x) >= 0.001 ? fixed(x, firstDigit(x)) : scientific(x);
}

/** The decimals that show the first digit of a number below one; what rounds up to the place before needs no more. */
function firstDigit(x: number): number {
  const places = Math.ceil(-Math.log10(Math.abs(x)));
  return roundsAway(x, places - 1) ? places : places - 1;
}

/** A level or a limit as it was set: 0.05, 0.025, 0.001, with at least two decimals and none that says nothing. */
export function alpha(x: number): string {
  const digits = Number(x.toFixed(6)).toString();
  return /^\d+\.\d{2,}$/.test(digits) ? digits : num(x, 2);
}

export function signed(x: number, decimals: number | null = null): string {
  const text = num(x, decimals);
  return x > 0 && /[1-9∞]/.test(text) ? `+${text}` : text;
}

const sizesOf = (values: readonly (number | null)[]): number[] =>
  values.filter((v): v is number => v !== null && Number.isFinite(v) && v !== 0).map(Math.abs);

/**
 * One number of decimals for a column, so that points stand under each other: enough for its typical size,
 * more when a value would otherwise read as zero, never more than four. `ends`: of the intervals around its values,
 * which are written like the values and must not read as zero either.
 */
export function columnDecimals(values: readonly (number | null)[], ends: readonly (number | null)[] = []): number {
  const sizes = sizesOf(values);
  if (sizes.length === 0) return 2;
  if (sizes.every((v) => Number.isInteger(v) && v >= 100)) return 0;
  sizes.sort((a, b) => a - b);
  let places = decimalsOf(sizes[Math.floor((sizes.length - 1) / 2)] ?? 0);
  const all = [...sizes, ...sizesOf(ends)];
  while (places < 4 && all.some((v) => v >= 1e-4 && roundsAway(v, places))) places += 1;
  return places;
}

/** Counts: whole, thousands with comma. A weighted count may carry a fraction and keeps one decimal. */
export function integer(x: number): string {
  const digits = fixed(x, Number.isInteger(x) || Math.abs(x) >= 1e15 ? 0 : 1);
  return digits.replace(/^(−?)(\d+)/, (_, sign: string, whole: string) => sign + thousands(whole));
}

/** A fraction as percent. Without decimals given: none, or one where none would hide something (97.5%, 0.4%, 99.9%). */
export function percent(x: number, decimals: number | null = null): string {
  const value = x * 100;
  if (decimals !== null)
    return roundsAway(value, decimals) ? `< ${fixed(10 ** -decimals, decimals)}%` : `${fixed(value, decimals)}%`;
  const size = Math.abs(value);
  if (size > 0 && size < 0.05) return value > 0 ? '< 0.1%' : `${scientific(value)}%`;
  const oneDecimal = Math.abs(value * 10 - Math.round(value * 10)) < 1e-7;
  const hides = size > 0 && (size < 10 || (size > 99 && size < 100));
  return `${fixed(value, !Number.isInteger(Number(value.toFixed(7))) && (oneDecimal || hides) ? 1 : 0)}%`;
}

/** Levels people test at: of the confidence levels 99.5%, 99%, 98%, 97.5%, 95%, 90% and 80%. */
const LIMITS = [0.005, 0.01, 0.02, 0.025, 0.05, 0.1, 0.2];

/** A probability: `.002`, `< .001`, `> .999`; never .000, and never 1 unless it is 1. */
export function pvalue(p: number, style: Reading['p'] = 'short'): string {
  if (!(p >= 0 && p <= 1)) return ABSENT;
  if (style === 'exact' && p > 0 && p < 0.001) return scientific(p, 3);
  const dress = (text: string): string => (style === 'short' ? text.replace(/^0\./, '.') : text);
  if (p < 0.0005) return `< ${dress('0.001')}`;
  if (p >= 0.9995 && p < 1) return `> ${dress('0.999')}`;
  // Between .0005 and .001 rounding up would give .001 beside three stars: say the limit.
  if (p < 0.001) return `< ${dress('0.001')}`;
  // Just under a usual limit, three decimals would read as the limit itself (.0496 as .050): one more digit.
  let places = 3;
  while (places < 8 && LIMITS.some((limit) => p < limit && Number(p.toFixed(places)) === limit)) places += 1;
  return dress(p.toFixed(places));
}

export function peq(p: number, style: Reading['p'] = 'short'): string {
  const text = pvalue(p, style);
  return /^[<>]/.test(text) ? text : `= ${text}`;
}

export function stars(p: number | null, style: Reading['stars'] = 'usual'): string {
  if (p === null || !(p >= 0)) return '';
  return STEPS[style].find(([limit]) => p < limit)?.[1] ?? '';
}

/** The line under a table that says what the stars mean, its limits written as the probabilities are: .05 or 0.05. */
export function starsNote({ stars: style, p }: Pick<Reading, 'stars' | 'p'>): Token[] {
  return STEPS[style]
    .toReversed()
    .flatMap(([limit, mark], i): Token[] => [
      { text: `${i === 0 ? '' : '，'}${mark} ` },
      { text: 'p', st: true },
      { text: ` < ${p === 'zero' ? String(limit) : String(limit).replace(/^0/, '')}` },
    ]);
}

/**
 * Decimals of both ends of an interval. The middle counts as well: in a table the estimate stands with its ends,
 * and an interval says the same there and in a sentence.
 */
function endsDecimals(low: number | null, high: number | null): number {
  if (low === null || high === null || low === 0 || high === 0) return columnDecimals([low, high]);
  return columnDecimals([low, (low + high) / 2, high]);
}

/**
 * Near numbers that would all have powers of ten, with one power and decimals that tell them apart, or null:
 * 0.99×10⁻⁹ 到 1.00×10⁻⁹, not 9.9×10⁻¹⁰ 到 1.0×10⁻⁹.
 */
function onePower(values: readonly number[], places: number | null): string[] | null {
  const different = new Set(values).size;
  if (different < 2 || values.some((x) => x === 0 || !num(x, places).includes('×10'))) return null;
  const parts = values.map((x) => x.toExponential().split('e').map(Number));
  const top = Math.max(...parts.map(([, power = 0]) => power));
  const apart = top - Math.min(...parts.map(([, power = 0]) => power));
  if (apart > 1) return null;
  const write = (decimals: number): string[] =>
    parts.map(([mantissa = 0, power = 0]) => fixed(mantissa * 10 ** (power - top), decimals));
  let decimals = 1 + apart;
  while (decimals < 4 && new Set(write(decimals)).size < different) decimals += 1;
  return write(decimals).map((digits) => digits + timesTen(String(top)));
}

/** An interval in a table or beside an estimate: square brackets, one number of decimals for both ends. */
export function interval(low: number | null, high: number | null, decimals: number | null = null): string {
  if (low === null && high === null) return ABSENT;
  const places = decimals ?? endsDecimals(low, high);
  const alike = low === null || high === null ? null : onePower([low, high], places);
  if (alike !== null) return `[${alike.join(', ')}]`;
  const end = (x: number | null): string => (x === null ? ABSENT : num(x, places));
  return `[${end(low)}, ${end(high)}]`;
}

/** An interval in prose: an en dash, or 到 where a minus sign would stand beside the dash. */
export function range(low: number, high: number, decimals: number | null = null): string {
  const places = decimals ?? endsDecimals(low, high);
  const join = low < 0 || high < 0 ? ' 到 ' : EN_DASH;
  return (onePower([low, high], places) ?? [num(low, places), num(high, places)]).join(join);
}

const two = (n: number): string => String(n).padStart(2, '0');

/** A day stays the day it names; an instant is shown in the reader's time zone. */
export function date(value: unknown, withTime = false): string {
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)) return value;
  if (typeof value === 'string' && /^\d{4}(-\d{2})?$/.test(value)) return value;
  if (typeof value !== 'string' && typeof value !== 'number' && !(value instanceof Date)) return ABSENT;
  const at = new Date(value);
  if (Number.isNaN(at.getTime())) return typeof value === 'string' ? value : ABSENT;
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return withTime ? `${day} ${two(at.getHours())}:${two(at.getMinutes())}` : day;
}

/** Seconds as a reader says them: 0.03 秒, 12 秒, 3 分 20 秒. */
export function duration(seconds: number): string {
  if (seconds < 0.01) return '< 0.01 秒';
  if (seconds < 10) return `${fixed(seconds, seconds < 1 ? 2 : 1)} 秒`;
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} 秒` : `${Math.floor(whole / 60)} 分 ${whole % 60} 秒`;
}

export function bytes(n: number): string {
  if (n < 1024) return `${n} B`;
  if (n < 1024 ** 2) return `${fixed(n / 1024, 0)} KB`;
  return n < 1024 ** 3 ? `${fixed(n / 1024 ** 2, 1)} MB` : `${fixed(n / 1024 ** 3, 1)} GB`;
}

/** A condition as a reader writes it: ≥ for >=. What stands in quotes is a value of the data and stays. */
export function condition(written: string): string {
  const signs: Record<string, string> = { '>=': '≥', '<=': '≤', '!=': '≠', '<>': '≠', '==': '=' };
  return written.replace(/"[^"]*"|[<>!=]=|<>/g, (found) => signs[found] ?? found);
}

/** Any value in words, without a format: what `{fact}` and text cells show. */
export function text(value: unknown): string {
  if (value === null || value === undefined) return ABSENT;
  if (typeof value === 'boolean') return value ? '是' : '否';
  if (value === 'inf' || value === '-inf') return fixed(numeric(value) ?? 0, 0);
  if (typeof value === 'number') return Number.isInteger(value) ? fixed(value, 0) : num(value);
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(text).join('、') : ABSENT;
}

/** Decimals of a number in a sentence: as the reader wants them, else as in the table it stands in. */
const placesIn = (x: number, reading: Reading): number | null =>
  reading.decimals ?? reading.places?.get(Math.abs(x)) ?? null;

const NUMBERS: Record<string, (x: number, reading: Reading) => string> = {
  integer: integer,
  num: (x, reading) => num(x, placesIn(x, reading)),
  num0: (x) => grouped(fixed(x, 0)),
  alpha: (x) => alpha(x),
  num1: (x) => num(x, 1),
  num2: (x) => num(x, 2),
  num3: (x) => num(x, 3),
  num4: (x) => num(x, 4),
  '+num': (x, reading) => signed(x, placesIn(x, reading)),
  percent: (x) => percent(x),
  percent1: (x) => percent(x, 1),
  pvalue: (x, reading) => pvalue(x, reading.p),
  peq: (x, reading) => peq(x, reading.p),
};

/** One value in one of the formats of the contract. What is not a number is shown as text. */
export function show(value: unknown, format: string, reading: Reading = READING): string {
  if (value === null || value === undefined) return ABSENT;
  if (format === 'date') return date(value);
  const x = numeric(value);
  const write = NUMBERS[format];
  return x === null || write === undefined ? text(value) : write(x, reading);
}

/** A piece of a sentence: `st` is an italic statistical symbol, `b` bold, `fact` the name of the fact it shows. */
export interface Token {
  text: string;
  st?: true;
  b?: true;
  fact?: string;
}

const MARKUP = /\*\*((?:(?!\*\*).)+)\*\*|\*([^*\s][^*]*)\*|\{([\p{L}\p{N}_.]+)(?::(\+?\w+))?\}/su;

/** An interval of a template, with the estimate it stands beside: {d:num}（{level:percent} CI {low:num} 到 {high:num}）. */
const INTERVAL =
  /(?:\{([\p{L}\p{N}_.]+):\+?num\}[^{}]{0,8}(?:\{[\p{L}\p{N}_.]+:percent\}[^{}]{0,8})?)?\{([\p{L}\p{N}_.]+):num\} 到 \{([\p{L}\p{N}_.]+):num\}/gu;

/**
 * One number of decimals for both ends of an interval in a sentence, and for its estimate: −0.080 到 0.020, not
 * −0.08 到 0.020; 0.034（95% CI 0.010 到 0.250）, as in a table.
 */
function endsOfIntervals(
  template: string,
  facts: Readonly<Record<string, unknown>>,
  reading: Reading,
): Map<string, number | string> {
  const values = new Map<string, number | string>();
  if (reading.decimals !== null) return values;
  for (const [, name = '', low = '', high = ''] of template.matchAll(INTERVAL)) {
    const ends = [numeric(facts[low]), numeric(facts[high])];
    const [a = null, b = null] = ends;
    if (a === null || b === null || !Number.isFinite(a) || !Number.isFinite(b)) continue;
    if (Number.isInteger(a) && Number.isInteger(b)) continue;
    const x = numeric(facts[name]);
    const isInside = x !== null && a <= x && x <= b;
    const inTable = [isInside ? x : a, a, b].map((one) => placesIn(one, reading)).find((places) => places !== null);
    const places = inTable ?? (isInside ? columnDecimals([x], ends) : endsDecimals(a, b));
    if ([...ends, isInside ? x : null].some((one) => one !== null && roundsAway(one, places))) {
      const names = isInside ? [low, high, name] : [low, high];
      onePower(isInside ? [a, b, x] : [a, b], null)?.forEach((said, i) => values.set(names[i] ?? '', said));
      continue;
    }
    values.set(low, places).set(high, places);
    if (isInside) values.set(name, places);
  }
  return values;
}

/**
 * Fills `{fact:format}` and reads `*t*` and `**bold**` of a template. Only the template is read for markup:
 * a fact may hold a user's text, which is shown as it stands.
 */
export function tokens(
  template: string,
  facts: Readonly<Record<string, unknown>> = {},
  reading: Reading = READING,
): Token[] {
  const output: Token[] = [];
  const places = endsOfIntervals(template, facts, reading);
  let rest = template;
  for (let hit = MARKUP.exec(rest); hit !== null; hit = MARKUP.exec(rest)) {
    const [whole, bold, symbol, name, format] = hit;
    if (hit.index > 0) output.push({ text: rest.slice(0, hit.index) });
    if (bold !== undefined) output.push(...tokens(bold, facts, reading).map((t): Token => ({ ...t, b: true })));
    else if (symbol !== undefined)
      output.push(...tokens(symbol, facts, reading).map((t): Token => ({ ...t, st: true })));
    else if (name !== undefined) {
      const own = format === 'num' || format === '+num' ? places.get(name) : undefined;
      const as = typeof own === 'number' ? { ...reading, decimals: own } : reading;
      const sign = format === '+num' && typeof own === 'string' && !own.startsWith(MINUS) ? '+' : '';
      const written = typeof own === 'string' ? sign + own : show(facts[name], format ?? 'text', as);
      output.push({ text: written, fact: name });
    }
    rest = rest.slice(hit.index + whole.length);
  }
  if (rest !== '') output.push({ text: rest });
  return output;
}

export function plain(
  template: string,
  facts: Readonly<Record<string, unknown>> = {},
  reading: Reading = READING,
): string {
  return tokens(template, facts, reading)
    .map((t) => t.text)
    .join('');
}
