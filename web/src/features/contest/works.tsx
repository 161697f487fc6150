/** 提交作品: the form, what has been sent, and how far a submission is whose files are arriving. */
import { CONTEST_LIMITS } from '@hengxi/server/contest/schema';
import type { Contest, Submission } from '@hengxi/server/contest/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, Checkbox } from 'antd';
import { useEffect, useRef, useState } from 'react';

import { ApiError, errorText } from '../../lib/api.ts';
import { copyText } from '../../lib/copy-text.ts';
import { formatBytes } from '../../lib/format-size.ts';
import { randomHex } from '../../lib/random.ts';
import { toast } from '../../lib/toast.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import styles from './contest.module.css';
import { FilePicker } from './file-picker.tsx';
import { ServerClock } from './frame.tsx';
import { refreshContest, saveWork, submissionsQuery, withdrawWork } from './queries.ts';
import { type Chosen, type Progress, resumeWork, sendWork } from './send-work.ts';
import { SUBMISSION_STATES, beijing, deadline } from './words.ts';

const GRACE_MS = 10 * 60_000;

export function Works({ contest, ahead }: { contest: Contest; ahead: number }) {
  const { phase, phases } = contest;
  const isBefore = phase === 'upcoming' || phase === 'signup' || phase === 'waiting';
  return (
    <section className={styles['section']} aria-labelledby="contest-works">
      <h2 id="contest-works">提交作品</h2>
      {isBefore ? (
        <p>赛题 {deadline(phases.answer_from)}发布，发布后在这里提交作品。</p>
      ) : (
        <Sent contest={contest} ahead={ahead} />
      )}
    </section>
  );
}

function Sent({ contest, ahead }: { contest: Contest; ahead: number }) {
  const sent = useQuery(submissionsQuery(contest.id));
  const isOpen = contest.phase === 'answer';
  return (
    <Loaded query={sent}>
      {({ list, left_today: today, left_in_all: inAll }) => (
        <>
          <p>
            {isOpen ? `${deadline(contest.phases.answer_to)}截止，以提交请求到达的时间为准。` : '提交已截止。'}{' '}
            {isOpen ? <ServerClock ahead={ahead} /> : null}
          </p>
          {isOpen ? (
            <p className={styles['quiet']}>
              今天还可提交 {today} 次，共可提交 {inAll} 次。以最后一次提交成功的作品为准。
            </p>
          ) : null}
          {isOpen && today > 0 ? <SendForm cid={contest.id} /> : null}
          {list.length === 0 ? (
            <EmptyState title={isOpen ? '还没有提交过' : '没有提交过作品'} />
          ) : (
            <ul className={styles['works']} aria-label="已提交">
              {list.map((one) => (
                <Work key={one.no} contest={contest} one={one} ahead={ahead} />
              ))}
            </ul>
          )}
        </>
      )}
    </Loaded>
  );
}

/** Whether what was chosen can be a report or a zip at all; the bytes are judged by the server. */
function faultOf(file: File | null, kind: 'report' | 'support'): string | null {
  if (file === null) return kind === 'report' ? '请选择报告' : null;
  const most = CONTEST_LIMITS[kind].bytes;
  if (kind === 'report' && !/\.pdf$/i.test(file.name)) return '报告应是 PDF 文件';
  if (kind === 'support' && !/\.zip$/i.test(file.name)) return '支撑材料应是 zip 文件';
  if (file.size === 0) return '文件是空的';
  return file.size > most ? `文件是 ${formatBytes(file.size)}，最大 ${Math.round(most / 1024 / 1024)} MB` : null;
}

/** Work that can be stopped, with how far it is; stops by itself when the page is left. */
function useSending() {
  const [progress, setProgress] = useState<Progress | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const isBusy = progress !== null;
  // Leaving in the middle is asked about by the browser.
  useEffect(() => {
    if (!isBusy) return undefined;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isBusy]);
  const run = async (
    work: (signal: AbortSignal, on: (progress: Progress) => void) => Promise<void>,
  ): Promise<boolean> => {
    const controller = new AbortController();
    stop.current = controller;
    setFault(null);
    setProgress({ text: '正在准备', done: 0, all: 0 });
    try {
      await work(controller.signal, setProgress);
      return true;
    } catch (error) {
      const isStopped = error instanceof ApiError && error.fault === 'cancelled';
      setFault(isStopped ? '已停止。已上传的部分保留，可以继续。' : errorText(error));
      return false;
    } finally {
      setProgress(null);
      await refreshContest();
    }
  };
  return { progress, fault, run, stop: () => stop.current?.abort() };
}

function Bar({ progress, onStop }: { progress: Progress; onStop: () => void }) {
  const { text, done, all } = progress;
  return (
    <div className={styles['progress']}>
      <span>
        {text}
        {all > 0 ? `，${formatBytes(done)} / ${formatBytes(all)}` : ''}
      </span>
      <progress max={Math.max(1, all)} value={done} aria-label={text} />
      <div>
        <Button onClick={onStop}>停止</Button>
      </div>
    </div>
  );
}

function SendForm({ cid }: { cid: number }) {
  const [report, setReport] = useState<File | null>(null);
  const [support, setSupport] = useState<File | null>(null);
  const [isBlind, setBlind] = useState(false);
  const [isTried, setTried] = useState(false);
  const [round, setRound] = useState(0);
  const request = useRef(`work-${randomHex(16)}`);
  const sending = useSending();
  const isBusy = sending.progress !== null;
  const faults = { report: faultOf(report, 'report'), support: faultOf(support, 'support') };
  const choose = (set: (file: File | null) => void) => (file: File | null) => {
    set(file);
    // Other files are another submission.
    request.current = `work-${randomHex(16)}`;
  };
  const send = async (): Promise<void> => {
    setTried(true);
    if (report === null || faults.report !== null || faults.support !== null || !isBlind) return;
    const chosen: Chosen = { report, support };
    let receipt = '';
    const done = await sending.run(async (signal, on) => {
      ({ receipt } = await sendWork(cid, chosen, request.current, signal, on));
    });
    if (!done) return;
    toast.done(`提交成功，回执 ${receipt}`);
    request.current = `work-${randomHex(16)}`;
    setReport(null);
    setSupport(null);
    setBlind(false);
    setTried(false);
    setRound(round + 1);
  };
  return (
    <div className={styles['form']} key={round}>
      <FilePicker
        label="报告（PDF）"
        hint="最大 30 MB，最多 40 页"
        accept="application/pdf,.pdf"
        disabled={isBusy}
        fault={isTried || report !== null ? faults.report : null}
        file={report}
        onChoose={choose(setReport)}
      />
      <FilePicker
        label="支撑材料（zip，选填）"
        hint="代码、数据和附录，最大 200 MB，解压后不超过 1 GB"
        accept="application/zip,.zip"
        disabled={isBusy}
        fault={faults.support}
        file={support}
        onChoose={choose(setSupport)}
      />
      <div className={styles['field']}>
        <Checkbox checked={isBlind} disabled={isBusy} onChange={(event) => setBlind(event.target.checked)}>
          报告正文里没有姓名、学校、电话等能认出作者的内容
        </Checkbox>
        {isTried && !isBlind ? (
          <p className={styles['fault']} role="alert">
            请先检查报告并勾选
          </p>
        ) : null}
        <span className={styles['quiet']}>文档属性里的作者信息会自动去掉，评委看不到。</span>
      </div>
      {sending.fault === null ? null : (
        <p className={styles['fault']} role="alert">
          {sending.fault}
        </p>
      )}
      {sending.progress === null ? (
        <div>
          <Button type="primary" onClick={() => void send()}>
            提交作品
          </Button>
        </div>
      ) : (
        <Bar progress={sending.progress} onStop={sending.stop} />
      )}
    </div>
  );
}

const KINDS = { submitted: 'ok', refused: 'bad', waiting: '', withdrawn: '' } as const;

function Work({ contest, one, ahead }: { contest: Contest; one: Submission; ahead: number }) {
  const save = (kind: 'report' | 'support', name: string): void => {
    saveWork(contest.id, one.no, kind, name).catch((error: unknown) => toast.bad(errorText(error)));
  };
  const text = `${SUBMISSION_STATES[one.state]} · 回执 ${one.receipt} · ${beijing(one.arrived_at)} · SHA-256 ${one.files.find(({ kind }) => kind === 'report')?.sha256 ?? ''}`;
  return (
    <li>
      <header>
        <b>{one.receipt}</b>
        <span className={styles['tag']} data-kind={KINDS[one.state]}>
          {SUBMISSION_STATES[one.state]}
        </span>
        {one.counts ? <span className={styles['tag']}>计入评审</span> : null}
        {one.in_grace ? <span className={styles['tag']}>截止后 10 分钟内传完</span> : null}
        <span className={styles['quiet']}>{beijing(one.arrived_at)}（北京时间）</span>
        {one.state === 'submitted' ? (
          <Button size="small" onClick={() => void copyText(text)} aria-label={`复制回执 ${one.receipt}`}>
            复制回执
          </Button>
        ) : null}
      </header>
      {one.reason === null ? null : <p className={styles['fault']}>{one.reason}</p>}
      {one.files.map((file) => (
        <p key={file.id} className={styles['quiet']}>
          {file.name}，{formatBytes(file.size)}
          {file.pages === null ? '' : `，${file.pages} 页`}{' '}
          {one.state === 'submitted' ? (
            <Button size="small" onClick={() => save(file.kind, file.name)} aria-label={`下载 ${file.name}`}>
              下载
            </Button>
          ) : null}
          <br />
          SHA-256 <span className={styles['hash']}>{file.sha256}</span>
        </p>
      ))}
      {one.state === 'waiting' ? <Resume contest={contest} one={one} ahead={ahead} /> : null}
    </li>
  );
}

/** Its files stopped arriving: the same files go on, for ten minutes after the deadline at most. */
function Resume({ contest, one, ahead }: { contest: Contest; one: Submission; ahead: number }) {
  const [files, setFiles] = useState<Partial<Chosen>>({});
  const sending = useSending();
  const [opened] = useState(() => Date.now());
  const end = new Date(contest.phases.answer_to).getTime() + GRACE_MS;
  if (opened + ahead >= end) return <p className={styles['fault']}>文件没有在截止后 10 分钟内传完。</p>;
  const open = one.files.filter(({ state }) => state === 'open');
  const isChosen = open.every(({ kind }) => files[kind]);
  const resume = (): Promise<boolean> =>
    sending.run((signal, on) => {
      const { report, support } = files;
      const first = report ?? support;
      if (!first) throw new Error('请选择文件');
      return resumeWork(contest.id, one, { report: first, support: report ? (support ?? null) : null }, signal, on);
    });
  return (
    <div className={styles['told']} data-kind="warn">
      <p>提交已登记，文件还没有传完。请选择同样的文件继续，最晚 {beijing(end)}（北京时间）。</p>
      <div className={styles['form']}>
        {open.map((file) => (
          <FilePicker
            key={file.id}
            label={file.name}
            hint={`已收到 ${formatBytes(file.offset)} / ${formatBytes(file.size)}`}
            accept={file.kind === 'report' ? '.pdf' : '.zip'}
            disabled={sending.progress !== null}
            fault={null}
            file={files[file.kind] ?? null}
            onChoose={(chosen) => setFiles({ ...files, [file.kind]: chosen ?? undefined })}
          />
        ))}
      </div>
      {sending.fault === null ? null : (
        <p className={styles['fault']} role="alert">
          {sending.fault}
        </p>
      )}
      {sending.progress === null ? (
        <div className={styles['acts']}>
          <Button type="primary" disabled={!isChosen} onClick={() => void resume()}>
            继续上传
          </Button>
          <Button
            onClick={() => {
              withdrawWork(contest.id, one.no).catch((error: unknown) => {
                if (!(error instanceof ApiError)) throw error;
              });
            }}
          >
            撤回
          </Button>
        </div>
      ) : (
        <Bar progress={sending.progress} onStop={sending.stop} />
      )}
    </div>
  );
}
