/** Reports of the list whose first result is still being computed. */
import { useQuery } from '@tanstack/react-query';
import { date } from '@hengxi/contracts/format';
import { Button, Progress } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';

import { methodsQuery } from '../../lib/catalogue.ts';
import { cancelRun } from '../../lib/runs.ts';
import styles from './report-list.module.css';
import type { OpenRun } from './use-open-runs.ts';

export interface PendingReportsProps {
  going: readonly OpenRun[];
  vid: number;
}

export function PendingReports({ going, vid }: PendingReportsProps) {
  const methods = useQuery(methodsQuery);
  if (going.length === 0) return null;
  const titleOf = (path: string): string =>
    methods.data?.find((method) => method.algo_code === path)?.title ?? '新的分析';
  return (
    <section className={styles['going']} aria-label="正在计算的报告">
      <h2>正在计算</h2>
      <ul>
        {going.map((run) => (
          <Going key={run.run_id} run={run} title={titleOf(run.about.method)} vid={vid} />
        ))}
      </ul>
    </section>
  );
}

/** 排队，前面 2 个 · 训练第 3/8 折 */
export function pendingText({ state, position, progress }: Pick<OpenRun, 'state' | 'position' | 'progress'>): string {
  if (state === 'waiting') return position ? `排队，前面 ${position} 个` : '排队';
  return progress?.text ? progress.text : '正在计算';
}

export const percentOf = (progress: OpenRun['progress']): number | null =>
  progress?.of ? Math.floor((progress.done / progress.of) * 100) : null;

function Going({ run, title, vid }: { run: OpenRun; title: string; vid: number }) {
  const [cancelling, setCancelling] = useState(false);
  const { report_id, project_id } = run.about;
  const percent = percentOf(run.progress);
  const cancel = (): void => {
    setCancelling(true);
    // The client has said what went wrong.
    cancelRun(run.run_id).catch(() => setCancelling(false));
  };
  return (
    <li>
      <Link to={`/analysis/result/${run.about.vid ?? vid}?project_id=${project_id}&report_id=${report_id}`}>
        {title}
      </Link>
      <span className={styles['stage']} role="status">
        {pendingText(run)}
      </span>
      {percent === null ? <span /> : <Progress percent={percent} size="small" aria-label={`${title}的计算进度`} />}
      <span className={styles['began']}>{date(run.created_at, true)} 开始</span>
      <Button size="small" disabled={cancelling} onClick={cancel}>
        {cancelling ? '正在取消' : '取消'}
      </Button>
    </li>
  );
}
