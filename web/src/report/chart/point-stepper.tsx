/** The points of a chart by keyboard: arrows go from one to the next, Page keys from signal to signal, Enter opens its rows. */
import type { PlacedMark } from '@hengxi/contracts/chart/cases';
import type { KeyboardEvent } from 'react';

import styles from './point.module.css';

interface Props {
  points: readonly PlacedMark[];
  /** Index of the point one stands on. */
  at: number;
  /** null: the focus has left. */
  onMove: (at: number | null) => void;
  onOpen: () => void;
  caption: string;
}

export function PointStepper({ points, at, onMove, onOpen, caption }: Props) {
  const point = points[at];
  if (point === undefined) return null;
  const key = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      onOpen();
      return;
    }
    const next = placeAfter(event.key, points, at);
    if (next === null) return;
    event.preventDefault();
    onMove(next);
  };
  const words = (point.tip ?? []).join('，');
  return (
    <div
      className={styles['stepper']}
      role="slider"
      tabIndex={0}
      aria-label={`${caption}：逐点查看`}
      aria-valuemin={1}
      aria-valuemax={points.length}
      aria-valuenow={at + 1}
      aria-valuetext={words}
      data-points
      onKeyDown={key}
      onFocus={() => onMove(at)}
      onBlur={() => onMove(null)}
      onClick={(event) => event.stopPropagation()}
    >
      <span>{words}</span>
      <span className={styles['keys']}>← → 换点，回车查看</span>
    </div>
  );
}

/** Where a key leads from a point; null of other keys. */
export function placeAfter(key: string, points: readonly PlacedMark[], at: number): number | null {
  const last = points.length - 1;
  const signals = points.flatMap(({ signal }, i) => (signal === true ? [i] : []));
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return Math.min(last, at + 1);
    case 'ArrowLeft':
    case 'ArrowDown':
      return Math.max(0, at - 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    case 'PageDown':
      return signals.find((i) => i > at) ?? at;
    case 'PageUp':
      return signals.findLast((i) => i < at) ?? at;
    default:
      return null;
  }
}
