/** The distribution of a column in the head of the grid, small enough to be read as a shape. */
import type { Column } from '@hengxi/server/files/schema';

import { MEASURE_COLOUR, measureKind } from '../../../../ui/measure-icon.tsx';

const BARS = 24;

/** Counts from left to right: bins of numbers, else categories in their order. */
export function countsOf(column: Column): number[] {
  const { histogram, top } = column.profile;
  const isCategorical = column.measure === '定类' || column.measure === '文本';
  if (!isCategorical && histogram && histogram.length > 0) return histogram.map((bin) => bin.count);
  const levels = (column.levels ?? []).flatMap((level) =>
    level.count === null || level.count === 0 ? [] : [level.count],
  );
  if (levels.length > 0) return levels.slice(0, BARS);
  if (histogram && histogram.length > 0) return histogram.map((bin) => bin.count);
  return (top ?? []).map((item) => item.count).slice(0, BARS);
}

interface MiniHistogramProps {
  column: Column;
  width: number;
  height: number;
}

export function MiniHistogram({ column, width, height }: MiniHistogramProps) {
  const counts = countsOf(column);
  const most = Math.max(1, ...counts);
  const kind = measureKind(column);
  if (kind === '标识' || counts.length === 0) return <svg width={width} height={height} aria-hidden="true" />;
  const gap = counts.length > 12 ? 0.8 : 1.5;
  const bar = Math.min(28, (width - gap * (counts.length - 1)) / counts.length);
  const wide = Math.max(0.5, bar);
  // One shape for all bars: heads come and go while a wide table is scrolled.
  const bars = counts
    .map((count, place) => {
      const tall = count === 0 ? 0 : Math.max(1, (count / most) * height);
      return `M${place * (bar + gap)} ${height}v${-tall}h${wide}v${tall}z`;
    })
    .join('');
  return (
    <svg width={width} height={height} aria-hidden="true" style={{ color: MEASURE_COLOUR[kind], display: 'block' }}>
      <path d={bars} fill="currentColor" opacity="0.66" />
    </svg>
  );
}
