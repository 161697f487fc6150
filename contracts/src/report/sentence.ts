/**
 * 结果语句: what a test found as one sentence for a paper, Chinese and English, made of the fields of its table exactly as
 * the table shows them. A table without a test has none.
 */
import type { Report, TableElement } from '../../generated/contract.ts';
import type { BodyCell } from '../cell-text.ts';
import { numeric, percent, plain, type Reading, type Token, tokens } from '../format.ts';
import { type BodyRow, tableText, type TableEdit } from '../table-text.ts';

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

type Kind = 't' | 'F' | 'chi2' | 'r' | 'H' | 'U' | 'regression' | 'logistic';

/** Columns that hold the statistic of a kind, the first there is. */
const STATISTICS: Readonly<Record<Kind, readonly string[]>> = {
  t: ['t'],
  F: ['F'],
  chi2: ['chi2', 'value'],
  r: ['r'],
  H: ['H'],
  U: ['U'],
  regression: ['t'],
  logistic: ['wald'],
};

/** The kind of test a table reports, by the statistics it has columns for; null = no test. */
function kindOf(table: TableElement): Kind | null {
  const has = (key: string): boolean => table.columns.some((c) => c.key === key);
  if (!table.columns.some((c) => c.key === 'p' && c.format === 'pvalue')) return null;
  if (has('odds') && has('wald')) return 'logistic';
  if (has('b') && has('se') && has('t')) return 'regression';
  if (has('t')) return 't';
  // Sums of squares by source: without the second *df* in the row an *F* cannot be reported from it.
  if (has('F')) return has('source') && !has('df_error') ? null : 'F';
  // A course of steps is no test of its own.
  if (has('action')) return null;
  if (has('H')) return 'H';
  if (has('U')) return 'U';
  if (has('r')) return 'r';
  return has('chi2') || isChiList(table) ? 'chi2' : null;
}

/** A list of tests whose statistic is a χ². */
const isChiList = (table: TableElement): boolean =>
  ['test', 'value', 'df'].every((key) => table.columns.some((c) => c.key === key)) &&
  table.rows.some((row) => row.some((cell) => typeof cell === 'string' && /卡方|χ²/.test(cell)));

export function sentencesOf(of: SentenceOf): SentencePair[] {
  if (of.table.matrix !== null) return correlations(of);
  const kind = kindOf(of.table);
  if (kind === null) return [];
  const { decimals, p } = of.edit ?? {};
  const edit = { ...(decimals === undefined ? {} : { decimals }), ...(p === undefined ? {} : { p }) };
  // As the table shows its numbers, but every row and column in its own place.
  const grid = tableText({ ...of.table, layout: 'long', turned: false }, of.reading, edit, false);
  const above: (BodyCell | null)[] = [];
  return grid.body.flatMap((row) => {
    const own = new RowWords(of, row, above);
    return own.isTest(kind) ? [own.sentence(kind)] : [];
  });
}

// --- one row ---------------------------------------------------------------------------------------------------------

const st = (symbol: string): Token => ({ text: symbol, st: true });
const said = (words: string): Token => ({ text: words });
/** ` = 3.12`, or `< .001` as it stands. */
const equals = (shown: string): Token => said(/^[<>]/.test(shown) ? ` ${shown}` : ` = ${shown}`);

class RowWords {
  private readonly table: TableElement;
  private readonly cells: (BodyCell | null)[];

  constructor(
    private readonly of: SentenceOf,
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

  private shown(key: string): string | null {
    const text = this.cells[this.at(key)]?.text;
    return text === undefined || text === '' || text === '—' ? null : text;
  }

  private value(key: string): number | null {
    return numeric(this.table.rows[this.row.index]?.[this.at(key)]);
  }

  private word(...keys: string[]): string | null {
    for (const key of keys) if (this.at(key) >= 0) return this.shown(key);
    return null;
  }

  /** A row whose p stands in it, not in the merged cell above; of several forms the one the conclusion reads. */
  isTest(kind: Kind): boolean {
    if (this.value('p') === null || this.row.cells[this.at('p')] === null) return false;
    if (this.at('read') >= 0 && this.table.rows.some((row) => row[this.at('read')] === '采用'))
      if (this.table.rows[this.row.index]?.[this.at('read')] !== '采用') return false;
    if (this.shown(STATISTICS[kind].find((key) => this.at(key) >= 0) ?? '') === null) return false;
    if (kind === 'chi2' && this.at('test') >= 0) return /卡方|χ²/.test(this.word('test') ?? '');
    return this.word('name') !== '常数项';
  }

  private get significant(): boolean {
    const level = numeric(this.of.report.form['conf_level']) ?? 0.95;
    // 1 − 0.95 is a hair more than 0.05.
    return (this.value('p') ?? 1) < Math.round((1 - level) * 1e9) / 1e9;
  }

  private role(...names: string[]): string | null {
    for (const name of names) {
      const list = this.of.report.roles[name] ?? [];
      const [one] = list;
      if (list.length === 1 && one !== undefined) return one.label ?? one.name;
    }
    return null;
  }

  private ci(range: string | null, spaced: boolean): Token[][] {
    if (range === null) return [];
    const level = percent(numeric(this.of.report.form['conf_level']) ?? 0.95);
    return [[said(`${level}${spaced ? ' CI' : 'CI'} ${range}`)]];
  }

  sentence(kind: Kind): SentencePair {
    const { zh, en } = this.claim(kind);
    const facts = (english: boolean): Token[][] => [
      ...this.before(kind, english),
      ...this.statistic(kind),
      [st('p'), equals(this.shown('p') ?? '')],
      ...this.effect(kind, english),
    ];
    const joined = (parts: Token[][], comma: string): Token[] =>
      parts.flatMap((part, i) => (i === 0 ? part : [said(comma), ...part]));
    return {
      zh: [...(zh === '' ? [] : [said(zh)]), ...joined(facts(false), '，'), said('。')],
      en: [...(en === '' ? [] : [said(en)]), ...joined(facts(true), ', '), said('.')],
    };
  }

  /** What the row is about, and whether something was found; lists of tests are named only. */
  private claim(kind: Kind): { zh: string; en: string } {
    const yes = this.significant;
    const outcome = this.word('variable') ?? this.table.at ?? this.role('variables', 'y', 'dependent');
    const isList = this.at('test') >= 0 || this.at('what') >= 0 || this.at('source') >= 0;
    if (kind === 'regression' || kind === 'logistic') {
      const name = this.word('name') ?? '';
      const y = this.role('y') ?? '';
      return {
        zh: `“${name}”与“${y}”的关联${yes ? '有' : '没有'}统计学意义，`,
        en: `“${name}” was ${yes ? '' : 'not '}significantly associated with “${y}”, `,
      };
    }
    const [first, second] = [this.word('first', 'a'), this.word('second', 'b')];
    if (kind === 'r' && first !== null && second !== null) return correlated(first, second, yes);
    if (first !== null && second !== null && kind === 't') {
      const of = outcome === null ? '' : `的“${outcome}”`;
      return {
        zh: `“${first}”与“${second}”${of}差异${yes ? '有' : '没有'}统计学意义，`,
        en: `“${first}” and “${second}” ${yes ? 'differed' : 'did not differ'} significantly${outcome === null ? '' : ` in “${outcome}”`}, `,
      };
    }
    if ((kind === 'F' && this.at('r2') >= 0) || (kind === 'chi2' && this.at('nagelkerke') >= 0)) {
      const y = this.role('y');
      const of = y === null ? { zh: '', en: '' } : { zh: `以“${y}”为因变量的`, en: ` for “${y}”` };
      return {
        zh: `${of.zh}模型${yes ? '有' : '没有'}统计学意义，`,
        en: `The model${of.en} was ${yes ? '' : 'not '}statistically significant, `,
      };
    }
    if (kind === 'chi2' && isChiList(this.table)) {
      const [row, column] = [this.role('row', 'rows', 'x'), this.role('column', 'columns', 'y')];
      if (row !== null && column !== null)
        return {
          zh: `“${row}”与“${column}”的关联${yes ? '有' : '没有'}统计学意义，`,
          en: `“${row}” and “${column}” were ${yes ? '' : 'not '}significantly associated, `,
        };
    }
    if ((kind === 't' || kind === 'F' || kind === 'H' || kind === 'U') && !isList) {
      const group = this.role('group', 'groups', 'factor');
      const among = group === null ? '' : `“${group}”`;
      const what = outcome === null ? '' : `“${outcome}”`;
      if (what !== '' && this.table.place !== 'check')
        return {
          zh: `${what}在${among}各组间的差异${yes ? '有' : '没有'}统计学意义，`,
          en: `${what} ${yes ? 'differed' : 'did not differ'} significantly between the groups${group === null ? '' : ` of ${among}`}, `,
        };
    }
    const named = [outcome, this.word('what'), this.word('test', 'source')].filter((t) => t !== null).join(' · ');
    const all = kind === 'chi2' || named === '' ? [plain(this.table.title), named].filter(Boolean).join(' · ') : named;
    return { zh: `${all}：`, en: `${all}: ` };
  }

  /** A coefficient comes before its test. */
  private before(kind: Kind, english: boolean): Token[][] {
    if (kind === 'regression')
      return [
        [st('B'), equals(this.shown('b') ?? '')],
        ...this.ci(this.shown('ci'), english),
        ...(this.shown('se') === null ? [] : [[st('SE'), equals(this.shown('se') ?? '')]]),
      ];
    if (kind === 'logistic')
      return [[said('OR'), equals(this.shown('odds') ?? '')], ...this.ci(this.shown('ci'), english)];
    return [];
  }

  private statistic(kind: Kind): Token[][] {
    const z = kind === 'U' ? this.shown('z') : null;
    return [this.main(kind), ...(z === null ? [] : [[st('z'), equals(z)]])];
  }

  private main(kind: Kind): Token[] {
    const df = this.shown('df') ?? this.residualDf(kind);
    const inside = (list: (string | null)[]): Token[] => {
      const known = list.filter((t) => t !== null);
      return known.length === 0 ? [] : [said(`(${known.join(', ')})`)];
    };
    switch (kind) {
      case 't':
      case 'regression':
        return [st('t'), ...inside([df]), equals(this.shown('t') ?? '')];
      case 'F':
        return [
          st('F'),
          ...inside([this.shown('df1') ?? this.shown('df'), this.shown('df2') ?? this.shown('df_error')]),
          equals(this.shown('F') ?? ''),
        ];
      case 'H':
        return [st('H'), ...inside([df]), equals(this.shown('H') ?? '')];
      case 'U':
        return [st('U'), equals(this.shown('U') ?? '')];
      case 'r':
        return [...coefficient(this.of.report.form), ...inside([df]), equals(this.shown('r') ?? '')];
      case 'logistic':
        return [said('Wald χ²'), ...inside([df]), equals(this.shown('wald') ?? '')];
      case 'chi2':
        return [said('χ²'), ...inside([df]), equals(this.shown('chi2') ?? this.shown('value') ?? '')];
      default: {
        const unknown: never = kind;
        return unknown;
      }
    }
  }

  /** Of a regression: those of the residuals stand in the table of the model. */
  private residualDf(kind: Kind): string | null {
    if (kind !== 'regression') return null;
    const summary = [...this.of.tables.values()].find((t) => t.name === 'summary' && t.at === this.table.at);
    const x = numeric(summary?.rows[0]?.[summary.columns.findIndex((c) => c.key === 'df2')]);
    return x === null ? null : String(Number.isInteger(x) ? x : Math.round(x * 100) / 100);
  }

  private effect(kind: Kind, english: boolean): Token[][] {
    if (kind === 'regression' || kind === 'logistic') return [];
    if (kind === 'r') return this.ci(this.shown('ci'), english);
    if (kind === 'F' && this.at('r2') >= 0)
      return [[st('R'), said('²'), equals(this.shown('r2') ?? '')], ...this.ci(this.shown('r2_ci'), english)];
    if (kind === 'chi2') return isChiList(this.table) ? this.association() : [];
    const standard = this.table.columns.filter((c) => c.format === 'estimate_ci' && c.key !== 'difference');
    const single = this.table.columns.filter((c) => c.key === 'd' && c.format === 'num');
    const [column] = [...standard, ...single, ...this.table.columns.filter((c) => c.key === 'difference')];
    const cell = column === undefined ? null : (this.cells[this.at(column.key)] ?? null);
    if (column === undefined || cell === null || cell.text === '—') return [];
    const interval = cell.sub ?? (column.key === 'difference' ? this.shown('ci') : null);
    return [[...symbolOf(column.title, english), equals(cell.text)], ...this.ci(interval, english)];
  }

  /** Cramér's V of the same layer, as its own table shows it. */
  private association(): Token[][] {
    const layer = this.word('layer');
    for (const table of this.of.tables.values()) {
      const [measure, value] = ['measure', 'value'].map((key) => table.columns.findIndex((c) => c.key === key));
      if (measure === undefined || value === undefined || measure < 0 || value < 0 || table.at !== this.table.at)
        continue;
      const grid = tableText({ ...table, layout: 'long', merge: [] }, this.of.reading);
      const row = grid.body.find(
        ({ cells }) =>
          (cells[measure]?.text ?? '').includes('Cram') && (layer === null || cells.some((c) => c?.text === layer)),
      );
      const shown = row?.cells[value]?.text;
      if (shown !== undefined && shown !== '—') return [[said('Cramér’s '), st('V'), equals(shown)]];
    }
    return [];
  }
}

/** Cohen's *d* [CI] → *d*; 均值差 [CI] → 均值差, in English the mean difference. */
function symbolOf(title: string, english: boolean): Token[] {
  const bare = title.replace(/\s*\[.*\]$/, '').replace(/^Cohen['’]s\s+/, '');
  return english && bare === '均值差' ? [st('M'), said(' difference')] : tokens(bare);
}

/** Pearson's *r*, Spearman's *r*s, Kendall's τ. */
function coefficient(form: Report['form']): Token[] {
  const method = JSON.stringify(form['method'] ?? '');
  if (method.includes('spearman')) return [st('r'), said('ₛ')];
  return method.includes('kendall') ? [st('τ')] : [st('r')];
}

function correlated(a: string, b: string, yes: boolean): { zh: string; en: string } {
  return {
    zh: `“${a}”与“${b}”的相关${yes ? '有' : '没有'}统计学意义，`,
    en: `“${a}” and “${b}” were ${yes ? '' : 'not '}significantly correlated, `,
  };
}

// --- a square of correlations ----------------------------------------------------------------------------------------

function correlations({ table, report, reading, edit }: SentenceOf): SentencePair[] {
  const { matrix } = table;
  const at = matrix?.layers.findIndex((l) => l.format === 'pvalue') ?? -1;
  const main = matrix?.layers[0];
  if (matrix === null || main === undefined || at < 1) return [];
  const { decimals, p } = edit ?? {};
  const shownEdit = { ...(decimals === undefined ? {} : { decimals }), ...(p === undefined ? {} : { p }) };
  const grid = tableText({ ...table, matrix: { ...matrix, show: 'full' } }, reading, shownEdit);
  const level = numeric(report.form['conf_level']) ?? 0.95;
  const alpha = Math.round((1 - level) * 1e9) / 1e9;
  const pairs: SentencePair[] = [];
  for (let a = 1; a < matrix.labels.length; a += 1) {
    for (let b = 0; b < a; b += 1) {
      const probability = numeric(matrix.layers[at]?.values[a]?.[b]);
      const numbers = grid.body[a]?.cells[b + 1]?.numbers ?? [];
      const [r, shownP] = [numbers[0], numbers[at]];
      if (probability === null || r === undefined || shownP === undefined || r.x === null) continue;
      const claim = correlated(matrix.labels[b] ?? '', matrix.labels[a] ?? '', probability < alpha);
      const n = numbers.find((_, k) => matrix.layers[k]?.format === 'integer');
      const facts = (comma: string): Token[] => [
        ...coefficient(report.form),
        equals(r.text),
        said(comma),
        st('p'),
        equals(shownP.text),
        ...(n === undefined || n.x === null ? [] : [said(comma), st('N'), equals(n.text)]),
      ];
      pairs.push({
        zh: [said(claim.zh), ...facts('，'), said('。')],
        en: [said(claim.en), ...facts(', '), said('.')],
      });
    }
  }
  return pairs;
}
