/** Control charts: the run of values with centre line and limits; signals are marked by shape; panels stand above each other. */
import { num } from '../format.ts';
import type {
  CustomSeriesOption,
  GridComponentOption,
  LineSeriesOption,
  XAXisComponentOption,
  YAXisComponentOption,
} from 'echarts';

import { xValue, yLabelWidth, yValue } from './axes.ts';
import { casesOf, withCases } from './cases.ts';
import { type Context, type Drawing, type Series, textSize } from './drawing.ts';
import { clip, extent, niceScale, textWidth } from './scale.ts';
import type { ChartSource } from './source.ts';
import { FONT, seriesColour } from './theme.ts';

/** Between two panels: the labels of the upper axis and the name of the lower one. */
const GAP = 54;

const LINES = [
  ['ucl', 'UCL', [5, 4]],
  ['cl', 'CL', null],
  ['lcl', 'LCL', [5, 4]],
] as const;

function limits(source: ChartSource, context: Context, rows: readonly number[], panel: number): CustomSeriesOption {
  const size = textSize(context);
  return {
    type: 'custom',
    silent: true,
    xAxisIndex: panel,
    yAxisIndex: panel,
    clip: false,
    z: 1,
    data: LINES.map((_, k) => k),
    renderItem: (params, api) => {
      const [role, name, dash] = LINES[params.dataIndex] ?? LINES[1];
      // Limits may step with the size of the subgroups: each holds half a place to both sides.
      const points = rows.flatMap((i) => {
        const v = source.num(role, i);
        const at = source.num('index', i) ?? i + 1;
        return v === null ? [] : [api.coord([at - 0.5, v]), api.coord([at + 0.5, v])];
      });
      const [x = 0, y = 0] = points.at(-1) ?? [];
      const last = rows.map((i) => source.num(role, i)).findLast((v) => v !== null) ?? null;
      if (last === null) return null;
      return {
        type: 'group',
        children: [
          {
            type: 'polyline',
            shape: { points },
            style: {
              stroke: dash === null ? context.theme.ink2 : context.theme.ink3,
              lineWidth: 1.2,
              fill: 'none',
              ...(dash === null ? {} : { lineDash: [...dash] }),
            },
          },
          {
            type: 'text',
            x: x + 6,
            y: y - size / 2,
            style: {
              text: `${name} ${num(last)}`,
              fill: context.theme.ink2,
              font: `${size}px ${FONT}`,
              backgroundColor: context.theme.paper,
            },
          },
        ],
      };
    },
  };
}

function signalled(source: ChartSource, i: number): boolean {
  const v = source.has('signal') ? source.value('signal', i) : null;
  return v !== null && v !== undefined && v !== false && v !== 0 && v !== '';
}

/** A point is called by its subgroup; by its place too, where the subgroup has a name. */
function tip(source: ChartSource, i: number): string[] {
  const place = `${source.heading('index')} ${source.shown('index', i)}`;
  const label = source.has('label') ? source.text('label', i) : '';
  const named = label !== '' && label !== source.text('index', i);
  const value = source.has('panel') ? source.text('panel', i) : source.heading('value');
  return [
    named ? `${source.heading('label')} ${label}（${place}）` : place,
    `${value} ${source.shown('value', i)}`,
    ...((source.value('phase', i) ?? '') !== '' ? [`${source.heading('phase')} ${source.text('phase', i)}`] : []),
  ];
}

/** One line for each rule, in words. */
function rulesBroken(source: ChartSource, i: number): string[] {
  return source.value('signal', i) === true ? ['异常点'] : source.text('signal', i).split('；');
}

function values(source: ChartSource, context: Context, rows: readonly number[], panel: number): LineSeriesOption {
  const color = seriesColour(context.theme, 0);
  return {
    type: 'line',
    xAxisIndex: panel,
    yAxisIndex: panel,
    lineStyle: { color, width: 1.6 },
    itemStyle: { color },
    symbolSize: 6,
    symbol: 'circle',
    showSymbol: true,
    data: rows.map((i) => {
      const marked = signalled(source, i);
      return {
        value: [source.num('index', i) ?? i + 1, source.num('value', i)],
        row: source.row(i),
        tip: [...tip(source, i), ...(marked ? rulesBroken(source, i) : [])],
        ...withCases(casesOf(source, i)),
        ...(marked
          ? {
              signal: true,
              symbol: 'triangle',
              symbolSize: 11,
              itemStyle: { color: context.theme.name === 'grey' ? '#000000' : seriesColour(context.theme, 4) },
            }
          : {}),
      };
    }),
  };
}

/** The phases of a process, named above the first panel, with a line where one ends and the next begins. */
function phases(source: ChartSource, context: Context, rows: readonly number[], panel: number): CustomSeriesOption {
  const stretches: { name: string; from: number; to: number }[] = [];
  for (const i of rows) {
    const at = source.num('index', i) ?? i + 1;
    const name = source.text('phase', i);
    const open = stretches.at(-1);
    if (open?.name === name) open.to = at;
    else stretches.push({ name, from: at, to: at });
  }
  const size = textSize(context);
  return {
    type: 'custom',
    silent: true,
    xAxisIndex: panel,
    yAxisIndex: panel,
    clip: false,
    z: 1,
    data: stretches.map((_, k) => k),
    renderItem: (params, api) => {
      const stretch = stretches[params.dataIndex];
      if (stretch === undefined) return null;
      const area = params.coordSys as unknown as { y: number; height: number };
      const [left = 0] = api.coord([stretch.from - 0.5, 0]);
      const [right = 0] = api.coord([stretch.to + 0.5, 0]);
      const border = {
        type: 'line' as const,
        shape: { x1: left, x2: left, y1: area.y, y2: area.y + area.height },
        style: { stroke: context.theme.ink3, lineWidth: 1, lineDash: [2, 3] },
      };
      const name = {
        type: 'text' as const,
        x: (left + right) / 2,
        y: area.y - 6,
        style: {
          text: clip(stretch.name, right - left, size),
          fill: context.theme.ink2,
          font: `${size}px ${FONT}`,
          align: 'center' as const,
          verticalAlign: 'bottom' as const,
        },
      };
      return {
        type: 'group',
        children: [...(params.dataIndex > 0 ? [border] : []), ...(panel === 0 ? [name] : [])],
      };
    },
  };
}

/** Only what is there: a run chart has no limits, a stable process no signal. */
function readingOf(source: ChartSource): string {
  const rows = Array.from({ length: source.size }, (_, i) => i);
  const parts = [
    ...(rows.some((i) => signalled(source, i)) ? ['三角为异常点'] : []),
    rows.some((i) => source.num('ucl', i) !== null || source.num('lcl', i) !== null) ? '虚线为控制限' : '实线为中心线',
  ];
  return `${parts.join('，')}。`;
}

export function drawControl(source: ChartSource, context: Context): Drawing {
  const panels = source.has('panel') ? source.levels('panel') : [''];
  const each = context.compact ? 150 : 190;
  const right =
    Math.max(
      ...['cl', 'ucl', 'lcl'].flatMap((r) =>
        source.numbers(r).map((v) => (v === null ? 0 : textWidth(`UCL ${num(v)}`, textSize(context)))),
      ),
    ) + 14;
  const indices = source.numbers('index').map((v, i) => v ?? i + 1);
  const [first, last] = extent(indices);
  const x = niceScale(first, last, { steps: context.compact ? 4 : 8 });
  const xAxis: XAXisComponentOption[] = [];
  const yAxis: YAXisComponentOption[] = [];
  const grid: GridComponentOption[] = [];
  const series: Series[] = [];
  const rowsOf = panels.map((name) =>
    Array.from({ length: source.size }, (_, i) => i).filter(
      (i) => !source.has('panel') || source.text('panel', i) === name,
    ),
  );
  const scales = rowsOf.map((rows) =>
    niceScale(...extent(['value', 'cl', 'ucl', 'lcl'].flatMap((role) => rows.map((i) => source.num(role, i))))),
  );
  // One left edge for all panels, so that a point stands above the same point of the next.
  const left = Math.max(...scales.map((scale) => yLabelWidth(scale, context))) + 4;
  const isPhased = source.has('phase') && rowsOf.some((rows) => rows.some((i) => source.value('phase', i) !== null));
  panels.forEach((name, p) => {
    const rows = rowsOf[p] ?? [];
    const y = scales[p] ?? niceScale(0, 1);
    const end = p === panels.length - 1;
    grid.push({ left, right, top: 34 + p * (each + GAP), height: each });
    xAxis.push(
      xValue(
        {
          scale: {
            ...x,
            min: Math.min(0, first - 1),
            max: last + 1,
            step: Math.max(1, Math.round(x.step)),
            decimals: 0,
          },
          gridIndex: p,
          ...(end ? { name: source.heading('index') } : {}),
          format: (v) => (v >= first && v <= last ? String(v) : ''),
        },
        context,
      ),
    );
    yAxis.push(
      yValue({ scale: y, gridIndex: p, name: name === '' ? source.heading('value') : name, grid: false }, context),
    );
    series.push(limits(source, context, rows, p), values(source, context, rows, p));
    if (isPhased) series.push(phases(source, context, rows, p));
  });
  return {
    height: 34 + panels.length * (each + GAP) + 10,
    option: { grid, xAxis, yAxis, series },
    reading: readingOf(source),
  };
}
