/** A run as JSON for the wire. */
import { z } from 'zod';
import type { Run, RunAbout } from './schema.ts';
import type { RunRow } from './tables.ts';

/** What is noted with an analysis. */
const Note = z.object({
  rid: z.number(),
  project_id: z.number(),
  vid: z.number().nullable().default(null),
  path: z.string(),
});

function aboutOf({ kind, note }: RunRow): RunAbout | null {
  const read = kind === 'analysis' ? Note.safeParse(note).data : undefined;
  return read === undefined
    ? null
    : { report_id: read.rid, project_id: read.project_id, vid: read.vid, method: read.path };
}

export function serializeRun(run: RunRow): Run {
  return {
    run_id: run.id,
    kind: run.kind,
    about: aboutOf(run),
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

export const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
