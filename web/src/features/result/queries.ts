/** Calls of the result page. */
import type { Declaration, HelpLink, Report } from '@hengxi/contracts/contract';
import type { Page } from '@hengxi/contracts/http';
import type { Draft, Started } from '@hengxi/server/analysis/schema';
import type { FileDetail } from '@hengxi/server/files/schema';
import type { Project } from '@hengxi/server/projects/schema';
import type {
  Config,
  ReportAct,
  ReportDetail,
  PinnedNumber,
  Pins,
  ReportRow,
  SampleRows,
  TableRows,
  Share,
  ShareBody,
  SharedReport,
} from '@hengxi/server/reports/schema';
import type { CombineExportBody, ProjectExportBody, ReportExportBody } from '@hengxi/server/report-exports/schema';
import type { Run } from '@hengxi/server/runs/schema';
import { queryOptions } from '@tanstack/react-query';

import { versionIn } from '../../lib/catalogue.ts';

import { addressOf, api, authorization } from '../../lib/api.ts';
import { rowsCondition } from '@hengxi/contracts/report/row-ranges';
import type { CaseActions } from '../../report/context.ts';
import type { Presentation } from '@hengxi/contracts/report/presentation';

export interface Place {
  project_id: number;
  report_id: number;
}

/** The document is the engine's report; the contract types it. */
export type OpenReport = Omit<ReportDetail, 'document'> & { document: Report };
export type OpenShare = Omit<SharedReport, 'document'> & { document: Report };

const address = ({ project_id, report_id }: Place): string =>
  `/v1/analysis/projects/${project_id}/reports/${report_id}`;

export function reportQuery(place: Place, rev: number | null = null) {
  return queryOptions({
    queryKey: ['report', place.project_id, place.report_id, rev],
    queryFn: ({ signal }) => api.get<OpenReport>(address(place), { signal, quiet: true, query: { rev } }),
    // Another tab may have made it out of date.
    refetchOnWindowFocus: true,
  });
}

export function configQuery(place: Place) {
  return queryOptions({
    queryKey: ['report-config', place.project_id, place.report_id],
    queryFn: ({ signal }) =>
      api.get<Config>(`${address(place)}/config`, { signal, quiet: true, query: { report_type: 'analysis' } }),
    staleTime: 0,
  });
}

export function savePresentation(place: Place, presentation: Presentation): Promise<Config> {
  return api.post<Config>(
    `${address(place)}/config`,
    { presentation },
    { quiet: true, query: { report_type: 'analysis' } },
  );
}

/** The document says what the reader sees now: the presentation is kept first. */
export async function exportReport(
  place: Place,
  presentation: Presentation | undefined,
  body: ReportExportBody,
): Promise<Run> {
  if (presentation !== undefined) await savePresentation(place, presentation);
  return api.post<Run>(`${address(place)}/export`, body);
}

/** Project 0: reports of any project. */
export function exportReports(project: number, body: ProjectExportBody): Promise<Run> {
  return api.post<Run>(`/v1/analysis/projects/${project}/export`, body);
}

/** Several regressions as one table of a workbook. */
export function exportCombined(project: number, body: CombineExportBody): Promise<Run> {
  return api.post<Run>(`/v1/analysis/projects/${project}/models/export`, body);
}

export function act(place: Place, body: ReportAct): Promise<OpenReport> {
  return api.post<OpenReport>(address(place), body);
}

export function removeReport(place: Place): Promise<unknown> {
  return api.delete(address(place));
}

export function pinsQuery(project: number) {
  return queryOptions({
    queryKey: ['pins', project],
    queryFn: ({ signal }) => api.get<Pins>(`/v1/analysis/projects/${project}/pins`, { signal, quiet: true }),
  });
}

export function savePins(project: number, pins: PinnedNumber[]): Promise<Pins> {
  return api.put<Pins>(`/v1/analysis/projects/${project}/pins`, { pins });
}

/** Reports of a project, or (project 0) of the version looked at; `bin`: the deleted ones of the last 30 days. */
export function reportsQuery(project: number, vid: number | null, page: number, bin: boolean) {
  return queryOptions({
    queryKey: ['reports', project, vid, page, bin],
    queryFn: ({ signal }) =>
      api.get<Page<ReportRow>>(`/v1/analysis/projects/${project}/report`, {
        signal,
        quiet: true,
        query: { vid, page, bin: bin ? 1 : 0 },
      }),
  });
}

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) =>
    api.get<Page<Project>>('/v1/analysis/project', { signal, quiet: true, query: { page_size: 200 } }),
});

export function fileQuery(fid: number) {
  return queryOptions({
    queryKey: ['files', fid],
    queryFn: ({ signal }) => api.get<FileDetail>(`/v1/user/file/${fid}`, { signal, quiet: true }),
  });
}

export function oracleQuery(path: string) {
  return queryOptions({
    queryKey: ['method', path],
    queryFn: ({ signal }) =>
      api.get<{ declaration: Declaration; help: HelpLink; oracle: Declaration['oracle'] }>(`/algorithm/${path}`, {
        signal,
        quiet: true,
      }),
    staleTime: 10 * 60_000,
  });
}

/** The key the same form would have on a version now: another key means that the report no longer says what the data say. */
export function draftQuery(path: string, vid: number, form: OpenReport['form'], rev: number) {
  return queryOptions({
    queryKey: ['draft', path, vid, rev, form],
    queryFn: ({ signal }) =>
      api.post<Draft>(`/algorithm/${path}`, form, { signal, quiet: true, query: { vid, draft: 1 } }),
  });
}

export function rerun(path: string, vid: number, place: Place, form: OpenReport['form']): Promise<Started> {
  return api.post<Started>(`/algorithm/${path}`, form, { query: { vid, ...place, wait: 20 } });
}

/** As a report of its own in the same project. */
export function runRemedy(path: string, vid: number, project_id: number, form: OpenReport['form']): Promise<Started> {
  return api.post<Started>(`/algorithm/${path}`, form, { query: { ...versionIn(vid), project_id, wait: 20 } });
}

export interface RowsQuery {
  set: 'used' | 'filtered' | 'missing';
  column?: string | undefined;
  offset: number;
}

export const ROWS_PAGE = 100;

export function rowsQuery(place: Place, rev: number, { set, column, offset }: RowsQuery) {
  return queryOptions({
    queryKey: ['report-rows', place.report_id, rev, set, column ?? null, offset],
    queryFn: ({ signal }) =>
      api.get<SampleRows>(`${address(place)}/rows`, {
        signal,
        quiet: true,
        query: { set, column, rev, offset, limit: ROWS_PAGE },
      }),
  });
}

/** The page of the data with these rows alone. */
export const dataAddress = (vid: number, rows: readonly number[]): string =>
  `/mydata/detail/${vid}?rows=${encodeURIComponent(rowsCondition(rows))}`;

/** The rows behind a point of a chart, and where they can be looked at. */
export function caseActions(place: Place, rev: number, vid: number | null): CaseActions {
  return {
    key: `${place.project_id}/${place.report_id}/${rev}`,
    read: (rows, signal) =>
      api.get<SampleRows>(`${address(place)}/rows`, {
        signal,
        quiet: true,
        query: { set: 'numbered', numbers: rows.join(','), rev },
      }),
    address: (rows) => (vid === null ? null : dataAddress(vid, rows)),
  };
}

/** A page of the rows of a long table beyond those in the document. */
export function moreRows(place: Place, rev: number, file: string, offset: number): Promise<TableRows> {
  return api.get<TableRows>(`${address(place)}/table-rows`, { query: { file, rev, offset, limit: 1000 } });
}

/** A file the analysis wrote. */
export async function fetchFile(place: Place, rev: number, file: string): Promise<Blob> {
  const answer = await fetch(addressOf(`${address(place)}/file`, { file, rev }), { headers: authorization() });
  if (!answer.ok) throw new Error('文件没有下载成功，请重新运行后再试');
  return answer.blob();
}

export function makeData(place: Place, element: string): Promise<{ vid: number }> {
  return api.post<{ vid: number }>(`${address(place)}/data`, { element });
}

export function sharesQuery(place: Place) {
  return queryOptions({
    queryKey: ['shares', place.project_id, place.report_id],
    queryFn: ({ signal }) => api.get<Page<Share>>(`${address(place)}/shares`, { signal, quiet: true }),
    staleTime: 0,
  });
}

export function share(place: Place, body: ShareBody): Promise<Share> {
  return api.post<Share>('/v1/analysis/report/share', body, { query: { rid: place.report_id, pid: place.project_id } });
}

export function endShare(code: string): Promise<unknown> {
  return api.delete('/v1/analysis/report/share', { query: { code } });
}

/** What a visitor would get: the preview asks with the link itself. */
export function previewQuery(code: string) {
  return queryOptions({
    queryKey: ['share', code],
    queryFn: ({ signal }) => api.get<OpenShare>('/v1/analysis/report/share', { signal, quiet: true, query: { code } }),
    staleTime: Infinity,
  });
}
