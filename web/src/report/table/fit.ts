/**
 * Makes a table fit the width of its page, step by step and no further than needed: less room between columns, heads and words
 * over several lines, smaller type, an interval on two lines. A phone keeps the plain table, which is swiped.
 */
export const MOST_FIT = 4;
/** Narrower than this, columns pressed together are harder to read than a table that is swiped. */
const SWIPED = 560;

interface Room {
  clientWidth: number;
  scrollWidth: number;
}

/** The first step at which nothing is cut off; 0 where none is enough, so that what is swiped anyway stays easy to read. */
export function fitOf(room: Room, apply: (step: number) => void): number {
  for (let step = 0; step <= MOST_FIT; step += 1) {
    apply(step);
    if (room.scrollWidth - room.clientWidth <= 1) return step;
    if (room.clientWidth < SWIPED) break;
  }
  apply(0);
  return 0;
}

/** Fits the table in the box now and whenever the box has another width; `after` is told each time. Returns what ends it. */
export function keepFitting(box: HTMLElement, after: () => void): () => void {
  const table = box.querySelector('table');
  let fitted = -1;
  const fit = (): void => {
    // Fitting changes the height, which is no reason to fit again.
    if (table !== null && box.clientWidth !== fitted) {
      fitted = box.clientWidth;
      fitOf(box, (step) => {
        table.dataset['fit'] = String(step);
      });
    }
    after();
  };
  fit();
  const watch = new ResizeObserver(fit);
  watch.observe(box);
  return () => watch.disconnect();
}
