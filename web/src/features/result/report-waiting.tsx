/** A report whose first result is still being computed: how far it is, and that it appears here by itself. */
import { Button, Progress } from 'antd';
import { useState } from 'react';

import { cancelRun, stopRun } from '../../lib/runs.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import styles from './report-waiting.module.css';
import type { ReportRun } from './use-report-run.ts';

export function ReportWaiting({ going }: { going: NonNullable<ReportRun['going']> }) {
  const [ending, setEnding] = useState<'cancel' | 'stop' | null>(null);
  const { state, progress, run_id } = going;
  const percent = progress?.of ? Math.floor((progress.done / progress.of) * 100) : null;
  const end = (how: 'cancel' | 'stop'): void => {
    setEnding(how);
    // The client has said what went wrong.
    (how === 'stop' ? stopRun(run_id) : cancelRun(run_id)).catch(() => setEnding(null));
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
          {/* As beside the settings: only work done in steps has something to keep. */}
          {state === 'running' && progress !== null ? (
            <Button disabled={ending !== null} onClick={() => end('stop')}>
              {ending === 'stop' ? '正在停止' : '停止并保留'}
            </Button>
          ) : null}
          <Button disabled={ending !== null} onClick={() => end('cancel')}>
            {ending === 'cancel' ? '正在取消' : '取消计算'}
          </Button>
        </>
      }
    />
  );
}
