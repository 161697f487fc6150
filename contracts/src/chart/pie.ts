/** Parts of a whole: ring or pie up to five parts, more of them as bars; treemap and sunburst for parts of parts. */
import { percent } from '../format.ts';
import type { PieSeriesOption, SunburstSeriesOption, TreemapSeriesOption } from 'echarts';

import { labelStyle, labelsWidth, xValue, yCategory } from './axes.ts';
import { type Context, type Drawing, textSize } from './drawing.ts';
import { niceScale, textWidth } from './scale.ts';
import type { ChartSource } from './source.ts';
import { fill, onFill, seriesColour } from './theme.ts';

const PARTS_MOST = 5;

interface Part {
  name: string;
  path: string[];
  value: number;
  share: number;
  row: number;
  tip: string[];
}

function partsOf(source: ChartSource): Part[] {
  const total = source.numbers('value').reduce<number>((sum, v) => sum + Math.max(0, v ?? 0), 0);
  return Array.from({ length: source.size }, (_, i) => {
    const value = Math.max(0, source.num('value', i) ?? 0);
    const path = source.text('path', i).split(/\s*\/\s*|\s*›\s*/);
    const share = total > 0 ? value / total : 0;
    return {
      name: path.at(-1) ?? '',
      path,
      value,
      share,
      row: source.row(i),
      tip: [path.join(' › '), `${source.heading('value')} ${source.shown('value', i)}`, `占比 ${percent(share, 1)}`],
    };
  });
}

export function drawPie(source: ChartSource, context: Context): Drawing {
  const parts = partsOf(source);
  const draw = source.chart.kind === 'share' ? source.chart.draw : 'pie';
  if (draw === 'treemap') return treemap(parts, context);
  if (draw === 'sunburst') return sunburst(parts, context);
  return parts.length > PARTS_MOST ? asBars(source, parts, context) : pie(parts, context, draw === 'ring');
}

function pie(parts: readonly Part[], context: Context, ring: boolean): Drawing {
  const series: PieSeriesOption = {
    type: 'pie',
    radius: ring ? ['42%', '68%'] : ['0%', '68%'],
    startAngle: 90,
    clockwise: true,
    avoidLabelOverlap: true,
    itemStyle: { borderColor: context.theme.paper, borderWidth: 2 },
    labelLine: { length: 10, length2: 8, lineStyle: { color: context.theme.ink3 } },
    label: {
      ...labelStyle(context),
      color: context.theme.ink,
      lineHeight: 18,
      formatter: ({ dataIndex }: { dataIndex: number }) =>
        `${parts[dataIndex]?.name ?? ''}\n${percent(parts[dataIndex]?.share ?? 0, 1)}`,
    },
    data: parts.map((p, i) => ({
      name: p.name,
      value: p.value,
      row: p.row,
      tip: p.tip,
      itemStyle: {
        ...fill(context.theme, i),
        borderColor: context.theme.name === 'light' && (i === 3 || i === 5) ? context.theme.ink : context.theme.paper,
      },
    })),
  };
  return { height: context.compact ? 260 : 320, option: { series: [series] } };
}

/** More than five parts cannot be compared as angles. */
function asBars(source: ChartSource, parts: readonly Part[], context: Context): Drawing {
  const labels = parts.map((p) => p.name);
  const left = labelsWidth(labels, context, context.width * 0.4);
  return {
    height: 8 + parts.length * 28 + 44,
    option: {
      grid: { left, right: textWidth('100.0%', textSize(context)) + 16, top: 8, bottom: 44 },
      yAxis: yCategory(labels, left, context),
      xAxis: xValue(
        {
          scale: niceScale(0, Math.max(...parts.map((p) => p.share)), { zero: true }),
          grid: true,
          base: false,
          format: (v) => percent(v),
          name: source.heading('value'),
        },
        context,
      ),
      series: [
        {
          type: 'bar',
          barMaxWidth: 20,
          itemStyle: { color: seriesColour(context.theme, 0) },
          label: {
            show: true,
            position: 'right',
            ...labelStyle(context),
            formatter: ({ dataIndex }: { dataIndex: number }) => percent(parts[dataIndex]?.share ?? 0, 1),
          },
          data: parts.map((p) => ({ value: p.share, row: p.row, tip: p.tip })),
        },
      ],
    },
    reading: '部分多于 5 个，改画为条形。',
  };
}

interface Node {
  name: string;
  value?: number;
  tip?: string[];
  children?: Node[];
  itemStyle?: { color: string };
}

/** Paths 甲 / 乙 become branches; a branch has the value of its leaves. */
function branches(parts: readonly Part[], context: Context): Node[] {
  const roots: Node[] = [];
  for (const part of parts) {
    let level = roots;
    part.path.forEach((name, depth) => {
      let node = level.find((n) => n.name === name);
      if (node === undefined) {
        node = depth === 0 ? { name, itemStyle: { color: seriesColour(context.theme, roots.length) } } : { name };
        level.push(node);
      }
      if (depth === part.path.length - 1) Object.assign(node, { value: part.value, tip: part.tip });
      else level = node.children ??= [];
    });
  }
  return roots;
}

function treemap(parts: readonly Part[], context: Context): Drawing {
  const nodes = branches(parts, context);
  const series: TreemapSeriesOption = {
    type: 'treemap',
    roam: false,
    nodeClick: false,
    breadcrumb: { show: false },
    left: 0,
    right: 0,
    top: 4,
    bottom: 4,
    itemStyle: { borderColor: context.theme.paper, borderWidth: 1, gapWidth: 1 },
    label: { fontSize: textSize(context), color: '#FFFFFF' },
    data: nodes.map((n, i) => ({ ...n, label: { color: onFill(context.theme, seriesColour(context.theme, i)) } })),
  };
  return { height: context.compact ? 280 : 360, option: { series: [series] } };
}

function sunburst(parts: readonly Part[], context: Context): Drawing {
  const series: SunburstSeriesOption = {
    type: 'sunburst',
    radius: ['14%', '92%'],
    nodeClick: false,
    sort: undefined,
    itemStyle: { borderColor: context.theme.paper, borderWidth: 1.5 },
    label: { fontSize: textSize(context) - 1, minAngle: 12, overflow: 'truncate' },
    data: branches(parts, context),
  };
  return { height: context.compact ? 320 : 420, option: { series: [series] } };
}
