/** The engine's calls on tables. Only keys travel; the engine words its refusals of conditions and edits itself. */
import type { Sample } from '@hengxi/contracts/contract';
import { z } from 'zod';
import type { EngineClient } from '../../lib/engine-client.ts';
import {
  AgainstItem,
  AnswerSet,
  Carried,
  Cell,
  Column,
  Edge,
  FilterCount,
  Found,
  ImportReport,
  Preview,
  ProposedQuestionnaire,
  Rows,
  TextPreview,
} from './schema.ts';
import { Value } from './parts/schema.ts';
import { FirstReportPlan } from './questionnaire/schema.ts';
import type { Questionnaire } from './questionnaire/schema.ts';
import type { ColumnEdit, EdgeBody, FilterType, FindBody, RowsBody, Seek, Settings } from './schema.ts';

/** Of each text column: cells with a text, and how many of them hold a number, a date, a moment, signs nobody sees. */
export const TextCheck = z.object({
  columns: z.record(
    z.string(),
    z.object({ n: z.number(), numbers: z.number(), dates: z.number(), moments: z.number(), stray: z.number() }),
  ),
});
export type Texts = z.infer<typeof TextCheck>['columns'];

export const TableMeta = z.looseObject({
  data: z.string().nullable(),
  rows: z.number(),
  columns: z.array(Column),
  sets: z.array(AnswerSet).nullish(),
  warnings: z.array(z.union([z.string(), z.looseObject({ text: z.string() })])).nullish(),
});
export type TableMeta = z.infer<typeof TableMeta>;

/** Which case a row is, in every version made from one import: the engine's `cases.py`. */
export const RowCase = z.tuple([z.number(), z.number()]);
export type RowCase = z.infer<typeof RowCase>;

/** `changes` holds only the cells that differ from before. */
export const CellsMeta = TableMeta.extend({
  changes: z.array(
    z.looseObject({ row: z.number(), column: z.string(), old: Cell, new: Cell, case: RowCase.optional() }),
  ),
  /** Cells whose row or column is not there. */
  left_out: z.number().default(0),
  /** The table keeps which case each row is; otherwise rows go by their place. */
  own_cases: z.boolean().default(false),
});
export type CellsMeta = z.infer<typeof CellsMeta>;

export const Replaced = z.object({
  cells: z.number(),
  rows: z.number(),
  columns: z.array(z.object({ id: z.string(), cells: z.number() })),
  samples: z.array(z.object({ row: z.number(), column: z.string(), old: Cell, new: Cell })),
});
export type Replaced = z.infer<typeof Replaced>;
const ReplacedMeta = TableMeta.extend({ told: Replaced });

/** `act` as it is remembered: rows as cases, and what was made for it. */
const ShapedMeta = TableMeta.extend({ act: z.looseObject({ op: z.string() }) });

const Labels = z.looseObject({
  labels: z.record(z.string(), z.array(z.object({ value: Value, label: z.string() }))),
});

/** Result of a finished import run. */
export const ImportResult = z.looseObject({
  rows: z.number(),
  columns: z.array(Column),
  report: ImportReport,
  sets: z.array(AnswerSet).nullish(),
});

export const warningTexts = (meta: TableMeta): string[] =>
  (meta.warnings ?? []).map((warning) => (typeof warning === 'string' ? warning : warning.text));

/**
 * The condition that keeps rows. `drop` keeps all rows but those where the condition holds: a row whose condition is
 * missing was not met and therefore stays, which plain `not` would lose.
 */
export function keepCondition(condition: string | null, type: FilterType): string | null {
  const text = condition?.trim();
  if (!text) return null;
  return type === 'keep' ? text : `not nvl((${text}), 1 = 0)`;
}

/** Rows behind a report: used, fallen out by the filter, or missing in a column that counts (`only`: in this one). */
export interface SampleQuery {
  set: 'used' | 'filtered' | 'missing';
  filter: { condition: string; filter_type: FilterType } | null;
  columns: string[];
  /** The levels of a column a report compares; rows of its other levels take no part. */
  chosen: Sample['chosen'];
  /** A row is out where all of these are missing. */
  either: Sample['either'];
  weight: string | null;
  only: string | null;
}

/** A second upload that belongs to the one being read. */
export interface RowsFileQuery {
  upload: string;
  name: string;
}

/** `row` counts from 0 in the whole table. */
export interface CellChange {
  row: number;
  column: string;
  value: Cell;
}

/** `of`: the table whose rows are meant; `theirs` leaves what was changed here since. */
export interface CellsFrom {
  of?: string;
  theirs?: boolean;
}

export interface RowsRequest extends Omit<RowsBody, 'filter_type'> {
  condition: string | null;
}

export type Tables = ReturnType<typeof createTables>;

export function createTables(engine: EngineClient) {
  return {
    /** In a child of the engine; a workbook of many sheets takes its time. */
    preview: (body: {
      upload: string;
      name: string;
      settings: Settings;
      partial: boolean;
      password?: string | undefined;
      catalogue: RowsFileQuery | null;
    }) => engine.call('POST', '/preview', body, Preview, { timeoutMs: 25_000 }),
    /** The labels of a catalogue for columns of these formats; in a child of the engine. */
    labels: ({ upload, name }: RowsFileQuery, formats: Record<string, string>) =>
      engine.call('POST', '/preview', { upload, name, settings: { formats }, partial: false }, Labels, {
        timeoutMs: 25_000,
      }),
    rows: (key: string, body: RowsRequest) =>
      engine.call('POST', `/tables/${key}/rows`, body, Rows, { timeoutMs: 20_000 }),
    sample: (key: string, body: { offset: number; limit: number; columns: string[]; sample: SampleQuery }) =>
      engine.call('POST', `/tables/${key}/rows`, body, Rows, { timeoutMs: 20_000 }),
    count: (key: string, condition: string) =>
      engine.call('POST', `/tables/${key}/count`, { condition }, FilterCount, { timeoutMs: 20_000 }),
    edge: (key: string, body: Omit<EdgeBody, 'filter_type'>) =>
      engine.call('POST', `/tables/${key}/edge`, body, Edge, { timeoutMs: 20_000 }),
    textCheck: (key: string) => engine.call('POST', `/tables/${key}/text-check`, {}, TextCheck, { timeoutMs: 20_000 }),
    textPreview: (key: string, column: string) =>
      engine.call('POST', `/tables/${key}/text-preview`, { column }, TextPreview, { timeoutMs: 20_000 }),
    questionnaire: (key: string, sets: AnswerSet[]) =>
      engine.call('POST', `/tables/${key}/questionnaire/propose`, { sets }, ProposedQuestionnaire, {
        timeoutMs: 20_000,
      }),
    firstReport: (key: string, body: { questionnaire: Questionnaire; sets: AnswerSet[] }) =>
      engine.call('POST', `/tables/${key}/first-report`, body, FirstReportPlan, { timeoutMs: 20_000 }),
    against: (key: string, columns: string[]) =>
      engine.call('POST', `/tables/${key}/questionnaire/against`, { columns }, z.array(AgainstItem), {
        timeoutMs: 20_000,
      }),
    find: (key: string, body: Omit<FindBody, 'filter_type'>) =>
      engine.call('POST', `/tables/${key}/find`, body, Found, { timeoutMs: 20_000 }),
    edit: (key: string, table: string, columns: ColumnEdit[], sets?: AnswerSet[]) =>
      engine.call('POST', `/tables/${key}/edit`, { table, columns, sets }, TableMeta, { timeoutMs: 20_000 }),
    meta: (key: string) => engine.call('GET', `/tables/${key}`, undefined, TableMeta, { timeoutMs: 20_000 }),
    cells: (key: string, table: string, cells: CellChange[], from: CellsFrom = {}) =>
      engine.call('POST', `/tables/${key}/cells`, { table, cells, ...from }, CellsMeta, { timeoutMs: 20_000 }),
    replace: (key: string, body: { table: string; seek: Seek; with: string; condition: string | null }) =>
      engine.call('POST', `/tables/${key}/replace`, body, ReplacedMeta, { timeoutMs: 25_000 }),
    shape: (key: string, body: { table: string; act: object; of?: string }) =>
      engine.call('POST', `/tables/${key}/shape`, body, ShapedMeta, { timeoutMs: 20_000 }),
    /** What of the cells typed into the version `of` would be written here; nothing is. */
    carry: (key: string, of: string, cells: CellChange[]) =>
      engine.call('POST', `/tables/${key}/carry`, { of, cells }, Carried, { timeoutMs: 20_000 }),
    append: (key: string, body: { table: string; from: string; columns?: string[] }) =>
      engine.call('POST', `/tables/${key}/append`, body, TableMeta, { timeoutMs: 20_000 }),
    /** A table of counts typed by hand, under a new key. */
    counts: (key: string, body: { factors: { name: string; levels: string[] }[]; counts: number[] }) =>
      engine.call('POST', `/tables/${key}/counts`, body, TableMeta, { timeoutMs: 20_000 }),
    /** Any folder the engine wrote, under another key; nothing of the copy refers to its origin. */
    copy: (key: string, table: string) =>
      engine.call('POST', `/tables/${key}/copy`, { table }, z.unknown(), { timeoutMs: 20_000 }),
    keptRows: <T>(key: string, body: { file: string; offset: number; limit: number }, answer: z.ZodType<T>) =>
      engine.call('POST', `/tables/${key}/kept-rows`, body, answer, { timeoutMs: 20_000 }),
    removeModel: (key: string) => engine.call('DELETE', `/models/${key}`, undefined, z.unknown()),
    remove: (key: string) => engine.call('DELETE', `/tables/${key}`, undefined, z.unknown()),
  };
}
