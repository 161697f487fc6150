/** How the best value of a search has moved while it runs: a line that grows, from the first value told to the one of now. */
import type { BestValue } from './run-state.ts';
import styles from './best-curve.module.css';

const WIDTH = 120;
const HEIGHT = 24;
const PAD = 2;

function pathOf(values: readonly BestValue[]): string {
  const first = values[0]?.done ?? 0;
  const span = (values.at(-1)?.done ?? 0) - first || 1;
  const low = Math.min(...values.map(({ best }) => best));
  const range = Math.max(...values.map(({ best }) => best)) - low || 1;
  const x = (done: number): string => (PAD + ((done - first) / span) * (WIDTH - 2 * PAD)).toFixed(1);
  const y = (best: number): string => (HEIGHT - PAD - ((best - low) / range) * (HEIGHT - 2 * PAD)).toFixed(1);
  // A best value holds until a better one is found: steps, no slopes.
  return values.map(({ done, best }, at) => (at === 0 ? `M${x(done)} ${y(best)}` : `H${x(done)}V${y(best)}`)).join('');
}

export function BestCurve({ values }: { values: readonly BestValue[] }) {
  const last = values.at(-1);
  if (last === undefined || values.length < 2) return null;
  const first = values[0]?.best ?? last.best;
  return (
    <svg
      className={styles['curve']}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={`目前最好的值从 ${first.toPrecision(6)} 变到 ${last.best.toPrecision(6)}`}
    >
      <path d={pathOf(values)} />
    </svg>
  );
}
