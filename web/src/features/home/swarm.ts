/** Where the dots of a small distribution go: as near to the middle line as they fit without covering each other. */

export interface Dot {
  x: number;
  y: number;
}

export function swarm(ys: readonly number[], radius: number): Dot[] {
  const placed: Dot[] = [];
  const gap = radius * 2 + 0.4;
  for (const y of ys.toSorted((a, b) => a - b)) {
    const near = placed.filter((dot) => Math.abs(dot.y - y) < gap);
    placed.push({ x: nearestFree(near, y, gap), y });
  }
  return placed;
}

/** Candidates touch a neighbour left or right; the one nearest to the middle that covers nobody wins. */
function nearestFree(near: readonly Dot[], y: number, gap: number): number {
  const sides = near.flatMap((dot) => {
    const reach = Math.sqrt(gap * gap - (dot.y - y) ** 2);
    return [dot.x - reach, dot.x + reach];
  });
  const candidates = [0, ...sides].sort((a, b) => Math.abs(a) - Math.abs(b));
  const isFree = (x: number) => near.every((dot) => (dot.x - x) ** 2 + (dot.y - y) ** 2 >= gap * gap - 1e-6);
  return candidates.find(isFree) ?? 0;
}

/** Round steps that give three to five ticks between two values. */
export function ticks(low: number, high: number): number[] {
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? rough;
  const offsets: number[] = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + step * 1e-9; at += 1)
    offsets.push(Number((at * step).toPrecision(12)));
  return offsets;
}
