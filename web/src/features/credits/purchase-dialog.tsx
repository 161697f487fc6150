/** The purchase of one item: what, from when until when, price, balance afterwards, and on which condition it can be given back. */
import { integer } from '@hengxi/contracts/format';
import type { MallItem, Purchased } from '@hengxi/server/mall/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, InputNumber, Select } from 'antd';
import { useId, useState } from 'react';
import { Link } from 'react-router';

import { methodsQuery } from '../../lib/catalogue.ts';
import { formatDay } from '../../lib/format-size.ts';
import { useMe } from '../../lib/me.ts';
import { POINTS_USE } from '../../lib/points-note.ts';
import { MEMBERS_ONLY, useMethodAccess } from '../../lib/method-access.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Prose } from '../../ui/prose/prose.tsx';
import { Codes } from './codes.tsx';
import styles from './credits.module.css';
import { accountQuery, itemsQuery } from './queries.ts';
import { usePurchase } from './use-purchase.ts';
import { givesText, gotText, REFUND_RULES } from './words.ts';

const DAY_MS = 86_400_000;

/**
 * From when until when, as far as it is known before; the answer says it exactly. `running`: end of what one has of the same
 * already, behind which it is put.
 */
export function termText(item: MallItem, quantity: number, running: string | null, now: number): string {
  const { grant_kind: kind, grant_value: value, valid_days: valid } = item;
  const span = (from: number, days: number) => `${formatDay(from)} 至 ${formatDay(from + days * DAY_MS)}`;
  if (kind === 'ai_points') return '长期有效';
  if (kind === 'coupon') return valid === null ? '长期有效' : span(now, valid);
  const end = running === null ? now : new Date(running).getTime();
  return span(Math.max(now, end), value * quantity);
}

export function PurchaseDialog({ item: asked, onClose }: { item: MallItem; onClose: () => void }) {
  const me = useMe();
  const [now] = useState(() => Date.now());
  const [quantity, setQuantity] = useState(1);
  const [method, setMethod] = useState<string | null>(null);
  const balance = useQuery(accountQuery).data?.total_amount ?? null;
  // A price that changed meanwhile is the one to agree to.
  const items = useQuery({ ...itemsQuery(1), enabled: false });
  const item = items.data?.list.find(({ id }) => id === asked.id) ?? asked;
  const access = useMethodAccess(method ?? '', method === null ? '' : MEMBERS_ONLY);
  const { buy, isWorking, done, fault } = usePurchase();
  const id = useId();
  if (done !== null) return <Bought title={asked.title} done={done} onClose={onClose} />;
  const total = item.price_credits * quantity;
  const gives = givesText(item.grant_kind, item.grant_value);
  const isUnlock = item.grant_kind === 'algorithm';
  const running = isUnlock ? access.until : (me?.vip.invalid_at ?? null);
  const short = balance !== null && balance < total ? `积分不足，还差 ${integer(total - balance)}` : null;
  return (
    <Dialog
      open
      title="确认兑换"
      width="choose"
      outsideCloses={false}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button
            loading={isWorking}
            disabled={balance === null || short !== null || (isUnlock && method === null)}
            onClick={() => buy({ item, quantity, ...(method === null ? {} : { method }) })}
          >
            确认兑换
          </Button>
        </>
      }
    >
      <dl className={styles['sheet']}>
        <dt>内容</dt>
        <dd>
          {item.title}
          {gives === item.title ? null : <span className={styles['quiet']}>{gives}</span>}
        </dd>
        {isUnlock ? (
          <>
            <dt>
              <label htmlFor={id}>方法</label>
            </dt>
            <dd>
              <MethodChoice id={id} value={method} onChange={setMethod} />
            </dd>
          </>
        ) : null}
        {item.quantity_max > 1 ? (
          <>
            <dt>
              <label htmlFor={`${id}-n`}>数量</label>
            </dt>
            <dd>
              <InputNumber
                id={`${id}-n`}
                min={1}
                max={item.quantity_max}
                precision={0}
                value={quantity}
                onChange={(value) => setQuantity(value ?? 1)}
              />
            </dd>
          </>
        ) : null}
        {item.grant_kind === 'ai_points' ? (
          <>
            <dt>用途</dt>
            <dd>{POINTS_USE}</dd>
          </>
        ) : null}
        <dt>有效期</dt>
        <dd>{termText(item, quantity, running, now)}</dd>
        <dt>价格</dt>
        <dd>{integer(total)} 积分</dd>
        <dt>兑换后余额</dt>
        <dd>{balance === null ? '…' : (short ?? `${integer(balance - total)} 积分`)}</dd>
        <dt>退回</dt>
        <dd>{REFUND_RULES[item.grant_kind]}</dd>
      </dl>
      {item.body_md === '' ? null : <Prose text={item.body_md} />}
      {fault === null ? null : (
        <p className={styles['fault']} role="alert">
          {fault}
        </p>
      )}
    </Dialog>
  );
}

/** Members' methods, by name. */
function MethodChoice({ id, value, onChange }: { id: string; value: string | null; onChange: (path: string) => void }) {
  const methods = useQuery(methodsQuery);
  const options = (methods.data ?? [])
    .filter(({ tier }) => tier === MEMBERS_ONLY)
    .map(({ algo_code: path, title, family }) => ({ value: path, label: title, family }));
  return (
    <Select
      id={id}
      className={styles['wide'] ?? ''}
      showSearch={{ optionFilterProp: 'label' }}
      loading={methods.isPending}
      value={value}
      placeholder="选择要解锁的方法"
      notFoundContent="没有需要解锁的方法"
      options={options}
      onChange={onChange}
    />
  );
}

function Bought({ title, done, onClose }: { title: string; done: Purchased; onClose: () => void }) {
  return (
    <Dialog
      open
      title="兑换成功"
      width="choose"
      onClose={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          完成
        </Button>
      }
    >
      <div role="status">
        <p>
          <b>{title}</b>：{gotText(done.granted)}
        </p>
        <Codes codes={done.granted.codes} />
        <p className={styles['quiet']}>
          余额 {integer(done.total_amount)} 积分，记录在
          <Link to="/credits?tab=orders" onClick={onClose}>
            我的兑换
          </Link>
          。
        </p>
      </div>
    </Dialog>
  );
}
