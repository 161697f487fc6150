/** Shapes of 常用流程: chains of processing steps kept under a name. */
import { z } from 'zod';
import { Id } from '../files/schema.ts';
import { ChainChoice } from '../steps/schema.ts';

export const RECIPES_MOST = 100;
export const NAME_MOST = 60;
export const NOTE_MOST = 1000;

const Name = z.string('请输入名称').trim().min(1, '请输入名称').max(NAME_MOST, `名称最多 ${NAME_MOST} 个字`);
const Note = z.string().trim().max(NOTE_MOST, `说明最多 ${NOTE_MOST} 个字`);
const Version = z.number().int().positive().max(2_147_483_647);

export const RecipeId = z.object({ id: Id });

/** `bin=1` lists the bin instead. */
export const RecipeQuery = z.object({
  keyword: z.string().max(200).optional(),
  page: z.coerce.number().int().min(0).default(1),
  page_size: z.coerce.number().int().min(1).max(100).default(20),
  bin: z.enum(['0', '1']).default('0'),
});
export type RecipeQuery = z.infer<typeof RecipeQuery>;

/** `replace`: one of the same name goes to the bin. */
export const NewRecipe = z.strictObject({
  vid: Version,
  name: Name,
  note: Note.default(''),
  replace: z.boolean().default(false),
});
export type NewRecipe = z.infer<typeof NewRecipe>;

export const ImportedRecipe = z.strictObject({
  text: z.string('请选择流程文件').min(1, '请选择流程文件').max(1_000_000, '流程文件最多 100 万个字'),
});

export const RecipeChange = z.strictObject({ name: Name.optional(), note: Note.optional() });
export type RecipeChange = z.infer<typeof RecipeChange>;

export const Forever = z.object({ forever: z.enum(['0', '1']).default('0') });

export const SavedRecipe = z.object({
  id: z.number(),
  name: z.string(),
  note: z.string(),
  /** How many steps it has. */
  size: z.number(),
  /** Nickname of who saved it; null for one's own and where it is not known any more. */
  author: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  used_at: z.string().nullable(),
  deleted_at: z.string().nullable(),
});
export type SavedRecipe = z.infer<typeof SavedRecipe>;
export const RecipeList = z.object({ total: z.number(), list: z.array(SavedRecipe) });
export type RecipeList = z.infer<typeof RecipeList>;

/** `left_out`: titles of steps that were typed by hand and are no rule for other data. */
export const RecipeMade = SavedRecipe.extend({ left_out: z.array(z.string()) });
export type RecipeMade = z.infer<typeof RecipeMade>;

export const RecipeDetail = SavedRecipe.extend({
  steps: z.array(
    z.object({ title: z.string(), method: z.string().nullable(), note: z.string().nullable(), disabled: z.boolean() }),
  ),
  /** Names of the variables that the data must have. */
  columns: z.array(z.string()),
});
export type RecipeDetail = z.infer<typeof RecipeDetail>;

export const RecipeText = z.object({ name: z.string(), text: z.string() });
export type RecipeText = z.infer<typeof RecipeText>;

export const RecipeOn = ChainChoice.extend({ vid: Version });
export type RecipeOn = z.infer<typeof RecipeOn>;
