/** Bars: single, grouped, with a second axis (Pareto), with error lines, floating from `start` to y (waterfall, Gantt, stacked by the engine). */
import { percent } from '../format.ts';
import type { CustomSeriesOption } from 'echarts';

import { labelStyle, labelsWidth, tickText, xCategory, xValue, yCategory, yLabelWidth, yValue } from './axes.ts';
import { type Context, type Drawing, plotHeight, type Series, textSize } from './drawing.ts';
import { overlayExtent, overlays } from './overlays.ts';
import { extent, limited, niceScale, type Scale, textWidth } from './scale.ts';
import type { ChartSource } from './source.ts';
import { DASHES, fill, firstFill, hatchOf, MARKERS, onFill, seriesColour } from './theme.ts';

interface Bars {
  labels: string[];
  groups: string[];
  stacked: boolean;
  /** Row of a label in a group. */
  at: (label: number, group: number) => number | null;
  /** Height drawn: the value, or in a full stack its part of the whole. */
  height: (i: number) => number | null;
}

function bars(source: ChartSource): Bars {
  const labels = source.levels('x');
  const groups = source.has('series') ? source.levels('series') : [''];
  const rows = new Map<string, number>();
  for (let i = 0; i < source.size; i += 1) {
    rows.set(
      `${labels.indexOf(source.text('x', i))}/${source.has('series') ? groups.indexOf(source.text('series', i)) : 0}`,
      i,
    );
  }
  const at = (label: number, group: number): number | null => rows.get(`${label}/${group}`) ?? null;
  const arrange = source.chart.kind === 'bar' ? source.chart.arrange : 'grouped';
  const value = (i: number | null): number => (i === null ? 0 : (source.num('y', i) ?? 0));
  const whole = labels.map((_, l) => groups.reduce((sum, __, g) => sum + value(at(l, g)), 0));
  const height = (i: number): number | null => {
    const y = source.num('y', i);
    const sum = whole[labels.indexOf(source.text('x', i))] ?? 0;
    return arrange !== 'full' || y === null ? y : sum === 0 ? 0 : y / sum;
  };
  return { labels, groups, stacked: arrange !== 'grouped' && groups.length > 1, at, height };
}

/** What the bars reach: stacks by their sums, signs apart, as they are piled. */
function reach(source: ChartSource, model: Bars): [number, number] {
  if (!model.stacked) {
    return (
      source.shared('y', 'start', 'low', 'high') ??
      extent([
        ...['y', 'start', 'low', 'high'].flatMap((role) => (source.has(role) ? source.numbers(role) : [])),
        ...overlayExtent(source, 'y'),
      ])
    );
  }
  const pile = (sign: number): number[] =>
    model.labels.map((_, l) =>
      model.groups.reduce((sum, __, g) => {
        const i = model.at(l, g);
        const y = i === null ? 0 : (model.height(i) ?? 0);
        return y * sign > 0 ? sum + y : sum;
      }, 0),
    );
  return extent([...pile(1), ...pile(-1)]);
}

function tip(source: ChartSource, i: number): string[] {
  const lines = [source.text('x', i), `${source.heading('y')} ${source.shown('y', i)}`];
  if (source.has('series')) lines[0] = `${lines[0]} · ${source.text('series', i)}`;
  if (source.has('start')) lines.push(`${source.heading('start')} ${source.shown('start', i)}`);
  if (source.has('low')) lines.push(`[${source.shown('low', i)}, ${source.shown('high', i)}]`);
  if (source.has('second')) lines.push(`${source.heading('second')} ${source.shown('second', i)}`);
  return lines;
}

function lies(model: Bars, context: Context, source: ChartSource): boolean {
  if (source.has('second')) return false;
  const longest = Math.max(...model.labels.map((l) => textWidth(l)));
  const each = (context.width - 60) / model.labels.length;
  return model.labels.length > 12 || (longest > each * 2 && longest > 72);
}

export function drawBar(source: ChartSource, context: Context): Drawing {
  const model = bars(source);
  const scale = limited(niceScale(...reach(source, model), { zero: true }), context.limits?.y, true);
  return lies(model, context, source) ? lying(source, context, model, scale) : standing(source, context, model, scale);
}

/** Whether a number finds room inside its part of a stack. */
type Fits = (height: number, text: string) => boolean;

function series(source: ChartSource, context: Context, model: Bars, horizontal: boolean, room: Fits): Series[] {
  const few = model.labels.length * model.groups.length <= (context.compact ? 8 : 16);
  return model.groups.map((name, g): Series => ({
    type: 'bar',
    name,
    barMaxWidth: 46,
    barCategoryGap: model.groups.length > 1 ? '28%' : '42%',
    barGap: '8%',
    itemStyle: fill(context.theme, g + firstFill(context.theme, model.groups.length)),
    emphasis: { itemStyle: { color: seriesColour(context.theme, g) } },
    data: model.labels.map((_, l) => {
      const i = model.at(l, g);
      if (i === null) return { value: null };
      const height = model.height(i);
      const tight = model.stacked && !room(Math.abs(height ?? 0), source.shown('y', i));
      return {
        value: height,
        row: source.row(i),
        tip: tip(source, i),
        ...(tight ? { label: { show: false } } : {}),
      };
    }),
    ...(model.stacked ? { stack: 'all', labelLayout: { hideOverlap: true } } : {}),
    label: {
      show: few && !source.has('low'),
      position: model.stacked ? 'inside' : horizontal ? 'right' : 'top',
      ...labelStyle(context),
      ...(model.stacked ? { color: onFill(context.theme, seriesColour(context.theme, g)) } : {}),
      formatter: ({ dataIndex }: { dataIndex: number }) => {
        const i = model.at(dataIndex, g);
        return i === null ? '' : source.shown('y', i);
      },
    },
  }));
}

/** A bar from `start` to y, for waterfalls, spans and stacks computed by the engine. */
function floating(source: ChartSource, context: Context, model: Bars, horizontal: boolean): CustomSeriesOption {
  return {
    type: 'custom',
    encode: horizontal ? { x: [1, 2], y: 0 } : { x: 0, y: [1, 2] },
    data: Array.from({ length: source.size }, (_, i) => ({
      value: [
        model.labels.indexOf(source.text('x', i)),
        source.num('start', i) ?? 0,
        source.num('y', i) ?? 0,
        source.has('series') ? model.groups.indexOf(source.text('series', i)) : 0,
      ],
      row: source.row(i),
      tip: tip(source, i),
    })),
    renderItem: (_, api) => {
      const at = Number(api.value(0));
      const a = api.coord(horizontal ? [api.value(1), at] : [at, api.value(1)]);
      const b = api.coord(horizontal ? [api.value(2), at] : [at, api.value(2)]);
      const step = api.size?.([1, 1]);
      const across = Math.min(34, (Array.isArray(step) ? (step[horizontal ? 1 : 0] ?? 40) : 40) * 0.6);
      const [ax = 0, ay = 0] = a;
      const [bx = 0, by = 0] = b;
      const paint = fill(context.theme, Number(api.value(3)));
      const shape = horizontal
        ? { x: Math.min(ax, bx), y: ay - across / 2, width: Math.max(1, Math.abs(bx - ax)), height: across }
        : { x: ax - across / 2, y: Math.min(ay, by), width: across, height: Math.max(1, Math.abs(by - ay)) };
      return {
        type: 'rect',
        shape,
        style: {
          fill: paint.color,
          stroke: paint.borderColor ?? 'none',
          lineWidth: paint.borderWidth ?? 0,
          ...hatchOf(paint),
        },
      };
    },
  };
}

function errors(source: ChartSource, context: Context, model: Bars, horizontal: boolean): CustomSeriesOption {
  return {
    type: 'custom',
    silent: true,
    z: 5,
    data: Array.from({ length: source.size }, (_, i) => [
      model.labels.indexOf(source.text('x', i)),
      source.num('low', i) ?? Number.NaN,
      source.num('high', i) ?? Number.NaN,
      source.has('series') ? model.groups.indexOf(source.text('series', i)) : 0,
    ]),
    renderItem: (_, api) => {
      const at = Number(api.value(0));
      const step = api.size?.([1, 1]);
      const across = Array.isArray(step) ? (step[horizontal ? 1 : 0] ?? 40) : 40;
      const groups = model.groups.length;
      const shift =
        groups === 1 ? 0 : (Number(api.value(3)) - (groups - 1) / 2) * Math.min(46 * 1.08, (across * 0.72) / groups);
      const [ax = 0, ay = 0] = api.coord(horizontal ? [api.value(1), at] : [at, api.value(1)]);
      const [bx = 0, by = 0] = api.coord(horizontal ? [api.value(2), at] : [at, api.value(2)]);
      const shape = horizontal
        ? { x1: ax, x2: bx, y1: ay + shift, y2: by + shift }
        : { x1: ax + shift, x2: bx + shift, y1: ay, y2: by };
      return { type: 'line', shape, style: { stroke: context.theme.ink, lineWidth: 2 } };
    },
  };
}

function body(source: ChartSource, context: Context, model: Bars, horizontal: boolean, room: Fits): Series[] {
  const main = source.has('start')
    ? [floating(source, context, model, horizontal)]
    : series(source, context, model, horizontal, room);
  return [...main, ...(source.has('low') && source.has('high') ? [errors(source, context, model, horizontal)] : [])];
}

function legend(model: Bars): Pick<Drawing, 'legend'> {
  return model.groups.length > 1 ? { legend: model.groups.map((text, index) => ({ text, index })) } : {};
}

function standing(source: ChartSource, context: Context, model: Bars, scale: Scale): Drawing {
  const left = yLabelWidth(scale, context);
  const second = source.has('second') ? secondScale(source) : null;
  const right = second === null ? 8 : 46;
  const { axis, height } = xCategory(model.labels, context.width - left - right, context, 0, source.heading('x'));
  const plot = plotHeight(context, 200, 250);
  const named = source.heading('y');
  const each = plot / (scale.max - scale.min);
  const all = body(source, context, model, false, (height) => height * each > textSize(context) + 2);
  if (second !== null) all.push(secondLine(source, context, model));
  return {
    height: plot + height + 40,
    option: {
      grid: { left, right, top: 32, bottom: height + 6 },
      xAxis: axis,
      yAxis: [
        yValue({ scale, name: named, ...share(source) }, context),
        ...(second === null
          ? []
          : [
              yValue(
                {
                  scale: second.scale,
                  position: 'right',
                  grid: false,
                  name: source.heading('second'),
                  format: second.format,
                },
                context,
              ),
            ]),
      ],
      series: [...all, ...overlays(source, context)],
    },
    ...legend(model),
  };
}

/** A full stack is read in percent. */
function share(source: ChartSource): { format?: (v: number) => string } {
  return source.chart.kind === 'bar' && source.chart.arrange === 'full' ? { format: (v) => percent(v) } : {};
}

function secondScale(source: ChartSource): { scale: Scale; format: (v: number) => string } {
  const [low, high] = extent(source.numbers('second'));
  const share = source.shown('second', 0).includes('%');
  const scale = share ? { min: 0, max: 1, step: 0.25, decimals: 2 } : niceScale(low, high, { zero: true });
  return { scale, format: share ? (v) => percent(v) : (v) => tickText(scale, v) };
}

function secondLine(source: ChartSource, context: Context, model: Bars): Series {
  return {
    type: 'line',
    name: source.heading('second'),
    yAxisIndex: 1,
    symbol: MARKERS[1],
    symbolSize: 8,
    lineStyle: { color: seriesColour(context.theme, 1), width: 2, type: DASHES[1] ?? 'solid' },
    itemStyle: { color: seriesColour(context.theme, 1) },
    z: 4,
    data: model.labels.map((_, l) => {
      const i = model.at(l, 0);
      return i === null ? { value: null } : { value: source.num('second', i), row: source.row(i), tip: tip(source, i) };
    }),
  };
}

/** Lines at a value of the bars run the other way where the bars lie. */
function lain(source: ChartSource): ChartSource {
  const over = source.over.map(({ overlay, of }) =>
    overlay.type === 'reference' ? { overlay: { ...overlay, x: overlay.y, y: overlay.x }, of } : { overlay, of },
  );
  return { ...source, over };
}

function lying(source: ChartSource, context: Context, model: Bars, scale: Scale): Drawing {
  const left = labelsWidth(model.labels, context, context.width * 0.42);
  const thick = model.groups.length > 1 ? 16 * model.groups.length + 12 : context.compact ? 26 : 28;
  const bottom = 44;
  const top = 8;
  const longest = Math.max(
    ...Array.from({ length: source.size }, (_, i) => textWidth(source.shown('y', i), textSize(context))),
  );
  const right = longest + 14;
  const each = (context.width - left - right) / (scale.max - scale.min);
  const room: Fits = (height, text) => height * each > textWidth(text, textSize(context)) + 2;
  return {
    height: top + bottom + model.labels.length * thick,
    option: {
      grid: { left, right, top, bottom },
      yAxis: yCategory(model.labels, left, context),
      xAxis: { ...xValue({ scale, name: source.heading('y'), grid: true, base: false, ...share(source) }, context) },
      series: [...body(source, context, model, true, room), ...overlays(lain(source), context)],
    },
    ...legend(model),
  };
}
