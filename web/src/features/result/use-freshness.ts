/** Whether a report still says what the data say: the same form on the file's present version must have the same key. */
import { hasRows } from '@hengxi/contracts/report/sample';
import { useQuery } from '@tanstack/react-query';

import { isNotFound } from '../../lib/api.ts';
import { fileQuery, draftQuery, type OpenReport } from './queries.ts';

export interface Freshness {
  state: 'asking' | 'same' | 'stale' | 'gone' | 'unknown';
  /** The version the report was made on, as its place in the file: v3. */
  made: number | null;
  /** The present version of the file. */
  head: { vid: number; number: number } | null;
}

export function useFreshness(report: OpenReport): Freshness {
  const file = useQuery({ ...fileQuery(report.fid ?? 0), enabled: report.fid !== null });
  const history = file.data?.history ?? [];
  const headAt = history.findIndex((v) => v.is_head);
  const head = history[headAt];
  const newest = report.rev === report.revs;
  const draft = useQuery({
    ...draftQuery(report.path, head?.vid ?? 0, report.form, report.rev),
    enabled: head !== undefined && newest,
  });
  const at = history.findIndex((v) => v.vid === report.vid);
  const madeFrom = at < 0 ? null : at + 1;
  const present = head === undefined ? null : { vid: head.vid, number: headAt + 1 };
  // What used no data cannot be outdated by them.
  if (report.vid === null && !hasRows(report.document.sample)) return { state: 'same', made: null, head: null };
  const isGone = report.vid === null || report.fid === null || isNotFound(file.error);
  if (isGone) return { state: 'gone', made: madeFrom, head: present };
  if (file.isLoadingError) return { state: 'unknown', made: madeFrom, head: present };
  if (file.isPending || (newest && draft.isPending)) return { state: 'asking', made: madeFrom, head: present };
  if (draft.data === undefined) return { state: 'unknown', made: madeFrom, head: present };
  // What the method would refuse now, as a weight it cannot use, it has not computed either, whatever the key says.
  const isSame = draft.data.key === report.key && draft.data.fields.length === 0;
  return { state: isSame ? 'same' : 'stale', made: madeFrom, head: present };
}
