/** /plagdet/checks: a text is checked against the own library, or two with each other; what was checked; the library. */
import type { Check } from '@hengxi/server/plagdet/schema';
import { comparedWith, shareText } from '@hengxi/contracts/plagdet';
import { date, integer } from '@hengxi/contracts/format';
import { useQuery } from '@tanstack/react-query';
import { Button, Pagination, Radio } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';

import { ApiError, errorText } from '../../lib/api.ts';
import { prompts } from '../../lib/prompts.ts';
import { cancelRun, followRun, type Run } from '../../lib/runs.ts';
import { useSession } from '../../lib/session.ts';
import { SIGNED_IN } from '../../lib/sign-in.ts';
import { toast } from '../../lib/toast.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { FileChoice } from './file-choice.tsx';
import { LibrarySection } from './library-section.tsx';
import styles from './plagdet.module.css';
import { checksQuery, refresh, removeCheck, scopeQuery, SOURCE, startCheck } from './queries.ts';

type Mode = 'library' | 'pair';

export function ChecksPage() {
  const isSignedIn = useSession((state) => state.token !== null);
  useEffect(() => {
    const again = () => void refresh();
    addEventListener(SIGNED_IN, again);
    return () => removeEventListener(SIGNED_IN, again);
  }, []);
  return (
    <div className={styles['page']}>
      <PageTitle title="文本查重" />
      <p className={styles['lead']}>
        和你自己的文库比，或者两份互相比，相同的地方标在原文上。这里没有互联网，也没有全国性的论文库，结果不能代替学校或期刊的检测。
        <a href="/plagdet/">先看说明</a>
      </p>
      <StartSection isSignedIn={isSignedIn} />
      {isSignedIn ? (
        <>
          <PastSection />
          <LibrarySection />
        </>
      ) : null}
    </div>
  );
}

function StartSection({ isSignedIn }: { isSignedIn: boolean }) {
  const navigate = useNavigate();
  const scope = useQuery({ ...scopeQuery, enabled: isSignedIn });
  const [mode, setMode] = useState<Mode>('library');
  const [file, setFile] = useState<File | null>(null);
  const [other, setOther] = useState<File | null>(null);
  const [isSending, setSending] = useState(false);
  const [running, setRunning] = useState<Check | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  /** What it costs, once the free ones of the day are used up. */
  const [asking, setAsking] = useState<string | null>(null);

  const choose = (set: (file: File | null) => void) => (chosen: File | null) => {
    setFault(null);
    set(chosen);
    // The file stays; only the sign-in is still missing.
    if (chosen && !isSignedIn) prompts.openLogin(SOURCE);
  };
  const start = async (pay: boolean): Promise<void> => {
    if (!isSignedIn) return prompts.openLogin(SOURCE);
    if (!file || (mode === 'pair' && !other)) return setFault('请先选择文件');
    setAsking(null);
    setFault(null);
    setSending(true);
    try {
      const check = await startCheck({ file, other: mode === 'pair' ? other : null, pay });
      if (check.state === 'done') return void navigate(`/plagdet/checks/${check.id}`);
      if (check.state === 'running') setRunning(check);
      else setFault(check.reason ?? '没有完成，请重试');
    } catch (error) {
      if (error instanceof ApiError && error.code === 30172) setAsking(error.message);
      else setFault(errorText(error));
    } finally {
      setSending(false);
    }
  };
  const ended = (run: Run<{ check_id: number }>, check: Check): void => {
    setRunning(null);
    void refresh();
    if (run.state === 'done') return void navigate(`/plagdet/checks/${check.id}`);
    if (run.state === 'cancelled') return;
    const refused = run.refusal?.fields[0];
    setFault(refused?.text ?? run.error?.text ?? '没有完成，请重试');
    // Too long to be free: points are what it says, and here is where they are spent.
    const price = scope.data?.limits.price ?? null;
    if (refused?.code === 'text.quota' && price !== null) setAsking(`${refused.text}用点数每次 ${price} 点`);
  };

  return (
    <section className={styles['section']} aria-labelledby="plagdet-start">
      <h2 id="plagdet-start">查一份</h2>
      <Radio.Group
        value={mode}
        aria-label="和什么比"
        onChange={(event) => setMode(event.target.value)}
        options={[
          { value: 'library', label: '和我的文库比' },
          { value: 'pair', label: '两份互相比' },
        ]}
      />
      <div className={styles['files']}>
        <FileChoice label={mode === 'pair' ? '第一份' : '要查的文件'} file={file} onChoose={choose(setFile)} />
        {mode === 'pair' ? <FileChoice label="第二份" file={other} onChoose={choose(setOther)} /> : null}
      </div>
      {scope.data ? (
        <p className={styles['quiet']}>
          {mode === 'library' ? `文库里有 ${integer(scope.data.documents)} 篇。` : ''}
          {`今天免费 ${scope.data.limits.checks_day} 次，已用 ${scope.data.used_today} 次，每次最多 ${integer(scope.data.limits.free_characters)} 字。`}
          {scope.data.limits.price === null
            ? ''
            : `之后每次 ${scope.data.limits.price} 点，现有 ${scope.data.balance} 点。`}
          {`文件读完就删除，文字和结果保留 ${scope.data.limits.kept_days} 天，可随时删除。`}
        </p>
      ) : null}
      {fault === null ? null : (
        <p className={styles['fault']} role="alert">
          {fault}
        </p>
      )}
      {running ? (
        <Progress check={running} onEnd={ended} />
      ) : (
        <Button className={styles['start'] ?? ''} type="primary" loading={isSending} onClick={() => void start(false)}>
          {isSignedIn ? '开始查重' : '登录后开始'}
        </Button>
      )}
      <ConfirmDialog
        open={asking !== null}
        title="用点数继续？"
        text={`${asking ?? ''}。没有完成会退回。`}
        act="用点数查重"
        onAct={() => void start(true)}
        onClose={() => setAsking(null)}
      />
    </section>
  );
}

/** 排队中 → 解析文件 → 比对, with a way out. */
export function Progress({
  check,
  onEnd,
}: {
  check: Check;
  onEnd: (run: Run<{ check_id: number }>, check: Check) => void;
}) {
  const [step, setStep] = useState<Partial<Run<unknown>>>({ state: 'waiting' });
  const { run_id: runId } = check;
  const end = useRef<(run: Run<{ check_id: number }>) => void>(() => undefined);
  useEffect(() => {
    end.current = (run) => onEnd(run, check);
  });
  useEffect(() => {
    const controller = new AbortController();
    followRun<{ check_id: number }>(
      runId,
      (change) => setStep((before) => ({ ...before, ...change })),
      controller.signal,
    ).then(
      (run) => end.current(run),
      () => {
        if (!controller.signal.aborted)
          setStep({ state: 'running', progress: { done: 0, of: null, text: '进度读不到了，请刷新页面看结果。' } });
      },
    );
    return () => controller.abort();
  }, [runId]);
  const { state, position, progress } = step;
  const share = progress && progress.of ? Math.round((100 * progress.done) / progress.of) : 0;
  const queued = position ? `排队中，前面还有 ${position} 个任务` : '排队中';
  const text = state === 'waiting' ? queued : (progress?.text ?? '准备');
  return (
    <div className={styles['progress']}>
      <p role="status">
        {check.name}：{text}
        {state === 'waiting' || progress?.of === null ? '' : ` ${share}%`}
      </p>
      <div
        className={styles['track']}
        role="progressbar"
        aria-label="查重进度"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share}
      >
        <div style={{ width: `${share}%` }} />
      </div>
      <Button onClick={() => void cancelRun(check.run_id)}>取消</Button>
    </div>
  );
}

const STATE = { running: '进行中', done: '已完成', failed: '没有完成', cancelled: '已取消' } as const;

function PastSection() {
  const [page, setPage] = useState(1);
  const checks = useQuery(checksQuery(page));
  const [removing, setRemoving] = useState<Check | null>(null);
  return (
    <section className={styles['section']} aria-labelledby="plagdet-past">
      <h2 id="plagdet-past">查过的</h2>
      <Loaded query={checks}>
        {({ total, list }) =>
          total === 0 ? (
            <p className={styles['quiet']}>还没有。</p>
          ) : (
            <>
              <ul className={styles['list']}>
                {list.map((check) => (
                  <li key={check.id}>
                    <div>
                      {check.state === 'done' ? (
                        <Link to={`/plagdet/checks/${check.id}`}>{check.name}</Link>
                      ) : (
                        <b>{check.name}</b>
                      )}
                      <span className={styles['quiet']}>
                        {check.state === 'done' ? comparedWith(check) : (check.reason ?? STATE[check.state])}
                        {check.state === 'running' ? '' : ` ${date(check.expires_at)} 删除。`}
                      </span>
                    </div>
                    <span className={styles['share']}>
                      {check.figures
                        ? `总相似比 ${shareText(check.figures.same, check.figures.counted)}`
                        : STATE[check.state]}
                    </span>
                    {check.state === 'running' ? (
                      <Button size="small" onClick={() => void cancelRun(check.run_id).then(refresh)}>
                        取消
                      </Button>
                    ) : (
                      <Button size="small" aria-label={`删除 ${check.name} 的结果`} onClick={() => setRemoving(check)}>
                        删除
                      </Button>
                    )}
                  </li>
                ))}
              </ul>
              {total > 10 ? (
                <Pagination
                  size="small"
                  current={page}
                  pageSize={10}
                  total={total}
                  showSizeChanger={false}
                  onChange={setPage}
                />
              ) : null}
            </>
          )
        }
      </Loaded>
      <ConfirmDialog
        open={removing !== null}
        title="删除这份结果？"
        text={`“${removing?.name ?? ''}”的文字和结果会立即删除，不能恢复。`}
        act="删除"
        danger
        onAct={() => {
          const id = removing?.id;
          setRemoving(null);
          if (id !== undefined) removeCheck(id).catch((error: unknown) => toast.bad(errorText(error)));
        }}
        onClose={() => setRemoving(null)}
      />
    </section>
  );
}
