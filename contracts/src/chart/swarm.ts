/** Points along rows of names, none covering another: a beeswarm. Colour runs from low to high where a shade is given. */
import type { CustomSeriesOption, ScatterSeriesOption } from 'echarts';

import { labelsWidth, xValue, yCategory } from './axes.ts';
import { casesOf, withCases } from './cases.ts';
import { type Context, type Drawing, type Series, textSize } from './drawing.ts';
import { boxOf, overlays } from './overlays.ts';
import { extent, hugging, limited, type Scale, swarm, textWidth } from './scale.ts';
import type { ChartSource } from './source.ts';
import { type ChartTheme, FONT, MARKERS, ramp, seriesColour } from './theme.ts';

const ROW = 46;
const RADIUS = 2.2;
const KEY = 26;
const BAR = 84;

/** Low and high stand apart in hue and in lightness, against either paper. */
function shades({ series, paper, name }: ChartTheme): readonly string[] {
  const [low = '#25509A', high = '#CC822F'] = series;
  return name === 'grey' ? ['#C9C9C9', '#000000'] : [low, mixed(low, high, paper), high];
}

/** The middle is paler than both ends. */
function mixed(low: string, high: string, paper: string): string {
  const [a, b] = [ramp([low, high], 0.5), paper];
  const [r = 0, g = 0, blue = 0] = (a.match(/\d+/g) ?? []).map(Number);
  const white = [1, 3, 5].map((i) => Number.parseInt(b.slice(i, i + 2), 16));
  return `#${[r, g, blue].map((v, i) => hex(v * 0.65 + (white[i] ?? 255) * 0.35)).join('')}`;
}

function hex(value: number): string {
  return Math.round(value).toString(16).padStart(2, '0');
}

export function drawSwarm(source: ChartSource, context: Context): Drawing {
  const names = source.levels('y');
  const groups = source.has('series') ? source.levels('series') : [''];
  const scale = limited(
    hugging(...(source.shared('x') ?? extent(source.numbers('x'))), context.compact ? 3 : 5),
    context.limits?.x,
  );
  const left = labelsWidth(names, context, context.width * 0.38);
  const row = ROW * (context.stretch ?? 1);
  const width = context.width - left - 18;
  const colours = shades(context.theme);
  const keyed = source.has('shade');
  const data = names.flatMap((name, n) =>
    placed(source, name, { scale, width, half: row * 0.42 }).map(({ i, offset }) => {
      const g = source.has('series') ? groups.indexOf(source.text('series', i)) : 0;
      return {
        value: [source.num('x', i), n],
        row: source.row(i),
        ...withCases(casesOf(source, i)),
        symbol: MARKERS[g % MARKERS.length] ?? 'circle',
        symbolOffset: [0, offset],
        itemStyle: {
          color: keyed ? ramp(colours, source.num('shade', i) ?? 0.5) : seriesColour(context.theme, g),
        },
        tip: [name, `${source.heading('x')} ${source.shown('x', i)}`],
      };
    }),
  );
  const points: ScatterSeriesOption = {
    type: 'scatter',
    symbolSize: RADIUS * 2,
    itemStyle: { opacity: 0.85 },
    emphasis: { itemStyle: { opacity: 1, borderColor: context.theme.ink, borderWidth: 1.5 } },
    data,
  };
  const series: Series[] = [
    zero(context),
    points,
    ...(keyed ? [key(source.heading('shade'), colours, left, context)] : []),
    ...overlays(source, context),
  ];
  return {
    height: names.length * row + 56 + (keyed ? KEY : 0),
    option: {
      grid: { left, right: 18, top: 8 + (keyed ? KEY : 0), bottom: 48 },
      xAxis: xValue({ scale, name: source.heading('x'), grid: true }, context),
      yAxis: yCategory(names, left, context, 0, row),
      series,
    },
    ...(groups.length > 1 && !keyed ? { legend: groups.map((text, index) => ({ text, index, dot: true })) } : {}),
  };
}

interface Room {
  scale: Scale;
  width: number;
  half: number;
}

/** The points of one name, each moved up or down until it touches no other. */
function placed(source: ChartSource, name: string, { scale, width, half }: Room): { i: number; offset: number }[] {
  const rows = Array.from({ length: source.size }, (_, i) => i).filter(
    (i) => source.text('y', i) === name && source.num('x', i) !== null,
  );
  const span = scale.max - scale.min;
  const at = rows.map((i) => (((source.num('x', i) ?? 0) - scale.min) / span) * width);
  return swarm(at, RADIUS, half).map((offset, k) => ({ i: rows[k] ?? 0, offset }));
}

/** Nothing is pushed to either side at zero. */
function zero(context: Context): CustomSeriesOption {
  return {
    type: 'custom',
    silent: true,
    z: 1,
    data: [0],
    renderItem: (params, api) => {
      const { y, height } = boxOf(params);
      const [x = 0] = api.coord([0, 0]);
      return {
        type: 'line',
        shape: { x1: x, x2: x, y1: y, y2: y + height },
        style: { stroke: context.theme.ink3, lineWidth: 1 },
      };
    },
  };
}

/** A strip of the colours above the picture, with what its ends mean. */
function key(title: string, colours: readonly string[], left: number, context: Context): CustomSeriesOption {
  const size = textSize(context);
  const letters = { fill: context.theme.ink2, font: `${size}px ${FONT}` };
  const low = `${title}：低`;
  const start = textWidth(low, size) + 8;
  const steps = 24;
  return {
    type: 'custom',
    silent: true,
    clip: false,
    data: [0],
    renderItem: (params) => {
      const x = boxOf(params).x - left + 4;
      return {
        type: 'group',
        children: [
          { type: 'text', x, y: 6, style: { ...letters, text: low } },
          ...Array.from({ length: steps }, (_, i) => ({
            type: 'rect' as const,
            shape: { x: x + start + (i * BAR) / steps, y: 7, width: BAR / steps + 0.5, height: size - 2 },
            style: { fill: ramp(colours, i / (steps - 1)) },
          })),
          { type: 'text', x: x + start + BAR + 8, y: 6, style: { ...letters, text: '高' } },
        ],
      };
    },
  };
}
