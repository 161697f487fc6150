/** What a step did, in words, for the list of steps. */
import { clockText } from '@hengxi/contracts/clock-text';
import { isCode } from '@hengxi/contracts/missing-codes';
import { z } from 'zod';
import type { Cell, Column, Step, Weight } from '../files/schema.ts';
import type { ReportDocument } from '../reports/schema.ts';
import type { RowCase, TableMeta } from '../files/service.ts';

const Named = z.looseObject({ id: z.string(), name: z.string() });

export const StepWeight = z.object({ column: z.string().nullable(), name: z.string() });
type StepWeight = z.infer<typeof StepWeight>;

/** What a version is weighted by after a step that says so. */
export const weightOf = ({ column }: StepWeight): Weight | null =>
  column === null ? null : { column, kind: 'frequency' };

/** The engine's account of a processing step, of which only this is read here. */
const Account = z.looseObject({
  rows_before: z.number(),
  rows_after: z.number(),
  /** The condition of the rows that go, of the version before. */
  left_out: z.string().nullish(),
  cells: z.number(),
  added: z.array(Named),
  changed: z.array(Named.extend({ cells: z.number().nullish() })),
  removed: z.array(Named),
  /** Variables that are called otherwise from this step on. */
  reworded: z.array(Named).default([]),
  /** The variable the version is weighted by from this step on; null where the step says nothing of it. */
  weight: StepWeight.nullish(),
});
export type Account = z.infer<typeof Account>;

const DataElement = z.looseObject({ type: z.literal('data'), step: Account });

export function accountOf(report: ReportDocument): Account {
  for (const element of report.parts.flatMap((part): unknown[] => part.elements)) {
    const parsed = DataElement.safeParse(element);
    if (parsed.success) return parsed.data.step;
  }
  throw new Error('A processing method gave no account of its step');
}

const NAMES_SHOWN = 3;

function list(names: string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).map((name) => `“${name}”`);
  return names.length > NAMES_SHOWN ? `${shown.join('、')}等 ${names.length} 个变量` : shown.join('、');
}

const named = (columns: { name: string }[]): string => list(columns.map(({ name }) => name));

export function processTitle(method: string, account: Account): string {
  const { added, changed, removed, reworded, weight, rows_before: before, rows_after: after } = account;
  const parts = [
    added.length > 0 ? `生成${named(added)}` : '',
    changed.length > 0 ? `修改${named(changed)}` : '',
    removed.length > 0 ? `删除${named(removed)}` : '',
    reworded.length > 0 ? `修改${named(reworded)}的名称或标签` : '',
    weight ? weightText(weight) : '',
    before === after ? '' : `${before} 行变为 ${after} 行`,
  ].filter(Boolean);
  return parts.length > 0 ? `${method}：${parts.join('，')}` : method;
}

const weightText = ({ column, name }: StepWeight): string => (column === null ? '不再加权' : `按“${name}”加权`);

export function processChanges(account: Account): string[] {
  const { added, changed, removed, reworded, weight, rows_before, rows_after } = account;
  return [
    ...added.map(({ name }) => `新增“${name}”`),
    ...changed.map(({ name, cells }) => (cells ? `修改“${name}”的 ${cells} 格` : `修改“${name}”`)),
    ...removed.map(({ name }) => `删除“${name}”`),
    ...reworded.map(({ name }) => `修改“${name}”的名称或标签`),
    ...(weight ? [weightText(weight)] : []),
    ...(rows_before === rows_after ? [] : [`行数 ${rows_before} 变为 ${rows_after}`]),
  ];
}

/** A step run once more is known by the two tables: its own report is not made again. */
export function accountBetween(before: TableMeta, after: TableMeta, cells: number): Account {
  const old = new Map(before.columns.map((column) => [column.id, column]));
  const now = new Set(after.columns.map(({ id }) => id));
  return {
    rows_before: before.rows,
    rows_after: after.rows,
    cells,
    added: after.columns.filter(({ id }) => !old.has(id)),
    changed: after.columns.filter((column) => {
      const was = old.get(column.id);
      return was !== undefined && cells > 0 && !sameValues(was, column);
    }),
    removed: before.columns.filter(({ id }) => !now.has(id)),
    reworded: after.columns.filter((column) => {
      const was = old.get(column.id);
      return was !== undefined && !sameWords(was, column);
    }),
  };
}

const sameValues = (a: Column, b: Column): boolean => JSON.stringify(a.profile) === JSON.stringify(b.profile);

const words = ({ name, label, measure, missing, levels }: Column): unknown => [
  name,
  label,
  measure,
  missing,
  (levels ?? [])
    .filter(({ value, label: word }) => word !== String(value))
    .map(({ value, label: word }) => [value, word]),
];
const sameWords = (a: Column, b: Column): boolean => JSON.stringify(words(a)) === JSON.stringify(words(b));

export interface CellChanged {
  row: number;
  column: string;
  old: Cell;
  new: Cell;
  /** Which case the row is; unknown in steps of before cases were kept. */
  case?: RowCase;
}

const CELLS_WORDED = 100;

export function shown(value: Cell, column: Column | undefined): string {
  if (value === null) return '缺失';
  // A code for a missing answer is no time.
  const isTime = typeof value === 'number' && typeof column?.clock === 'string' && !isCode(value, column);
  return isTime ? clockText(value) : String(value);
}

export const goneText = (count: number): string => `有 ${count} 个单元格所在的行或列已不在这份数据里，没有写入`;

export function cellsStep(changes: CellChanged[], columns: Column[], names: Record<string, string>): Step {
  const known = new Map(columns.map((column) => [column.id, column]));
  const word = ({ row, column: id, old, new: now }: CellChanged): string => {
    const column = known.get(id);
    return `第 ${row + 1} 行“${column?.name ?? id}”由 ${shown(old, column)} 改为 ${shown(now, column)}`;
  };
  const [first] = changes;
  const more = changes.length - CELLS_WORDED;
  return {
    op: 'cells',
    title: changes.length === 1 && first ? word(first) : `修改 ${changes.length} 个单元格`,
    changes: [...changes.slice(0, CELLS_WORDED).map(word), ...(more > 0 ? [`以及另外 ${more} 个单元格`] : [])],
    params: {
      cells: changes.map(({ row, column, old, new: now, case: of }) => ({ row, column, old, new: now, case: of })),
      names,
    },
  };
}
