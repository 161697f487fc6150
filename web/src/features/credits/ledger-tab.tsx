/** 积分明细: every movement with what was left and until when it is good. Filter and page stand in the address. */
import { integer } from '@hengxi/contracts/format';
import type { ChangeFilter } from '@hengxi/server/credits/schema';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Segmented } from 'antd';
import { Link, useSearchParams } from 'react-router';

import { EmptyState } from '../../ui/empty-state.tsx';
import { LedgerTable } from '../../ui/ledger-table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import styles from './credits.module.css';
import { accountQuery, CHANGES_PAGE, changesQuery } from './queries.ts';
import { CHANGE_KINDS, lastDay } from './words.ts';

const FILTERS: { value: ChangeFilter | ''; label: string }[] = [
  { value: '', label: '全部' },
  { value: 'earned', label: '获得' },
  { value: 'used', label: '使用' },
  { value: 'expired', label: '到期' },
];

export function LedgerTab() {
  const [params, setParams] = useSearchParams();
  const kind = FILTERS.find(({ value }) => value !== '' && value === params.get('kind'))?.value || null;
  const page = Math.max(1, Math.trunc(Number(params.get('page'))) || 1);
  const changes = useQuery({ ...changesQuery(page, kind), placeholderData: keepPreviousData });
  const go = (next: { kind: string | null; page: number }) =>
    setParams(
      {
        tab: 'changes',
        ...(next.kind ? { kind: next.kind } : {}),
        ...(next.page > 1 ? { page: String(next.page) } : {}),
      },
      { replace: true },
    );
  return (
    <section className={styles['section']} aria-label="积分明细">
      <div className={styles['filter']}>
        <Segmented
          aria-label="筛选"
          options={FILTERS}
          value={kind ?? ''}
          onChange={(value) => go({ kind: value, page: 1 })}
        />
        <Expiring />
      </div>
      <Loaded query={changes}>
        {({ total, list }) =>
          total === 0 ? (
            <Nothing isFiltered={kind !== null} />
          ) : (
            <LedgerTable
              unit="积分"
              movements={list.map((movement) => ({
                id: movement.id,
                at: movement.created_at,
                title: movement.title,
                kind: CHANGE_KINDS[movement.kind],
                amount: movement.amount,
                balance: movement.balance_after,
                until: movement.expires_at === null ? '' : lastDay(movement.expires_at),
              }))}
              page={page}
              pageSize={CHANGES_PAGE}
              total={total}
              onPage={(next) => go({ kind, page: next })}
            />
          )
        }
      </Loaded>
    </section>
  );
}

/** Nothing expires unseen: the next three months, lot by lot. */
function Expiring() {
  const lots = useQuery(accountQuery).data?.expiring ?? [];
  if (lots.length === 0) return null;
  return (
    <p className={styles['quiet']}>
      90 天内到期：{lots.map(({ amount, at }) => `${lastDay(at)} ${integer(amount)}`).join('，')}
    </p>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <EmptyState title="没有这一类记录" />;
  return (
    <EmptyState
      title="还没有积分记录，完成一次分析即可获得第一笔"
      actions={<Link to="/analysis/index">去做一次分析</Link>}
    />
  );
}
