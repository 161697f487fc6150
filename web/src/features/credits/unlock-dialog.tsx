/** 解锁当前算法: credits open one method for a time. The page beneath stays as it is; so does everything filled in on it. */
import { integer } from '@hengxi/contracts/format';
import type { MallItem } from '@hengxi/server/mall/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, Radio } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';

import { formatDay } from '../../lib/format-size.ts';
import { prompts, type UnlockAsk } from '../../lib/prompts.ts';
import { toast } from '../../lib/toast.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import styles from './credits.module.css';
import { accountQuery, unlocksQuery } from './queries.ts';
import { usePurchase } from './use-purchase.ts';
import { lastDay, REFUND_RULES } from './words.ts';

const DAY_MS = 86_400_000;

export function UnlockDialog({ method }: { method: UnlockAsk }) {
  const items = useQuery(unlocksQuery);
  const balance = useQuery(accountQuery).data?.total_amount ?? null;
  const [picked, setPicked] = useState<number | null>(null);
  const [now] = useState(() => Date.now());
  const { buy, isWorking, fault } = usePurchase(({ granted }) => {
    prompts.closeUnlock();
    toast.done(granted.until === null ? '已解锁' : `已解锁，至 ${lastDay(granted.until)}`);
  });
  const list = items.data ?? [];
  const chosen = list.find(({ id }) => id === picked) ?? list.find((item) => item.can_buy) ?? list[0] ?? null;
  return (
    <Dialog
      open
      title="解锁当前算法"
      width="choose"
      onClose={prompts.closeUnlock}
      footer={
        <>
          <Button onClick={prompts.closeUnlock}>暂不需要</Button>
          <Button
            loading={isWorking}
            disabled={chosen?.can_buy !== true}
            onClick={() => chosen && buy({ item: chosen, quantity: 1, method: method.path })}
          >
            确认兑换
          </Button>
        </>
      }
    >
      <div className={styles['offer']}>
        <p>
          方法：<b>{method.title}</b>
        </p>
        <Loaded query={items} rows={2}>
          {(unlock) =>
            unlock.length === 0 ? (
              <p className={styles['quiet']}>商城里现在没有方法解锁可以兑换。</p>
            ) : (
              <Radio.Group
                className={styles['choices']}
                aria-label="解锁多久"
                value={chosen?.id}
                onChange={(event) => setPicked(Number(event.target.value))}
              >
                {unlock.map((item) => (
                  <Radio key={item.id} value={item.id} className={styles['choice']}>
                    <Choice item={item} now={now} />
                  </Radio>
                ))}
              </Radio.Group>
            )
          }
        </Loaded>
        {balance === null || chosen === null ? null : (
          <p>
            可用积分 {integer(balance)}
            {balance < chosen.price_credits ? '' : `，兑换后 ${integer(balance - chosen.price_credits)}`}
            {chosen.can_buy ? null : (
              <>
                。{chosen.reason}　
                <Link to="/credits" target="_blank" rel="noreferrer">
                  获取积分
                </Link>
              </>
            )}
          </p>
        )}
        <p className={styles['quiet']}>仅解锁方法，行数与每日次数仍按标准版。{REFUND_RULES.algorithm}</p>
        <p>
          <button
            type="button"
            className="hx-link"
            onClick={() => {
              prompts.closeUnlock();
              prompts.openPurchase();
            }}
          >
            会员可使用全部高级方法
          </button>
        </p>
        {fault === null ? null : (
          <p className={styles['fault']} role="alert">
            {fault}
          </p>
        )}
      </div>
    </Dialog>
  );
}

function Choice({ item, now }: { item: MallItem; now: number }) {
  const days = item.grant_value;
  return (
    <span className={styles['term']}>
      <b>{integer(days)} 天</b>
      <span className={styles['quiet']}>至 {formatDay(now + days * DAY_MS)}</span>
      <span>{integer(item.price_credits)} 积分</span>
    </span>
  );
}
