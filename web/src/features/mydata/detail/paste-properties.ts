/** A block copied from a codebook in Excel, pasted into the property table from one cell on. */
import type { Column } from '@hengxi/server/files/schema';

import { changed, type Draft, withDraft } from './draft.ts';

/** In the order of the table: a second column of the block goes into the next of these. */
export const PASTED = ['name', 'label', 'unit'] as const;
export type Pasted = (typeof PASTED)[number];

const LONGEST: Record<Pasted, number> = { name: 200, label: 1000, unit: 40 };

export function pasted(
  draft: Draft,
  columns: readonly Column[],
  from: number,
  field: Pasted,
  block: readonly (readonly string[])[],
): Draft {
  const start = PASTED.indexOf(field);
  return block.reduce((next, line, at) => {
    const column = columns[from + at];
    if (!column) return next;
    const change: Partial<Record<Pasted, string | null>> = {};
    for (const [place, text] of line.entries()) {
      const into = PASTED[start + place];
      const word = text.trim().slice(0, into ? LONGEST[into] : 0);
      // A variable has to have a name: an empty cell leaves it what it was.
      if (into === undefined || (into === 'name' && word === '')) continue;
      change[into] = word === '' ? null : word;
    }
    const { name, ...rest } = change;
    return changed(next, column, name == null ? rest : { ...rest, name });
  }, draft);
}

/** What of a block has no place: rows after the last variable, columns after the last property; null when all has one. */
export function leftOver(
  columns: readonly Column[],
  from: number,
  field: Pasted,
  block: readonly (readonly string[])[],
): string | null {
  const rows = block.length - (columns.length - from);
  const wide = Math.max(...block.map((line) => line.length)) - (PASTED.length - PASTED.indexOf(field));
  if (rows > 0) return `下面没有更多变量了，多出的 ${rows} 行没有粘贴`;
  return wide > 0 ? `只能粘贴名称、标签和单位，多出的 ${wide} 列没有粘贴` : null;
}

/** What keeps the draft from being saved: names that are empty or stand twice. */
export function draftFault(columns: readonly Column[], draft: Draft): string | null {
  const names = new Map<string, number>();
  for (const column of columns) {
    const name = withDraft(column, draft).name.trim();
    if (name === '') return `第 ${columns.indexOf(column) + 1} 个变量没有名称`;
    names.set(name, (names.get(name) ?? 0) + 1);
  }
  const twice = Array.from(names).find(([name, count]) => count > 1 && isTouched(name, columns, draft));
  return twice ? `变量名“${twice[0]}”重复，每个变量要有自己的名称` : null;
}

/** Names a file brought twice are its own; only new ones are refused. */
function isTouched(name: string, columns: readonly Column[], draft: Draft): boolean {
  return columns.some(
    (column) => draft.get(column.id)?.name !== undefined && withDraft(column, draft).name.trim() === name,
  );
}
