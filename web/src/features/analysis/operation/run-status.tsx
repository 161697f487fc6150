/** The line above the result: what state the analysis is in, and whether what is shown belongs to the settings on screen. */
import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  LockOutlined,
  PauseCircleOutlined,
  StopOutlined,
  SyncOutlined,
  WarningOutlined,
} from '@ant-design/icons';
import { analysedText } from '@hengxi/contracts/report/sample';
import { Button, Progress } from 'antd';
import type { ReactNode } from 'react';

import { isOpen } from '../../../fields/form-context.tsx';
import { BestCurve } from './best-curve.tsx';
import type { Machine, Phase } from './run-state.ts';
import { faultsOf, isStale, phaseOf, secondsText } from './run-state.ts';
import styles from './run-status.module.css';

const WORD: Record<Phase, string> = {
  unready: '未就绪',
  ready: '待运行',
  waiting: '排队',
  running: '运行中',
  done: '完成',
  failed: '失败',
  cancelled: '已取消',
};

const ICON: Record<Phase, ReactNode> = {
  unready: <PauseCircleOutlined aria-hidden />,
  ready: <ClockCircleOutlined aria-hidden />,
  waiting: <ClockCircleOutlined aria-hidden />,
  running: <SyncOutlined aria-hidden />,
  done: <CheckCircleOutlined aria-hidden />,
  failed: <WarningOutlined aria-hidden />,
  cancelled: <StopOutlined aria-hidden />,
};

const isEngineAway = ({ failure }: Machine): boolean => failure?.kind === 'engine';

/** What the data do not allow is no breakdown: never red (style: role box). */
function toneOf(machine: Machine, phase: Phase): string | undefined {
  if (phase === 'done') return 'ok';
  if (phase !== 'failed') return undefined;
  return machine.failure?.kind === 'refused' || isEngineAway(machine) ? 'warn' : 'bad';
}

function wordOf(machine: Machine, phase: Phase): string {
  if (machine.result !== null && machine.going !== null) return '更新中';
  if (phase === 'unready' && machine.draft === null) return '检查中';
  return phase === 'failed' && isEngineAway(machine) ? '引擎启动中' : WORD[phase];
}

function elapsedText(seconds: number): string {
  return seconds < 0.05 ? '不到 0.1 秒' : `${(Math.round(seconds * 10) / 10).toString()} 秒`;
}

function detailOf(machine: Machine, phase: Phase): string {
  const { going, draft, failure, result, cancelled } = machine;
  switch (phase) {
    case 'unready':
      // What is only not filled in yet is said at its field.
      return draft === null ? '正在检查设置' : (faultsOf(machine).find((fault) => !isOpen(fault))?.text ?? '');
    case 'ready':
      return draft === null ? '' : secondsText(draft.seconds);
    case 'waiting':
      if (going?.ending === 'cancel') return '正在取消';
      return going?.position === null || going === null || going.position === 0
        ? '马上开始'
        : `前面还有 ${going.position} 个任务`;
    case 'running':
      if (going?.ending !== null && going !== null)
        return going.ending === 'cancel' ? '正在取消' : '正在停止，保留目前的结果';
      return going?.progress?.text ?? '正在计算';
    case 'done':
      if (result === null) return '';
      return [
        elapsedText(result.report.elapsed),
        analysedText(result.report.sample),
        result.stopped ? '提前停止，保留当时的结果' : '与当前设置一致',
      ].join(' · ');
    case 'failed':
      return failure === null ? '' : failure.text;
    case 'cancelled':
      return cancelled === null ? '' : '设置还在，可重新运行';
  }
}

export interface RunStatusProps {
  machine: Machine;
  onRun: () => void;
  onUnfreeze: () => void;
  actions: ReactNode;
}

export function RunStatus({ machine, onRun, onUnfreeze, actions }: RunStatusProps) {
  const phase = phaseOf(machine);
  const { going } = machine;
  const stale = isStale(machine);
  const share =
    going?.progress && going.progress.of !== null && going.progress.of > 0
      ? going.progress.done / going.progress.of
      : null;
  return (
    <div className={styles['line']}>
      <div className={styles['state']} role="status" data-phase={phase}>
        <span className={styles['word']} data-tone={toneOf(machine, phase)}>
          {ICON[phase]}
          {wordOf(machine, phase)}
          {share === null ? '' : ` ${Math.round(share * 100)}%`}
        </span>
        <span className={styles['detail']} title={detailOf(machine, phase)}>
          {detailOf(machine, phase)}
        </span>
        {share === null ? null : (
          <Progress
            className={styles['bar'] ?? ''}
            percent={Math.round(share * 100)}
            showInfo={false}
            size="small"
            aria-label="进度"
          />
        )}
        <BestCurve values={going?.curve ?? []} />
      </div>
      {stale && going === null ? (
        <span className={styles['stale']}>
          已过期
          {machine.frozen ? null : phase === 'unready' || phase === 'failed' ? null : (
            <button type="button" className="hx-link" onClick={onRun}>
              更新
            </button>
          )}
        </span>
      ) : null}
      {machine.frozen ? (
        <span className={styles['frozen']}>
          <LockOutlined aria-hidden /> 已冻结
          <Button type="link" size="small" onClick={onUnfreeze}>
            解除
          </Button>
        </span>
      ) : null}
      {actions}
    </div>
  );
}
