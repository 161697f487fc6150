import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { EditsBody } from '../features/steps/schema.ts';
import { UploadBody } from '../features/files/schema.ts';
import { faultMessage, validationMessage } from './validation-messages.ts';

const before = z.config();
beforeAll(() => void z.config({ localeError: validationMessage }));
afterAll(() => void z.config(before));

const said = (schema: z.ZodType, value: unknown): string => {
  const issue = schema.safeParse(value).error?.issues[0];
  return issue ? faultMessage(issue) : '';
};

test.each<[z.ZodType, unknown, string]>([
  [z.strictObject({ a: z.string() }), { a: 1 }, 'a 应为文本，不能是数字'],
  [z.strictObject({ a: z.string() }), {}, 'a 必填'],
  [z.strictObject({ a: z.coerce.number() }), {}, 'a 应填写数字'],
  [z.strictObject({ a: z.coerce.number().int() }), { a: 'x' }, 'a 应填写数字'],
  [z.strictObject({ a: z.string() }), [], '应为对象，不能是列表'],
  [z.strictObject({ a: z.string() }), null, '请求没有内容：应发送一个对象，没有要说明的就发送空对象'],
  [z.object({ a: z.object({}) }), { a: null }, 'a 应为对象，不能是空值（null）'],
  [z.strictObject({ a: z.string() }), { a: 'x', b: 1, c: 2 }, '没有这些内容：b、c'],
  [z.object({ a: z.record(z.string(), z.number()) }), { a: 'x' }, 'a 应为对象，不能是文本'],
  [z.object({ a: z.number().int() }), { a: 1.5 }, 'a 应为整数'],
  [z.object({ a: z.number().min(1).max(500) }), { a: 501 }, 'a 不能大于 500'],
  [z.object({ a: z.number().positive() }), { a: 0 }, 'a 应大于 0'],
  [z.object({ a: z.array(z.string().max(2)).min(1) }), { a: [] }, 'a 至少 1 项'],
  [z.object({ a: z.array(z.string().max(2)).min(1) }), { a: ['ok', 'abc'] }, 'a.1 最多 2 个字'],
  [z.object({ a: z.enum(['keep', 'drop']) }), { a: 'x' }, 'a 应为以下之一：keep、drop'],
  [z.object({ a: z.literal(1) }), { a: 2 }, 'a 应为 1'],
  [z.object({ a: z.union([z.literal(1), z.literal(2)]) }), { a: 5 }, 'a 应为以下之一：1、2'],
  [z.object({ a: z.union([z.literal(1), z.literal(2)]) }), { a: '1' }, 'a 应为以下之一：1、2'],
  [z.object({ a: z.string().regex(/^c\d+$/) }), { a: 'x' }, 'a 格式不正确'],
  [z.object({ a: z.iso.date() }), { a: 'x' }, 'a 应为日期（如 2024-01-31）'],
  [EditsBody, { columns: [{ id: 'c1', name: 3 }] }, 'columns.0.name 应为文本，不能是数字'],
  [EditsBody, { cells: [{ row: -1, column: 'c1', value: null }] }, 'cells.0.row 不能小于 0'],
  [UploadBody, { name: '', size: 1 }, 'name 请输入文件名'],
])('%#: the fault is told in Chinese, with its place', (schema, value, words) => {
  expect(said(schema, value)).toBe(words);
});

test('no word of English comes from any kind of schema', () => {
  const kinds: z.ZodType[] = [z.string(), z.number(), z.boolean(), z.date(), z.map(z.string(), z.string())];
  kinds.push(z.tuple([z.string()]), z.set(z.string()), z.null(), z.bigint(), z.instanceof(Map), z.email(), z.base64());
  for (const schema of kinds)
    for (const value of [Symbol('x'), 'x', 7, true, [], {}, null, undefined, Number.NaN])
      expect(said(schema, value).replace('true 或 false', '').replace('null', '').replace('base64', '')).not.toMatch(
        /[A-Za-z]/,
      );
});
