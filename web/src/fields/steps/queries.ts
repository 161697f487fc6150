/** Calls that make a version from a version: processing methods, changes of the list of steps, replay. */
import type { Report } from '@hengxi/contracts/contract';
import type { FieldFault, Page } from '@hengxi/contracts/http';
import type { FileDetail, StepRow } from '@hengxi/server/files/schema';
import type { Run, RunState } from '@hengxi/server/runs/schema';
import type { StepMade, StepOp, Stepped } from '@hengxi/server/steps/schema';
import { queryOptions } from '@tanstack/react-query';

import { api, ApiError } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';
import { followRun, isOver } from '../../lib/runs.ts';
import type { Form } from '../form.ts';

const BASE = '/v1/user/file';
const WAIT_SECONDS = 2;

export function stepsQuery(vid: number) {
  return queryOptions({
    queryKey: ['steps', vid],
    queryFn: ({ signal }) => api.get<Page<StepRow>>(`${BASE}/versions/${vid}/steps`, { signal }),
  });
}

export function fileQuery(fid: number) {
  return queryOptions({
    queryKey: ['files', 'one', fid],
    queryFn: ({ signal }) => api.get<FileDetail>(`${BASE}/${fid}`, { signal }),
  });
}

export function moveHead(fid: number, head: number): Promise<FileDetail> {
  return api.patch<FileDetail>(`${BASE}/${fid}`, { head });
}

export type Outcome =
  | { kind: 'done'; vid: number | null; warnings: readonly string[]; report: Report | null }
  | { kind: 'failed'; text: string; fields: readonly FieldFault[] };

interface Ended {
  state: RunState;
  error: { text: string } | null;
}

function outcome({ state, error }: Ended, made: StepMade | null, fields: readonly FieldFault[]): Outcome {
  if (state === 'done' && made !== null) {
    return { kind: 'done', vid: made.vid, warnings: made.warnings, report: made.report };
  }
  const text = fields[0]?.text ?? error?.text ?? (state === 'cancelled' ? '已取消' : '没有完成，请重试');
  return { kind: 'failed', text, fields };
}

export interface Following {
  signal: AbortSignal;
  /** Told as soon as the run has a number, so that it can be cancelled. */
  onRun?: (run_id: number) => void;
  onProgress?: (progress: NonNullable<Run['progress']>) => void;
}

/** Waits for the end of what a call has begun. What the data refuse is an outcome; other failures are thrown. */
export async function finished(call: Promise<Stepped>, { signal, onRun, onProgress }: Following): Promise<Outcome> {
  try {
    const answer = await call;
    const { run_id } = answer;
    if (run_id === null || isOver(answer.state)) return outcome(answer, answer, []);
    onRun?.(run_id);
    const run = await followRun<StepMade>(run_id, ({ progress }) => progress && onProgress?.(progress), signal);
    return outcome(run, run.result, run.refusal?.fields ?? []);
  } catch (error) {
    if (!(error instanceof ApiError) || error.fields.length === 0) throw error;
    return { kind: 'failed', text: error.fields[0]?.text ?? error.message, fields: error.fields };
  }
}

export function runMethod(path: string, vid: number, form: Form, signal?: AbortSignal): Promise<Stepped> {
  return api.post<Stepped>(`/algorithm/${path}`, form, { signal, query: { vid, wait: WAIT_SECONDS } });
}

export function changeSteps(vid: number, ops: readonly StepOp[]): Promise<Stepped> {
  return api.post<Stepped>(`${BASE}/versions/${vid}/steps`, { ops }, { query: { wait: WAIT_SECONDS } });
}

export function replaySteps(vid: number, onto: number, disabled: readonly number[]): Promise<Stepped> {
  return api.post<Stepped>(`${BASE}/versions/${vid}/replay`, { onto, disabled }, { query: { wait: WAIT_SECONDS } });
}

/** Lists of files, histories and steps tell of new versions. */
export async function refreshVersions(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['files'] }),
    queryClient.invalidateQueries({ queryKey: ['steps'] }),
  ]);
}
