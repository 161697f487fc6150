/** What lies over a chart with axes: curves, reference lines, bands, shaded regions, ellipses, arrows, diagonals, brackets. */
import { peq, stars } from '../format.ts';
import type { CustomSeriesOption } from 'echarts';

import { type Context, type Series, textSize } from './drawing.ts';
import type { ChartSource, Source } from './source.ts';
import { FONT, seriesColour } from './theme.ts';

/** Values the overlays reach to, so that the axes hold them. A diagonal follows the data and widens nothing. */
export function overlayExtent(source: ChartSource, axis: 'x' | 'y'): (number | null)[] {
  return source.over.flatMap(({ overlay, of }): (number | null)[] => {
    if (overlay.type === 'reference') return [overlay[axis]];
    if (of === null) return [];
    if (overlay.type === 'line') return of.numbers(axis);
    if (overlay.type === 'band') return axis === 'x' ? of.numbers('x') : [...of.numbers('low'), ...of.numbers('high')];
    if (overlay.type === 'arrow') return [...of.numbers(axis), 0];
    return overlay.type === 'ellipse' ? Array.from({ length: of.size }, (_, i) => reach(of, i, axis)).flat() : [];
  });
}

function reach(of: Source, i: number, axis: 'x' | 'y'): number[] {
  const at = of.num(axis, i) ?? 0;
  const most = Math.max(of.num('a', i) ?? 0, of.num('b', i) ?? 0);
  return [at - most, at + most];
}

/** `labels` places texts on a category axis: of a bracket, and of a band along periods. */
export function overlays(source: ChartSource, context: Context, labels: readonly string[] = []): Series[] {
  return source.over.flatMap(({ overlay, of }, k): Series[] => {
    switch (overlay.type) {
      case 'line':
        return of === null ? [] : [curve(of, overlay.label, context)];
      case 'band':
        return of === null ? [] : [band(of, context, labels)];
      case 'reference':
        return [reference(overlay.x, overlay.y, overlay.label, context)];
      case 'region':
        return [region([overlay.x_low, overlay.y_low], [overlay.x_high, overlay.y_high], overlay.label, context, k)];
      case 'diagonal':
        return [diagonal(overlay.intercept, overlay.slope, overlay.label, context)];
      case 'ellipse':
        return of === null ? [] : [ellipses(of, context)];
      case 'arrow':
        return of === null ? [] : [arrows(of, context)];
      case 'bracket':
        return of === null ? [] : [brackets(of, labels, context)];
      default: {
        const unknown: never = overlay;
        return unknown;
      }
    }
  });
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The picture area of a custom series; ECharts types it loosely. */
export function boxOf(params: { coordSys: unknown }): Box {
  const area = params.coordSys;
  const side = (name: keyof Box): number =>
    typeof area === 'object' && area !== null && name in area
      ? Number(Object.entries(area).find(([k]) => k === name)?.[1])
      : 0;
  return { x: side('x'), y: side('y'), width: side('width'), height: side('height') };
}

function words(text: string, x: number, y: number, context: Context, more: object = {}) {
  return {
    type: 'text' as const,
    x,
    y,
    style: { text, fill: context.theme.ink2, font: `${textSize(context)}px ${FONT}`, ...more },
  };
}

const BASE = { type: 'custom', silent: true } as const;

function curve(of: Source, label: string | null, context: Context): CustomSeriesOption {
  const rows = Array.from({ length: of.size }, (_, i) => i).filter(
    (i) => of.num('x', i) !== null && of.num('y', i) !== null,
  );
  return {
    ...BASE,
    z: 4,
    clip: true,
    data: [0],
    renderItem: (_, api) => {
      const points = rows.map((i) => api.coord([of.num('x', i) ?? 0, of.num('y', i) ?? 0]));
      const [x = 0, y = 0] = points.at(-1) ?? [];
      return {
        type: 'group',
        children: [
          { type: 'polyline', shape: { points }, style: { stroke: context.theme.ink, lineWidth: 1.8, fill: 'none' } },
          ...(label === null || label === ''
            ? []
            : [
                words(label, x - 4, y - textSize(context) - 8, context, {
                  align: 'right',
                  backgroundColor: context.theme.paper,
                  padding: [1, 3],
                }),
              ]),
        ],
      };
    },
  };
}

function band(of: Source, context: Context, labels: readonly string[]): CustomSeriesOption {
  const place = (i: number): number => of.num('x', i) ?? labels.indexOf(of.text('x', i));
  const rows = Array.from({ length: of.size }, (_, i) => i).filter(
    (i) => of.num('low', i) !== null && of.num('high', i) !== null && (labels.length === 0 || place(i) >= 0),
  );
  const at = (api: { coord: (v: number[]) => number[] }, role: string) => (i: number) =>
    api.coord([place(i), of.num(role, i) ?? 0]);
  return {
    ...BASE,
    z: 1,
    clip: true,
    data: [0],
    renderItem: (_, api) => ({
      type: 'polygon',
      shape: { points: [...rows.map(at(api, 'low')), ...rows.toReversed().map(at(api, 'high'))] },
      style: { fill: context.theme.ink3, opacity: 0.14 },
    }),
  };
}

function reference(x: number | null, y: number | null, label: string | null, context: Context): CustomSeriesOption {
  return {
    ...BASE,
    z: 3,
    data: [0],
    renderItem: (params, api) => {
      const area = boxOf(params);
      const [px = 0, py = 0] = api.coord([x ?? 0, y ?? 0]);
      const vertical = x !== null;
      const shape = vertical
        ? { x1: px, x2: px, y1: area.y, y2: area.y + area.height }
        : { x1: area.x, x2: area.x + area.width, y1: py, y2: py };
      const text = label ?? '';
      return {
        type: 'group',
        children: [
          { type: 'line', shape, style: { stroke: context.theme.ink3, lineWidth: 1.2, lineDash: [5, 4] } },
          ...(text === ''
            ? []
            : [
                vertical
                  ? words(text, px + 5, area.y, context)
                  : words(text, area.x + area.width, py - textSize(context) - 4, context, { align: 'right' }),
              ]),
        ],
      };
    },
  };
}

function region(
  low: readonly [number | null, number | null],
  high: readonly [number | null, number | null],
  label: string | null,
  context: Context,
  k: number,
): CustomSeriesOption {
  return {
    ...BASE,
    z: 0,
    data: [0],
    renderItem: (params, api) => {
      const area = boxOf(params);
      const x = (v: number | null, edge: number): number => (v === null ? edge : (api.coord([v, 0])[0] ?? edge));
      const y = (v: number | null, edge: number): number => (v === null ? edge : (api.coord([0, v])[1] ?? edge));
      const [x1, x2] = [x(low[0], area.x), x(high[0], area.x + area.width)];
      const [y1, y2] = [y(high[1], area.y), y(low[1], area.y + area.height)];
      const shape = {
        x: Math.max(area.x, x1),
        y: Math.max(area.y, y1),
        width: Math.max(0, Math.min(x2, area.x + area.width) - Math.max(area.x, x1)),
        height: Math.max(0, Math.min(y2, area.y + area.height) - Math.max(area.y, y1)),
      };
      return {
        type: 'group',
        children: [
          { type: 'rect', shape, style: { fill: seriesColour(context.theme, k), opacity: 0.1 } },
          ...(label === null ? [] : [words(label, shape.x + 6, shape.y + 5, context)]),
        ],
      };
    },
  };
}

function diagonal(intercept: number, slope: number, label: string | null, context: Context): CustomSeriesOption {
  return {
    ...BASE,
    z: 3,
    clip: true,
    data: [0],
    renderItem: (params, api) => {
      const area = boxOf(params);
      // Two points far outside are enough: the series is clipped to its area.
      const [ax = 0, ay = 0] = api.coord([0, intercept]);
      const [bx = 0, by = 0] = api.coord([1, intercept + slope]);
      const rise = bx === ax ? 0 : (by - ay) / (bx - ax);
      const at = (px: number): number => ay + rise * (px - ax);
      const [x1, x2] = [area.x, area.x + area.width];
      return {
        type: 'group',
        children: [
          {
            type: 'line',
            shape: { x1, x2, y1: at(x1), y2: at(x2) },
            style: { stroke: context.theme.ink, lineWidth: 1.4 },
          },
          ...(label === null ? [] : [words(label, x2 - 6, Math.max(area.y, at(x2)) + 4, context, { align: 'right' })]),
        ],
      };
    },
  };
}

function ellipses(of: Source, context: Context): CustomSeriesOption {
  const groups = of.has('series') ? of.levels('series') : [];
  return {
    ...BASE,
    z: 2,
    data: Array.from({ length: of.size }, (_, i) => i),
    renderItem: (params, api) => {
      const i = params.dataIndex;
      const read = (role: string): number => of.num(role, i) ?? 0;
      const [cos, sin] = [Math.cos(read('angle')), Math.sin(read('angle'))];
      const points = Array.from({ length: 73 }, (_, k) => {
        const turn = (k / 72) * 2 * Math.PI;
        const [u, v] = [read('a') * Math.cos(turn), read('b') * Math.sin(turn)];
        return api.coord([read('x') + u * cos - v * sin, read('y') + u * sin + v * cos]);
      });
      const colour =
        groups.length > 0 ? seriesColour(context.theme, groups.indexOf(of.text('series', i))) : context.theme.ink3;
      return {
        type: 'polyline',
        shape: { points },
        style: { stroke: colour, lineWidth: 1.4, fill: 'none', lineDash: [5, 3] },
      };
    },
  };
}

function arrows(of: Source, context: Context): CustomSeriesOption {
  return {
    ...BASE,
    z: 5,
    data: Array.from({ length: of.size }, (_, i) => i),
    renderItem: (params, api) => {
      const i = params.dataIndex;
      const [ox = 0, oy = 0] = api.coord([0, 0]);
      const [x = 0, y = 0] = api.coord([of.num('x', i) ?? 0, of.num('y', i) ?? 0]);
      const turn = Math.atan2(y - oy, x - ox);
      const wing = (side: number): number[] => [x - 8 * Math.cos(turn + side), y - 8 * Math.sin(turn + side)];
      return {
        type: 'group',
        children: [
          {
            type: 'line',
            shape: { x1: ox, y1: oy, x2: x, y2: y },
            style: { stroke: context.theme.ink, lineWidth: 1.4 },
          },
          { type: 'polygon', shape: { points: [[x, y], wing(0.4), wing(-0.4)] }, style: { fill: context.theme.ink } },
          words(of.has('label') ? of.text('label', i) : '', x + (x >= ox ? 5 : -5), y - 6, context, {
            align: x >= ox ? 'left' : 'right',
          }),
        ],
      };
    },
  };
}

/** The name of the axis stands above the plot, brackets above the name. */
const NAME = 20;

/** Room that brackets need above the plot. */
export function bracketRoom(source: ChartSource, context: Context): number {
  const n = source.over.reduce((sum, { overlay, of }) => sum + (overlay.type === 'bracket' ? (of?.size ?? 0) : 0), 0);
  return n === 0 ? 0 : n * (textSize(context) + 8) + 6;
}

/** Brackets stand above the picture, one above the other in the order given. */
function brackets(of: Source, labels: readonly string[], context: Context): CustomSeriesOption {
  return {
    ...BASE,
    z: 7,
    clip: false,
    data: Array.from({ length: of.size }, (_, i) => i),
    renderItem: (params, api) => {
      const i = params.dataIndex;
      const area = boxOf(params);
      const at = (role: string): number => labels.indexOf(of.text(role, i));
      const [x1 = 0] = api.coord([at('left'), 0]);
      const [x2 = 0] = api.coord([at('right'), 0]);
      const y = area.y - NAME - i * (textSize(context) + 8);
      const p = of.num('text', i);
      const text = p === null ? of.text('text', i) : stars(p) || `p ${peq(p)}`;
      return {
        type: 'group',
        children: [
          {
            type: 'polyline',
            shape: {
              points: [
                [x1, y + 5],
                [x1, y],
                [x2, y],
                [x2, y + 5],
              ],
            },
            style: { stroke: context.theme.ink2, lineWidth: 1, fill: 'none' },
          },
          words(text, (x1 + x2) / 2, y - textSize(context) - 2, context, { align: 'center' }),
        ],
      };
    },
  };
}
