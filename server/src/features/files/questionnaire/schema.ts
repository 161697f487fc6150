/** What a questionnaire asks, kept with a version: dimensions with their reversed items, matrix and background questions. */
import { withoutControls } from '@hengxi/contracts/names';
import { z } from 'zod';
import { ColumnId } from '../parts/schema.ts';

/** As the blocks of a form have it, which a dimension becomes. */
export const DIMENSION_NAME = 40;
export const DIMENSIONS = 100;
const ITEMS = 300;

const GroupName = z
  .string('请输入名称')
  .overwrite(withoutControls)
  .trim()
  .min(1, '请输入名称')
  .max(DIMENSION_NAME, `名称最多 ${DIMENSION_NAME} 个字`);
const Items = z.array(ColumnId).min(2, '至少要有 2 题').max(ITEMS, `最多 ${ITEMS} 题`);
const End = z.number().min(-1000).max(1000);

export const Dimension = z.strictObject({
  id: z.string().regex(/^d\d{1,4}$/u),
  name: GroupName,
  columns: Items,
  /** Items that run against the others as they stand in this version. */
  reversed: z.array(ColumnId).max(ITEMS),
  /** The ends of the scale, by which an item is turned: low + high − x. */
  low: End,
  high: End,
});
export type Dimension = z.infer<typeof Dimension>;

export const MatrixQuestion = z.strictObject({ id: z.string().regex(/^m\d{1,4}$/u), name: GroupName, columns: Items });
export type MatrixQuestion = z.infer<typeof MatrixQuestion>;

export const Questionnaire = z.strictObject({
  dimensions: z.array(Dimension).max(DIMENSIONS, `最多 ${DIMENSIONS} 个维度`),
  matrices: z.array(MatrixQuestion).max(DIMENSIONS, `最多 ${DIMENSIONS} 道矩阵题`),
  /** Questions about the person, which divide the sample. */
  background: z.array(ColumnId).max(200, '背景题最多 200 道'),
});
export type Questionnaire = z.infer<typeof Questionnaire>;

/** An item whose correlation with the sum of the others is negative, the others turned as they ought to run. */
export const AgainstItem = z.object({ column: z.string(), r: z.number() });
export type AgainstItem = z.infer<typeof AgainstItem>;

const Proposed = Questionnaire.extend({ dimensions: z.array(Dimension.extend({ against: z.array(AgainstItem) })) });

/** `kept`: as confirmed; `proposed`: what the columns look like, with items that may be reversed. */
export const QuestionnaireState = z.object({ kept: Questionnaire.nullable(), proposed: Proposed });
export type QuestionnaireState = z.infer<typeof QuestionnaireState>;
export type ProposedQuestionnaire = z.infer<typeof Proposed>;
export const ProposedQuestionnaire = Proposed;

export const AgainstBody = z.strictObject({ columns: z.array(ColumnId).min(1).max(ITEMS) });

/** One analysis of the first report; `chosen`: taken unless the person says otherwise. */
export const PlannedPart = z.object({
  key: z.string(),
  section: z.string(),
  title: z.string(),
  path: z.string(),
  form: z.record(z.string(), z.unknown()),
  chosen: z.boolean(),
});
export type PlannedPart = z.infer<typeof PlannedPart>;

/** `left_out`: what is in the file and in no part, a sentence each. */
export const FirstReportPlan = z.object({ parts: z.array(PlannedPart), left_out: z.array(z.string()) });
export type FirstReportPlan = z.infer<typeof FirstReportPlan>;
