/** A block copied from a codebook in Excel, pasted into the property table from one cell on. */
import type { Column, ColumnEdit } from '@hengxi/server/files/schema';

import { isNumber } from '../../../fields/boxes/fit.ts';
import { retyped } from '../../../fields/retype.ts';
import { UNSCORABLE, unscorable } from '../../../fields/scoring.ts';
import { MEASURE_KINDS, type MeasureKind } from '../../../ui/measure-icon.tsx';
import { changed, type Draft, withDraft } from './draft.ts';
import { readMissing } from './missing-text.ts';

/** What one variable may be; a set of several columns cannot be made out of one. */
export const KINDS_OF_ONE: readonly MeasureKind[] = MEASURE_KINDS.filter((kind) => kind !== '多选题集');

/** In the order of the table: a second column of the block goes into the next of these. */
export const PASTED = ['type', 'name', 'label', 'unit', 'levels', 'missing'] as const;
export type Pasted = (typeof PASTED)[number];

type Change = Omit<ColumnEdit, 'id'>;

const LONGEST = { name: 200, label: 1000, unit: 40 } as const;
const kindOf = (word: string): MeasureKind | undefined =>
  KINDS_OF_ONE.find(
    (kind) => kind === word || (kind === '定类' && word === '名义') || (kind === '定序' && word === '有序'),
  );

/** What a cell changes of its variable, or why it cannot be read. An empty cell takes away what may be missing. */
function changeBy(column: Column, field: Pasted, text: string): Change | { fault: string } {
  const word = text.trim();
  switch (field) {
    case 'type': {
      const kind = kindOf(word);
      if (kind === undefined)
        return word === '' ? {} : { fault: `“${word}”不是变量类型，应是${KINDS_OF_ONE.join('、')}之一` };
      if (kind === '定量' && unscorable([column]).length > 0) return { fault: `“${column.name}”${UNSCORABLE}` };
      const { id: _, ...change } = retyped(column, kind);
      return change;
    }
    case 'missing': {
      const read = readMissing(word, isNumber(column), column);
      return 'fault' in read ? { fault: `缺失编码${read.fault}` } : { missing: read };
    }
    // They have a table of their own, and a paste of their own there.
    case 'levels':
      return {};
    case 'name':
      // A variable has to have a name: an empty cell leaves it what it was.
      return word === '' ? {} : { name: word.slice(0, LONGEST.name) };
    default:
      return { [field]: word === '' ? null : word.slice(0, LONGEST[field]) };
  }
}

/** The draft with the block in it; a cell that cannot be read is named and nothing is pasted, as in the table of the data. */
export function pasted(
  draft: Draft,
  columns: readonly Column[],
  from: number,
  field: Pasted,
  block: readonly (readonly string[])[],
): Draft | { fault: string } {
  const start = PASTED.indexOf(field);
  let next = draft;
  for (const [at, line] of block.entries()) {
    const column = columns[from + at];
    if (!column) break;
    let change: Change = {};
    for (const [place, text] of line.entries()) {
      const into = PASTED[start + place];
      if (into === undefined) break;
      const edit = changeBy(column, into, text);
      if ('fault' in edit)
        return { fault: `第 ${at + 1} 行（“${column.label ?? column.name}”）：${edit.fault}，整块没有粘贴` };
      change = { ...change, ...edit };
    }
    next = changed(next, column, change);
  }
  return next;
}

/** What of a block has no place: rows after the last variable, columns after the last property; null when all has one. */
export function leftOver(
  columns: readonly Column[],
  from: number,
  field: Pasted,
  block: readonly (readonly string[])[],
): string | null {
  const rows = block.length - (columns.length - from);
  const start = PASTED.indexOf(field);
  const wide = Math.max(...block.map((line) => line.length)) - (PASTED.length - start);
  if (rows > 0) return `下面没有更多变量了，多出的 ${rows} 行没有粘贴`;
  if (wide > 0) return `缺失编码后面没有更多属性了，多出的 ${wide} 列没有粘贴`;
  const levels = PASTED.indexOf('levels') - start;
  const hasLevels = levels >= 0 && block.some((line) => (line[levels] ?? '').trim() !== '');
  return hasLevels ? '值标签没有粘贴：点一个变量的值标签，在那里粘贴' : null;
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
