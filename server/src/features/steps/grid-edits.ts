/** Steps made by hand in the grid: a text replaced, rows and columns put in or taken out. What they say, and ask again. */
import { z } from 'zod';
import type { Cell, Column, Seek, Step } from '../files/schema.ts';
import { Replaced } from '../files/service.ts';
import { shown } from './describe.ts';

interface ReplaceRequest {
  seek: Seek;
  with: string;
  condition: string | null;
}

const COLUMNS_WORDED = 20;

const counted = (count: number): string => count.toLocaleString('en-US');

const nameOf = (columns: Column[], id: string): string => {
  const column = columns.find((one) => one.id === id);
  return `“${column?.label ?? column?.name ?? id}”`;
};

const few = (names: string[]): string =>
  names.length > 3 ? `${names.slice(0, 3).join('')}等 ${names.length} 列` : names.join('');

export function replaceStep(
  asked: ReplaceRequest,
  result: Replaced,
  columns: Column[],
  names: Record<string, string>,
): Step {
  const known = new Map(columns.map((column) => [column.id, column]));
  const cell = (value: Cell, id: string): string => shown(value, known.get(id));
  return {
    op: 'replace',
    title: `${asked.with === '' ? `删去“${asked.seek.text}”` : `“${asked.seek.text}”替换为“${asked.with}”`}：${counted(result.cells)} 个单元格`,
    changes: [
      ...result.columns
        .slice(0, COLUMNS_WORDED)
        .map(({ id, cells }) => `${nameOf(columns, id)}改动 ${counted(cells)} 格`),
      ...result.samples
        .slice(0, COLUMNS_WORDED)
        .map(
          (one) =>
            `第 ${one.row + 1} 行${nameOf(columns, one.column)}由 ${cell(one.old, one.column)} 改为 ${cell(one.new, one.column)}`,
        ),
    ],
    params: { ...asked, names },
  };
}

/** `act` as the engine remembers it; `fewer`: by how many rows the table is shorter now. */
export function rowColumnStep(act: { op: string }, columns: Column[], fewer: number): Step {
  const { at, count, before, columns: listed } = Shaped.parse(act);
  const ids = listed.flatMap((one) => (typeof one === 'string' ? one : []));
  const fresh = listed.flatMap((one) => (typeof one === 'string' ? [] : `“${one.name}”`));
  const names = Object.fromEntries(
    columns.filter(({ id }) => ids.includes(id) || id === before).map(({ id, name }) => [id, name]),
  );
  const step = (op: 'rows' | 'columns', title: string, changes: string[]): Step => ({
    op,
    title,
    changes,
    params: { act, names },
  });
  switch (act.op) {
    case 'insert_rows':
      return step('rows', `插入 ${counted(count)} 行`, [`第 ${counted(at + 1)} 行起插入 ${counted(count)} 个空行`]);
    case 'delete_rows':
      return step('rows', `删除 ${counted(fewer)} 行`, [`删除 ${counted(fewer)} 行`]);
    case 'insert_columns':
      return step(
        'columns',
        `插入${few(fresh)}`,
        fresh.map((name) => `新增${name}`),
      );
    default:
      return step(
        'columns',
        `删除${few(ids.map((id) => nameOf(columns, id)))}`,
        ids.slice(0, COLUMNS_WORDED).map((id) => `删除${nameOf(columns, id)}`),
      );
  }
}

const Shaped = z.looseObject({
  at: z.number().default(0),
  count: z.number().default(0),
  before: z.unknown().optional(),
  columns: z.array(z.union([z.string(), z.looseObject({ name: z.string() })])).default([]),
});

/** What such a step asks of the engine when it is run anew; null for steps of other kinds. */
export function replayRequest(step: Step, isSameImport: boolean): object | null {
  const { params } = step;
  const names = params['names'] ?? {};
  if (step.op === 'replace') {
    const { seek, with: by, condition } = params;
    return { replace: { seek, with: by, condition }, names };
  }
  if (step.op !== 'rows' && step.op !== 'columns') return null;
  const act = z.record(z.string(), z.unknown()).parse(params['act']);
  return { shape: { ...act, same_import: isSameImport }, names };
}

/** The step as it is told and remembered after it was run anew. `told`: what the engine said of it. */
export function replayedStep(step: Step, result: unknown, before: Column[], fewer: number): Step {
  const { params } = step;
  if (step.op === 'replace') {
    // oxlint-disable-next-line typescript/consistent-type-assertions -- as it was stored by `replaceStep`
    const asked = { seek: params['seek'], with: params['with'], condition: params['condition'] } as ReplaceRequest;
    const names = z.record(z.string(), z.string()).catch({}).parse(params['names']);
    return { ...step, ...worded(step, replaceStep(asked, Replaced.parse(result), before, names)) };
  }
  const act = z.looseObject({ op: z.string() }).parse(result);
  const fresh = rowColumnStep(act, before, fewer);
  return { ...step, ...worded(step, fresh), params: { ...fresh.params } };
}

const worded = (step: Step, fresh: Step): Pick<Step, 'title' | 'changes'> => ({
  title: step.titled ? step.title : fresh.title,
  changes: fresh.changes,
});
