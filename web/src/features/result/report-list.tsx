/** Reports of a project, or of one data version: pinned first, newest next. */
import { PushpinOutlined } from '@ant-design/icons';
import { date, integer } from '@hengxi/contracts/format';
import type { ReportRow } from '@hengxi/server/reports/schema';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button, Checkbox, Pagination, Segmented, Select } from 'antd';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';

import { errorText } from '../../lib/api.ts';
import { usePageTitle } from '../../lib/title.ts';
import { toast } from '../../lib/toast.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import { ReportExportDialog } from './export-dialog.tsx';
import { PendingReports, pendingText, percentOf } from './pending-reports.tsx';
import { act, exportReports, projectsQuery, reportsQuery } from './queries.ts';
import styles from './report-list.module.css';
import type { OpenRun } from './use-open-runs.ts';
import { useOpenRuns } from './use-open-runs.ts';

const PAGE = 50;

export function ReportList({ vid, project }: { vid: number; project: number | null }) {
  const navigate = useNavigate();
  const [page, setPage] = useState(1);
  const [bin, setBin] = useState(false);
  const reports = useQuery(reportsQuery(project ?? 0, project === null ? vid : null, page, bin));
  const projects = useQuery(projectsQuery);
  const open = useOpenRuns({ vid, project });
  const listed = new Set(reports.data?.list.map(({ rid }) => rid));
  const fresh = bin ? [] : open.filter(({ about }) => !listed.has(about.report_id));
  const name = projects.data?.list.find((p) => p.id === project)?.name;
  usePageTitle(name ?? '报告');
  const options = [
    { value: 0, label: '这份数据的全部报告' },
    ...(projects.data?.list ?? []).map((p) => ({ value: p.id, label: `${p.name}（${integer(p.reports)}）` })),
  ];
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <h1>{name ?? '报告'}</h1>
        <Segmented<'list' | 'bin'>
          aria-label="报告或回收站"
          options={[
            { value: 'list', label: '报告' },
            { value: 'bin', label: '回收站' },
          ]}
          value={bin ? 'bin' : 'list'}
          onChange={(next) => {
            setPage(1);
            setBin(next === 'bin');
          }}
        />
        <Select
          className={styles['project'] ?? ''}
          aria-label="项目"
          value={project ?? 0}
          options={options}
          onChange={(next) => {
            setPage(1);
            void navigate(next === 0 ? `/analysis/result/${vid}` : `/analysis/result/${vid}?project_id=${next}`);
          }}
        />
        <Button type="primary" onClick={() => void navigate(`/analysis/index?vid=${vid}`)}>
          新建分析
        </Button>
      </header>
      {reports.isLoadingError ? <p role="alert">{errorText(reports.error)}</p> : null}
      {reports.isPending ? <ListSkeleton rows={8} /> : null}
      <PendingReports going={fresh} vid={vid} />
      {reports.data?.total === 0 && bin ? (
        <EmptyState title="回收站是空的" hint="删除的报告在这里留 30 天，可以恢复。" />
      ) : null}
      {reports.data?.total === 0 && !bin && fresh.length === 0 ? (
        <EmptyState
          art
          title="还没有报告"
          hint="选一个方法，拖入变量，结果会自动存成报告。"
          actions={<Button onClick={() => void navigate(`/analysis/index?vid=${vid}`)}>选方法</Button>}
        />
      ) : null}
      {reports.data !== undefined && reports.data.total > 0 ? (
        <Table list={reports.data.list} vid={vid} bin={bin} project={project ?? 0} open={open} />
      ) : null}
      {reports.data !== undefined && reports.data.total > PAGE ? (
        <Pagination
          current={page}
          pageSize={PAGE}
          total={reports.data.total}
          showSizeChanger={false}
          onChange={setPage}
        />
      ) : null}
    </div>
  );
}

interface TableProps {
  list: readonly ReportRow[];
  vid: number;
  bin: boolean;
  project: number;
  open: readonly OpenRun[];
}

function Table({ list, vid, bin, project, open }: TableProps) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [exporting, setExporting] = useState(false);
  const rids = list.filter(({ rid }) => chosen.has(rid)).map(({ rid }) => rid);
  const choose = (rid: number, on: boolean): void => {
    const next = new Set(chosen);
    if (on) next.add(rid);
    else next.delete(rid);
    setChosen(next);
  };
  return (
    <>
      {rids.length > 0 && !bin ? (
        <div className={styles['chosen']} role="status">
          <span>已选 {integer(rids.length)} 份</span>
          <Button size="small" onClick={() => setExporting(true)}>
            合成一份文件导出
          </Button>
          <Button size="small" type="text" onClick={() => setChosen(new Set())}>
            取消选择
          </Button>
        </div>
      ) : null}
      {exporting ? (
        <ReportExportDialog
          title={`导出 ${integer(rids.length)} 份报告`}
          blocks={[]}
          begin={(body) => exportReports(project, { ...body, reports: rids })}
          onClose={() => setExporting(false)}
        />
      ) : null}
      <Lines list={list} vid={vid} bin={bin} open={open} chosen={chosen} onChoose={choose} />
    </>
  );
}

interface LinesProps {
  list: readonly ReportRow[];
  vid: number;
  bin: boolean;
  open: readonly OpenRun[];
  chosen: ReadonlySet<number>;
  onChoose: (rid: number, on: boolean) => void;
}

function Lines({ list, vid, bin, open, chosen, onChoose }: LinesProps) {
  return (
    <table className={styles['table']}>
      <thead>
        <tr>
          {bin ? null : (
            <th scope="col" className={styles['tick']}>
              <span className="hx-hidden">选择</span>
            </th>
          )}
          <th scope="col">报告</th>
          <th scope="col">方法</th>
          <th scope="col">数据</th>
          <th scope="col" className={styles['right']}>
            次数
          </th>
          <th scope="col">{bin ? '删除' : '更新'}</th>
        </tr>
      </thead>
      <tbody>
        {list.map((row) => (
          <ReportLine
            key={row.rid}
            row={row}
            vid={vid}
            bin={bin}
            run={open.find(({ about }) => about.report_id === row.rid)}
            chosen={chosen.has(row.rid)}
            onChoose={(on) => onChoose(row.rid, on)}
          />
        ))}
      </tbody>
    </table>
  );
}

interface LineProps {
  row: ReportRow;
  vid: number;
  bin: boolean;
  /** Its next result, under way. */
  run: OpenRun | undefined;
  chosen: boolean;
  onChoose: (on: boolean) => void;
}

function ReportLine({ row, vid, bin, run, chosen, onChoose }: LineProps) {
  const url = `/analysis/result/${row.vid ?? vid}?project_id=${row.project_id}&report_id=${row.rid}`;
  return (
    <tr>
      {bin ? null : (
        <td className={styles['tick']}>
          <Checkbox checked={chosen} aria-label={`选择${row.title}`} onChange={(e) => onChoose(e.target.checked)} />
        </td>
      )}
      <td className={styles['title']}>
        {row.pinned ? (
          <span title="已固定">
            <PushpinOutlined aria-label="已固定" />{' '}
          </span>
        ) : null}
        {bin ? row.title : <Link to={url}>{row.title}</Link>}
        {run === undefined ? null : <span className={styles['tag']}>{goingTag(run)}</span>}
        {row.frozen ? <span className={styles['tag']}>已冻结</span> : null}
        {row.shared ? <span className={styles['tag']}>分享中</span> : null}
      </td>
      <td>{row.method}</td>
      <td>{row.file_name ?? '已删除'}</td>
      <td className={styles['right']}>{integer(row.revs)}</td>
      <td>
        {date(bin ? row.deleted_at : row.updated_at, true)}
        {bin ? <Restore row={row} url={url} /> : null}
      </td>
    </tr>
  );
}

function goingTag(run: OpenRun): string {
  const percent = percentOf(run.progress);
  return `更新中：${pendingText(run)}${percent === null ? '' : ` ${percent}%`}`;
}

function Restore({ row, url }: { row: ReportRow; url: string }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const restore = async (): Promise<void> => {
    await act({ project_id: row.project_id, report_id: row.rid }, { restore: true });
    await client.invalidateQueries({ queryKey: ['reports'] });
    toast.done('报告已恢复', { action: { text: '打开', run: () => void navigate(url) } });
  };
  return (
    <Button size="small" className={styles['restore'] ?? ''} onClick={() => void restore().catch(() => undefined)}>
      恢复
    </Button>
  );
}
