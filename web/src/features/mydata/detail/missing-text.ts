/** Missing codes as one writes them: 99, 98, -9~-1. */
import type { Missing } from '@hengxi/server/files/schema';

export function missingText({ values, ranges }: Missing): string {
  const parts = values.map(String);
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
export function readMissing(text: string, isNumber: boolean): Missing | { fault: string } {
  const found: Missing = { values: [], ranges: [] };
  const pieces = text
    .normalize('NFKC')
    .split(/[,、;\n]/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
  for (const piece of pieces) {
    if (!isNumber) {
      found.values.push(piece);
      continue;
    }
    const [low, high, more] = piece.split('~');
    if (high === undefined) {
      const value = Number(piece);
      if (!Number.isFinite(value)) return { fault: `“${piece}”不是数字` };
      found.values.push(value);
      continue;
    }
    const from = bound(low ?? '');
    const to = bound(high);
    if (more !== undefined || from === undefined || to === undefined)
      return { fault: `“${piece}”不是范围，例如 -9~-1` };
    if (from !== null && to !== null && from > to) return { fault: `“${piece}”的下限大于上限` };
    found.ranges.push({ low: from, high: to });
  }
  return found;
}
