/** Calls of 我的数据. */
import type { Page } from '@hengxi/contracts/http';
import type {
  Active,
  ActiveBody,
  AgainstItem,
  Cell,
  ColumnEdit,
  Edge,
  EdgeBody,
  Edited,
  FileDetail,
  FileRow,
  FilterCount,
  FilterState,
  FilterType,
  FindBody,
  Found,
  Imported,
  ImportReport,
  NamedFilter,
  OpenUploads,
  Preview,
  Questionnaire,
  QuestionnaireState,
  Rows,
  RowsBody,
  StepRow,
  TypedCounts,
} from '@hengxi/server/files/schema';
import type { EditsBody, Replace, SetEdit, Shape } from '@hengxi/server/steps/schema';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';
import type { SaveTo } from './detail/save-conflict.ts';

const BASE = '/v1/user/file';

export const PAGE_SIZE = 50;
export type FileSort = 'updated' | 'created' | 'name' | 'size';

export interface FileListQuery {
  keyword: string;
  bin: boolean;
  sort: FileSort;
  page: number;
}

export function filesQuery({ keyword, bin, sort, page }: FileListQuery) {
  return queryOptions({
    queryKey: ['files', 'list', { keyword, bin, sort, page }],
    queryFn: ({ signal }) =>
      api.get<Page<FileRow>>(BASE, {
        signal,
        query: { keyword: keyword || null, bin: bin ? 1 : 0, sort, page, page_size: PAGE_SIZE },
      }),
    placeholderData: keepPreviousData,
  });
}

export function fileQuery(fid: number) {
  return queryOptions({
    queryKey: ['files', 'one', fid],
    queryFn: ({ signal }) => api.get<FileDetail>(`${BASE}/${fid}`, { signal }),
  });
}

const WATCH_MS = 5000;

/** The same, asked again and again without a word: another window or person may go on meanwhile. */
export function watchedFileQuery(fid: number) {
  return queryOptions({
    queryKey: ['files', 'one', fid, 'watched'],
    queryFn: ({ signal }) => api.get<FileDetail>(`${BASE}/${fid}`, { signal, quiet: true }),
    refetchInterval: WATCH_MS,
    refetchOnWindowFocus: 'always',
  });
}

export function refreshFiles(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['files'] });
}

export function renameFile(fid: number, name: string): Promise<FileDetail> {
  return api.patch<FileDetail>(`${BASE}/${fid}`, { name });
}

/** Undo and redo are a move of the head; nothing is computed. */
export function moveHead(fid: number, head: number): Promise<FileDetail> {
  return api.patch<FileDetail>(`${BASE}/${fid}`, { head });
}

/** 锁定数据: nothing changes the file until the lock is lifted. */
export function lockFile(fid: number, locked: boolean): Promise<FileDetail> {
  return api.patch<FileDetail>(`${BASE}/${fid}`, { locked });
}

export function binFile(fid: number): Promise<unknown> {
  return api.delete(`${BASE}/${fid}`);
}

export function removeFile(fid: number): Promise<unknown> {
  return api.delete(`${BASE}/${fid}`, { query: { forever: 1 } });
}

export function restoreFile(fid: number): Promise<FileDetail> {
  return api.post<FileDetail>(`${BASE}/${fid}/restore`);
}

export function makeCounts(body: TypedCounts): Promise<Imported> {
  return api.post<Imported>(`${BASE}/counts`, body);
}

export function openExample(path: string): Promise<Imported> {
  return api.post<Imported>(`${BASE}/example`, { path });
}

/** What was sent and not imported yet, also from a page that was loaded anew or closed. */
export const openUploadsQuery = queryOptions({
  queryKey: ['uploads'],
  queryFn: ({ signal }) => api.get<OpenUploads>(`${BASE}/uploads`, { signal, quiet: true }),
  staleTime: 0,
  refetchOnWindowFocus: true,
});

export interface PreviewRequest {
  uploadId: number;
  settings: Record<string, unknown>;
  password: string;
  /** The upload of the value labels of a SAS data set. */
  catalogue: number | null;
  /** Part of the key: a preview of the beginning is asked for again when the file is whole. */
  whole: boolean;
}

export function previewQuery({ uploadId, settings, password, catalogue, whole }: PreviewRequest) {
  return queryOptions({
    queryKey: ['preview', uploadId, settings, password, catalogue, whole],
    queryFn: ({ signal }) => {
      const body = { settings, ...(password ? { password } : {}), ...(catalogue === null ? {} : { catalogue }) };
      return api.post<Preview>(`${BASE}/uploads/${uploadId}/preview`, body, { signal, quiet: true });
    },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function importReportQuery(vid: number) {
  return queryOptions({
    queryKey: ['import-report', vid],
    queryFn: ({ signal }) => api.get<ImportReport>(`${BASE}/versions/${vid}/import-report`, { signal, quiet: true }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function stepsQuery(vid: number) {
  return queryOptions({
    queryKey: ['steps', vid],
    queryFn: ({ signal }) => api.get<Page<StepRow>>(`${BASE}/versions/${vid}/steps`, { signal }),
  });
}

export function readRows(vid: number, body: Partial<RowsBody>, signal: AbortSignal): Promise<Rows> {
  return api.post<Rows>(`${BASE}/versions/${vid}/rows`, body, { signal, quiet: true });
}

/** Where Ctrl and an arrow lead in the table as it is shown. */
export function findEdge(
  vid: number,
  body: Partial<EdgeBody> & Pick<EdgeBody, 'row' | 'column' | 'to'>,
): Promise<Edge> {
  return api.post<Edge>(`${BASE}/versions/${vid}/edge`, body, { quiet: true });
}

/** The value labels of a SAS catalogue, by its upload. */
export function editByCatalogue(vid: number, catalogue: number): Promise<Edited> {
  return api.post<Edited>(`${BASE}/versions/${vid}/edits`, { catalogue });
}

/** One step, a new version. What comes second after another save is not stored (30511) but asked about by the caller. */
function postEdits(vid: number, body: EditsBody, { onto, branch }: SaveTo = {}): Promise<Edited> {
  const query = branch ? { branch: '1' } : {};
  return api.post<Edited>(`${BASE}/versions/${onto ?? vid}/edits`, body, { query, claims: [30511] });
}

export function editColumns(vid: number, columns: ColumnEdit[], to?: SaveTo): Promise<Edited> {
  return postEdits(vid, { columns }, to);
}

/** Cells by the number of their row in the whole table of `vid`, from 0, also where they go onto a newer version. */
export function editCells(
  vid: number,
  cells: { row: number; column: string; value: Cell }[],
  to: SaveTo = {},
): Promise<Edited> {
  const of = to.onto === undefined ? {} : { of: vid, theirs: to.theirs ?? false };
  return postEdits(vid, { cells, ...of }, to);
}

/** A text wherever it stands, in the rows that are shown. */
export function replaceText(
  vid: number,
  replace: Pick<Replace, 'seek' | 'with' | 'condition' | 'filter_type'>,
  to?: SaveTo,
): Promise<Edited> {
  return postEdits(vid, { replace }, to);
}

/** Rows and columns of `vid` put in or taken out, also where that goes onto a newer version. */
export function editShape(vid: number, shape: Shape, to: SaveTo = {}): Promise<Edited> {
  return postEdits(vid, { shape, ...(to.onto === undefined ? {} : { of: vid }) }, to);
}

/** All multiple-answer questions there shall be. */
export function editSets(vid: number, sets: SetEdit[], to?: SaveTo): Promise<Edited> {
  return postEdits(vid, { sets }, to);
}

export function findRow(vid: number, body: Partial<FindBody>): Promise<Found> {
  return api.post<Found>(`${BASE}/versions/${vid}/find`, body, { quiet: true });
}

/** How many rows hold a cell that was read otherwise than it is written. */
export function oddCellsQuery(vid: number, condition: string | null, filter_type: FilterType) {
  return queryOptions({
    queryKey: ['odd-cells', vid, condition, filter_type],
    queryFn: () => findRow(vid, { odd: true, condition, filter_type }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The weight and the split in force for every analysis of the version; what is left out stays. */
export function setActive(vid: number, body: ActiveBody): Promise<Active> {
  return api.patch<Active>(`${BASE}/versions/${vid}/active`, body);
}

/** Makes the filter the one in force for every analysis of the version; an empty condition resets it. */
export function setFilter(vid: number, condition: string, type: FilterType): Promise<FilterState> {
  return api.post<FilterState>('/algorithm/filter', { condition, filter_type: type }, { query: { vid } });
}

export function namedFiltersQuery(fid: number) {
  return queryOptions({
    queryKey: ['named-filters', fid],
    queryFn: ({ signal }) => api.get<Page<NamedFilter>>(`${BASE}/${fid}/filters`, { signal, quiet: true }),
  });
}

/** A new one where `id` is null, otherwise that one with what is given. */
export function keepFilter(
  fid: number,
  id: number | null,
  name: string,
  condition: string,
  type: FilterType,
): Promise<NamedFilter> {
  const body = { name, condition, filter_type: type };
  return api.post<NamedFilter>(`${BASE}/${fid}/filters${id === null ? '' : `/${id}`}`, body);
}

export function removeFilter(fid: number, id: number): Promise<unknown> {
  return api.delete(`${BASE}/${fid}/filters/${id}`);
}

export function countFilter(
  vid: number,
  condition: string,
  type: FilterType,
  signal: AbortSignal,
): Promise<FilterCount> {
  const body = { condition, filter_type: type };
  return api.post<FilterCount>(`${BASE}/versions/${vid}/filter-count`, body, { signal, quiet: true });
}

export function questionnaireQuery(vid: number) {
  return queryOptions({
    queryKey: ['files', 'questionnaire', vid],
    queryFn: ({ signal }) => api.get<QuestionnaireState>(`${BASE}/versions/${vid}/questionnaire`, { signal }),
  });
}

/** Items of a group that run against the others; asked anew whenever the group changes. */
export function againstQuery(vid: number, columns: readonly string[]) {
  return queryOptions({
    queryKey: ['files', 'against', vid, columns],
    queryFn: ({ signal }) =>
      api.post<AgainstItem[]>(`${BASE}/versions/${vid}/questionnaire/against`, { columns }, { signal, quiet: true }),
    enabled: columns.length > 2,
    staleTime: Infinity,
  });
}

export function keepQuestionnaire(vid: number, kept: Questionnaire): Promise<Questionnaire> {
  return api.put<Questionnaire>(`${BASE}/versions/${vid}/questionnaire`, kept);
}

export function forgetQuestionnaire(vid: number): Promise<unknown> {
  return api.delete(`${BASE}/versions/${vid}/questionnaire`);
}
