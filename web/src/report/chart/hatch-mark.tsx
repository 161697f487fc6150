/** The hatch of a fill over its key, as it is drawn in the figure. */
import { hatchLines } from '@hengxi/contracts/chart/hatch';
import type { Decal } from '@hengxi/contracts/chart/theme';

export function HatchMark({ decal, width, height }: { decal: Decal | undefined; width: number; height: number }) {
  if (decal === undefined) return null;
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      style={{ display: 'block' }}
      aria-hidden="true"
    >
      {hatchLines(decal, { x: 0, y: 0, width, height }).map(([[x1, y1], [x2, y2]]) => (
        <line key={`${x1},${y1},${x2}`} x1={x1} y1={y1} x2={x2} y2={y2} stroke={decal.color} strokeWidth={1} />
      ))}
    </svg>
  );
}
