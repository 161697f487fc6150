/** /member/package[?plan=24]: what can be bought, kind by kind; each leads to the cashier. */
import type { Package } from '@hengxi/server/membership/schema';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useEffect, useRef } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';

import { errorText } from '../../lib/api.ts';
import { formatDay } from '../../lib/format-size.ts';
import { useMe } from '../../lib/me.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import styles from './package-page.module.css';
import { Benefits } from './purchase/benefits.tsx';
import { gives } from './purchase/package-cards.tsx';
import { POINTS_USABLE } from '../../lib/points-note.ts';
import { comboCheckQuery, type ListedKind, money, packagesQuery } from './queries.ts';

export function PackagePage() {
  const [params] = useSearchParams();
  const plan = Number(params.get('plan')) || null;
  const combo = useQuery({ ...comboCheckQuery, enabled: POINTS_USABLE });
  const comboWhy = combo.data && !combo.data.available ? (combo.data.reason ?? '当前不能购买') : null;
  return (
    <div className={styles['page']}>
      <PageTitle title="会员套餐" aside={<Standing />} />
      <div className={styles['columns']}>
        <div>
          <Kind kind="vip" title="VIP 会员" what="VIP 套餐" plan={plan} why={null} />
          <Kind kind="edu" title="教育优惠" what="教育优惠套餐" plan={plan} why={null} note={<EducationNote />} />
          {POINTS_USABLE ? (
            <>
              <Kind kind="combo" title="会员与 AI 点数" what="组合套餐" plan={plan} why={comboWhy} />
              <Kind kind="point" title="AI 点数" what="点数套餐" plan={plan} why={null} />
            </>
          ) : null}
        </div>
        <Benefits />
      </div>
    </div>
  );
}

function Standing() {
  const me = useMe();
  if (!me?.is_vip) return null;
  return <>{me.vip?.lifetime ? '您是长期会员' : `会员有效期至 ${formatDay(me.vip?.invalid_at ?? null)}`}</>;
}

function EducationNote() {
  const me = useMe();
  if (me?.user_edu_auth?.status === 1) return <>已通过教育认证，可以购买。</>;
  return (
    <>
      在校师生通过教育认证后可以购买。<Link to="/member?edu=1&eduParams=new">去认证</Link>
    </>
  );
}

interface KindProps {
  kind: ListedKind;
  title: string;
  /** For the failure text. */
  what: string;
  plan: number | null;
  /** Why nothing of this kind can be bought now. */
  why: string | null;
  note?: React.ReactNode;
}

function Kind({ kind, title, what, plan, why, note }: KindProps) {
  const { data, isPending, isLoadingError, error, refetch } = useQuery(packagesQuery(kind));
  return (
    <section className={styles['kind']} aria-label={title}>
      <h2>{title}</h2>
      {note || why ? <p className={styles['quiet']}>{why ?? note}</p> : null}
      {isPending ? <ListSkeleton rows={2} /> : null}
      {isLoadingError ? (
        <p role="alert">
          获取{what}列表失败：{errorText(error)}
          <button type="button" className="hx-link" onClick={() => void refetch()}>
            重试
          </button>
        </p>
      ) : null}
      {data?.list.length === 0 ? <EmptyState title={`暂无${what}`} /> : null}
      <ul className={styles['cards']}>
        {data?.list.map((one) => (
          <Card key={one.id} offer={one} isWanted={one.id === plan} isOff={why !== null} />
        ))}
      </ul>
    </section>
  );
}

function Card({ offer, isWanted, isOff }: { offer: Package; isWanted: boolean; isOff: boolean }) {
  const navigate = useNavigate();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isWanted) button.current?.focus();
  }, [isWanted]);
  return (
    <li className={styles['card']} data-wanted={isWanted}>
      <h3>{offer.title}</h3>
      <span className={styles['quiet']}>{gives(offer)}</span>
      <p className={styles['price']}>
        <small>¥</small>
        {money(offer.price)}
        {offer.price < offer.fee ? <s>¥{money(offer.fee)}</s> : null}
      </p>
      <p className={styles['quiet']}>
        {[offer.discount_on ? offer.discount_description : '', offer.description].filter(Boolean).join('　')}
      </p>
      <Button
        ref={button}
        type={isWanted ? 'primary' : 'default'}
        disabled={isOff}
        onClick={() => void navigate(`/member/pay?subscription_id=${offer.id}&quantity=1`)}
      >
        购买
      </Button>
    </li>
  );
}
