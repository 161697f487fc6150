/** 商城: what credits can be exchanged for, at which price, and why not now. */
import { integer } from '@hengxi/contracts/format';
import type { MallItem } from '@hengxi/server/mall/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, Pagination } from 'antd';
import { useState } from 'react';

import { POINTS_USE } from '../../lib/points-note.ts';
import { prompts } from '../../lib/prompts.ts';
import { useSession } from '../../lib/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import styles from './credits.module.css';
import { PurchaseDialog } from './purchase-dialog.tsx';
import { ITEMS_PAGE, itemsQuery } from './queries.ts';
import { givesText, lastDay, limitText, SOURCE } from './words.ts';

export function MallTab() {
  const [page, setPage] = useState(1);
  const [wanted, setWanted] = useState<MallItem | null>(null);
  const items = useQuery(itemsQuery(page));
  return (
    <section className={styles['section']} aria-label="商城">
      <Loaded query={items}>
        {({ total, list }) =>
          total === 0 ? (
            <EmptyState title="商城里现在没有可兑换的东西" hint="积分会保留，有新的兑换时显示在这里。" />
          ) : (
            <>
              <ul className={styles['cards']}>
                {list.map((item) => (
                  <Card key={item.id} item={item} onBuy={() => setWanted(item)} />
                ))}
              </ul>
              {total > ITEMS_PAGE ? (
                <Pagination
                  className={styles['pages'] ?? ''}
                  current={page}
                  pageSize={ITEMS_PAGE}
                  total={total}
                  showSizeChanger={false}
                  onChange={setPage}
                />
              ) : null}
            </>
          )
        }
      </Loaded>
      {wanted === null ? null : <PurchaseDialog item={wanted} onClose={() => setWanted(null)} />}
    </section>
  );
}

function Card({ item, onBuy }: { item: MallItem; onBuy: () => void }) {
  const { title, summary, grant_kind: kind, grant_value: value, price_credits: price, stock_left: left } = item;
  const facts = [
    limitText(item),
    left === null ? '' : `剩 ${integer(left)} 件`,
    item.off_at === null ? '' : `${lastDay(item.off_at)} 下架`,
  ].filter((fact) => fact !== '');
  return (
    <li className={`${styles['card']} ${styles['item']}`}>
      <h3>{title}</h3>
      <p className={styles['quiet']}>
        {summary === '' ? givesText(kind, value) : summary}
        {kind === 'ai_points' ? `。${POINTS_USE}` : ''}
      </p>
      <p className={styles['price']}>
        {integer(price)} <small>积分</small>
      </p>
      <p className={styles['facts']}>{facts.join(' · ')}</p>
      <Way item={item} onBuy={onBuy} />
    </li>
  );
}

function Way({ item, onBuy }: { item: MallItem; onBuy: () => void }) {
  const isSignedIn = useSession((state) => state.token !== null);
  if (!isSignedIn)
    return (
      <Button aria-label={`登录后兑换${item.title}`} onClick={() => prompts.openLogin(SOURCE)}>
        登录后兑换
      </Button>
    );
  if (!item.can_buy) return <p className={styles['whyNot']}>{item.reason}</p>;
  return (
    <Button aria-label={`兑换${item.title}`} onClick={onBuy}>
      兑换
    </Button>
  );
}
