/** After the payment: what one has now, the members' group for plans that have one, and whom to ask; closing reloads. */
import { CheckCircleFilled } from '@ant-design/icons';
import type { PaymentState } from '@hengxi/server/orders/schema';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useEffect, useRef } from 'react';

import { formatDay } from '../../../lib/format-size.ts';
import { siteQuery } from '../../../lib/site.ts';
import { LifetimeSeal } from './lifetime-seal.tsx';
import styles from './purchase.module.css';

export function PaidPanel({ state, act, onDone }: { state: PaymentState; act: string; onDone: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  const { subscription, paid } = state;
  const isLifetime = subscription.calculate_type === 2;
  const hasDays = subscription.calculate_type !== 3;
  const hasPoints = subscription.calculate_type === 3 || subscription.calculate_type === 4;
  return (
    <div className={styles['paid']} role="status">
      {isLifetime ? <LifetimeSeal /> : <CheckCircleFilled aria-hidden className={styles['done'] ?? ''} />}
      <h3>支付成功</h3>
      <p>{isLifetime ? '您已是长期会员' : subscription.title}</p>
      <dl>
        {hasDays && paid ? (
          <>
            <dt>会员有效期</dt>
            <dd>{paid.vip.lifetime ? '长期有效' : `至 ${formatDay(paid.vip.invalid_at)}`}</dd>
          </>
        ) : null}
        {hasPoints && paid ? (
          <>
            <dt>AI 点数</dt>
            <dd>{paid.user_ai_point} 点</dd>
          </>
        ) : null}
      </dl>
      {paid?.group_qr ? (
        <figure>
          <img src={paid.group_qr} width={126} height={126} alt="会员群二维码" />
          <figcaption className={styles['quiet']}>扫码加入会员群，答疑与更新都在群里</figcaption>
        </figure>
      ) : null}
      <p className={styles['quiet']}>发票可在 30 天内到“个人中心 → 订单记录”申请。</p>
      <Contact />
      <Button ref={button} type="primary" onClick={onDone}>
        {act}
      </Button>
    </div>
  );
}

/** Whom to ask, as far as the operator of this installation has said; the way that always works otherwise. */
function Contact() {
  const company = useQuery(siteQuery).data?.company;
  if (!company) return null;
  const { hotline, mail } = company;
  if (hotline === null && mail === null)
    return <p className={styles['quiet']}>如有疑问，请在账号菜单的“意见反馈”中告诉我们。</p>;
  return (
    <p className={styles['quiet']}>
      如有疑问，请联系客服：
      {hotline === null ? null : <a href={`tel:${hotline}`}>{hotline}</a>}
      {hotline !== null && mail !== null ? '，' : null}
      {mail === null ? null : <a href={`mailto:${mail}`}>{mail}</a>}
    </p>
  );
}
