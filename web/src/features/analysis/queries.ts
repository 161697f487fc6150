/** Calls of the analysis pages, and the real outside of the run control. */
import type { Declaration, HelpLink, Report } from '@hengxi/contracts/contract';
import type { FieldFault, Page } from '@hengxi/contracts/http';
import type { AnalysisResult, Draft, Recommendation, Selector, Started } from '@hengxi/server/analysis/schema';
import type { ColumnEdit, Edited, FileDetail, FilterCount, Imported, TextPreview } from '@hengxi/server/files/schema';
import type { Config, ReportDetail, ReportRow } from '@hengxi/server/reports/schema';
import { queryOptions } from '@tanstack/react-query';

import type { Form } from '../../fields/form.ts';
import { isRecord } from '../../fields/form.ts';
import { api, ApiError } from '../../lib/api.ts';
import { versionIn } from '../../lib/catalogue.ts';
import { cancelRun, followRun, stopRun } from '../../lib/runs.ts';
import { readUnderway, writeUnderway } from './local.ts';
import type { Outside, RunNews } from './operation/run-control.ts';
import { FAILURE_TEXT } from './operation/run-control.ts';

export interface Method {
  declaration: Declaration;
  help: HelpLink;
  oracle: Declaration['oracle'];
}

/** The declaration travels through the server unread; contracts/generated is what the engine wrote. */
export function methodQuery(path: string) {
  return queryOptions({
    queryKey: ['method', path],
    queryFn: ({ signal }) => api.get<Method>(`/algorithm/${path}`, { signal, quiet: true }),
    staleTime: 10 * 60_000,
  });
}

export function fileQuery(fid: number) {
  return queryOptions({
    queryKey: ['files', fid],
    queryFn: ({ signal }) => api.get<FileDetail>(`/v1/user/file/${fid}`, { signal }),
  });
}

export interface ReportPlace {
  project_id: number;
  report_id: number;
}

/** A report as the reader wants it: its document typed by the contract. */
export type OpenReport = Omit<ReportDetail, 'document'> & { document: Report };

export function reportQuery({ project_id, report_id }: ReportPlace, rev: number | null = null) {
  return queryOptions({
    queryKey: ['report', project_id, report_id, rev],
    queryFn: ({ signal }) =>
      api.get<OpenReport>(`/v1/analysis/projects/${project_id}/reports/${report_id}`, {
        signal,
        quiet: true,
        query: { rev },
      }),
  });
}

export function configQuery({ project_id, report_id }: ReportPlace) {
  return queryOptions({
    queryKey: ['report-config', project_id, report_id],
    queryFn: ({ signal }) =>
      api.get<Config>(`/v1/analysis/projects/${project_id}/report/${report_id}/config`, {
        signal,
        quiet: true,
        query: { report_type: 'analysis' },
      }),
    staleTime: 0,
  });
}

export function saveForm({ project_id, report_id }: ReportPlace, form: Form, saved_at: string): Promise<unknown> {
  return api.post(
    `/v1/analysis/projects/${project_id}/report/${report_id}/config`,
    { form: { form, saved_at } },
    { quiet: true, query: { report_type: 'analysis' } },
  );
}

export function actOnReport(
  { project_id, report_id }: ReportPlace,
  act: { frozen: boolean } | { name: string } | { rev: number },
): Promise<unknown> {
  return api.post(`/v1/analysis/projects/${project_id}/reports/${report_id}`, act);
}

/** Reports already made of a file: what 从上一个分析带入变量 reads. */
export function fileReportsQuery(project_id: number) {
  return queryOptions({
    queryKey: ['reports', project_id],
    queryFn: ({ signal }) =>
      api.get<Page<ReportRow>>(`/v1/analysis/projects/${project_id}/report`, { signal, quiet: true }),
  });
}

export function recommendQuery(vid: number, columns: readonly string[]) {
  return queryOptions({
    queryKey: ['recommend', vid, ...columns],
    queryFn: ({ signal }) =>
      api.post<Recommendation[]>('/v1/analysis/recommend', { vid, columns }, { signal, quiet: true }),
    staleTime: 5 * 60_000,
    enabled: columns.length > 0,
  });
}

export const selectorsQuery = queryOptions({
  queryKey: ['selectors'],
  queryFn: ({ signal }) => api.get<Selector[]>('/v1/analysis/selectors', { signal, quiet: true }),
  staleTime: 10 * 60_000,
});

export function filterCount(
  vid: number,
  condition: string,
  filter_type: 'keep' | 'drop' = 'keep',
  signal?: AbortSignal,
): Promise<FilterCount> {
  return api.post<FilterCount>(
    `/v1/user/file/versions/${vid}/filter-count`,
    { condition, filter_type },
    { quiet: true, signal },
  );
}

export function countQuery(vid: number, condition: string, filter_type: 'keep' | 'drop') {
  return queryOptions({
    queryKey: ['filter-count', vid, filter_type, condition],
    queryFn: ({ signal }) => filterCount(vid, condition, filter_type, signal),
    staleTime: Infinity,
  });
}

export function textPreview(vid: number, col: string): Promise<TextPreview> {
  return api.get<TextPreview>(`/v1/user/file/versions/${vid}/preview-text-data`, { query: { col }, quiet: true });
}

/** Makes a condition the version's active one; empty resets. */
export function activateFilter(vid: number, condition: string): Promise<unknown> {
  return api.post('/algorithm/filter', { condition, filter_type: condition === '' ? '' : 'keep' }, { query: { vid } });
}

export function activate(vid: number, active: { weight?: null; split?: null }): Promise<unknown> {
  return api.patch(`/v1/user/file/versions/${vid}/active`, active);
}

export function editColumns(vid: number, columns: readonly ColumnEdit[]): Promise<Edited> {
  return api.post<Edited>(`/v1/user/file/versions/${vid}/edits`, { columns }, { query: { branch: '1' } });
}

export function moveHead(fid: number, head: number): Promise<unknown> {
  return api.patch(`/v1/user/file/${fid}`, { head }, { quiet: true });
}

/** The form that the example of a method without data consists of. */
export async function exampleForm(url: string): Promise<Form> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const form: unknown = await response.json();
  return isRecord(form) ? form : {};
}

export function makeExample(path: string): Promise<Imported> {
  return api.post<Imported>('/v1/user/file/example', { path });
}

// --- running -----------------------------------------------------------------------------------------------------------

const WAIT_SECONDS = 1;
/** The server is there, the engine behind it does not answer. */
const ENGINE_AWAY = 30095;

export function judge(path: string, vid: number, form: Form, signal?: AbortSignal): Promise<Draft> {
  return api.post<Draft>(`/algorithm/${path}`, form, { quiet: true, signal, query: { ...versionIn(vid), draft: 1 } });
}

interface Answer extends Omit<Started, 'report'> {
  report: Report | null;
}

const isFault = (fields: readonly unknown[]): fields is FieldFault[] =>
  fields.every((one) => isRecord(one) && 'text' in one);

function newsOf(run: {
  run_id: number;
  state: RunNews['state'];
  position: number | null;
  progress: RunNews['progress'];
  refusal: { fields: readonly unknown[] } | null;
  error: RunNews['error'];
  result: AnalysisResult | null;
}): RunNews {
  const fields = run.refusal === null || !isFault(run.refusal.fields) ? [] : run.refusal.fields;
  return { ...run, refusal: run.refusal === null ? null : { fields } };
}

/** Everything the run control asks of the server, for one method. */
export function outsideOf(path: string): Outside {
  return {
    async draft({ vid, form }, signal) {
      const draft = await judge(path, vid, form, signal);
      return draft;
    },
    async start({ vid, form }, { project_id, report_id }, id) {
      const answer = await api.post<Answer>(`/algorithm/${path}`, form, {
        quiet: true,
        idempotencyKey: id,
        query: { ...versionIn(vid), project_id, report_id, wait: WAIT_SECONDS },
      });
      const { report, project_id: project, report_id: reportId, rev, run_id, cached } = answer;
      if (report !== null && rev !== null) {
        return { kind: 'done', result: { project_id: project, report_id: reportId, rev, report, cached } };
      }
      if (run_id === null) throw new Error(FAILURE_TEXT.failed);
      return {
        kind: 'going',
        run_id,
        state: answer.state === 'running' ? 'running' : 'waiting',
        project_id: project,
        report_id: reportId,
      };
    },
    async follow(run_id, news, signal) {
      const run = await followRun<AnalysisResult>(
        run_id,
        (change) => {
          if (change.state === undefined && change.progress === undefined) return;
          news({
            run_id,
            state: change.state ?? 'running',
            position: change.position ?? null,
            progress: change.progress ?? null,
            refusal: null,
            error: null,
            result: null,
          });
        },
        signal,
      );
      return newsOf(run);
    },
    async read({ project_id, report_id, rev }) {
      const detail = await api.get<OpenReport>(`/v1/analysis/projects/${project_id}/reports/${report_id}`, {
        query: { rev },
        quiet: true,
      });
      return { project_id, report_id, rev, report: detail.document };
    },
    async cancel(run_id) {
      await cancelRun(run_id);
    },
    async stop(run_id) {
      await stopRun(run_id);
    },
    remember: writeUnderway,
    remembered: readUnderway,
    explain(error) {
      if (!(error instanceof ApiError)) return { kind: 'failed', text: FAILURE_TEXT.failed, fields: [], id: null };
      // Already shown by the client: signed out, banned, upgrade needed.
      if (error.fault === 'cancelled' || error.status === 401 || error.code === 20002 || error.code === 20023)
        return null;
      if (error.fields.length > 0)
        return { kind: 'refused', text: error.fields[0]?.text ?? error.message, fields: error.fields, id: null };
      if (error.code === ENGINE_AWAY) return { kind: 'engine', text: FAILURE_TEXT.engine, fields: [], id: null };
      const kind = error.fault === 'network' || error.fault === 'timeout' ? 'network' : 'failed';
      return { kind, text: kind === 'network' ? FAILURE_TEXT.network : error.message, fields: [], id: null };
    },
  };
}
