/** 会员与有效期, 今日分析: what the account may do now, until when, and how much of today is used. */
import { integer } from '@hengxi/contracts/format';
import type { GrantSource, Limits } from '@hengxi/server/membership/schema';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';

import { errorText } from '../../lib/api.ts';
import { useEditionLines } from '../../lib/editions.ts';
import { formatDay, formatInstant } from '../../lib/format-size.ts';
import { useMe } from '../../lib/me.ts';
import { prompts } from '../../lib/prompts.ts';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import styles from './sections.module.css';
import { grantsQuery, membershipQuery } from './queries.ts';

const EDITIONS = { standard: '标准版', member: '会员版', enterprise: '企业版' } as const;

const SOURCES: Record<GrantSource, string> = {
  order: '购买',
  campaign: '活动赠送',
  invite: '邀请好友',
  mall: '积分兑换',
  lucky: '欢迎礼',
  ops: '客服赠送',
};

export function MembershipSection() {
  const membership = useQuery(membershipQuery);
  const grants = useQuery(grantsQuery(1));
  const me = useMe();
  if (membership.isPending) return <ListSkeleton rows={4} />;
  if (membership.isLoadingError) return <p role="alert">{errorText(membership.error)}</p>;
  const { edition, vip, usage, limits } = membership.data;
  const isEnterprise = edition === 'enterprise';
  return (
    <>
      <section className={styles['section']} aria-labelledby="member-vip">
        <h2 id="member-vip">会员与有效期</h2>
        <dl className={styles['facts']}>
          <dt>当前版本</dt>
          <dd>
            {EDITIONS[edition]}
            {isEnterprise || vip.lifetime ? null : (
              <Button size="small" type="primary" onClick={() => prompts.openPurchase()}>
                {edition === 'member' ? '续费' : '升级会员'}
              </Button>
            )}
          </dd>
          {isEnterprise ? null : (
            <>
              <dt>有效期</dt>
              <dd>
                {vip.lifetime ? '长期有效' : vip.invalid_at ? `至 ${formatDay(vip.invalid_at)}` : '未开通会员'}
                <EndsSoon until={vip.lifetime ? null : vip.invalid_at} />
              </dd>
              <dt>AI 点数</dt>
              <dd>
                {integer(me?.user_ai_point ?? 0)} 点<Link to="/member/aicount">查看</Link>
              </dd>
            </>
          )}
          <dt>今日分析</dt>
          <dd>
            {integer(usage.used)} / {usage.limit === null ? '不限' : integer(usage.limit)}
            {usage.limit === null ? null : (
              <span className={styles['quiet']}>{formatInstant(usage.resets_at)} 重新计数</span>
            )}
          </dd>
        </dl>
      </section>
      <LimitsTable limits={limits} />
      {grants.data && grants.data.total > 0 ? (
        <section className={styles['section']} aria-labelledby="member-grants">
          <h2 id="member-grants">会员期记录</h2>
          <ul className={styles['rows']}>
            {grants.data.list.map((grant) => (
              <li key={grant.id}>
                <b>{grant.lifetime ? '长期会员' : `${grant.days ?? 0} 天`}</b>
                <span>{SOURCES[grant.source]}</span>
                <span className={styles['quiet']}>
                  {grant.revoked_at
                    ? `已于 ${formatDay(grant.revoked_at)} 收回`
                    : grant.starts_at
                      ? `${formatDay(grant.starts_at)} 起${grant.ends_at ? `，至 ${formatDay(grant.ends_at)}` : ''}`
                      : '排在长期会员之后'}
                </span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </>
  );
}

const DAY_MS = 86_400_000;
const SOON_DAYS = 7;

/** From the day of the notice on the end is said where one looks for it; afterwards, what goes on and what does not. */
function EndsSoon({ until }: { until: string | null }) {
  const [now] = useState(() => Date.now());
  if (until === null) return null;
  const left = new Date(until).getTime() - now;
  if (left > SOON_DAYS * DAY_MS) return null;
  const text =
    left <= 0
      ? '已到期，文件、报告和分享都保留，限额按标准版计'
      : `还有 ${Math.ceil(left / DAY_MS)} 天到期，到期后文件和报告都保留`;
  return <span className={styles['soon']}>{text}</span>;
}

function LimitsTable({ limits }: { limits: Limits }) {
  const lines = useEditionLines();
  return (
    <section className={styles['section']} aria-labelledby="member-limits">
      <h2 id="member-limits">当前版本的限额</h2>
      <dl className={styles['facts']}>
        {lines.map(({ title, show }) => (
          <div key={title} className={styles['pair']}>
            <dt>{title}</dt>
            <dd>{show(limits)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
