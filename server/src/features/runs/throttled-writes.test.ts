import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EngineEvent } from '../../lib/engine-client.ts';
import { ThrottledWrites } from './throttled-writes.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const event = (id: number, state: EngineEvent['state'], position: number | null = null): EngineEvent => ({
  run_id: id,
  state,
  position,
});

function moments() {
  const written: EngineEvent[] = [];
  return { written, moments: new ThrottledWrites((one) => written.push(one)) };
}

test('of what comes within a moment only the newest is written, once', () => {
  const { written, moments: kept } = moments();
  kept.schedule(event(1, 'waiting', 4));
  kept.schedule(event(2, 'waiting', 5));
  vi.advanceTimersByTime(100);
  kept.schedule(event(1, 'waiting', 3));
  kept.schedule(event(2, 'running'));
  expect([written, kept.begun()]).toEqual([[], [2]]);
  vi.advanceTimersByTime(100);
  expect(written).toEqual([event(1, 'waiting', 3), event(2, 'running')]);
  vi.advanceTimersByTime(1000);
  expect([written.length, kept.begun()]).toEqual([2, []]);
});

test('what is over meanwhile is not written, and says how long it worked', () => {
  const { written, moments: kept } = moments();
  kept.schedule(event(1, 'running'));
  kept.schedule(event(2, 'waiting', 1));
  vi.advanceTimersByTime(120);
  expect([kept.cancel(1), kept.cancel(2), kept.cancel(3)]).toEqual([0.12, null, null]);
  kept.schedule(event(4, 'running'));
  kept.clear();
  vi.advanceTimersByTime(1000);
  expect(written).toEqual([]);
});
