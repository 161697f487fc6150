/** Streams between stages (Sankey). Where the same names stand before and after (低 → 低, 低 → 高), they are two columns. */
import type { SankeySeriesOption } from 'echarts';

import { labelStyle } from './axes.ts';
import type { Context, Drawing } from './drawing.ts';
import type { ChartSource } from './source.ts';
import { seriesColour } from './theme.ts';

interface Node {
  id: string;
  label: string;
}

/** Does following the streams lead back to where they began? A Sankey cannot be laid out then. */
function isCircular(links: readonly (readonly [string, string])[]): boolean {
  const after = new Map<string, string[]>();
  for (const [from, to] of links) after.set(from, [...(after.get(from) ?? []), to]);
  const state = new Map<string, 'open' | 'done'>();
  const leadsBack = (name: string): boolean => {
    if (state.get(name) === 'open') return true;
    if (state.get(name) === 'done') return false;
    state.set(name, 'open');
    const isBack = (after.get(name) ?? []).some(leadsBack);
    state.set(name, 'done');
    return isBack;
  };
  return [...after.keys()].some(leadsBack);
}

function nodesOf(source: ChartSource, isTwoColumns: boolean): Node[] {
  const [before, after] = [source.levels('source'), source.levels('target')];
  return isTwoColumns
    ? [
        ...before.map((label) => ({ id: `source:${label}`, label })),
        ...after.map((label) => ({ id: `target:${label}`, label })),
      ]
    : [...new Set([...before, ...after])].map((label) => ({ id: label, label }));
}

export function drawFlow(source: ChartSource, context: Context): Drawing {
  const ends = Array.from({ length: source.size }, (_, i): [string, string] => [
    source.text('source', i),
    source.text('target', i),
  ]);
  const isTwoColumns = isCircular(ends);
  const nodes = nodesOf(source, isTwoColumns);
  const labels = [...new Set(nodes.map(({ label }) => label))];
  const series: SankeySeriesOption = {
    type: 'sankey',
    left: 4,
    right: context.compact ? 70 : 110,
    top: 8,
    bottom: 8,
    nodeWidth: 12,
    nodeGap: 12,
    // Two columns of the same names are compared: both keep the order of the table.
    ...(isTwoColumns ? { layoutIterations: 0 } : {}),
    draggable: false,
    emphasis: { focus: 'adjacency' },
    lineStyle: { color: 'source', opacity: 0.3, curveness: 0.5 },
    label: {
      ...labelStyle(context),
      color: context.theme.ink,
      overflow: 'truncate',
      width: context.compact ? 64 : 104,
    },
    data: nodes.map(({ id, label }) => ({
      name: id,
      tip: [label],
      label: { formatter: () => label },
      itemStyle: { color: seriesColour(context.theme, labels.indexOf(label)) },
    })),
    links: ends.map(([from, to], i) => ({
      source: isTwoColumns ? `source:${from}` : from,
      target: isTwoColumns ? `target:${to}` : to,
      value: source.num('value', i) ?? 0,
      row: source.row(i),
      tip: [`${from} → ${to}`, `${source.heading('value')} ${source.shown('value', i)}`],
    })),
  };
  return { height: Math.max(260, nodes.length * 26), option: { series: [series] } };
}
