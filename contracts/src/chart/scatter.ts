/** Points: scatter, Q-Q, residuals, quadrants, biplots. Colour and marker by series; labels where asked or marked. */
import type { CustomSeriesOption, ScatterSeriesOption } from 'echarts';

import { labelStyle, xValue, yLabelWidth, yValue } from './axes.ts';
import { casesOf, withCases } from './cases.ts';
import { type Context, type Drawing, plotHeight, type Series, textSize } from './drawing.ts';
import { overlayExtent, overlays } from './overlays.ts';
import { extent, gradeStep, hugging, isGraded, limited, type Scale } from './scale.ts';
import type { ChartSource } from './source.ts';
import { drawSwarm } from './swarm.ts';
import { MARKERS, seriesColour } from './theme.ts';
import { POINT_ROWS } from '../report/row-ranges.ts';

function tip(source: ChartSource, i: number): string[] {
  const lines = [`${source.heading('x')} ${source.shown('x', i)}`, `${source.heading('y')} ${source.shown('y', i)}`];
  if (source.has('low') && source.has('high')) lines.push(`[${source.shown('low', i)}, ${source.shown('high', i)}]`);
  const name = source.has('label') ? source.text('label', i) : source.has('series') ? source.text('series', i) : '';
  return name === '' ? lines : [name, ...lines];
}

/** How points that would lie on each other are told apart. */
interface Overplotting {
  /** Of each row the number of cases at its place; 0 where another row stands for them. null: each case is a point. */
  counts: readonly number[] | null;
  /** The rows of the table drawn as one point, by the first of them. */
  together: ReadonlyMap<number, number[]>;
  /** Pixels a point may move to either side, across and along. */
  room: [number, number];
}

/** Scale items on both axes become circles by count; on one, their points are moved aside a little, always by the same steps. */
function separateOverlaps(
  source: ChartSource,
  x: Scale,
  y: Scale,
  box: { width: number; height: number },
): Overplotting {
  const known = (role: 'x' | 'y'): number[] => source.numbers(role).filter((v): v is number => v !== null);
  const [xs, ys] = [known('x'), known('y')];
  const taken = source.has('label') || source.has('size') || source.has('low');
  const [across, along] = taken ? [false, false] : [isGraded(xs), isGraded(ys)];
  const aside = (values: readonly number[], { min, max }: Scale, pixels: number): number =>
    Math.min(12, (gradeStep(values) / (max - min)) * pixels * 0.3);
  const places = across && along ? placesOf(source) : null;
  return {
    counts: places === null ? null : Array.from({ length: source.size }, (_, i) => places.get(i)?.length ?? 0),
    together: places ?? new Map(),
    room: [across && !along ? aside(xs, x, box.width) : 0, along && !across ? aside(ys, y, box.height) : 0],
  };
}

function placesOf(source: ChartSource): Map<number, number[]> {
  const first = new Map<string, number>();
  const places = new Map<number, number[]>();
  for (let i = 0; i < source.size; i += 1) {
    const place = [source.has('series') ? source.text('series', i) : '', source.num('x', i), source.num('y', i)].join(
      '|',
    );
    const at = first.get(place) ?? i;
    first.set(place, at);
    if (at === i) places.set(i, [i]);
    else places.get(at)?.push(i);
  }
  return places;
}

/** From −1 to 1, evenly spread however many there are. */
const spread = (i: number): number => 2 * ((i * 0.618034) % 1) - 1;

const APART_SAID = { counts: '圆越大，取值落在该处的个案越多。', aside: '取值相同的点左右或上下稍有错开，以免重叠。' };

function overplottingNote({ counts, room }: Overplotting): { reading?: string } {
  if (counts !== null) return { reading: APART_SAID.counts };
  return room.some((r) => r > 0) ? { reading: APART_SAID.aside } : {};
}

function points(
  source: ChartSource,
  context: Context,
  groups: readonly string[],
  { counts, together, room }: Overplotting,
): ScatterSeriesOption[] {
  const many = source.size > 400;
  const sizes = source.has('size') ? extent(source.numbers('size')) : null;
  const most = Math.max(1, ...(counts ?? []));
  return groups.map((name, g): ScatterSeriesOption => {
    const rows = Array.from({ length: source.size }, (_, i) => i).filter(
      (i) => (counts === null || counts[i] !== 0) && (!source.has('series') || source.text('series', i) === name),
    );
    const labelled = source.has('label') && rows.length <= 60;
    return {
      type: 'scatter',
      name,
      symbol: MARKERS[g % MARKERS.length] ?? 'circle',
      symbolSize: many ? 4.6 : context.compact ? 5 : 6,
      itemStyle: {
        color: seriesColour(context.theme, g),
        opacity: many ? context.theme.dot : Math.min(0.85, context.theme.dot + 0.2),
      },
      emphasis: { itemStyle: { opacity: 1, borderColor: context.theme.ink, borderWidth: 1.5 } },
      data: rows.map((i) => ({
        value: [source.num('x', i), source.num('y', i)],
        name: source.has('label') ? source.text('label', i) : '',
        row: source.row(i),
        ...withCases((together.get(i) ?? [i]).flatMap((at) => casesOf(source, at)).slice(0, POINT_ROWS + 1)),
        tip: counts === null ? tip(source, i) : [...tip(source, i), `n = ${counts[i] ?? 0}`],
        ...(counts === null ? {} : { symbolSize: bubble(counts[i] ?? 0, [0, most]) }),
        ...(room.some((r) => r > 0) ? { symbolOffset: room.map((r) => r * spread(i)) } : {}),
        ...(sizes === null ? {} : { symbolSize: bubble(source.num('size', i), sizes) }),
      })),
      label: {
        show: labelled,
        position: 'top',
        fontSize: textSize(context) - 1,
        color: context.theme.ink2,
        formatter: ({ name: text }: { name: string }) => text,
      },
      labelLayout: { hideOverlap: true },
    };
  });
}

/** Upright lines through the points that have an interval. */
function intervals(source: ChartSource, context: Context): CustomSeriesOption {
  return {
    type: 'custom',
    silent: true,
    z: 1,
    data: Array.from({ length: source.size }, (_, i) => [
      source.num('x', i) ?? Number.NaN,
      source.num('low', i) ?? Number.NaN,
      source.num('high', i) ?? Number.NaN,
    ]),
    renderItem: (_, api) => {
      const [x = 0, low = 0] = api.coord([api.value(0), api.value(1)]);
      const [, high = 0] = api.coord([api.value(0), api.value(2)]);
      return {
        type: 'line',
        shape: { x1: x, x2: x, y1: low, y2: high },
        style: { stroke: context.theme.ink3, lineWidth: 1.2 },
      };
    },
  };
}

/** Area, not width, tells the size. */
function bubble(value: number | null, [low, high]: [number, number]): number {
  const share = value === null || high === low ? 0.3 : (value - Math.min(0, low)) / (high - Math.min(0, low));
  return 5 + 22 * Math.sqrt(Math.max(0, share));
}

export function drawScatter(source: ChartSource, context: Context): Drawing {
  if (source.numbers('y').every((y) => y === null)) return drawSwarm(source, context);
  const groups = source.has('series') ? source.levels('series') : [''];
  const x = limited(
    hugging(
      ...(source.shared('x') ?? extent([...source.numbers('x'), ...overlayExtent(source, 'x')])),
      context.compact ? 4 : 5,
    ),
    context.limits?.x,
  );
  const y = limited(
    hugging(
      ...(source.shared('y') ??
        extent([
          ...source.numbers('y'),
          ...source.numbers('low'),
          ...source.numbers('high'),
          ...overlayExtent(source, 'y'),
        ])),
    ),
    context.limits?.y,
  );
  const left = yLabelWidth(y, context);
  const height = plotHeight(context, 186, 256);
  const overplotting = separateOverlaps(source, x, y, { width: context.width - left - 18, height });
  const series: Series[] = [
    ...(source.has('low') && source.has('high') ? [intervals(source, context)] : []),
    ...points(source, context, groups, overplotting),
    ...overlays(source, context),
  ];
  return {
    height: 84 + height,
    option: {
      grid: { left, right: 18, top: 34, bottom: 50 },
      xAxis: xValue({ scale: x, name: source.heading('x') }, context),
      yAxis: yValue({ scale: y, name: source.heading('y') }, context),
      series,
      textStyle: labelStyle(context),
    },
    ...overplottingNote(overplotting),
    ...(groups.length > 1 ? { legend: groups.map((text, index) => ({ text, index, dot: true })) } : {}),
  };
}
