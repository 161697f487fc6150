/** What the pages of the contest share: the season, the ways between its pages, the server's clock, the way in. */
import type { Contest } from '@hengxi/server/contest/schema';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { NavLink, useNavigate, useSearchParams } from 'react-router';

import { isNotFound } from '../../lib/api.ts';
import { useMe } from '../../lib/me.ts';
import { prompts } from '../../lib/prompts.ts';
import { useSession } from '../../lib/session.ts';
import { SIGNED_IN } from '../../lib/sign-in.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { NotFound } from '../../ui/not-found.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import styles from './contest.module.css';
import { contestQuery, refreshContest } from './queries.ts';
import { PHASE_TEXT, SOURCE, beijing, nextChange } from './words.ts';

/** A timer cannot wait longer than this. */
const TIMER_MOST = 2_000_000_000;
/** The server must have passed the instant as well. */
const LATE_MS = 300;

export interface Shown {
  contest: Contest;
  /** The server's clock minus this one's, in milliseconds. */
  ahead: number;
  isJudge: boolean;
}

/** Of an earlier season, from the address. */
export function useSeason(): number | null {
  const [params] = useSearchParams();
  const cid = params.get('cid') ?? '';
  return /^[1-9]\d{0,8}$/.test(cid) ? Number(cid) : null;
}

export function ContestFrame({ title, children }: { title: string; children: (shown: Shown) => ReactNode }) {
  const cid = useSeason();
  const season = useQuery(contestQuery(cid));
  const token = useSession((state) => state.token);
  // What is one's own is asked for again when somebody else is there.
  const before = useRef(token);
  useEffect(() => {
    if (before.current !== token) void refreshContest();
    before.current = token;
  }, [token]);
  if (isNotFound(season.error)) return <NotFound title="没有这一届大赛" hint="可能是地址有误。" />;
  return (
    <div className={styles['page']}>
      <Loaded query={season}>
        {({ contest, ahead, is_judge: isJudge }) =>
          contest === null ? (
            <EmptyState heading title="还没有开放的大赛" hint="大赛开放报名后，时间、规则和奖项会显示在这里。" />
          ) : (
            <>
              <PageTitle title={title} aside={`${contest.title}，${PHASE_TEXT[contest.phase]}`} />
              <PhaseWatch contest={contest} ahead={ahead} />
              <Ways cid={cid} isJudge={isJudge} />
              {children({ contest, ahead, isJudge })}
            </>
          )
        }
      </Loaded>
    </div>
  );
}

const PAGES = [
  { to: '/contest', title: '大赛' },
  { to: '/contest/note', title: '规则与赛题' },
  { to: '/contest/answer', title: '队伍与提交' },
  { to: '/contest/result', title: '结果与证书' },
] as const;

function Ways({ cid, isJudge }: { cid: number | null; isJudge: boolean }) {
  const query = cid === null ? '' : `?cid=${cid}`;
  const pages = isJudge ? [...PAGES, { to: '/contest/judge', title: '评审' }] : PAGES;
  return (
    <nav aria-label="大赛" className={styles['tabs']}>
      {pages.map(({ to, title }) => (
        <NavLink key={to} to={to + query} end className={styles['tab'] ?? ''}>
          {title}
        </NavLink>
      ))}
    </nav>
  );
}

/** Asks anew when the next phase begins, so that nobody looks at a form of the one before. */
function PhaseWatch({ contest, ahead }: { contest: Contest; ahead: number }) {
  useEffect(() => {
    const now = Date.now() + ahead;
    const next = nextChange(contest, now);
    if (next === null) return undefined;
    const timer = setTimeout(() => void refreshContest(), Math.min(TIMER_MOST, next - now + LATE_MS));
    return () => clearTimeout(timer);
  }, [contest, ahead]);
  return null;
}

/** The clock that decides, every second. */
export function ServerClock({ ahead }: { ahead: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className={styles['clock']} role="timer" aria-label="服务器时间">
      服务器时间 {beijing(now + ahead)}（北京时间）
    </span>
  );
}

/** Signs in and stays; then opens the step that was meant, and sends nothing by itself. */
export function useSignInFor(): (to: string) => void {
  const navigate = useNavigate();
  const target = useRef<string | null>(null);
  useEffect(() => {
    const go = (): void => {
      void refreshContest();
      if (target.current !== null) void navigate(target.current);
      target.current = null;
    };
    addEventListener(SIGNED_IN, go);
    return () => removeEventListener(SIGNED_IN, go);
  }, [navigate]);
  return (to) => {
    target.current = to;
    prompts.openLogin(SOURCE);
  };
}

/** What only a person does: whoever is not signed in, or works for an enterprise, is told the way. */
export function Personal({ why, children }: { why: string; children: ReactNode }) {
  const isSignedIn = useSession((state) => state.token !== null);
  const me = useMe();
  const signIn = useSignInFor();
  const navigate = useNavigate();
  if (!isSignedIn)
    return (
      <div className={styles['section']}>
        <EmptyState
          title={why}
          actions={
            <Button type="primary" onClick={() => signIn(location.pathname + location.search)}>
              登录
            </Button>
          }
        />
      </div>
    );
  if (me?.identity === 2)
    return (
      <div className={styles['section']}>
        <EmptyState
          title="请使用个人版参赛"
          hint="大赛只对个人开放，可在个人中心切换到个人版。"
          actions={<Button onClick={() => void navigate('/member?tab=account')}>切换账号</Button>}
        />
      </div>
    );
  return <>{children}</>;
}
