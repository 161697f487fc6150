/** Rows of the data as people name them, and as a condition that shows them alone. */

/** Rows behind one point that are named; the engine sends one more where there are others. */
export const POINT_ROWS = 100;

type Range = readonly [number, number];

/** `[3, 5, 6, 7]` → `[[3, 3], [5, 7]]`. */
export function rowRanges(rows: readonly number[]): Range[] {
  const ranges: [number, number][] = [];
  for (const row of [...new Set(rows)].toSorted((a, b) => a - b)) {
    const open = ranges.at(-1);
    if (open !== undefined && open[1] === row - 1) open[1] = row;
    else ranges.push([row, row]);
  }
  return ranges;
}

const written = ([from, to]: Range): string => (from === to ? `${from}` : `${from}–${to}`);

/** 第 3、5–7 行 */
export function rowsText(rows: readonly number[]): string {
  const shown = rows.slice(0, POINT_ROWS);
  return `第 ${rowRanges(shown).map(written).join('、')} 行${rows.length > POINT_ROWS ? '等' : ''}`;
}

/** In the formula grammar, of the rows that are named. */
export function rowsCondition(rows: readonly number[]): string {
  const ranges = rowRanges(rows.slice(0, POINT_ROWS));
  const single = ranges.filter(([from, to]) => from === to).map(([row]) => row);
  return [
    ...(single.length > 0 ? [`rownum() in (${single.join(', ')})`] : []),
    ...ranges.filter(([from, to]) => from < to).map(([from, to]) => `between(rownum(), ${from}, ${to})`),
  ].join(' or ');
}

const PART = /^(?:rownum\(\) in \((?<single>\d+(?:, \d+)*)\)|between\(rownum\(\), (?<from>\d+), (?<to>\d+)\))$/u;

/** The words of a condition of this form; null of any other. */
export function rowsConditionText(condition: string): string | null {
  const ranges: Range[] = [];
  for (const part of condition.split(' or ')) {
    const found = PART.exec(part)?.groups;
    if (found === undefined) return null;
    if (found['single'] === undefined) ranges.push([Number(found['from']), Number(found['to'])]);
    else for (const row of found['single'].split(', ')) ranges.push([Number(row), Number(row)]);
  }
  return `第 ${ranges
    .toSorted((a, b) => a[0] - b[0])
    .map(written)
    .join('、')} 行`;
}
