/** The row builder of a condition: rows 变量 / 条件 / 值 in groups, to the formula grammar of the engine and back. */
import { isRecord } from '../form.ts';

export type Operator = '=' | '!=' | '>' | '>=' | '<' | '<=' | 'in' | 'not in' | 'missing' | 'present';

export interface Row {
  column: string;
  operator: Operator;
  /** One value for a comparison, several for `in`; none for missing and present. */
  values: readonly (string | number)[];
  /** Compared as it was entered: a code that stands for a missing answer is a value like any other. */
  entered?: boolean;
}

export interface Group {
  join: 'and' | 'or';
  rows: readonly Row[];
}

/** Groups are joined by `join`; inside a group its own word holds. */
export interface Condition {
  join: 'and' | 'or';
  groups: readonly Group[];
}

function isRow(value: unknown): value is Row {
  if (!isRecord(value)) return false;
  const { column, operator, values } = value;
  if (typeof column !== 'string' || typeof operator !== 'string' || !Object.hasOwn(OPERATOR_SIGN, operator))
    return false;
  return Array.isArray(values) && values.every((one) => typeof one === 'string' || typeof one === 'number');
}

const isJoin = (value: unknown): boolean => value === 'and' || value === 'or';

function isGroup(value: unknown): value is Group {
  return isRecord(value) && isJoin(value['join']) && Array.isArray(value['rows']) && value['rows'].every(isRow);
}

/** What was kept somewhere, if it is a condition. */
export function readCondition(value: unknown): Condition | null {
  const is = (one: unknown): one is Condition =>
    isRecord(one) && isJoin(one['join']) && Array.isArray(one['groups']) && one['groups'].every(isGroup);
  return is(value) ? value : null;
}

export const OPERATOR_WORD: Record<Operator, string> = {
  '=': '等于',
  '!=': '不等于',
  '>': '大于',
  '>=': '大于等于',
  '<': '小于',
  '<=': '小于等于',
  in: '属于',
  'not in': '不属于',
  missing: '缺失',
  present: '不缺失',
};

export const OPERATOR_SIGN: Record<Operator, string> = {
  '=': '=',
  '!=': '≠',
  '>': '>',
  '>=': '≥',
  '<': '<',
  '<=': '≤',
  in: '属于',
  'not in': '不属于',
  missing: '缺失',
  present: '不缺失',
};

export const JOIN_WORD = { and: '且', or: '或' } as const;

/** As a formula writes a value: it knows yes and no as 1 and 0. */
export const plainValue = (value: string | number | boolean): string | number =>
  typeof value === 'boolean' ? Number(value) : value;

export function isComplete(row: Row): boolean {
  if (row.column === '') return false;
  if (row.operator === 'missing' || row.operator === 'present') return true;
  return row.values.length > 0 && row.values.every((value) => value !== '');
}

function literal(value: string | number): string {
  if (typeof value === 'number') return String(value);
  return `"${value.replaceAll('"', '""')}"`;
}

function rowText(row: Row): string {
  const column = row.entered === true ? `value({${row.column}})` : `{${row.column}}`;
  const list = `(${row.values.map(literal).join(', ')})`;
  switch (row.operator) {
    case 'missing':
      return `missing({${row.column}})`;
    case 'present':
      return `not missing({${row.column}})`;
    case 'in':
      return `${column} in ${list}`;
    case 'not in':
      return `not (${column} in ${list})`;
    default:
      return `${column} ${row.operator} ${literal(row.values[0] ?? '')}`;
  }
}

/** The formula; rows that are not finished yet are left out, and nothing finished is the empty text. */
export function toFormula(condition: Condition): string {
  const groups = condition.groups
    .map((group) => ({ join: group.join, texts: group.rows.filter(isComplete).map(rowText) }))
    .filter((group) => group.texts.length > 0);
  const bracket = groups.length > 1;
  return groups
    .map((group) => {
      const text = group.texts.join(` ${group.join} `);
      return bracket && group.texts.length > 1 ? `(${text})` : text;
    })
    .join(` ${condition.join} `);
}

type Token = { kind: 'column' | 'text' | 'number' | 'word' | 'sign'; text: string };

const TOKEN =
  /\s*(?:\{(\w+)\}|"((?:[^"]|"")*)"|(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|([A-Za-z]+|[非且或])|(<=|>=|!=|<>|==|[=<>(),≠≤≥]))/y;

const WORDS: Record<string, string> = { 且: 'and', 或: 'or', 非: 'not' };
const SIGNS: Record<string, string> = { '==': '=', '<>': '!=', '≠': '!=', '≤': '<=', '≥': '>=' };

function tokens(formula: string): Token[] | null {
  const output: Token[] = [];
  TOKEN.lastIndex = 0;
  while (formula.slice(TOKEN.lastIndex).trim() !== '') {
    const match = TOKEN.exec(formula);
    if (match === null) return null;
    const [, column, text, number, word, sign] = match;
    if (column !== undefined) output.push({ kind: 'column', text: column });
    else if (text !== undefined) output.push({ kind: 'text', text: text.replaceAll('""', '"') });
    else if (number !== undefined) output.push({ kind: 'number', text: number });
    else if (word !== undefined) output.push({ kind: 'word', text: WORDS[word] ?? word.toLowerCase() });
    else if (sign !== undefined) output.push({ kind: 'sign', text: SIGNS[sign] ?? sign });
  }
  return output;
}

/** Reads the part of the grammar that the rows can show; anything wider answers null and is edited as text. */
class Reader {
  private at = 0;
  constructor(private readonly list: readonly Token[]) {}

  private next(text: string): boolean {
    const token = this.list[this.at];
    if (token === undefined || token.text !== text || token.kind === 'text') return false;
    this.at += 1;
    return true;
  }

  private take(kind: Token['kind']): string | null {
    const token = this.list[this.at];
    if (token?.kind !== kind) return null;
    this.at += 1;
    return token.text;
  }

  get done(): boolean {
    return this.at === this.list.length;
  }

  private value(): string | number | null {
    const number = this.take('number');
    if (number !== null) return Number(number);
    return this.take('text');
  }

  private values(): (string | number)[] | null {
    if (!this.next('(')) return null;
    const literals: (string | number)[] = [];
    do {
      const value = this.value();
      if (value === null) return null;
      literals.push(value);
    } while (this.next(','));
    return this.next(')') ? literals : null;
  }

  private missing(operator: 'missing' | 'present'): Row | null {
    if (!this.next('(')) return null;
    const column = this.take('column');
    return column !== null && this.next(')') ? { column, operator, values: [] } : null;
  }

  private notRow(): Row | null {
    if (this.next('missing')) return this.missing('present');
    if (!this.next('(')) return null;
    const row = this.row();
    if (row === null || !this.next(')')) return null;
    return row.operator === 'in' ? { ...row, operator: 'not in' } : null;
  }

  private row(): Row | null {
    if (this.next('not')) return this.notRow();
    if (this.next('missing')) return this.missing('missing');
    const entered = this.next('value');
    if (entered && !this.next('(')) return null;
    const column = this.take('column');
    if (column === null || (entered && !this.next(')'))) return null;
    const as = entered ? { entered } : {};
    if (this.next('in')) {
      const values = this.values();
      return values === null ? null : { column, operator: 'in', values, ...as };
    }
    for (const operator of ['=', '!=', '>', '>=', '<', '<='] as const) {
      if (!this.next(operator)) continue;
      const value = this.value();
      return value === null ? null : { column, operator, values: [value], ...as };
    }
    return null;
  }

  private rows(first: Row): Group | null {
    const rows = [first];
    let join: 'and' | 'or' | null = null;
    for (;;) {
      const before = this.at;
      const word = this.next('and') ? 'and' : this.next('or') ? 'or' : null;
      if (word === null) break;
      // A bracket or a change of word ends the run of rows: the caller reads on as the outer level.
      if ((join !== null && word !== join) || this.list[this.at]?.text === '(') {
        this.at = before;
        break;
      }
      const row = this.row();
      if (row === null) return null;
      join = word;
      rows.push(row);
    }
    return { join: join ?? 'and', rows };
  }

  private group(): Group | null {
    if (!this.next('(')) {
      const row = this.row();
      return row === null ? null : { join: 'and', rows: [row] };
    }
    const row = this.row();
    const group = row === null ? null : this.rows(row);
    return group !== null && this.next(')') ? group : null;
  }

  condition(): Condition | null {
    const groups: Group[] = [];
    let join: 'and' | 'or' | null = null;
    for (;;) {
      const group = this.group();
      if (group === null) return null;
      groups.push(group);
      if (this.done) break;
      const word = this.next('and') ? 'and' : this.next('or') ? 'or' : null;
      if (word === null || (join !== null && word !== join)) return null;
      join = word;
    }
    const plain = groups.every((group) => group.rows.length === 1);
    // Rows without brackets are one group, as the user made them.
    if (plain) return { join: 'and', groups: [{ join: join ?? 'and', rows: groups.flatMap((group) => group.rows) }] };
    return { join: join ?? 'and', groups };
  }
}

export function fromFormula(formula: string): Condition | null {
  if (formula.trim() === '') return { join: 'and', groups: [{ join: 'and', rows: [] }] };
  const list = tokens(formula);
  return list === null ? null : new Reader(list).condition();
}
