/** Projects: named, ordered lists of reports on any files. */
import { z } from 'zod';

export const Project = z.object({
  id: z.number(),
  name: z.string(),
  order: z.number(),
  reports: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Project = z.infer<typeof Project>;

export const ProjectQuery = z.object({
  keyword: z.string().max(200).optional(),
  page: z.coerce.number().int().min(0).default(1),
  page_size: z.coerce.number().int().min(1).max(200).default(50),
});
export type ProjectQuery = z.infer<typeof ProjectQuery>;

/** POST /v1/analysis/project/{id}; id 0 creates and then needs a name. `order`: place in the list, from 1. */
export const ProjectBody = z.strictObject({
  name: z.string('请输入项目名称').trim().min(1, '请输入项目名称').max(100, '项目名称最多 100 个字').optional(),
  order: z.number().int().min(1).max(1_000_000).optional(),
});
export type ProjectBody = z.infer<typeof ProjectBody>;

/** One command of a project's history, newest first. */
export const HistoryRow = z.object({
  id: z.number(),
  at: z.string(),
  act: z.enum([
    'created',
    'updated',
    'renamed',
    'pinned',
    'unpinned',
    'noted',
    'frozen',
    'unfrozen',
    'deleted',
    'restored',
    'rev',
    'shared',
    'unshared',
    'data',
  ]),
  /** The sentence shown: 独立样本t检验：加入“年龄”. */
  text: z.string(),
  rid: z.number().nullable(),
  rev: z.number().nullable(),
  title: z.string().nullable(),
});
export type HistoryRow = z.infer<typeof HistoryRow>;
