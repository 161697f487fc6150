/** /credits: the balance, how credits are earned, what they are good for, every movement. `?tab=` says which. */
import { Button } from 'antd';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';

import { useMe } from '../../lib/me.ts';
import { prompts } from '../../lib/prompts.ts';
import { useSession } from '../../lib/session.ts';
import { SIGNED_IN } from '../../lib/sign-in.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import { Balance } from './balance.tsx';
import { LedgerTab } from './ledger-tab.tsx';
import styles from './credits.module.css';
import { EnterpriseNotice } from './enterprise-notice.tsx';
import { ExchangesTab } from './exchanges-tab.tsx';
import { MallTab } from './mall-tab.tsx';
import { refreshCredits } from './queries.ts';
import { Rules, RulesDialog } from './rules.tsx';
import { TasksTab } from './tasks-tab.tsx';
import { SOURCE } from './words.ts';

const TABS: readonly { key: string; title: string; page: () => ReactNode }[] = [
  { key: 'tasks', title: '任务', page: () => <TasksTab /> },
  { key: 'mall', title: '商城', page: () => <MallTab /> },
  { key: 'changes', title: '积分明细', page: () => <LedgerTab /> },
  { key: 'orders', title: '我的兑换', page: () => <ExchangesTab /> },
];

export function CreditsPage() {
  const isSignedIn = useSession((state) => state.token !== null);
  const me = useMe();
  useEffect(() => {
    const refresh = () => void refreshCredits();
    addEventListener(SIGNED_IN, refresh);
    return () => removeEventListener(SIGNED_IN, refresh);
  }, []);
  return (
    <div className={styles['page']}>
      <PageTitle title="积分中心" actions={<Link to="/credits/activity">积分活动</Link>} />
      {!isSignedIn ? <Visitor /> : me === null ? <ListSkeleton /> : me.identity === 2 ? <EnterpriseNotice /> : <Own />}
    </div>
  );
}

function Visitor() {
  return (
    <>
      <p className={styles['lead']}>完成分析、提出有用的反馈可以获得积分，积分在商城里兑换。</p>
      <div className={styles['acts']}>
        <Button type="primary" onClick={() => prompts.openLogin(SOURCE)}>
          登录后查看我的积分
        </Button>
      </div>
      <section className={styles['section']} aria-labelledby="credits-mall">
        <h2 id="credits-mall">商城</h2>
        <MallTab />
      </section>
      <section className={styles['section']} aria-labelledby="credits-rules">
        <h2 id="credits-rules">积分规则</h2>
        <Rules />
      </section>
    </>
  );
}

function Own() {
  const [params] = useSearchParams();
  const [showsRules, setShowsRules] = useState(false);
  const shown = TABS.find(({ key }) => key === params.get('tab')) ?? TABS[0];
  const nav = useRef<HTMLElement>(null);
  // On a phone the tabs are a strip: the one shown must be in it.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [shown?.key]);
  return (
    <>
      <Balance onRules={() => setShowsRules(true)} />
      <nav ref={nav} aria-label="积分中心" className={styles['tabs']}>
        {TABS.map(({ key, title }) => (
          <Link
            key={key}
            to={`/credits?tab=${key}`}
            replace
            className={styles['tab']}
            aria-current={key === shown?.key ? 'page' : undefined}
          >
            {title}
          </Link>
        ))}
      </nav>
      {shown?.page()}
      {showsRules ? <RulesDialog onClose={() => setShowsRules(false)} /> : null}
    </>
  );
}
