/** Shapes of text analysis: dictionaries, sets of labels, pictures, and the one text job a person has. */
import { z } from 'zod';

export const DictionaryKind = z.enum(['words', 'stopwords', 'synonyms', 'lexicon', 'labels']);
export type DictionaryKind = z.infer<typeof DictionaryKind>;

export const LINES_MOST = 10_000;
const Name = z.string('请输入名称').trim().min(1, '请输入名称').max(30, '名称最多 30 个字');
const Lines = z
  .array(z.string().max(500, '一行最多 500 个字'))
  .min(1, '词典里还没有内容')
  .max(LINES_MOST, `一个词典最多 ${LINES_MOST.toLocaleString('en-US')} 行，请拆成几个词典`);
const Id = z.coerce.number().int().positive().max(2_147_483_647);

export const DictionaryId = z.object({ id: Id });
export const PictureId = DictionaryId;
export const DictionaryQuery = z.object({ kind: DictionaryKind.optional() });
export const NewDictionary = z.strictObject({ kind: DictionaryKind, name: Name, lines: Lines });
export type NewDictionary = z.infer<typeof NewDictionary>;
/** `version`: the one that was edited; another in between refuses the change. */
export const DictionaryChange = z.strictObject({ name: Name, lines: Lines, version: z.number().int().positive() });
export type DictionaryChange = z.infer<typeof DictionaryChange>;

export const DictionaryEntry = z.object({
  id: z.number(),
  kind: DictionaryKind,
  name: z.string(),
  version: z.number(),
  size: z.number(),
  updated_at: z.string(),
});
export type DictionaryEntry = z.infer<typeof DictionaryEntry>;
export const DictionaryDetail = DictionaryEntry.extend({ lines: z.array(z.string()) });
export type DictionaryDetail = z.infer<typeof DictionaryDetail>;

const Word = z
  .string()
  .trim()
  .min(1)
  .max(30)
  .regex(/^[^,，、;；\s=＝+!！/]+$/u, '关键词不能含空格和 , ; = + ! /');
const Words = z.array(Word).max(500);
/** One label: any of `include` or `regex`, or all words of one of `all_of`, and none of `exclude`. Order is priority. */
export const LabelRule = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(30)
    .regex(/^[^=＝\n]+$/u, '标签名不能含 ='),
  include: Words.default([]),
  all_of: z.array(z.array(Word).min(2).max(5)).max(100).default([]),
  exclude: Words.default([]),
  regex: z.string().max(200).nullable().default(null),
});
export type LabelRule = z.infer<typeof LabelRule>;
const Rules = z.array(LabelRule).min(1, '该标签组没有标签，请先添加').max(200, '一个标签组最多 200 个标签');
export const LabelSetBody = z.strictObject({ name: Name, labels: Rules });
export const LabelSetChange = z.strictObject({
  id: Id,
  name: Name,
  labels: Rules,
  version: z.number().int().positive(),
});
export const LabelSetId = z.object({ id: Id });
export const LabelSet = z.object({
  id: z.number(),
  name: z.string(),
  version: z.number(),
  labels: z.array(LabelRule),
  updated_at: z.string(),
});
export type LabelSet = z.infer<typeof LabelSet>;
export const LabelSetMade = z.object({ id: z.number(), version: z.number() });

export const PICTURE_BYTES = 2 * 1024 * 1024;
export const PictureMade = z.object({ file_id: z.string() });
export type PictureMade = z.infer<typeof PictureMade>;

const Flag = z.enum(['0', '1']).optional();
/** `is_wait=1`: the queue alone; `in_pro_model=1`: jobs begun from a professional model alone. */
export const StatusQuery = z.object({ is_wait: Flag, in_pro_model: Flag });
export type StatusQuery = z.infer<typeof StatusQuery>;
const JobState = z.enum(['等待中', '运行中', '已完成', '失败', '已终止']);
export type JobState = z.infer<typeof JobState>;
export const TextJob = z.object({
  job_id: z.number(),
  method: z.string().nullable(),
  state: JobState,
  position: z.number().nullable(),
  /** 0–100; null where it is not known. */
  progress: z.number().nullable(),
  stage: z.string(),
});
export type TextJob = z.infer<typeof TextJob>;
export const TextStatus = z.object({
  running: TextJob.nullable(),
  waiting: z.array(TextJob),
  last: TextJob.nullable(),
});
export type TextStatus = z.infer<typeof TextStatus>;
export const Killed = z.object({ killed: z.number().nullable() });
