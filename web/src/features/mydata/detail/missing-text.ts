/** Missing codes as one writes them: 99, 98, -9~-1, and .a of Stata by its letter. */
import type { Column, Missing } from '@hengxi/server/files/schema';

import { specialLetter } from './grid/cell-text.ts';

type Named = Pick<Column, 'missing_labels'>;

export function missingText({ values, ranges }: Missing, { missing_labels: named }: Named = {}): string {
  const letterOf = (code: unknown) => specialLetter(named?.find(({ value }) => value === code)?.label ?? '');
  const parts = values.map((value) => letterOf(value) ?? String(value));
  for (const { low, high } of ranges) parts.push(`${low ?? '最小'}~${high ?? '最大'}`);
  return parts.join(', ');
}

const END: Record<string, null> = { 最小: null, 最大: null, '': null };

function bound(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed in END) return null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : undefined;
}

/** The codes, or what is wrong with the text. In a text column every piece is taken as it stands. */
export function readMissing(text: string, isNumber: boolean, named: Named = {}): Missing | { fault: string } {
  const missing: Missing = { values: [], ranges: [] };
  const pieces = text
    .normalize('NFKC')
    .split(/[,、;\n]/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
  for (const piece of pieces) {
    if (!isNumber) {
      missing.values.push(piece);
      continue;
    }
    const special = named.missing_labels?.find(({ label }) => specialLetter(label) === piece);
    if (special) {
      missing.values.push(special.value);
      continue;
    }
    const [low, high, more] = piece.split('~');
    if (high === undefined) {
      const value = Number(piece);
      if (!Number.isFinite(value)) return { fault: `“${piece}”不是数字` };
      missing.values.push(value);
      continue;
    }
    const from = bound(low ?? '');
    const to = bound(high);
    if (more !== undefined || from === undefined || to === undefined)
      return { fault: `“${piece}”不是范围，例如 -9~-1` };
    if (from !== null && to !== null && from > to) return { fault: `“${piece}”的下限大于上限` };
    missing.ranges.push({ low: from, high: to });
  }
  return missing;
}
