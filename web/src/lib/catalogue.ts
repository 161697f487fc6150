/** What there is to choose from: methods, files, reports, and the variables of a version. Read by the palette and by several pages. */
import type { Page } from '@hengxi/contracts/http';
import type { MethodRow, MethodWords } from '@hengxi/server/analysis/schema';
import type { FileRow, Version } from '@hengxi/server/files/schema';
import type { Project } from '@hengxi/server/projects/schema';
import type { ReportRow } from '@hengxi/server/reports/schema';
import { queryOptions } from '@tanstack/react-query';

import { api } from './api.ts';

export const methodsQuery = queryOptions({
  queryKey: ['methods'],
  queryFn: ({ signal }) => api.get<MethodRow[]>('/algorithm/v2/list', { signal }),
  staleTime: 10 * 60_000,
});

export const methodWordsQuery = queryOptions({
  queryKey: ['method-words'],
  queryFn: ({ signal }) => api.get<MethodWords>('/algorithm/v2/words', { signal, quiet: true }),
  staleTime: Infinity,
});

/** Stands in addresses for the version of a method that takes no data. */
export const NO_VID = 0;

/** The query of a call about a version; a method without data names none. */
export const versionIn = (vid: number): { vid?: number } => (vid === NO_VID ? {} : { vid });

const NO_DATA: Version = {
  vid: NO_VID,
  fid: 0,
  name: '',
  format: '',
  size: 0,
  parent: null,
  number: 1,
  is_head: true,
  locked: false,
  rows: 0,
  rows_limit: null,
  step: { op: 'import', title: '', changes: [], params: {} },
  active: { filter: null, weight: null, split: null },
  columns: [],
  sets: [],
  questionnaire: null,
  reports: 0,
  created_at: '',
};

const loadVersion = (vid: number, signal: AbortSignal): Promise<Version> =>
  api.get<Version>(`/v1/user/file/versions/${vid}`, { signal, quiet: true });

export function versionQuery(vid: number) {
  return queryOptions({
    queryKey: ['version', vid],
    // Every page says itself that it has no data, and what to do.
    queryFn: ({ signal }) => loadVersion(vid, signal),
    // A version never changes except for what is active on it; whoever changes that invalidates this.
    staleTime: 60_000,
  });
}

/**
 * As `versionQuery`, but `NO_VID` gives a version without columns: its key is its own, so that nobody else takes it for
 * data at hand.
 */
export function versionOrNoneQuery(vid: number) {
  const { staleTime, queryKey } = versionQuery(vid);
  return queryOptions({
    queryKey: vid === NO_VID ? ['version', 'none'] : queryKey,
    queryFn: ({ signal }) => (vid === NO_VID ? Promise.resolve(NO_DATA) : loadVersion(vid, signal)),
    staleTime,
  });
}

/** Enough to find anything by name; longer lists are searched on their own pages. */
const FINDABLE = 200;

export const findableFilesQuery = queryOptions({
  queryKey: ['files', 'findable'],
  queryFn: ({ signal }) =>
    api.get<Page<FileRow>>('/v1/user/file', { signal, quiet: true, query: { page_size: FINDABLE } }),
});

const RECENT_PROJECTS = 10;

/** Reports of the projects touched last. */
export const findableReportsQuery = queryOptions({
  queryKey: ['reports', 'findable'],
  queryFn: async ({ signal }): Promise<ReportRow[]> => {
    const options = { signal, quiet: true };
    const projects = await api.get<Page<Project>>('/v1/analysis/project', {
      ...options,
      query: { page_size: RECENT_PROJECTS },
    });
    const pages = await Promise.all(
      projects.list.map((project) => api.get<Page<ReportRow>>(`/v1/analysis/projects/${project.id}/report`, options)),
    );
    return pages.flatMap((page) => page.list);
  },
});
