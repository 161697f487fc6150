/** The right pane: the state line and the report, or what is still needed for one. The old result stays until the new one is there. */
import type { Declaration, Remedy } from '@hengxi/contracts/contract';
import { LockOutlined, RightOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense } from 'react';
import { useNavigate } from 'react-router';

import type { Verified } from '../../../report/method/method-notes.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { useModelActions } from '../../../report/model/use-model-actions.ts';
import { ReportSkeleton } from '../../../ui/skeleton.tsx';
import { LockedLine, LockedMethod } from '../locked-method.tsx';
import { failureDetail, failureTitle } from './failure-words.ts';
import { RunStatus } from './run-status.tsx';
import type { Failure, Machine } from './run-state.ts';
import { isStale, phaseOf } from './run-state.ts';
import styles from './result-pane.module.css';

const ReportView = lazy(async () => ({ default: (await import('../../../report/report-view.tsx')).ReportView }));

export interface ResultPaneProps {
  declaration: Declaration;
  machine: Machine;
  /** The data on screen: what a prediction with the model opens on. */
  vid: number;
  /** Where the whole report opens; null before the first result. */
  reportUrl: string | null;
  onRun: () => void;
  onFreeze: (frozen: boolean) => void;
  onRemedy: (remedy: Remedy) => void;
  /** For members only, and the person is none. */
  isLocked: boolean;
  verified: Verified;
}

/** The number of the log entry, unless the sentence has it already. */
function numberOf({ id, text }: Failure): string {
  return id === null || text.includes(id) ? '' : `（编号 ${id}）`;
}

type NothingProps = Pick<ResultPaneProps, 'declaration' | 'machine' | 'isLocked' | 'onRun'>;

function Nothing({ declaration, machine, isLocked, onRun }: NothingProps) {
  const phase = phaseOf(machine);
  if (isLocked && machine.going === null) return <LockedMethod path={declaration.path} title={declaration.title} />;
  const unknown = phase === 'unready' && machine.draft === null;
  if (unknown || phase === 'waiting' || phase === 'running') return <ReportSkeleton />;
  const { failure } = machine;
  if (phase === 'failed' && failure !== null) {
    return (
      <EmptyState
        title={failureTitle(failure)}
        hint={
          <>
            {failureDetail(failure)}
            <span className={styles['id']}>{numberOf(failure)}</span>
          </>
        }
        actions={
          failure.kind === 'refused' || failure.kind === 'engine' ? null : <Button onClick={onRun}>重新运行</Button>
        }
      />
    );
  }
  if (phase === 'cancelled')
    return <EmptyState title="已取消" hint="设置都还在。" actions={<Button onClick={onRun}>重新运行</Button>} />;
  if (phase === 'ready')
    return (
      <EmptyState
        title="可以运行了"
        hint="这个分析要一些时间，按运行开始。"
        actions={<Button onClick={onRun}>运行</Button>}
      />
    );
  // What is still missing stands where it is put in: below its box.
  return (
    <EmptyState
      art
      title={declaration.needs_data === false ? '填好设置后，结果会出现在这里' : '放好变量后，结果会出现在这里'}
    />
  );
}

export function ResultPane({
  declaration,
  machine,
  vid,
  reportUrl,
  onRun,
  onFreeze,
  onRemedy,
  isLocked,
  verified,
}: ResultPaneProps) {
  const navigate = useNavigate();
  const { result, failure } = machine;
  const models = useModelActions(vid);
  const phase = phaseOf(machine);
  return (
    <div className={styles['pane']}>
      <RunStatus
        machine={machine}
        onRun={onRun}
        onUnfreeze={() => onFreeze(false)}
        actions={
          result === null ? null : (
            <>
              {machine.frozen ? null : (
                <Button type="text" size="small" icon={<LockOutlined />} onClick={() => onFreeze(true)}>
                  冻结
                </Button>
              )}
              {reportUrl === null ? null : (
                <Button
                  size="small"
                  color="primary"
                  variant="outlined"
                  icon={<RightOutlined />}
                  iconPlacement="end"
                  href={reportUrl}
                  onClick={(event) => {
                    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                    event.preventDefault();
                    void navigate(reportUrl);
                  }}
                >
                  打开报告
                </Button>
              )}
            </>
          )
        }
      />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard */}
      <div className={styles['body']} tabIndex={0} role="region" aria-label="报告">
        {result !== null && phase === 'failed' && failure !== null ? (
          <p
            className={styles['failed']}
            data-refused={failure.kind === 'refused' || failure.kind === 'engine' ? '' : undefined}
            role="alert"
          >
            {[failureTitle(failure), failureDetail(failure).replace(/。$/u, '')].filter(Boolean).join('：')}
            {numberOf(failure)}。下面是上一次的结果。
            {failure.kind === 'refused' || failure.kind === 'engine' ? null : (
              <button type="button" className="hx-link" onClick={onRun}>
                重新运行
              </button>
            )}
          </p>
        ) : null}
        {result !== null && isLocked ? (
          <div className={styles['locked']}>
            <LockedLine path={declaration.path} title={declaration.title} />
          </div>
        ) : null}
        {result === null ? (
          <div className={styles['nothing']}>
            <Nothing declaration={declaration} machine={machine} isLocked={isLocked} onRun={onRun} />
          </div>
        ) : (
          <Suspense fallback={<ReportSkeleton />}>
            <div className={styles['report']} data-stale={isStale(machine) && machine.going === null ? '' : undefined}>
              <ReportView
                report={result.report}
                compact
                readonly
                updating={machine.going !== null}
                verified={verified}
                onRemedy={onRemedy}
                models={models}
              />
            </div>
          </Suspense>
        )}
      </div>
    </div>
  );
}
