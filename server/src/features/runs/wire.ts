/** A run as it travels. */
import type { Run } from './schema.ts';
import type { RunRow } from './tables.ts';

export function wireRun(run: RunRow): Run {
  return {
    run_id: run.id,
    kind: run.kind,
    state: run.state,
    position: run.position,
    progress: run.progress,
    refusal: run.refusal,
    result: run.result ?? null,
    error: run.error,
    created_at: run.createdAt.toISOString(),
    started_at: run.startedAt?.toISOString() ?? null,
    ended_at: run.endedAt?.toISOString() ?? null,
  };
}
