/** /analysis/operation/{vid}?method=group/key[&report_id&project_id]: gathers what the analysis starts from, then hands over. */
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { Navigate, useLocation, useNavigate, useParams, useSearchParams } from 'react-router';

import { setColumns } from '../../fields/answer-sets.ts';
import { isRecord } from '../../fields/form.ts';
import { errorText, isNotFound } from '../../lib/api.ts';
import { NO_VID, versionOrNoneQuery } from '../../lib/catalogue.ts';
import { writeCurrentVid } from '../../lib/current.ts';
import { usePhone } from '../../lib/use-media.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { noteRecent, readDraft } from './local.ts';
import { NarrowNotice } from './narrow-notice.tsx';
import styles from './operation-page.module.css';
import { startForm } from './operation/initial-settings.ts';
import type { WorkbenchProps } from './operation/create-analysis.ts';
import { Workbench } from './operation/workbench.tsx';
import { configQuery, methodQuery, reportQuery } from './queries.ts';

const idOf = (text: string | null): number | null =>
  text !== null && /^[1-9]\d{0,9}$/u.test(text) ? Number(text) : null;

/** The data of the report were deleted: the address names none, and the method cannot do without. */
const GONE = Symbol('gone');

function Trouble({ error, what }: { error: unknown; what: string }) {
  const navigate = useNavigate();
  const isGone = error === GONE || isNotFound(error);
  return (
    <div className={styles['trouble']}>
      <EmptyState
        title={isGone ? `没有找到${what}` : `${what}没有打开`}
        hint={isGone ? '它可能已被删除，或属于另一个账号。' : errorText(error)}
        actions={<Button onClick={() => void navigate('/analysis/index')}>返回选方法</Button>}
      />
    </div>
  );
}

function useStart() {
  const [params] = useSearchParams();
  const vid = idOf(useParams()['vid'] ?? null) ?? 0;
  const [project_id, report_id] = [idOf(params.get('project_id')), idOf(params.get('report_id'))];
  const place = project_id === null || report_id === null ? null : { project_id, report_id };
  const report = useQuery({
    ...reportQuery(place ?? { project_id: 0, report_id: 0 }),
    enabled: place !== null,
    staleTime: 0,
  });
  const config = useQuery({ ...configQuery(place ?? { project_id: 0, report_id: 0 }), enabled: place !== null });
  const path = params.get('method') ?? report.data?.path ?? null;
  const method = useQuery({ ...methodQuery(path ?? ''), enabled: path !== null });
  const version = useQuery(versionOrNoneQuery(vid));
  const columns = (params.get('columns') ?? '').split(',').filter((id) => /^[cs]\d+$/u.test(id));
  // What another page left in the cache may be an older revision: this page starts from what the server has now.
  const asked = place === null || (report.isFetchedAfterMount && config.isFetchedAfterMount);
  const waits = version.isPending || (path !== null && method.isPending) || !asked;
  return { vid, path, place, report, config, method, version, columns, waits };
}

const lacksData = ({ vid, method }: ReturnType<typeof useStart>): boolean =>
  vid === NO_VID && method.data !== undefined && method.data.declaration.needs_data === true;

interface Opened {
  key: string;
  props: WorkbenchProps;
}

/** What the workbench starts from; null while something is still on its way. */
function propsOf(start: ReturnType<typeof useStart>, state: unknown): WorkbenchProps | null {
  const { place, report, config, method, version } = start;
  if (start.waits || version.data === undefined || method.data === undefined) return null;
  if (place !== null && report.data === undefined) return null;
  if (lacksData(start)) return null;
  const carry = isRecord(state) && isRecord(state['carry']) ? state['carry'] : null;
  const opening = startForm({
    declaration: method.data.declaration,
    columns: [...version.data.columns, ...setColumns(version.data.sets, version.data.columns)],
    asked: start.columns,
    carry,
    report: report.data ?? null,
    config: config.data ?? null,
    draft: readDraft({
      fid: version.data.fid,
      path: method.data.declaration.path,
      report_id: place?.report_id ?? null,
    }),
  });
  return {
    method: method.data,
    vid: start.vid,
    version: version.data,
    report: place === null ? null : (report.data ?? null),
    sought: isRecord(state) && Array.isArray(state['sought']) ? { keys: state['sought'].map(String) } : null,
    ...opening,
  };
}

export function OperationPage() {
  const start = useStart();
  const navigate = useNavigate();
  const location = useLocation();
  const isPhone = usePhone();
  const { vid, path, place, report, method, version } = start;
  const [opened, setOpened] = useState<Opened | null>(null);
  // The analysis moves the address along with itself (a new version, the number of a new report): that opens nothing new.
  const inPlace = opened !== null && isRecord(location.state) && location.state['inPlace'] === true;
  const isOpen = opened !== null && (inPlace || opened.key === location.key);
  const props = isOpen ? null : propsOf(start, location.state);
  if (props !== null) setOpened({ key: location.key, props });

  useEffect(() => {
    if (path === null && place === null) void navigate('/analysis/index', { replace: true });
  }, [path, place, navigate]);
  const openedPath = opened?.props.method.declaration.path ?? null;
  useEffect(() => {
    if (openedPath !== null) noteRecent(openedPath);
  }, [openedPath]);
  useEffect(() => {
    if (vid !== NO_VID) writeCurrentVid(vid);
  }, [vid]);

  if (isPhone) return <NarrowNotice report={place === null ? null : (report.data?.document ?? null)} />;
  if (isOpen) return <Workbench key={opened.key} {...opened.props} />;
  if (lacksData(start)) return <Trouble error={GONE} what="这份数据" />;
  if (version.isLoadingError) return <Trouble error={version.error} what="这份数据" />;
  // Gone, or its first result is still being computed: the page of the report knows which, and shows how far it is.
  if (report.isLoadingError && isNotFound(report.error) && place !== null) {
    const { project_id, report_id } = place;
    return <Navigate replace to={`/analysis/result/${vid}?project_id=${project_id}&report_id=${report_id}`} />;
  }
  if (report.isLoadingError) return <Trouble error={report.error} what="这份报告" />;
  if (method.isLoadingError) return <Trouble error={method.error} what="这个方法" />;
  return <PageSkeleton />;
}
