/** Rows of variables that belong together: each cell of the grid is a box. */
import type { MatchedField } from '@hengxi/contracts/contract';

import type { Box } from '../boxes/box.ts';
import { recordsOf } from '../form.ts';

export type MatchedRow = Record<string, string | null>;

export function readMatched(field: MatchedField, value: unknown): MatchedRow[] {
  return recordsOf(value).map((row) =>
    Object.fromEntries(
      field.slots.map((slot) => {
        const id = row[slot.key];
        return [slot.key, typeof id === 'string' ? id : null];
      }),
    ),
  );
}

const isEmpty = (row: MatchedRow): boolean => Object.values(row).every((id) => id === null);

/** Rows that hold nothing at the end are no rows. */
function trimmed(rows: readonly MatchedRow[]): MatchedRow[] {
  const last = rows.findLastIndex((row) => !isEmpty(row));
  return rows.slice(0, last + 1);
}

const blank = (field: MatchedField): MatchedRow => Object.fromEntries(field.slots.map((slot) => [slot.key, null]));

export function withCell(
  field: MatchedField,
  value: unknown,
  at: number,
  slot: string,
  id: string | null,
): MatchedRow[] {
  const rows = readMatched(field, value);
  while (rows.length <= at) rows.push(blank(field));
  return trimmed(rows.map((row, index) => (index === at ? { ...row, [slot]: id } : row)));
}

/** Several variables fill a column downwards: the first open cells of the slot, then new rows. */
export function filledDown(
  field: MatchedField,
  value: unknown,
  slot: string,
  ids: readonly string[],
  from = 0,
): MatchedRow[] {
  const rows = readMatched(field, value);
  const waiting = ids.filter((id) => !rows.some((row) => row[slot] === id));
  for (let at = from; waiting.length > 0 && (field.max === null || at < field.max); at += 1) {
    if (at >= rows.length) rows.push(blank(field));
    const row = rows[at];
    if (row === undefined || row[slot] !== null) continue;
    rows[at] = { ...row, [slot]: waiting.shift() ?? null };
  }
  return trimmed(rows);
}

export function withoutRow(field: MatchedField, value: unknown, at: number): MatchedRow[] {
  return readMatched(field, value).filter((_, index) => index !== at);
}

export const cellKey = (field: string, at: number, slot: string): string => `${field}/${at}/${slot}`;

/** Slots for columns of another table are no boxes: those columns are not in the list of variables. */
const ownSlot = ({ table }: MatchedField['slots'][number]): boolean => table === null;

/** A row more than there are: what is dropped there begins it. */
export function matchedBoxes(field: MatchedField, value: unknown): Box[] {
  const rows = readMatched(field, value);
  const count = field.max === null ? rows.length + 1 : Math.min(rows.length + 1, field.max);
  return Array.from({ length: count }, (_, at) =>
    field.slots.filter(ownSlot).map((slot): Box => ({
      key: cellKey(field.key, at, slot.key),
      field: field.key,
      title: `第 ${at + 1} 行${slot.title}`,
      needs: {
        measure: slot.measure,
        levels: slot.levels,
        values: slot.values,
        ordered: slot.ordered,
        varies: slot.varies,
      },
      // The first cell takes what is dropped on it, those below it what more there is.
      many: true,
      min: at < field.min && slot.min > 0 ? 1 : 0,
      max: null,
      shared: slot.shared_with,
      badge: slot.title.slice(0, 1),
      read: (current) => {
        const id = readMatched(field, current)[at]?.[slot.key];
        return id === null || id === undefined ? [] : [id];
      },
      write: (current, ids) => {
        const before = readMatched(field, current)[at]?.[slot.key] ?? null;
        // A new one replaces the one that is there; more fill the cells below.
        const own = ids.find((id) => id !== before) ?? ids[0] ?? null;
        const more = ids.filter((id) => id !== own && id !== before);
        return filledDown(field, withCell(field, current, at, slot.key, own), slot.key, more, at + 1);
      },
    })),
  ).flat();
}

export function prunedMatched(field: MatchedField, value: unknown, has: (id: string) => boolean): unknown {
  const own = new Set(field.slots.filter(ownSlot).map(({ key }) => key));
  const stays = (slot: string, id: string | null): boolean => id !== null && (!own.has(slot) || has(id));
  return readMatched(field, value).map((row) =>
    Object.fromEntries(Object.entries(row).map(([slot, id]) => [slot, stays(slot, id) ? id : null])),
  );
}
