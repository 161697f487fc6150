/** /credits: the balance of credits, where they come from and what they are for, and every movement. */
import { integer } from '@hengxi/contracts/format';
import { ERRORS } from '@hengxi/contracts/http';
import type { CreditKind } from '@hengxi/server/credits/schema';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';

import { errorText } from '../../lib/api.ts';
import { useMe } from '../../lib/me.ts';
import { prompts } from '../../lib/prompts.ts';
import { useSession } from '../../lib/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LedgerTable } from '../../ui/ledger-table.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import styles from './credits-page.module.css';
import { creditRecordsQuery, CREDITS_PAGE, creditsQuery } from './queries.ts';

export function CreditsPage() {
  const isSignedIn = useSession((state) => state.token !== null);
  const me = useMe();
  return (
    <div className={styles['page']}>
      <PageTitle title="积分中心" />
      {isSignedIn ? me ? me.identity === 2 ? <Elsewhere /> : <Balance /> : <ListSkeleton rows={2} /> : <SignIn />}
      {me?.identity === 2 ? null : (
        <>
          <Rules />
          <Unlocking />
          {me ? <Records /> : null}
        </>
      )}
    </div>
  );
}

function SignIn() {
  return (
    <>
      <p className={styles['quiet']}>登录后查看你的积分和明细。</p>
      <div className={styles['acts']}>
        <Button type="primary" onClick={() => prompts.openLogin('reward-square')}>
          登录
        </Button>
      </div>
    </>
  );
}

function Elsewhere() {
  return (
    <>
      <p className={styles['quiet']}>{ERRORS[31006].text}。</p>
      <p className={styles['acts']}>
        <Link to="/member?tab=account">前往个人中心切换</Link>
      </p>
    </>
  );
}

function Balance() {
  const account = useQuery(creditsQuery);
  if (account.isLoadingError) return <Failed text={errorText(account.error)} onRetry={() => void account.refetch()} />;
  if (!account.data) return <ListSkeleton rows={2} />;
  return (
    <>
      <p className={styles['balance']}>
        <b>{integer(account.data.total_amount)}</b> 可用积分
      </p>
      {account.data.held_reason ? <p role="alert">账户暂停使用积分：{account.data.held_reason}</p> : null}
    </>
  );
}

/** Only what holds: nothing gives or takes credits yet, and whoever comes here to get some must know. */
function Rules() {
  return (
    <section className={styles['section']} aria-labelledby="credits-rules">
      <h2 id="credits-rules">积分规则</h2>
      <ul className={styles['rules']}>
        <li>
          <b>积分任务和积分商城尚未开放，目前不能获得或使用积分。</b>
        </li>
        <li>积分不出售、不能转让，也不能提现。</li>
        <li>每一笔增减都记入积分明细，余额等于各笔之和。</li>
        <li>企业版不参与积分活动。</li>
      </ul>
    </section>
  );
}

/** The account menu leads here from a method that is locked. */
function Unlocking() {
  const { hash } = useLocation();
  useEffect(() => {
    if (hash === '#unlock') document.getElementById('unlock')?.scrollIntoView();
  }, [hash]);
  return (
    <section id="unlock" className={styles['section']} aria-labelledby="credits-unlock">
      <h2 id="credits-unlock">解锁算法</h2>
      <p className={styles['quiet']}>
        会员可使用全部高级方法，<Link to="/member/package">查看会员套餐</Link>。用积分解锁单个方法，随积分商城一起开放。
      </p>
    </section>
  );
}

const KINDS: Record<CreditKind, string> = {
  quest: '任务奖励',
  campaign: '活动奖励',
  refund: '退回',
  mall: '兑换',
  expire: '到期',
  clawback: '扣回',
  adjust: '客服调整',
};

function Records() {
  const [page, setPage] = useState(1);
  const records = useQuery(creditRecordsQuery(page));
  const total = records.data?.total ?? 0;
  return (
    <section className={styles['section']} aria-labelledby="credits-records">
      <h2 id="credits-records">积分明细</h2>
      {records.isPending ? <ListSkeleton rows={4} /> : null}
      {records.isLoadingError ? (
        <Failed text={errorText(records.error)} onRetry={() => void records.refetch()} />
      ) : null}
      {records.data && total === 0 ? <EmptyState title="还没有积分记录" /> : null}
      {records.data && total > 0 ? (
        <LedgerTable
          unit="积分"
          movements={records.data.list.map(({ id, created_at, title, kind, amount, balance_after }) => ({
            id,
            at: created_at,
            title,
            kind: KINDS[kind],
            amount,
            balance: balance_after,
          }))}
          page={page}
          pageSize={CREDITS_PAGE}
          total={total}
          onPage={setPage}
        />
      ) : null}
    </section>
  );
}

function Failed({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <p role="alert" className={styles['quiet']}>
      {text}
      <Button type="link" onClick={onRetry}>
        重试
      </Button>
    </p>
  );
}
