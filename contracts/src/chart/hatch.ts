/** The lines of a hatch over a small box: keys of legends, which ECharts does not draw. */
import type { Decal } from './theme.ts';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

type Point = readonly [number, number];
export type Segment = readonly [Point, Point];

/** Lines at the angle and the distance of the hatch, cut to the box; a hatch broken along its lines is crossed. */
export function hatchLines({ rotation, dashArrayX, dashArrayY }: Decal, box: Box): Segment[] {
  const step = dashArrayY[0] + dashArrayY[1];
  const lines = parallel(rotation, step, box);
  return dashArrayX[1] > 0 ? [...lines, ...parallel(rotation + Math.PI / 2, step, box)] : lines;
}

function parallel(angle: number, step: number, { x, y, width, height }: Box): Segment[] {
  const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
  const reach = Math.hypot(width, height) / 2;
  const count = Math.floor(reach / step);
  return Array.from({ length: 2 * count + 1 }, (_, i) => i - count).flatMap((k): Segment[] => {
    const [cx, cy] = [x + width / 2 - dy * k * step, y + height / 2 + dx * k * step];
    let [from, to] = [-reach, reach];
    for (const [at, way, low, high] of [
      [cx, dx, x, x + width],
      [cy, dy, y, y + height],
    ] as const) {
      if (Math.abs(way) < 1e-9) {
        if (at < low || at > high) return [];
        continue;
      }
      const [a, b] = [(low - at) / way, (high - at) / way];
      from = Math.max(from, Math.min(a, b));
      to = Math.min(to, Math.max(a, b));
    }
    if (to - from < 1e-6) return [];
    return [
      [
        [cx + dx * from, cy + dy * from],
        [cx + dx * to, cy + dy * to],
      ],
    ];
  });
}
