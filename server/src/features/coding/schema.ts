/** Shapes of 编码方案: the rules are those of the field type `mapping` (contract.md), so that they fit every form. */
import { z } from 'zod';

const Value = z.union([z.string().max(1000), z.number(), z.boolean()]);
const Bound = z.number().nullable();
const Span = z.strictObject({ low: Bound, high: Bound, open: z.enum(['none', 'low', 'high', 'both']).optional() });

export const CodingRule = z.strictObject({
  old: z.union([Value, z.array(Value).min(1).max(1000), Span, z.strictObject({ missing: z.literal(true) })]),
  new: z.union([Value, z.null(), z.strictObject({ copy: z.literal(true) })]).optional(),
  label: z.string().max(200).nullable().optional(),
});
export type CodingRule = z.infer<typeof CodingRule>;

export const CodingSchemeBody = z.strictObject({
  name: z.string('请输入方案名称').trim().min(1, '请输入方案名称').max(60, '方案名称最多 60 个字'),
  rules: z.array(CodingRule).min(1, '方案至少要有一条规则').max(1000, '一个方案最多 1000 条规则'),
});
export type CodingSchemeBody = z.infer<typeof CodingSchemeBody>;

export const CodingScheme = z.object({
  id: z.number(),
  name: z.string(),
  rules: z.array(CodingRule),
  updated_at: z.string(),
});
export type CodingScheme = z.infer<typeof CodingScheme>;
