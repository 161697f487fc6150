/**
 * 结果语句: what a test found as one sentence for a paper, Chinese and English, made of the fields of its table exactly as
 * the table shows them. What a table tells, it declares (`claim`); a table without a claim has no sentence.
 */
import type { Claim, Elsewhere, Report, Statistic, TableElement } from '../../generated/contract.ts';
import type { BodyCell } from '../cell-text.ts';
import { numeric, percent, plain, type Reading, type Token, tokens } from '../format.ts';
import { type BodyRow, tableText, type TableEdit } from '../table-text.ts';
import { correlated, findingWords, type Words } from './claim-words.ts';

export interface SentencePair {
  zh: Token[];
  en: Token[];
}

export interface SentenceOf {
  table: TableElement;
  /** Tables of the same part: an effect size may stand in one of its own. */
  tables: ReadonlyMap<string, TableElement>;
  report: Pick<Report, 'form' | 'roles'>;
  reading: Reading;
  edit?: TableEdit | undefined;
}

/** What stands in the column `read` of the rows the conclusion reads. */
const READ = '采用';
/** The row of the intercept in a table of coefficients. */
export const CONSTANT = '常数项';

export function sentencesOf(of: SentenceOf): SentencePair[] {
  const claim = of.table.claim ?? null;
  if (claim === null) return [];
  if (of.table.matrix !== null) return correlations(of, claim);
  const { decimals, p } = of.edit ?? {};
  const edit = { ...(decimals === undefined ? {} : { decimals }), ...(p === undefined ? {} : { p }) };
  // As the table shows its numbers, but every row and column in its own place.
  const grid = tableText({ ...of.table, layout: 'long', turned: false }, of.reading, edit, false);
  const above: (BodyCell | null)[] = [];
  return grid.body.flatMap((row) => {
    const words = new RowWords(of, claim, row, above);
    return words.isTest() ? [words.sentence()] : [];
  });
}

// --- one row ---------------------------------------------------------------------------------------------------------

const symbol = (markup: string): Token[] => tokens(markup);
const token = (words: string): Token => ({ text: words });
/** ` = 3.12`, or `< .001` as it stands. */
const equals = (shown: string): Token => token(/^[<>]/.test(shown) ? ` ${shown}` : ` = ${shown}`);

class RowWords {
  private readonly table: TableElement;
  private readonly cells: (BodyCell | null)[];

  constructor(
    private readonly of: SentenceOf,
    private readonly claim: Claim,
    private readonly row: BodyRow,
    above: (BodyCell | null)[],
  ) {
    this.table = of.table;
    row.cells.forEach((cell, c) => {
      if (cell !== null) above[c] = cell;
    });
    this.cells = [...above];
  }

  private at(key: string): number {
    return this.table.columns.findIndex((c) => c.key === key);
  }

  private shown(key: string | null): string | null {
    const text = key === null ? undefined : this.cells[this.at(key)]?.text;
    return text === undefined || text === '' || text === '—' ? null : text;
  }

  private raw(key: string): unknown {
    return this.table.rows[this.row.index]?.[this.at(key)];
  }

  /** A row whose p stands in it, not in the merged cell above; of several forms the one the conclusion reads. */
  isTest(): boolean {
    const { p, read, estimates } = this.claim;
    const probability = numeric(this.raw(p));
    if (probability === null || this.row.cells[this.at(p)] === null) return false;
    if (read !== null && this.at(read) >= 0 && this.table.rows.some((row) => row[this.at(read)] === READ))
      if (this.raw(read) !== READ) return false;
    return estimates === null || this.shown(estimates.term) !== CONSTANT;
  }

  private get significant(): boolean {
    return (numeric(this.raw(this.claim.p)) ?? 1) < alphaOf(this.of.report);
  }

  /** The variable of a role that has just one. */
  private role(name: string | null): string | null {
    const [variable, ...others] = name === null ? [] : (this.of.report.roles[name] ?? []);
    return variable === undefined || others.length > 0 ? null : (variable.label ?? variable.name);
  }

  private get outcome(): string | null {
    return this.shown('variable') ?? this.table.at ?? this.role(this.claim.outcome);
  }

  private ci(range: string | null, english: boolean): Token[][] {
    if (range === null) return [];
    const level = percent(numeric(this.of.report.form['conf_level']) ?? 0.95);
    return [[token(`${level}${english ? ' CI' : 'CI'} ${range}`)]];
  }

  sentence(): SentencePair {
    const { zh, en } = this.subject();
    const facts = (english: boolean): Token[][] => [
      ...this.estimate(english),
      ...this.statistic(),
      ...this.claim.beside.flatMap((key) => this.further(key)),
      [...symbol('*p*'), equals(this.shown(this.claim.p) ?? '')],
      ...this.effect(english),
    ];
    const joined = (parts: Token[][], comma: string): Token[] =>
      parts.flatMap((part, i) => (i === 0 ? part : [token(comma), ...part]));
    return {
      zh: [token(zh), ...joined(facts(false), '，'), token('。')],
      en: [token(en), ...joined(facts(true), ', '), token('.')],
    };
  }

  /** What the row is about, and whether something was found; a test without a subject is named only. */
  private subject(): Words {
    const words = this.finding();
    if (words === null) return this.named();
    const test = this.mentioned();
    const [zh, en] = test === null ? ['', ''] : [`（${test}）`, ` (${test})`];
    const layer = this.shown(this.claim.within);
    const [zhWhere, enWhere] = layer === null ? ['', ''] : [`在“${layer}”中，`, `In “${layer}”, `];
    return { zh: `${zhWhere}${words.zh}${zh}，`, en: `${enWhere}${words.en}${en}, ` };
  }

  private finding(): Words | null {
    const { claim } = this;
    return findingWords({
      about: claim.about,
      significant: this.significant,
      outcome: this.outcome,
      outcomeOfRole: this.role(claim.outcome),
      by: this.role(claim.by),
      first: this.shown(claim.first),
      second: this.shown(claim.second),
      against: this.against(),
      term: this.shown(claim.estimates?.term ?? null),
    });
  }

  /** What is compared with: a cell of the row, or the setting of that name. */
  private against(): string | null {
    const { against } = this.claim;
    if (against === null) return null;
    const setting = this.of.report.form[against];
    return this.at(against) >= 0 ? this.shown(against) : typeof setting === 'number' ? String(setting) : null;
  }

  private get testNames(): string[] {
    return this.claim.names.map((key) => this.shown(key)).filter((name) => name !== null);
  }

  /** The test's own name, where its statistic does not say which it is. */
  private mentioned(): string | null {
    const { names, read, statistics } = this.claim;
    const silent = statistics.every(({ column }) => this.shown(column) === null);
    const several = read !== null && !this.table.rows.some((row) => row[this.at(read)] === READ);
    return names.length > 0 && (silent || several) ? this.testNames.join(' · ') || null : null;
  }

  private named(): Words {
    const parts = [plain(this.table.title), this.outcome, ...this.testNames].filter((part) => part !== null);
    const all = [...new Set(parts)].filter((part) => part !== '').join(' · ');
    return { zh: `${all}：`, en: `${all}: ` };
  }

  /** A coefficient comes before its test; of a ratio only the ratio. */
  private estimate(english: boolean): Token[][] {
    const { estimates } = this.claim;
    if (estimates === null) return [];
    const { ratio, value, interval, interval_of, se } = estimates;
    const isRatio = ratio !== null;
    const head = isRatio ? symbol(estimates.ratio_symbol ?? '') : symbol(this.titleOf(value));
    const shown = this.shown(isRatio ? ratio : value);
    const range = interval !== null && (interval_of === 'ratio') === isRatio ? this.shown(interval) : null;
    const error = isRatio ? null : this.shown(se);
    return [
      [...head, equals(shown ?? '')],
      ...this.ci(range, english),
      ...(error === null ? [] : [[...symbol('*SE*'), equals(error)]]),
    ];
  }

  private titleOf(key: string): string {
    return this.table.columns[this.at(key)]?.title ?? key;
  }

  private statistic(): Token[][] {
    const statistic = this.claim.statistics.find(({ column }) => this.shown(column) !== null);
    if (statistic === undefined) return [];
    const df = statistic.df.map((key) => this.shown(key)).filter((text) => text !== null);
    const other = statistic.df_elsewhere === null ? null : this.numberElsewhere(statistic.df_elsewhere);
    const inside = other === null ? df : [...df, other];
    return [
      [
        ...symbolOfStatistic(statistic, this.of.report.form),
        ...(inside.length === 0 ? [] : [token(`(${inside.join(', ')})`)]),
        equals(this.shown(statistic.column) ?? ''),
      ],
    ];
  }

  private further(key: string): Token[][] {
    const shown = this.shown(key);
    return shown === null ? [] : [[...symbol(this.titleOf(key)), equals(shown)]];
  }

  private effect(english: boolean): Token[][] {
    const { effect, effect_elsewhere, effect_symbol, interval } = this.claim;
    if (effect_elsewhere !== null) {
      const shown = this.cellElsewhere(effect_elsewhere)?.text;
      return shown === undefined || shown === '—' ? [] : [[...symbol(effect_symbol ?? ''), equals(shown)]];
    }
    if (effect === null) return this.ci(this.shown(interval), english);
    const cell = this.cells[this.at(effect)] ?? null;
    if (cell === null || cell.text === '—') return [];
    const range = cell.sub ?? this.shown(interval);
    return [
      [...symbolOf(effect_symbol ?? this.titleOf(effect), english), equals(cell.text)],
      ...this.ci(range, english),
    ];
  }

  private otherTable(other: Elsewhere): TableElement | null {
    return [...this.of.tables.values()].find((t) => t.name === other.table && t.at === this.table.at) ?? null;
  }

  private cellElsewhere(other: Elsewhere): BodyCell | null {
    const table = this.otherTable(other);
    if (table === null) return null;
    const at = (key: string): number => table.columns.findIndex((c) => c.key === key);
    const grid = tableText({ ...table, layout: 'long', merge: [] }, this.of.reading);
    const row = grid.body.find(({ cells }) => {
      const fits = ([key, words]: [string, string | null]): boolean =>
        at(key) < 0 || words === null || (cells[at(key)]?.text ?? '') === words;
      return [
        ...Object.entries(other.row),
        ...other.match.map((key): [string, string | null] => [key, this.shown(key)]),
      ].every(fits);
    });
    return row?.cells[at(other.column)] ?? null;
  }

  /** Degrees of freedom: whole, or with two decimals. */
  private numberElsewhere(other: Elsewhere): string | null {
    const table = this.otherTable(other);
    const x = numeric(table?.rows[0]?.[table.columns.findIndex((c) => c.key === other.column)]);
    return x === null ? null : String(Number.isInteger(x) ? x : Math.round(x * 100) / 100);
  }
}

function alphaOf(report: Pick<Report, 'form'>): number {
  const level = numeric(report.form['conf_level']) ?? 0.95;
  // 1 − 0.95 is a hair more than 0.05.
  return Math.round((1 - level) * 1e9) / 1e9;
}

/** Cohen's *d* [CI] → *d*; 均值差 [CI] → 均值差, in English the mean difference. */
function symbolOf(title: string, english: boolean): Token[] {
  const bare = title.replace(/\s*\[.*\]$/, '').replace(/^Cohen['’]s\s+/, '');
  return english && bare === '均值差' ? [...tokens('*M*'), token(' difference')] : tokens(bare);
}

function symbolOfStatistic({ symbol: plainly, symbol_by }: Statistic, form: Report['form']): Token[] {
  const value = symbol_by === null ? undefined : form[symbol_by.field];
  return tokens((typeof value === 'string' ? symbol_by?.symbols[value] : undefined) ?? plainly);
}

// --- a square of correlations ----------------------------------------------------------------------------------------

function correlations({ table, report, reading, edit }: SentenceOf, claim: Claim): SentencePair[] {
  const { matrix } = table;
  const [statistic] = claim.statistics;
  const layer = (key: string | undefined): number => matrix?.layers.findIndex((l) => l.key === key) ?? -1;
  const [at, value] = [layer(claim.p), layer(statistic?.column)];
  if (matrix === null || statistic === undefined || at < 0 || value < 0) return [];
  const { decimals, p } = edit ?? {};
  const shownEdit = { ...(decimals === undefined ? {} : { decimals }), ...(p === undefined ? {} : { p }) };
  const grid = tableText({ ...table, matrix: { ...matrix, show: 'full' } }, reading, shownEdit);
  const alpha = alphaOf(report);
  const pairs: SentencePair[] = [];
  for (let a = 1; a < matrix.labels.length; a += 1) {
    for (let b = 0; b < a; b += 1) {
      const probability = numeric(matrix.layers[at]?.values[a]?.[b]);
      const numbers = grid.body[a]?.cells[b + 1]?.numbers ?? [];
      const [r, shownP] = [numbers[value], numbers[at]];
      if (probability === null || r === undefined || shownP === undefined || r.x === null) continue;
      const words = correlated(matrix.labels[b] ?? '', matrix.labels[a] ?? '', probability < alpha);
      const n = numbers.find((_, k) => matrix.layers[k]?.format === 'integer');
      const facts = (comma: string): Token[] => [
        ...symbolOfStatistic(statistic, report.form),
        equals(r.text),
        token(comma),
        ...symbol('*p*'),
        equals(shownP.text),
        ...(n === undefined || n.x === null ? [] : [token(comma), ...symbol('*N*'), equals(n.text)]),
      ];
      pairs.push({
        zh: [token(`${words.zh}，`), ...facts('，'), token('。')],
        en: [token(`${words.en}, `), ...facts(', '), token('.')],
      });
    }
  }
  return pairs;
}
