/** 开通会员, 800 px: bind a phone first where none is bound, then two tabs; after the payment what one has now. */
import type { PaymentState } from '@hengxi/server/orders/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, Tabs } from 'antd';
import { type ReactNode, useCallback, useState } from 'react';

import { errorText } from '../../../lib/api.ts';
import { reloadMe, useMe } from '../../../lib/me.ts';
import { prompts, usePrompts } from '../../../lib/prompts.ts';
import { toast } from '../../../lib/toast.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ListSkeleton } from '../../../ui/skeleton.tsx';
import { packagesQuery } from '../queries.ts';
import { Benefits } from './benefits.tsx';
import { PaidPanel } from './paid-panel.tsx';
import { PurchasePanel } from './purchase-panel.tsx';
import styles from './purchase.module.css';

type Buy = 1 | 3;

const TABS = [
  { key: '1', label: 'VIP 会员' },
  { key: '3', label: '教育优惠' },
];

/** `bind` is the form that binds a phone; the frame hands it in, since it belongs to signing in. */
export function PurchaseDialog({ bind }: { bind: ReactNode }) {
  const asked = usePrompts((state) => state.purchase);
  const me = useMe();
  const [paid, setPaid] = useState<PaymentState | null>(null);
  const onPaid = useCallback((state: PaymentState) => {
    setPaid(state);
    void reloadMe();
  }, []);
  if (asked === null) return null;
  // The page is read anew so that everything on it knows the new edition; what was typed is kept by its drafts.
  const close = () => (paid === null ? prompts.closePurchase() : location.reload());
  const edition = me === null ? '' : me.is_vip ? '会员版' : '标准版';
  return (
    <Dialog
      open
      width={me !== null && me.phone === null ? 'form' : 'wide'}
      outsideCloses={false}
      onClose={close}
      title={
        <>
          {paid !== null ? '支付完成' : me?.is_vip ? '续费会员' : '开通会员'}
          <span className={styles['who']}>{[me?.phone, edition].filter(Boolean).join('　')}</span>
        </>
      }
    >
      {paid !== null ? (
        <PaidPanel state={paid} act="完成" onDone={close} />
      ) : me !== null && me.phone === null ? (
        bind
      ) : (
        <Choice first={asked.package} start={asked.buy} onPaid={onPaid} />
      )}
    </Dialog>
  );
}

function Choice({ first, start, onPaid }: { first: number | null; start: Buy; onPaid: (state: PaymentState) => void }) {
  const [buy, setBuy] = useState<Buy>(start);
  const vip = useQuery(packagesQuery('vip'));
  const education = useQuery(packagesQuery('edu'));
  const now = buy === 1 ? vip : education;
  const change = (key: string) => {
    if (key === '3' && education.data?.list.length === 0) toast.note('暂无教育优惠套餐');
    else setBuy(key === '3' ? 3 : 1);
  };
  const what = buy === 1 ? ' VIP 套餐' : '教育优惠套餐';
  return (
    <div className={styles['choice']}>
      <Tabs className={styles['tabs'] ?? ''} items={TABS} activeKey={String(buy)} onChange={change} />
      <div className={styles['columns']}>
        <Benefits onLeave={prompts.closePurchase} />
        {now.isPending ? <ListSkeleton rows={5} /> : null}
        {now.isLoadingError ? (
          <div className={styles['failed']} role="alert">
            <p>
              获取{what}列表失败：{errorText(now.error)}
            </p>
            <Button onClick={() => void now.refetch()}>重试</Button>
          </div>
        ) : null}
        {/* A tab starts anew: quantity 1, no coupon. */}
        {now.data ? <PurchasePanel key={buy} packages={now.data.list} buy={buy} first={first} onPaid={onPaid} /> : null}
      </div>
    </div>
  );
}
