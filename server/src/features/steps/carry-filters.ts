/** Filter, weight and split of a version whose list of steps is changed, on the version that takes its place. */
import type { Active, Column } from '../files/schema.ts';

const COLUMN = /\{(c\d{1,6})\}/g;

interface Tables {
  /** The version whose list is changed, and the one its steps are run anew on. */
  from: Column[];
  base: Column[];
  /** The version that is made. */
  to: Column[];
}

/** Ids as they were → as they are: what the common beginning has keeps its id, what a step made is found by its name. */
export function moves({ from, base, to }: Tables): Map<string, string> {
  const old = new Set(base.map(({ id }) => id));
  const there = new Set(to.map(({ id }) => id));
  const idsByName = new Map(to.filter(({ id }) => !old.has(id)).map(({ id, name }) => [name, id]));
  return new Map(
    from.flatMap(({ id, name }) => {
      const now = old.has(id) ? (there.has(id) ? id : undefined) : idsByName.get(name);
      return now === undefined ? [] : [[id, now] as const];
    }),
  );
}

const WORD: Record<keyof Active, string> = { filter: '筛选', weight: '加权', split: '分层' };

/** What speaks of a variable that is not there any more is ended, and said so. */
export function carryActive({ filter, weight, split }: Active, tables: Tables): { active: Active; warnings: string[] } {
  const ids = moves(tables);
  const warnings: string[] = [];
  const stands = (what: keyof Active, columns: string[]): boolean => {
    const gone = columns.find((id) => !ids.has(id));
    if (gone === undefined) return true;
    const name = tables.from.find(({ id }) => id === gone)?.name ?? gone;
    warnings.push(`${WORD[what]}已取消：没有变量“${name}”`);
    return false;
  };
  const now = (id: string): string => ids.get(id) ?? id;
  const inFilter = Array.from(filter?.condition.matchAll(COLUMN) ?? [], ([, id = '']) => id);
  const active: Active = {
    filter:
      filter && stands('filter', inFilter)
        ? { ...filter, condition: filter.condition.replace(COLUMN, (_, id: string) => `{${now(id)}}`) }
        : null,
    weight: weight && stands('weight', [weight.column]) ? { ...weight, column: now(weight.column) } : null,
    split: split && stands('split', [split.column]) ? { ...split, column: now(split.column) } : null,
  };
  return { active, warnings };
}
