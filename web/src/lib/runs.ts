/** Long work on the server: its state, and how to follow it (stream first, polls when a stream cannot be had). */
import type { Run as WireRun, RunState } from '@hengxi/server/runs/schema';

import { addressOf, api, ApiError, authorization } from './api.ts';
import { readEvents } from './sse.ts';

export type { RunState } from '@hengxi/server/runs/schema';

/** A run whose result has the shape its kind promises. */
export type Run<T> = Omit<WireRun, 'result'> & { result: T | null };

const POLL_MS = 1000;
const POLL_HIDDEN_MS = 10_000;

export function isOver(state: RunState): boolean {
  return state !== 'waiting' && state !== 'running';
}

export function getRun<T>(id: number, signal?: AbortSignal): Promise<Run<T>> {
  return api.get<Run<T>>(`/v1/runs/${id}`, { signal, quiet: true });
}

export function cancelRun(id: number): Promise<unknown> {
  return api.delete(`/v1/runs/${id}`);
}

/** 停止并保留: the run ends with what it has so far. */
export function stopRun(id: number): Promise<unknown> {
  return api.post(`/v1/runs/${id}/stop`, {});
}

/** Follows a run to its end (or to a question) and gives the whole run back; `onChange` hears of every step before. */
export async function followRun<T>(
  id: number,
  onChange: (run: Partial<Run<T>>) => void,
  signal: AbortSignal,
): Promise<Run<T>> {
  const streamed = await followStream<T>(id, onChange, signal);
  if (streamed) {
    const run = await getRun<T>(id, signal);
    if (isOver(run.state)) return run;
  }
  return pollRun(id, onChange, signal);
}

/** True when the stream said that the run is over; false when it broke and polling must take over. */
async function followStream<T>(
  id: number,
  onChange: (run: Partial<Run<T>>) => void,
  signal: AbortSignal,
): Promise<boolean> {
  let lastId: string | null = null;
  for (let attempt = 0; attempt < 3 && !signal.aborted; attempt += 1) {
    try {
      const headers: Record<string, string> = { ...authorization(), accept: 'text/event-stream' };
      if (lastId !== null) headers['last-event-id'] = lastId;
      const response = await fetch(addressOf(`/v1/runs/${id}/events`), { headers, signal });
      if (!response.ok || !response.body) return false;
      for await (const event of readEvents(response.body)) {
        if (event.id) lastId = event.id;
        if (event.event === 'end') return true;
        if (event.event === 'bye') break;
        const change = stepOf<T>(event.event, event.data);
        if (!change) continue;
        onChange(change);
        if (change.state && isOver(change.state)) return true;
      }
    } catch {
      if (signal.aborted) throw new ApiError('cancelled', '已取消', 0, 0, [], null);
      return false;
    }
  }
  return false;
}

function stepOf<T>(event: string, data: string): Partial<Run<T>> | null {
  try {
    if (event === 'state') {
      const step: Partial<Run<T>> = JSON.parse(data);
      return step;
    }
    if (event === 'progress') {
      const progress: WireRun['progress'] = JSON.parse(data);
      return { progress };
    }
  } catch {
    // A step that cannot be read is a step not shown; the end is read from the run itself.
  }
  return null;
}

async function pollRun<T>(id: number, onChange: (run: Partial<Run<T>>) => void, signal: AbortSignal): Promise<Run<T>> {
  let failures = 0;
  for (;;) {
    try {
      const run = await getRun<T>(id, signal);
      failures = 0;
      onChange(run);
      if (isOver(run.state)) return run;
    } catch (error) {
      failures += 1;
      const lasting =
        error instanceof ApiError && (error.status === 404 || error.status === 401 || error.fault === 'cancelled');
      // A server restart takes seconds; a minute without an answer is an outage the user should hear of.
      if (lasting || failures > 60) throw error;
    }
    await pause(document.visibilityState === 'hidden' ? POLL_HIDDEN_MS : POLL_MS, signal);
  }
}

/** Waits, but not after the user has left, and not ten seconds after the page is looked at again. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      document.removeEventListener('visibilitychange', shown);
      resolve();
    };
    const shown = () => {
      if (document.visibilityState === 'visible') finish();
    };
    const timer = setTimeout(finish, ms);
    signal.addEventListener('abort', finish);
    document.addEventListener('visibilitychange', shown);
  });
}
