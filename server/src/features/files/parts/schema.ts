/** Small shapes that several nouns of this feature share. */
import { withoutControls } from '@hengxi/contracts/names';
import { z } from 'zod';

/** A path or query id: text on the wire, a positive 32-bit integer inside; anything else is simply not found. */
export const Id = z.coerce.number().int().positive().max(2_147_483_647);

/** A value of a cell that is there. */
export const Value = z.union([z.string(), z.number(), z.boolean()]);

export const Name = z
  .string('请输入名称')
  .overwrite(withoutControls)
  .trim()
  .min(1, '请输入名称')
  .max(200, '名称最多 200 个字');

/** A name of something inside a table; `word` is what it is called where it is missing. */
export const Named = (most: number, word: string) =>
  z
    .string(`请输入${word}`)
    .overwrite(withoutControls)
    .trim()
    .min(1, `请输入${word}`)
    .max(most, `${word}最多 ${most} 个字`);

export const ColumnId = z.string().regex(/^c\d{1,6}$/);

export const Condition = z.string().max(2000, '筛选条件最多 2000 个字符');
