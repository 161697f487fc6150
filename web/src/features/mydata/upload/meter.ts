/** Speed of a transfer: recent pieces count more, so that the time left follows the line and not its history. */

export interface Meter {
  /** Bytes a second; null before the first piece. */
  speed: number | null;
}

const WEIGHT = 0.3;

export function newMeter(): Meter {
  return { speed: null };
}

export function record(meter: Meter, bytes: number, ms: number): void {
  if (bytes <= 0 || ms <= 0) return;
  const now = (bytes * 1000) / ms;
  meter.speed = meter.speed === null ? now : meter.speed * (1 - WEIGHT) + now * WEIGHT;
}

export function secondsLeft(size: number, sent: number, speed: number | null): number | null {
  if (speed === null || speed <= 0 || sent >= size) return null;
  return (size - sent) / speed;
}
