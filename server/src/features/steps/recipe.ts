/** A chain of steps as a readable text: written from one version, read again and run on another file. */
import type { Declaration } from '@hengxi/contracts/contract';
import type { FieldFault } from '@hengxi/contracts/http';
import { z } from 'zod';
import { Fault } from '../../lib/errors.ts';
import { AnswerSet, ColumnEdit, Step } from '../files/schema.ts';
import { brokenLine, lineAt } from './json-lines.ts';
import type { Recipe } from './schema.ts';

const FORMAT = '衡析配方';
export const STEPS_MAX = 100;
export const TEXT_MOST = 1_000_000;
const DEPTH_MOST = 40;
/** So many mistakes are told at once. */
const FAULTS_SHOWN = 20;
const LEADING = /^\uFEFF/u;
/** What a method, an edit of the variables or of the answer sets asks for; what was typed into cells is no rule for other data. */
const OPS = ['process', 'edit', 'sets'] as const;
/** Of the version a step was made on, not of the step. */
const OWN = new Set(['left_out']);

const Params = z.looseObject({
  names: z.record(z.string().regex(/^c\d{1,6}$/u), z.string().max(255)),
  form: z.record(z.string(), z.unknown()).optional(),
  filter: z.looseObject({ condition: z.string().max(2000) }).nullish(),
  version: z.number().int().positive().nullish(),
  seed: z.number().int().nullish(),
  made: z.array(z.string().max(255)).max(20_000).nullish(),
});
const RecipeStep = z.strictObject({
  title: z.string().trim().min(1).max(200),
  titled: z.boolean().optional(),
  op: z.enum(OPS),
  disabled: z.boolean().optional(),
  note: z.string().max(1000).optional(),
  params: Params,
});
const RecipeText = z.strictObject({
  [FORMAT]: z.literal(1),
  name: z.string().trim().min(1).max(200),
  note: z.string().max(1000).optional(),
  steps: z.array(RecipeStep).min(1).max(STEPS_MAX),
});

export interface Chain {
  name: string;
  /** A person's own words on the whole. */
  note: string;
  steps: Step[];
}

type Declared = (path: string) => Declaration | null;

const refuse = (text: string): Fault => new Fault(30601, { text });

const isRule = ({ op }: Step): boolean => OPS.some((one) => one === op);

/** The steps that are rules, without what belongs to one version; refused where there is none. */
export function rulesOf(steps: readonly Step[]): { steps: Step[]; left_out: string[] } {
  const rules = steps.filter(isRule);
  if (rules.length === 0) throw refuse('这份数据没有可以写成配方的步骤；手工改动的单元格、行和列不进配方');
  const kept = rules.map(({ title, titled, op, disabled, note, params }) => ({
    title,
    op,
    ...(titled ? { titled } : {}),
    ...(disabled ? { disabled } : {}),
    ...(note ? { note } : {}),
    changes: [],
    params: Object.fromEntries(Object.entries(params).filter(([key]) => !OWN.has(key))),
  }));
  return { steps: kept, left_out: steps.filter((step) => !isRule(step)).map(({ title }) => title) };
}

export function textOf({ name, note, steps }: Chain): string {
  const written = steps.map(({ title, titled, op, disabled, note: remark, params }) => ({
    title,
    titled,
    op,
    disabled,
    note: remark,
    params,
  }));
  return `${JSON.stringify({ [FORMAT]: 1, name, ...(note ? { note } : {}), steps: written }, null, 2)}\n`;
}

/** `left_out`: titles of steps that were typed by hand. Ids of variables stand with their names under `names`. */
export function writeRecipe(name: string, steps: readonly Step[]): Recipe {
  const { steps: kept, left_out } = rulesOf(steps);
  return { name, text: textOf({ name, note: '', steps: kept }), left_out };
}

function isWhole(op: 'edit' | 'sets', params: Record<string, unknown>): boolean {
  return op === 'edit'
    ? z.array(ColumnEdit).min(1).max(20_000).safeParse(params['columns']).success
    : z.array(AnswerSet).max(1000).safeParse(params['sets']).success;
}

type Path = readonly PropertyKey[];
interface Mistake {
  path: Path;
  text: string;
}

/** What no database keeps and no page shows: broken characters, and depth without end. */
function strangeIn(root: unknown): string | null {
  const open = [{ value: root, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string' && /[\0\p{Surrogate}]/u.test(value)) return '有不能保存的字符';
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= DEPTH_MOST) return `层数超过 ${DEPTH_MOST}`;
    for (const [key, item] of Object.entries(value))
      open.push({ value: key, depth }, { value: item, depth: depth + 1 });
  }
  return null;
}

function mistakesOfShape(issues: readonly z.core.$ZodIssue[]): Mistake[] {
  return issues.flatMap((issue): Mistake[] => {
    const where = String(issue.path.at(-1) ?? FORMAT);
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ path: [...issue.path, key], text: `不认识的字段“${key}”` }));
    if (issue.code === 'invalid_key') return [{ path: issue.path, text: `“${where}”不是变量的编号` }];
    const isAbsent = issue.code === 'invalid_type' && issue.message.includes('undefined');
    return [{ path: issue.path, text: `“${where}”${isAbsent ? '缺少' : '缺少或不对'}` }];
  });
}

/** A step that this product cannot make, or that sets what its method does not know. */
function mistakesOfStep(step: z.infer<typeof RecipeStep>, at: number, declared: Declared): Mistake[] {
  const base = ['steps', at];
  const { path, form = {}, version } = step.params;
  if (step.op !== 'process')
    return isWhole(step.op, step.params) ? [] : [{ path: [...base, 'params'], text: '步骤的内容缺少或不对' }];
  const method = typeof path === 'string' ? declared(path) : null;
  if (method?.kind !== 'processing') {
    const text = `方法“${typeof path === 'string' ? path : ''}”不是本站的数据处理方法，可能已改名`;
    return [{ path: [...base, 'params', 'path'], text }];
  }
  // Settings of an older form are brought up to date by the engine.
  if (version != null && version < method.version) return [];
  const known = new Set([...method.fields.map(({ key }) => key), 'seed']);
  return Object.keys(form)
    .filter((key) => !known.has(key) && !key.startsWith('_'))
    .map((key) => ({
      path: [...base, 'params', 'form', key],
      text: `方法“${method.title}”没有设置“${key}”`,
    }));
}

/** All mistakes with their lines; the first of them is the sentence of the refusal. */
function refuseAt(text: string, mistakes: readonly Mistake[], titles: readonly (string | undefined)[]): Fault {
  const fields = mistakes.slice(0, FAULTS_SHOWN).map(({ path, text: what }): FieldFault => {
    const line = lineAt(text, path);
    const place = path[0] === 'steps' && typeof path[1] === 'number' ? path[1] : null;
    const title = place === null ? undefined : titles[place];
    const step = place === null ? '' : `（第 ${place + 1} 步${title === undefined ? '' : `“${title}”`}）`;
    return { field: 'text', code: 'recipe.text', text: `第 ${line} 行${step}：${what}`, facts: { line } };
  });
  const more = mistakes.length > 1 ? `；共 ${mistakes.length} 处` : '';
  return new Fault(30601, { text: `这不是完整的配方：${fields[0]?.text ?? ''}${more}` }, { fields });
}

const Titles = z.object({ steps: z.array(z.object({ title: z.string() }).partial().catch({})) }).catch({ steps: [] });

/** A chain from a text of whatever origin; each mistake is told with its line. */
export function readRecipe(given: string, declared: Declared): Chain {
  if (given.length > TEXT_MOST) throw refuse(`配方最多 ${TEXT_MOST / 10_000} 万个字`);
  const text = given.replace(LEADING, '');
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    const line = brokenLine(text, error);
    throw refuse(`这不是配方：文件不是完整的 JSON 文本${line === null ? '' : `，从第 ${line} 行起读不下去`}`);
  }
  const strange = strangeIn(raw);
  if (strange !== null) throw refuse(`这不是配方：${strange}`);
  const titles = Titles.parse(raw).steps.map(({ title }) => title?.slice(0, 60));
  const read = RecipeText.safeParse(raw);
  if (!read.success) throw refuseAt(text, mistakesOfShape(read.error.issues), titles);
  const { name, note = '', steps } = read.data;
  const mistakes = steps.flatMap((step, at) => mistakesOfStep(step, at, declared));
  if (mistakes.length > 0) throw refuseAt(text, mistakes, titles);
  return { name, note, steps: steps.map((step) => Step.parse({ ...step, changes: [] })) };
}
