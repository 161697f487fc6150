/** Shapes of the calls that make a version from a version: edits, processing methods, the list of steps, replay. */
import { z } from 'zod';
import { Cell, ColumnEdit, Condition, FilterType, Id, Name, Seek } from '../files/schema.ts';
import { Form, ReportDocument } from '../reports/schema.ts';
import { RunError, RunState } from '../runs/schema.ts';

const ColumnId = z.string().regex(/^c\d{1,6}$/);

/** `row` counts from 0 in the whole table, as `index` of POST /rows says it; null empties the cell. */
export const CellEdit = z.strictObject({ row: z.number().int().min(0), column: ColumnId, value: Cell });
export type CellEdit = z.infer<typeof CellEdit>;

const NOTHING = '没有任何修改';

/** A multiple-answer question; a new one has no id yet. */
export const SetEdit = z.strictObject({
  id: z.string().max(40).optional(),
  name: z.string().trim().min(1, '请输入题目名称').max(200, '题目名称最多 200 个字'),
  label: z.string().max(1000).nullable().default(null),
  columns: z.array(ColumnId).min(2, '多选题集至少要 2 个变量').max(500),
  counted: z
    .union([z.string().max(200), z.number(), z.boolean()])
    .nullable()
    .default(1),
});
export type SetEdit = z.infer<typeof SetEdit>;

const Count = (most: number, text: string) => z.number().int().min(1).max(most, text);

/** Rows count from 0 in the whole table; new ones come before `at`, new columns before `before` or behind the last. */
export const Shape = z.discriminatedUnion('op', [
  z.strictObject({
    op: z.literal('insert_rows'),
    at: z.number().int().min(0),
    count: Count(1000, '一次最多插入 1000 行').default(1),
  }),
  z.strictObject({
    op: z.literal('delete_rows'),
    rows: z
      .array(z.number().int().min(0))
      .min(1, NOTHING)
      .max(10_000, '一次最多删除 10000 行；更多的行请用数据处理里的筛选'),
  }),
  z.strictObject({
    op: z.literal('insert_columns'),
    before: ColumnId.nullable().default(null),
    columns: z
      .array(z.strictObject({ name: Name, kind: z.enum(['数值', '文字', '日期']).default('文字') }))
      .min(1, NOTHING)
      .max(100, '一次最多插入 100 列'),
  }),
  z.strictObject({ op: z.literal('delete_columns'), columns: z.array(ColumnId).min(1, NOTHING).max(20_000) }),
]);
export type Shape = z.infer<typeof Shape>;

export const Replace = z.strictObject({
  seek: Seek,
  with: z.string().max(32_767, '替换内容最多 32767 个字').default(''),
  /** Only in rows that it keeps: those that are shown. */
  condition: Condition.nullable().default(null),
  filter_type: FilterType.default('keep'),
});
export type Replace = z.infer<typeof Replace>;

/**
 * What columns are called and mean, single cells, all multiple-answer questions, a text wherever it stands, rows and
 * columns put in or taken out, or a file of labels: one step each.
 */
export const EditsBody = z.union([
  z.strictObject({ columns: z.array(ColumnEdit).min(1, NOTHING).max(20_000) }),
  z.strictObject({
    cells: z.array(CellEdit).min(1, NOTHING).max(10_000, '一次最多修改 10000 个单元格'),
    /** The version whose rows and columns are meant, where the cells were typed into another one. */
    of: Id.optional(),
    /** Cells that were changed in this version since then stay as they are. */
    theirs: z.boolean().optional(),
  }),
  z.strictObject({ sets: z.array(SetEdit).max(500) }),
  z.strictObject({ replace: Replace }),
  z.strictObject({ shape: Shape, of: Id.optional() }),
  /** An upload: the value labels of a SAS catalogue. */
  z.strictObject({ catalogue: Id }),
]);
export type EditsBody = z.infer<typeof EditsBody>;
export type ShapeEdit = Extract<EditsBody, { shape: unknown }>;
export type CellsEdit = Extract<EditsBody, { cells: unknown }>;

/** `branch`: the change may stand beside a newer version; without it such a save is told so (30511). */
export const EditsQuery = z.object({ branch: z.stringbool().default(false) });

export const Wait = z.object({ wait: z.coerce.number().min(0).max(20).default(20) });

/** `result` of a run that made versions: the last of them. A preview makes none. */
export const StepMade = z.object({
  fid: z.number().nullable(),
  vid: z.number().nullable(),
  warnings: z.array(z.string()),
  report: ReportDocument.nullable(),
});
export type StepMade = z.infer<typeof StepMade>;

/** A processing method, a change of the steps or a replay after the wait; `vid` null until done, and of a preview. */
export const Stepped = StepMade.extend({
  run_id: z.number().nullable(),
  state: RunState,
  /** Why a run that ended within the wait made nothing (failed, timeout, memory, lost). */
  error: RunError.nullable(),
});
export type Stepped = z.infer<typeof Stepped>;

const StepId = z.number().int().positive();

/** `step_id` as GET /steps tells it. `to`: the place among the steps after the import, from 1. */
export const StepOp = z.discriminatedUnion('op', [
  z.strictObject({
    op: z.literal('rename'),
    step_id: StepId,
    title: z.string().trim().min(1, '请输入名称').max(200, '名称最多 200 个字'),
  }),
  z.strictObject({
    op: z.literal('note'),
    step_id: StepId,
    note: z.string().trim().max(1000, '备注最多 1000 个字'),
  }),
  z.strictObject({ op: z.literal('disable'), step_id: StepId }),
  z.strictObject({ op: z.literal('enable'), step_id: StepId }),
  z.strictObject({ op: z.literal('move'), step_id: StepId, to: z.number().int().min(1).max(1000) }),
  z.strictObject({ op: z.literal('edit'), step_id: StepId, form: Form }),
  z.strictObject({ op: z.literal('delete'), step_id: StepId }),
]);
export type StepOp = z.infer<typeof StepOp>;

export const StepsBody = z.strictObject({ ops: z.array(StepOp).min(1, NOTHING).max(100) });
export type StepsBody = z.infer<typeof StepsBody>;

export const ReplayBody = z.strictObject({
  onto: z.number().int().positive().max(2_147_483_647),
  /** Steps that are taken along switched off. */
  disabled: z.array(StepId).max(100).default([]),
});
export type ReplayBody = z.infer<typeof ReplayBody>;

/** 配方: the steps of a version as a text that can be read, kept as a file, and run on other data. */
export const Recipe = z.object({ name: z.string(), text: z.string(), left_out: z.array(z.string()) });
export type Recipe = z.infer<typeof Recipe>;

/** Whether a chain of steps can be run on a version, said before anything is run. */
const Near = z.object({ id: z.string(), name: z.string() });
export const ChainColumn = z.object({
  /** As the chain calls it. */
  name: z.string(),
  to: Near.nullable(),
  /** A person said which variable is meant. */
  chosen: z.boolean(),
  /** Places of the steps that use it, from 1. */
  steps: z.array(z.number()),
  /** Of one that is missing: names that are written almost alike. */
  near: z.array(Near),
});
export type ChainColumn = z.infer<typeof ChainColumn>;

/** `unfit`: cannot run, `why` says the reason. `later`: what it works on is made by steps before it. */
export const ChainStep = z.object({
  number: z.number(),
  title: z.string(),
  /** Null for what is no method, or one that is not there any more. */
  method: z.string().nullable(),
  note: z.string().nullable(),
  state: z.enum(['fit', 'later', 'unfit', 'off']),
  why: z.string().nullable(),
});
export type ChainStep = z.infer<typeof ChainStep>;

export const ChainMatch = z.object({
  columns: z.array(ChainColumn),
  steps: z.array(ChainStep),
  /** Every step that is on can be run, as far as that can be known before. */
  ready: z.boolean(),
});
export type ChainMatch = z.infer<typeof ChainMatch>;

/** Names of the chain → ids of the version, and places of steps, from 1, that are taken along switched off. */
export const ChainChoice = z.strictObject({
  columns: z
    .record(z.string().max(255), ColumnId)
    .refine((chosen) => Object.keys(chosen).length <= 1000, '一次最多对应 1000 个变量')
    .default({}),
  disabled: z.array(z.number().int().min(1).max(100)).max(100).default([]),
});
export type ChainChoice = z.infer<typeof ChainChoice>;

/** A folder of the variable list, made by hand. */
export const VariableFolder = z.strictObject({
  id: z.string().regex(/^f[0-9a-z]{1,20}$/),
  name: z.string().trim().min(1, '请输入文件夹名称').max(30, '文件夹名称最多 30 个字'),
  columns: z.array(ColumnId).max(20_000),
});
export type VariableFolder = z.infer<typeof VariableFolder>;

/** The variable list as its owner has arranged it; `hidden` left out of a call stays as it is. */
export const VariableFolders = z.strictObject({
  folders: z.array(VariableFolder).max(200, '最多 200 个文件夹'),
  hidden: z.array(ColumnId).max(20_000),
});
export type VariableFolders = z.infer<typeof VariableFolders>;

export const VariableFoldersBody = VariableFolders.partial({ hidden: true });
export type VariableFoldersBody = z.infer<typeof VariableFoldersBody>;
