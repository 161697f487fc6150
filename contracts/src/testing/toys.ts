/** Reports of the engine's toy methods (engine/tests/toy), which use what no method of the product has used yet. */
import type { ChartElement, Element, Report, TableElement } from '../../generated/contract.ts';
import raw from './toy-reports.json' with { type: 'json' };

const REPORTS = raw as unknown as Record<'visualization/drawings' | 'solver/solving', Report>;

export const DRAWINGS: Report = REPORTS['visualization/drawings'];
export const SOLVING: Report = REPORTS['solver/solving'];

export function elementsOf(report: Report): Element[] {
  return report.parts.flatMap((part) => part.elements);
}

export function tablesOf(report: Report): ReadonlyMap<string, TableElement> {
  return new Map(elementsOf(report).flatMap((e) => (e.type === 'table' ? [[e.id, e] as const] : [])));
}

export function chartOf(report: Report, name: string): ChartElement {
  const found = elementsOf(report).find((e) => e.type === 'chart' && e.name === name);
  if (found?.type !== 'chart') throw new Error(`no chart ${name}`);
  return found;
}
