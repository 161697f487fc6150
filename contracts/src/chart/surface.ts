/** Two axes and a height, drawn flat: shaded cells with contour lines, or the feasible region. A 3-D picture would hide what it shows. */
import { num } from '../format.ts';
import type { CustomSeriesOption } from 'echarts';

import { xValue, yLabelWidth, yValue } from './axes.ts';
import { type Context, type Drawing, textSize } from './drawing.ts';
import { colourOf } from './heat.ts';
import { overlays } from './overlays.ts';
import { extent, niceScale, ticks } from './scale.ts';
import type { ChartSource } from './source.ts';
import { FONT, seriesColour } from './theme.ts';

interface Grid {
  xs: number[];
  ys: number[];
  z: (number | null)[][];
}

function gridOf(source: ChartSource): Grid {
  const sorted = (role: string): number[] =>
    [...new Set(source.numbers(role).filter((v): v is number => v !== null))].sort((a, b) => a - b);
  const [xs, ys] = [sorted('x'), sorted('y')];
  const z: (number | null)[][] = ys.map(() => xs.map(() => null));
  for (let i = 0; i < source.size; i += 1) {
    const row = z[ys.indexOf(source.num('y', i) ?? Number.NaN)];
    const at = xs.indexOf(source.num('x', i) ?? Number.NaN);
    if (row !== undefined && at >= 0) row[at] = source.value('z', i) === true ? 1 : source.num('z', i);
  }
  return { xs, ys, z };
}

/** Marching squares: where a level crosses the edges of each cell. Positions only, by straight lines between given points. */
function crossings(grid: Grid, level: number): [number, number, number, number][] {
  const lines: [number, number, number, number][] = [];
  for (let r = 0; r + 1 < grid.ys.length; r += 1) {
    for (let c = 0; c + 1 < grid.xs.length; c += 1) {
      const corner = (dr: number, dc: number): [number, number, number | null] => [
        grid.xs[c + dc] ?? 0,
        grid.ys[r + dr] ?? 0,
        grid.z[r + dr]?.[c + dc] ?? null,
      ];
      const around = [corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0)];
      const hits = around.flatMap((a, k): [number, number][] => {
        const b = around[(k + 1) % 4] ?? a;
        const [za, zb] = [a[2], b[2]];
        if (za === null || zb === null || za < level === zb < level) return [];
        const t = (level - za) / (zb - za);
        return [[a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]];
      });
      for (let k = 0; k + 1 < hits.length; k += 2) lines.push([...(hits[k] ?? [0, 0]), ...(hits[k + 1] ?? [0, 0])]);
    }
  }
  return lines;
}

function shaded(source: ChartSource, grid: Grid, context: Context, region: boolean): CustomSeriesOption {
  const colour = colourOf(source.numbers('z'), context);
  // Opaque cells overlap a little so that no seam shows; translucent ones would show the overlap.
  const seam = region ? 0 : 0.6;
  const edges = (v: readonly number[], k: number): [number, number] => {
    const at = v[k] ?? 0;
    return [k > 0 ? (at + (v[k - 1] ?? at)) / 2 : at, k + 1 < v.length ? (at + (v[k + 1] ?? at)) / 2 : at];
  };
  const data = grid.ys.flatMap((y, r) =>
    grid.xs.flatMap((x, c) => {
      const z = grid.z[r]?.[c] ?? null;
      return z === null || (region && z <= 0)
        ? []
        : [
            {
              value: [...edges(grid.xs, c), ...edges(grid.ys, r), z],
              tip: [
                `${source.heading('x')} ${num(x)}`,
                `${source.heading('y')} ${num(y)}`,
                ...(region ? [] : [`${source.heading('z')} ${num(z)}`]),
              ],
            },
          ];
    }),
  );
  return {
    type: 'custom',
    z: 1,
    data,
    renderItem: (_, api) => {
      const [x1 = 0, y1 = 0] = api.coord([api.value(0), api.value(2)]);
      const [x2 = 0, y2 = 0] = api.coord([api.value(1), api.value(3)]);
      const fill = region ? seriesColour(context.theme, 0) : colour(Number(api.value(4)));
      return {
        type: 'rect',
        shape: { x: x1, y: y2, width: x2 - x1 + seam, height: y1 - y2 + seam },
        style: { fill, opacity: region ? 0.22 : 1 },
      };
    },
  };
}

/** The part of a cell where z is at least `level`: its corners, cut where the height crosses the level. */
export function clipped(corners: readonly (readonly [number, number, number])[], level: number): [number, number][] {
  return corners.flatMap((a, k): [number, number][] => {
    const b = corners[(k + 1) % corners.length] ?? a;
    const own: [number, number][] = a[2] >= level ? [[a[0], a[1]]] : [];
    if (a[2] >= level === b[2] >= level) return own;
    const t = (level - a[2]) / (b[2] - a[2]);
    return [...own, [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]];
  });
}

/** A region given by how far inside a point lies: drawn to the edge between the points, not in steps. */
function area(grid: Grid, context: Context): CustomSeriesOption {
  const data = grid.ys.slice(1).flatMap((_, r) =>
    grid.xs.slice(1).flatMap((__, c) => {
      const corners = [
        [c, r],
        [c + 1, r],
        [c + 1, r + 1],
        [c, r + 1],
      ].flatMap(([i = 0, j = 0]): [number, number, number][] => {
        const [x, y, z] = [grid.xs[i], grid.ys[j], grid.z[j]?.[i]];
        return x === undefined || y === undefined || z === undefined || z === null ? [] : [[x, y, z]];
      });
      const shape = corners.length < 4 ? [] : clipped(corners, 0);
      return shape.length < 3 ? [] : [{ value: shape.flat() }];
    }),
  );
  return {
    type: 'custom',
    z: 1,
    silent: true,
    data,
    renderItem: (params, api) => {
      const flat = data[params.dataIndex]?.value ?? [];
      const points = flat.flatMap((x, k) => (k % 2 === 0 ? [api.coord([x, flat[k + 1] ?? 0])] : []));
      return {
        type: 'polygon',
        shape: { points },
        style: { fill: seriesColour(context.theme, 0), opacity: 0.22 },
      };
    },
  };
}

function contours(grid: Grid, levels: readonly number[], decimals: number, context: Context): CustomSeriesOption {
  return {
    type: 'custom',
    silent: true,
    z: 2,
    data: levels.map((level) => level),
    renderItem: (params, api) => {
      const level = levels[params.dataIndex] ?? 0;
      const lines = crossings(grid, level);
      const named = lines[Math.floor(lines.length / 2)];
      const [tx = 0, ty = 0] = named === undefined ? [] : api.coord([named[0], named[1]]);
      return {
        type: 'group',
        children: [
          ...lines.map(([x1, y1, x2, y2]) => {
            const [ax = 0, ay = 0] = api.coord([x1, y1]);
            const [bx = 0, by = 0] = api.coord([x2, y2]);
            return {
              type: 'line' as const,
              shape: { x1: ax, y1: ay, x2: bx, y2: by },
              style: { stroke: context.theme.ink, lineWidth: 1, opacity: 0.7 },
            };
          }),
          ...(named === undefined
            ? []
            : [
                {
                  type: 'text' as const,
                  x: tx,
                  y: ty,
                  style: {
                    text: num(level, decimals),
                    fill: context.theme.ink,
                    font: `${textSize(context) - 1}px ${FONT}`,
                    align: 'center' as const,
                    verticalAlign: 'middle' as const,
                    backgroundColor: context.theme.paper,
                    padding: [1, 3],
                  },
                },
              ]),
        ],
      };
    },
  };
}

export function drawSurface(source: ChartSource, context: Context): Drawing {
  const grid = gridOf(source);
  const region = source.chart.kind === 'surface' && source.chart.draw === 'region';
  const x = { ...niceScale(...extent(grid.xs)), min: grid.xs[0] ?? 0, max: grid.xs.at(-1) ?? 1 };
  const y = { ...niceScale(...extent(grid.ys)), min: grid.ys[0] ?? 0, max: grid.ys.at(-1) ?? 1 };
  const [low, high] = extent(source.numbers('z'));
  const heights = niceScale(low, high, { steps: 6 });
  const levels = ticks(heights).filter((l) => l > low && l < high);
  const left = yLabelWidth(y, context);
  return {
    height: context.compact ? 290 : 400,
    option: {
      grid: { left, right: 18, top: 34, bottom: 50 },
      xAxis: xValue({ scale: x, name: source.heading('x') }, context),
      yAxis: yValue({ scale: y, name: source.heading('y'), grid: false }, context),
      series: [
        region && low < 0 ? area(grid, context) : shaded(source, grid, context, region),
        ...(region ? [] : [contours(grid, levels, heights.decimals, context)]),
        ...overlays(source, context),
      ],
    },
    reading: region ? '有色区域为可行域。' : `线为${source.heading('z')}的等值线。`,
  };
}
