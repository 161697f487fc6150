/** AI points: /member/aicount (balance and prices), /member/aipaid (packages), /member/aidetail (ledger). */
import { DownloadOutlined } from '@ant-design/icons';
import type { PointKind, PointRecord } from '@hengxi/server/points/schema';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useCallback, useState } from 'react';
import { Link, useNavigate } from 'react-router';

import { errorText } from '../../lib/api.ts';
import { formatInstant } from '../../lib/format-size.ts';
import { reloadMe } from '../../lib/me.ts';
import { queryClient } from '../../lib/query-client.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LedgerTable } from '../../ui/ledger-table.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import styles from './ai-pages.module.css';
import { POINTS_USE } from '../../lib/points-note.ts';
import { PaidPanel } from './purchase/paid-panel.tsx';
import { PurchasePanel } from './purchase/purchase-panel.tsx';
import type { PaymentState } from '@hengxi/server/orders/schema';
import { packagesQuery, pointRecordsQuery, POINTS_PAGE, pointsQuery } from './queries.ts';

export function AiCountPage() {
  const points = useQuery(pointsQuery);
  const navigate = useNavigate();
  return (
    <div className={styles['page']}>
      <PageTitle title="AI 点数" />
      {points.isPending ? <ListSkeleton rows={3} /> : null}
      {points.isLoadingError ? <p role="alert">{errorText(points.error)}</p> : null}
      {points.data ? (
        <>
          <p className={styles['balance']}>
            <b>{points.data.user_ai_point}</b> 点
          </p>
          <p className={styles['quiet']}>
            其中赠送 {points.data.gift} 点，购买 {points.data.paid} 点。先用赠送的，都不过期。
          </p>
          <div className={styles['acts']}>
            <Button type="primary" onClick={() => void navigate('/member/aipaid')}>
              购买点数
            </Button>
            <Button onClick={() => void navigate('/member/aidetail')}>收支明细</Button>
          </div>
        </>
      ) : null}
      <PointRules />
    </div>
  );
}

/** What points are for and when they come back: whoever buys must know before. */
function PointRules() {
  return (
    <section className={styles['section']} aria-labelledby="ai-use">
      <h2 id="ai-use">点数怎么用</h2>
      <ul className={styles['rules']}>
        <li>
          <b>{POINTS_USE}</b>购买的点数没用完可以申请退款。
        </li>
        <li>由 AI 解读一份报告用 1 点；解读随报告保存，再看不再扣点。重新解读再用 1 点。</li>
        <li>解读失败、未通过核对或中途停止，点数自动退回。</li>
        <li>报告自带的解读由规则生成，不用点数。</li>
      </ul>
    </section>
  );
}

export function AiPaidPage() {
  const packages = useQuery(packagesQuery('point'));
  const [paid, setPaid] = useState<PaymentState | null>(null);
  const navigate = useNavigate();
  const onPaid = useCallback((state: PaymentState) => {
    setPaid(state);
    void reloadMe();
    void queryClient.invalidateQueries({ queryKey: ['points'] });
  }, []);
  return (
    <div className={styles['page']}>
      <PageTitle title="购买 AI 点数" />
      <p className={styles['quiet']}>{POINTS_USE}</p>
      <div className={styles['sheet']}>
        {paid === null ? null : (
          <PaidPanel state={paid} act="查看点数" onDone={() => void navigate('/member/aicount')} />
        )}
        {packages.isPending ? <ListSkeleton rows={5} /> : null}
        {packages.isLoadingError ? <p role="alert">获取点数套餐列表失败：{errorText(packages.error)}</p> : null}
        {paid === null && packages.data?.list.length === 0 ? <EmptyState title="暂无点数套餐" /> : null}
        {paid === null && packages.data && packages.data.list.length > 0 ? (
          <PurchasePanel packages={packages.data.list} buy={null} first={null} onPaid={onPaid} />
        ) : null}
      </div>
      <PointRules />
    </div>
  );
}

const KINDS: Record<PointKind, string> = {
  order: '购买',
  campaign: '活动赠送',
  mall: '积分兑换',
  invite: '邀请奖励',
  lucky: '欢迎礼',
  ops: '客服调整',
  use: '已扣',
  return: '已退回',
  refund: '退款扣回',
};

export function AiDetailPage() {
  const [page, setPage] = useState(1);
  const records = useQuery(pointRecordsQuery(page));
  const total = records.data?.total ?? 0;
  return (
    <div className={styles['page']}>
      <PageTitle
        title="AI 点数明细"
        actions={
          <Button
            icon={<DownloadOutlined aria-hidden />}
            disabled={total === 0}
            onClick={() => void downloadAll(total)}
          >
            导出 csv
          </Button>
        }
      />
      {records.isPending ? <ListSkeleton rows={6} /> : null}
      {records.isLoadingError ? <p role="alert">{errorText(records.error)}</p> : null}
      {records.data && total === 0 ? (
        <EmptyState title="还没有点数记录" hint={<Link to="/member/aipaid">购买点数</Link>} />
      ) : null}
      {records.data && total > 0 ? (
        <LedgerTable
          unit="点数"
          movements={records.data.list.map(({ id, at, title, kind, points, balance }) => ({
            id,
            at,
            title,
            kind: KINDS[kind],
            amount: points,
            balance,
          }))}
          page={page}
          pageSize={POINTS_PAGE}
          total={total}
          onPage={setPage}
        />
      ) : null}
    </div>
  );
}

const EXPORT_PAGE = 200;

async function downloadAll(total: number): Promise<void> {
  const list: PointRecord[] = [];
  for (let page = 1; (page - 1) * EXPORT_PAGE < total; page += 1)
    list.push(...(await queryClient.fetchQuery(pointRecordsQuery(page, EXPORT_PAGE))).list);
  const lines = list.map((record) => [
    formatInstant(record.at),
    record.title,
    KINDS[record.kind],
    record.points,
    record.balance,
    record.ref,
  ]);
  const text = [['时间', '事项', '类型', '点数', '余额', '单据'], ...lines]
    .map((line) => line.map(cell).join(','))
    .join('\r\n');
  // The mark at the start tells Excel that the text is UTF-8.
  const url = URL.createObjectURL(new Blob(['\uFEFF', text, '\r\n'], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'AI点数明细.csv';
  link.click();
  URL.revokeObjectURL(url);
}

function cell(value: string | number): string {
  return typeof value === 'number' ? String(value) : `"${value.replaceAll('"', '""')}"`;
}
