/** Numbers of the example in a help text: looked up in what the method was checked against, never typed. */
import { fixed, integer, num, peq, percent, pvalue } from '@hengxi/contracts/format';
import type { HelpPage } from '@hengxi/server/help/schema';

type Oracle = HelpPage['oracle'];

const FORMATS: Record<string, (value: number) => string> = {
  num,
  num0: (value) => fixed(value, 0),
  num1: (value) => fixed(value, 1),
  num2: (value) => fixed(value, 2),
  num3: (value) => fixed(value, 3),
  num4: (value) => fixed(value, 4),
  integer,
  percent,
  percent1: (value) => percent(value, 1),
  pvalue,
  peq,
  /** A difference of two probabilities. */
  points: (value) => `${fixed(value * 100, 1)} 个百分点`,
};

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every expectation of an oracle case, whatever its list is called in the file. */
function expectations(one: unknown): Record<string, unknown>[] {
  if (!isRecord(one)) return [];
  const list = one['expect'] ?? one['expected'];
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** The cell of the first row whose `where` names the value wanted, or all of several with commas (none: any row). */
function lookUp(oracle: Oracle, table: string, value: string | undefined, cell: string): unknown {
  const wanted = value?.split(',') ?? [];
  for (const one of oracle.list) {
    for (const row of expectations(one)) {
      if (row['table'] !== table || !isRecord(row['cells']) || !(cell in row['cells'])) continue;
      const where = new Set(isRecord(row['where']) ? Object.values(row['where']).map(String) : []);
      if (where.has(value ?? '') || wanted.every((part) => where.has(part))) return row['cells'][cell];
    }
  }
  return undefined;
}

/** `{{table.cell}}`, `{{table[value].cell}}`, `{{table[value,value].cell@item:format}}`, `{{option.key}}`. */
const REFERENCE = /\{\{(\w+)(?:\[([^\]]*)\])?\.(\w+(?:@[^:}]+)?)(?::(\w+))?\}\}/g;

export function withNumbers(text: string, page: HelpPage): string {
  return text.replace(REFERENCE, (_, table: string, value: string | undefined, cell: string, format?: string) => {
    if (table === 'option') return defaultTitle(page.declaration, cell) ?? '—';
    const cellValue = lookUp(page.oracle, table, value, cell);
    const way = FORMATS[format ?? (/^p$|_p$/.test(cell) ? 'pvalue' : 'num')];
    if (typeof cellValue === 'number') return way === undefined ? '—' : way(cellValue);
    // A number that is not there must not look like one that is.
    return typeof cellValue === 'string' ? cellValue : '—';
  });
}

/** The words of an option's default, as the form shows them. */
export function defaultTitle(declaration: Record<string, unknown>, key: string): string | null {
  const fields: unknown = declaration['fields'];
  const field: unknown = Array.isArray(fields)
    ? fields.find((one: unknown) => isRecord(one) && one['key'] === key)
    : null;
  return isRecord(field) ? defaultOf(field) : null;
}

export function defaultOf(field: Record<string, unknown>): string | null {
  const value = field['default'];
  if (value === undefined || value === null)
    return typeof field['auto'] === 'string' ? `自动（${field['auto']}）` : null;
  const options: unknown[] = Array.isArray(field['options']) ? field['options'] : [];
  const titleOf = (key: unknown) => {
    const option = options.find((one) => isRecord(one) && one['key'] === key);
    return isRecord(option) ? String(option['title']) : String(key);
  };
  if (typeof value === 'boolean') return value ? '是' : '否';
  if (Array.isArray(value)) return value.map(titleOf).join('、') || '无';
  if (typeof value === 'number') return field['percent'] === true ? percent(value) : String(value);
  if (options.length > 0) return titleOf(value);
  return typeof value === 'string' && value !== '' ? value : '无';
}
