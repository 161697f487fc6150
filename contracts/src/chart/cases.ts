/** The rows of the data behind the marks of a chart, and the marks that can be picked. */
import type { Drawing, Mark } from './drawing.ts';
import type { ChartSource } from './source.ts';

const numbersIn = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((one: unknown): one is number => typeof one === 'number') : [];

/** Row numbers from 1; nothing where the chart does not name them. */
export function casesOf(source: ChartSource, i: number): number[] {
  if (source.chart.kind === 'control') return source.has('rows') ? numbersIn(source.value('rows', i)) : [];
  if (source.chart.kind !== 'point' || !source.has('row')) return [];
  const row = source.value('row', i);
  return Array.isArray(row) ? numbersIn(row) : numbersIn([row]);
}

/** The rows behind each outlier of a box. */
export function casesOfOutliers(source: ChartSource, i: number): number[][] {
  const lists: unknown = source.has('rows') ? source.value('rows', i) : null;
  return Array.isArray(lists) ? lists.map(numbersIn) : [];
}

/** For a mark: nothing is written where there are no rows. */
export const withCases = (cases: number[]): Pick<Mark, 'cases'> => (cases.length === 0 ? {} : { cases });

export interface PlacedMark extends Mark {
  seriesIndex: number;
  dataIndex: number;
  /** Where it lies, in the units of its axes. */
  value: readonly number[];
}

/** What our kinds put beside a value; ECharts hands it back untyped. */
export function markOf(data: unknown): Mark {
  if (typeof data !== 'object' || data === null) return {};
  const row = 'row' in data && typeof data.row === 'number' ? data.row : undefined;
  const tip =
    'tip' in data && Array.isArray(data.tip)
      ? data.tip.filter((t: unknown): t is string => typeof t === 'string')
      : undefined;
  const cases = 'cases' in data ? numbersIn(data.cases) : [];
  return {
    ...(row === undefined ? {} : { row }),
    ...(tip === undefined ? {} : { tip }),
    ...withCases(cases),
    ...('signal' in data && data.signal === true ? { signal: true } : {}),
  };
}

/** All marks of a drawing, in the order they are drawn. */
export function marksOf(drawing: Drawing): PlacedMark[] {
  const { series } = drawing.option;
  const list = Array.isArray(series) ? series : series === undefined ? [] : [series];
  return list.flatMap((one, seriesIndex) => {
    const data: unknown = 'data' in one ? one.data : null;
    if (!Array.isArray(data)) return [];
    return data.map((item: unknown, dataIndex) => ({ ...markOf(item), seriesIndex, dataIndex, value: valueOf(item) }));
  });
}

function valueOf(item: unknown): number[] {
  return typeof item === 'object' && item !== null && 'value' in item ? numbersIn(item.value) : [];
}

/** Marks that lead somewhere: to rows, or (of a control chart) to the rule they break. */
export function pickable(drawing: Drawing, kind: string): PlacedMark[] {
  return marksOf(drawing).filter(
    ({ tip, cases, value }) => value.length > 1 && (cases !== undefined || (kind === 'control' && tip !== undefined)),
  );
}
