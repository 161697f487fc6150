/** Changes of a list of steps, as plain data: what the list is afterwards, and from where on it must be run anew. */
import { z } from 'zod';
import { Fault, missing } from '../../lib/errors.ts';
import { FilterType } from '../files/schema.ts';
import type { Step } from '../files/schema.ts';
import type { StepOp } from './schema.ts';

/** A step after the import; `id` is the version it made. */
export interface Link {
  id: number;
  step: Step;
  /** Its settings or its state differ from what made the version. */
  isTouched: boolean;
}

export interface ChangedList {
  links: Link[];
  /** How many of the first steps stay as they are, with their versions. */
  kept: number;
  /** Steps of which only the title or the note changed. */
  reworded: Link[];
}

const refuse = (text: string): Fault => new Fault(30601, { text });

function find(links: Link[], id: number, root: number): number {
  if (id === root) throw refuse('导入是第一步，不能停用、移动、修改或删除');
  const at = links.findIndex((link) => link.id === id);
  if (at < 0) throw missing();
  return at;
}

function replaced(links: Link[], at: number, applyOperations: (link: Link) => Link): Link[] {
  return links.map((link, place) => (place === at ? applyOperations(link) : link));
}

function moved(links: Link[], at: number, to: number): Link[] {
  const rest = links.filter((_, place) => place !== at);
  return [...rest.slice(0, to - 1), ...links.slice(at, at + 1), ...rest.slice(to - 1)];
}

function switched(link: Link, disabled: boolean): Link {
  const { disabled: before = false, ...rest } = link.step;
  const step: Step = disabled ? { ...rest, disabled } : rest;
  return { ...link, step, isTouched: link.isTouched !== (before !== disabled) };
}

const Filter = z.strictObject({ condition: z.string().max(2000), filter_type: FilterType.default('keep') });

/** As a method's own call takes it: a condition, with or without its kind, or null for all rows. */
function filterOf(value: unknown): z.infer<typeof Filter> | null {
  if (value === null || value === '') return null;
  const parsed = Filter.safeParse(typeof value === 'string' ? { condition: value } : value);
  if (!parsed.success) throw new Fault(30090, { detail: '_filter 的格式不正确' });
  return parsed.data;
}

/** New settings are the work of who made them, now. */
function edited(link: Link, form: Record<string, unknown>, userId: number): Link {
  if (link.step.op !== 'process') throw refuse(`“${link.step.title}”没有可以修改的设置`);
  // The names belong to the old settings; the new ones are written down when the list is run.
  const { names: _, ...params } = link.step.params;
  const own = Object.fromEntries(Object.entries(form).filter(([key]) => !key.startsWith('_')));
  const filter = '_filter' in form ? filterOf(form['_filter']) : (params['filter'] ?? null);
  const { at: __, ...step } = link.step;
  return { ...link, step: { ...step, by: userId, params: { ...params, form: own, filter } }, isTouched: true };
}

/** An empty note takes it away. */
function annotated(step: Step, note: string): Step {
  const { note: _, ...bare } = step;
  return note === '' ? bare : { ...bare, note };
}

function apply(links: Link[], op: StepOp, root: number, userId: number): Link[] {
  const at = find(links, op.step_id, root);
  switch (op.op) {
    case 'rename':
      return replaced(links, at, (link) => ({ ...link, step: { ...link.step, title: op.title, titled: true } }));
    case 'note':
      return replaced(links, at, (link) => ({ ...link, step: annotated(link.step, op.note) }));
    case 'disable':
      return replaced(links, at, (link) => switched(link, true));
    case 'enable':
      return replaced(links, at, (link) => switched(link, false));
    case 'edit':
      return replaced(links, at, (link) => edited(link, op.form, userId));
    case 'delete':
      return links.filter((_, place) => place !== at);
    case 'move':
      if (op.to > links.length) throw refuse(`一共 ${links.length} 步，不能移到第 ${op.to} 步`);
      return moved(links, at, op.to);
  }
}

/** `root`: the version of the import; `userId`: whose changes these are. */
export function change(before: Link[], ops: StepOp[], root: number, userId: number): ChangedList {
  const links = ops.reduce((list, op) => apply(list, op, root, userId), before);
  let kept = 0;
  while (kept < links.length && links[kept]?.id === before[kept]?.id && !links[kept]?.isTouched) kept += 1;
  const old = new Map(before.map(({ id, step }) => [id, step]));
  const reworded = links
    .slice(0, kept)
    .filter(({ id, step }) => old.get(id)?.title !== step.title || old.get(id)?.note !== step.note);
  return { links, kept, reworded };
}
