/** /pro-analysis/answer/{quescode}: an expert answers, without an account, phone first. Every answer is saved by itself. */
import type { AnswerPage as Page } from '@hengxi/server/expert-questionnaires/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, Checkbox } from 'antd';
import { type ReactNode, useState } from 'react';
import { useNavigate, useParams } from 'react-router';

import { ApiError, errorText } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';
import { usePageTitle } from '../../lib/title.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import { aboutKeys, AboutYou } from './about-you.tsx';
import { AhpQuestions, comparisonsOf, pairsOf } from './ahp-questions.tsx';
import styles from './answer.module.css';
import { DelphiQuestions } from './delphi-questions.tsx';
import { answerQuery, joinStudy, linkOf, submitSheet, withdraw } from './queries.ts';
import { type SaveState, useSheet } from './use-sheet.ts';
import { minuteText } from './words.ts';

export function AnswerPage() {
  const code = useParams()['quescode'] ?? '';
  const page = useQuery(answerQuery(code));
  usePageTitle(page.data?.title ?? null);
  if (page.isLoadingError) return <Closed error={page.error} onRetry={() => void page.refetch()} />;
  return (
    <main className={styles['page']}>
      {page.data === undefined ? <ListSkeleton rows={6} /> : <Opened key={code} code={code} page={page.data} />}
    </main>
  );
}

function Closed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    <main className={styles['closed']}>
      <EmptyState
        heading
        title={isGone ? '链接无效或已失效' : '问卷没有打开'}
        hint={isGone ? '链接可能输错了，也可能已经换了新的。请联系发给您问卷的组织者。' : errorText(error)}
        actions={isGone ? undefined : <Button onClick={onRetry}>重试</Button>}
      />
    </main>
  );
}

function Opened({ code, page }: { code: string; page: Page }) {
  const [begun, setBegun] = useState(page.consented);
  const head = (
    <header className={styles['head']}>
      <h1>{page.title}</h1>
      <p className={styles['hint']}>
        {[
          page.kind === 'delphi' ? `德尔菲专家咨询，第 ${page.round} 轮` : 'AHP 专家判断',
          page.expert === null ? null : `您的编号 ${page.expert}`,
          page.due_at !== null && page.state === 'open' ? `截止 ${minuteText(page.due_at)}` : null,
        ]
          .filter((part) => part !== null)
          .join('，')}
      </p>
    </header>
  );
  if (page.state !== 'open') return <Stopped head={head} page={page} />;
  if (page.channel === 'public' || !begun)
    return (
      <>
        {head}
        <Consent code={code} page={page} onBegin={() => setBegun(true)} />
      </>
    );
  return (
    <>
      {head}
      <Questions code={code} page={page} />
    </>
  );
}

function Stopped({ head, page }: { head: ReactNode; page: Page }) {
  const told: Record<Exclude<Page['state'], 'open'>, string> = {
    closed: `本轮已于${page.closed_at === null ? '此前' : ` ${minuteText(page.closed_at)} `}截止，您已保存的答案不会丢失。下一轮开始后，请用同一个链接继续。`,
    waiting: '本轮尚未开始，请等组织者通知。',
    withdrawn: '您已退出本研究，不会再收到邀请。感谢您的时间。',
    full: '名额已满，请联系组织者。',
  };
  return (
    <>
      {head}
      <p className={styles['told']}>{page.state === 'open' ? '' : told[page.state]}</p>
      <Organiser page={page} />
    </>
  );
}

function Organiser({ page }: { page: Page }) {
  return page.organiser === '' ? null : <p className={styles['hint']}>组织者：{page.organiser}</p>;
}

/** What the study is about, and what becomes of the answers; nothing is asked before. */
function Consent({ code, page, onBegin }: { code: string; page: Page; onBegin: () => void }) {
  const [agreed, setAgreed] = useState(false);
  const [isJoining, setIsJoining] = useState(false);
  const navigate = useNavigate();
  const isPublic = page.channel === 'public';
  const begin = async (): Promise<void> => {
    if (!isPublic) return onBegin();
    setIsJoining(true);
    try {
      const { quescode } = await joinStudy(code);
      await navigate(`/pro-analysis/answer/${quescode}`, { replace: true });
    } catch (error) {
      // Told by the call itself; the page stays where it is.
      if (!(error instanceof ApiError)) throw error;
      setIsJoining(false);
    }
  };
  return (
    <>
      {page.background === '' ? null : <p className={styles['prose']}>{page.background}</p>}
      <h2 className={styles['dimension']}>知情同意</h2>
      <p className={styles['prose']}>{page.consent}</p>
      <p className={styles['hint']}>
        每答一题自动保存。{isPublic ? '开始后您会得到自己的链接' : '中途离开后用同一个链接继续'}。
        过了截止时间、本轮还没有结束时仍可提交，但会标记为逾期；本轮结束后不再接受答卷。
      </p>
      <Organiser page={page} />
      <div className={styles['begin']}>
        <Checkbox checked={agreed} onChange={(event) => setAgreed(event.target.checked)}>
          我已阅读并同意参加
        </Checkbox>
        <Button type="primary" size="large" block disabled={!agreed} loading={isJoining} onClick={() => void begin()}>
          开始作答
        </Button>
      </div>
    </>
  );
}

const SAVING: Record<SaveState, string> = {
  saved: '已保存',
  saving: '正在保存',
  offline: '网络已断开，答案暂存在本机，恢复后自动保存',
  refused: '没有保存',
};

const keysOf = (page: Page): string[] => [
  ...(page.kind === 'delphi'
    ? page.items.map(({ id }) => `item:${id}`)
    : comparisonsOf(page).flatMap((one) => pairsOf(one).map(({ key }) => key))),
  ...aboutKeys(page),
];

function Questions({ code, page }: { code: string; page: Page }) {
  const sheet = useSheet(code, page);
  const [done, setDone] = useState(false);
  const [isSending, setIsSending] = useState(false);
  const [asksOpen, setAsksOpen] = useState(false);
  const keys = keysOf(page);
  const aboutOneself = new Set(aboutKeys(page));
  const open = keys.filter((key) => {
    const value = sheet.values[key];
    // Null answers a question (outside one's field); of oneself it is a box left empty.
    return value === undefined || (aboutOneself.has(key) && (value === null || value === ''));
  });
  const submit = async (): Promise<void> => {
    setAsksOpen(false);
    setIsSending(true);
    try {
      if (!(await sheet.flush())) return;
      await submitSheet(code);
      setDone(true);
      scrollTo({ top: 0 });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    } finally {
      setIsSending(false);
    }
  };
  if (done) return <Receipt code={code} page={page} onBack={() => setDone(false)} />;
  return (
    <>
      {page.kind === 'delphi' ? (
        <DelphiQuestions page={page} sheet={sheet} />
      ) : (
        <AhpQuestions page={page} sheet={sheet} />
      )}
      <AboutYou page={page} sheet={sheet} />
      <Organiser page={page} />
      <Leave code={code} />
      <footer className={styles['bar']}>
        <div>
          <progress max={keys.length} value={keys.length - open.length} aria-label="完成进度" />
          <p role="status" data-state={sheet.state}>
            {sheet.fault ?? SAVING[sheet.state]}
          </p>
        </div>
        <p>{open.length === 0 ? '全部答完' : <a href={`#${open[0]}`}>还有 {open.length} 题</a>}</p>
        <Button
          type="primary"
          loading={isSending}
          onClick={() => (open.length > 0 ? setAsksOpen(true) : void submit())}
        >
          {page.submitted_at === null ? '提交' : '再次提交'}
        </Button>
      </footer>
      <ConfirmDialog
        open={asksOpen}
        title={`还有 ${open.length} 题没有作答`}
        text={
          page.protocol.require_all
            ? '组织者要求全部作答后才能提交。不了解的题可以选“不属于我的领域”或“不确定”。'
            : '可以直接提交，没有作答的题不计入。截止前还可以补答。'
        }
        act={page.protocol.require_all ? '去作答' : '直接提交'}
        onAct={() => {
          if (!page.protocol.require_all) return void submit();
          setAsksOpen(false);
          location.hash = open[0] ?? '';
        }}
        onClose={() => setAsksOpen(false)}
      />
    </>
  );
}

function Receipt({ code, page, onBack }: { code: string; page: Page; onBack: () => void }) {
  return (
    <div role="status">
      <p className={styles['told']}>已提交，感谢您的判断。截止前可以随时修改。</p>
      <p className={styles['hint']}>您的编号是 {page.expert}。请保存这个链接，修改和参加下一轮都用它：</p>
      <p className={styles['link']}>{linkOf(code)}</p>
      <Button onClick={onBack}>返回修改</Button>
    </div>
  );
}

function Leave({ code }: { code: string }) {
  const [asks, setAsks] = useState(false);
  const leave = async (): Promise<void> => {
    setAsks(false);
    await withdraw(code);
    await queryClient.invalidateQueries({ queryKey: ['answer', code] });
  };
  return (
    <>
      <Button type="link" className={styles['leave']} onClick={() => setAsks(true)}>
        退出本研究
      </Button>
      <ConfirmDialog
        open={asks}
        title="退出本研究"
        text="本轮的答案会删除，以后不再邀请您。已经结束的轮次里，您的答案仍以编号保留。"
        act="退出"
        danger
        onAct={() => void leave()}
        onClose={() => setAsks(false)}
      />
    </>
  );
}
