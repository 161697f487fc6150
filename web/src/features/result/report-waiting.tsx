/** A report whose first result is still being computed: how far it is, and that it appears here by itself. */
import { Button, Progress } from 'antd';
import { useState } from 'react';

import { cancelRun } from '../../lib/runs.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import styles from './report-waiting.module.css';
import type { ReportRun } from './use-report-run.ts';

export function ReportWaiting({ going }: { going: NonNullable<ReportRun['going']> }) {
  const [cancelling, setCancelling] = useState(false);
  const { state, progress, run_id } = going;
  const percent = progress?.of ? Math.floor((progress.done / progress.of) * 100) : null;
  const cancel = (): void => {
    setCancelling(true);
    // The client has said what went wrong.
    cancelRun(run_id).catch(() => setCancelling(false));
  };
  return (
    <EmptyState
      art
      heading
      title={state === 'waiting' ? '这份报告正在排队' : '这份报告正在计算'}
      hint={
        <>
          {progress?.text ? <span>{progress.text}。</span> : null}
          算完会在这里出现，可以先离开这一页。
        </>
      }
      actions={
        <>
          {percent === null ? null : (
            <Progress className={styles['bar'] ?? ''} percent={percent} size="small" aria-label="计算进度" />
          )}
          <Button disabled={cancelling} onClick={cancel}>
            {cancelling ? '正在取消' : '取消计算'}
          </Button>
        </>
      }
    />
  );
}
