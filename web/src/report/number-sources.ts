/** In which table a number of a sentence stands: sentences and tables are made of the same unrounded numbers. */
import type { Report } from '@hengxi/contracts/contract';
import { keyOf } from '@hengxi/contracts/report/outline';

/** Only what has decimals: whole numbers meet by chance. */
export function numberSources(report: Report, numbers: ReadonlyMap<string, string>): ReadonlyMap<number, string> {
  const sources = new Map<number, string>();
  report.parts.forEach((part, p) => {
    for (const element of part.elements) {
      const source = numbers.get(keyOf(p, element.id));
      if (element.type !== 'table' || source === undefined) continue;
      const cells: unknown[] = element.rows.flat().concat(element.matrix?.layers.flatMap((l) => l.values.flat()) ?? []);
      for (const cell of cells)
        for (const x of Array.isArray(cell) ? cell : [cell])
          if (typeof x === 'number' && !Number.isInteger(x) && !sources.has(x)) sources.set(x, source);
    }
  });
  return sources;
}
