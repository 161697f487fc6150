/** 订单与合同: seats bought, added, renewed; orders of the enterprise; the contract of a corporate transfer. */
import type { Enterprise } from '@hengxi/server/enterprise/schema';
import type { Order, Transfer } from '@hengxi/server/orders/schema';
import { yuan } from '@hengxi/contracts/price';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Input, InputNumber, Radio, Segmented } from 'antd';
import { useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';

import { errorText } from '../../../lib/api.ts';
import { formatDay, formatInstant } from '../../../lib/format-size.ts';
import { toast } from '../../../lib/toast.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import styles from '../enterprise.module.css';
import { copyText, PagedTable } from '../parts.tsx';
import { bankTransfer, orderSeats, ordersQuery, quote, reload, saveContract, sendProof } from '../queries.ts';

/** The cashier's page, which leads back here. */
const payPath = (eid: number, orderNo: string): string =>
  `/member/pay?order_no=${orderNo}&back=${encodeURIComponent(`/enterprise/${eid}?tab=orders`)}`;

const ORDER_STATES: Record<Order['state'], string> = {
  created: '待支付',
  paid: '已支付',
  closed: '已关闭',
  refunded: '已退款',
};

export function OrdersTab({ enterprise }: { enterprise: Enterprise }) {
  const { id: eid, can } = enterprise;
  const [page, setPage] = useState(1);
  const orders = useQuery(ordersQuery(eid, page));
  const [shown, setShown] = useState<Transfer | null>(null);
  const navigate = useNavigate();
  const show = useMutation({ mutationFn: bankTransfer, onSuccess: setShown });
  const acts = (row: Order) => (
    <div className={styles['acts']}>
      {can.own && row.can.pay && row.method !== 4 ? (
        <Button size="small" type="primary" onClick={() => void navigate(payPath(eid, row.order_no))}>
          继续支付
        </Button>
      ) : null}
      {can.own && row.method === 4 ? (
        <Button size="small" onClick={() => show.mutate(row.order_no)}>
          转账信息
        </Button>
      ) : null}
      {can.own ? (
        <Button size="small" onClick={() => void saveContract(row.order_no)}>
          下载合同
        </Button>
      ) : null}
    </div>
  );
  return (
    <>
      {can.own ? (
        <Buy enterprise={enterprise} onTransfer={(orderNo) => show.mutate(orderNo)} />
      ) : (
        <p className={styles['quiet']}>席位由企业所有者购买，管理员可以查看订单。</p>
      )}
      <section className={styles['section']} aria-labelledby="orders-list">
        <h2 id="orders-list">企业订单</h2>
        <PagedTable
          label="企业订单"
          query={orders}
          page={page}
          onPage={setPage}
          keyOf={(row) => row.order_no}
          empty="还没有订单"
          columns={[
            { title: '订单号', render: (row) => row.order_no },
            { title: '内容', render: (row) => row.subscription.title },
            { title: '席位', number: true, render: (row) => row.quantity },
            { title: '金额', number: true, render: (row) => `¥${yuan(row.total_fee)}` },
            { title: '状态', render: (row) => ORDER_STATES[row.state] },
            { title: '时间', render: (row) => formatInstant(row.paid_at ?? row.created_at) },
            { title: '操作', render: acts },
          ]}
        />
        <div className={styles['acts']}>
          <Button onClick={() => void saveContract()}>下载空白合同模板</Button>
        </div>
      </section>
      {shown ? <TransferInfo transfer={shown} onSent={setShown} onClose={() => setShown(null)} /> : null}
    </>
  );
}

type Plan = 'new' | 'more' | 'renewal';

function Buy({ enterprise, onTransfer }: { enterprise: Enterprise; onTransfer: (orderNo: string) => void }) {
  const { id: eid, state, seats: present } = enterprise;
  const id = useId();
  const isRunning = state === 'active';
  const [plan, setPlan] = useState<Plan>(
    isRunning ? 'more' : state === 'pending' || state === 'trial' ? 'new' : 'renewal',
  );
  const [seats, setSeats] = useState<number | null>(plan === 'more' ? 1 : Math.max(3, present));
  const [qr, setQr] = useState<1 | 4>(1);
  const navigate = useNavigate();
  const body = { plan, seats: seats ?? 0, qr } as const;
  const price = useQuery({
    queryKey: ['enterprise', eid, 'quote', plan, seats],
    queryFn: ({ signal }) => quote(eid, body, signal),
    enabled: seats !== null && seats > 0,
    retry: false,
    staleTime: 30_000,
  });
  const order = useMutation({
    mutationFn: () => orderSeats(eid, body),
    onSuccess: async (made) => {
      await reload(eid);
      if (qr === 4) onTransfer(made.order.order_no);
      else if (made.order.state !== 'paid') await navigate(payPath(eid, made.order.order_no));
    },
  });
  const plans = [
    ...(isRunning ? [{ value: 'more' as const, label: '增加席位' }] : [{ value: 'new' as const, label: '购买席位' }]),
    { value: 'renewal' as const, label: '续费' },
  ];
  return (
    <section className={styles['section']} aria-labelledby="orders-buy">
      <h2 id="orders-buy">购买席位</h2>
      <div className={styles['form']}>
        <Segmented<Plan>
          aria-label="购买方式"
          style={{ justifySelf: 'start' }}
          options={plans}
          value={plan}
          onChange={(value) => {
            setPlan(value);
            setSeats(value === 'more' ? 1 : Math.max(3, present));
          }}
        />
        <label className={styles['label']} htmlFor={`${id}-seats`}>
          <span>{plan === 'more' ? '增加的席位' : '席位数（3–2000）'}</span>
          <InputNumber
            id={`${id}-seats`}
            min={plan === 'more' ? 1 : 3}
            max={2000}
            precision={0}
            value={seats}
            onChange={setSeats}
          />
        </label>
        <Radio.Group
          aria-label="支付方式"
          value={qr}
          onChange={(event) => setQr(event.target.value as 1 | 4)}
          options={[
            { value: 1, label: '扫码支付' },
            { value: 4, label: '对公转账' },
          ]}
        />
        <div aria-live="polite">
          {price.data ? (
            <>
              <p className={styles['total']}>应付 ¥{yuan(price.data.total)}</p>
              <p className={styles['quiet']}>
                {formatDay(price.data.from_at)} 至 {formatDay(price.data.to_at)}（{price.data.days} 天）
                {plan === 'more' ? '，按本期剩余天数计价' : ''}
              </p>
            </>
          ) : null}
          {price.isError ? <p className={styles['fault']}>{errorText(price.error)}</p> : null}
        </div>
        <div className={styles['acts']}>
          <Button type="primary" disabled={!price.data} loading={order.isPending} onClick={() => order.mutate()}>
            下单
          </Button>
          <span className={styles['quiet']}>席位不使用优惠码；减少席位自下一期起生效。</span>
        </div>
      </div>
    </section>
  );
}

const TRANSFERS: Record<Transfer['state'], string> = {
  waiting: '等待转账与凭证',
  proof: '已上传凭证，等待核对',
  checking: '财务核对中',
  confirmed: '已确认到账，席位已开通',
  returned: '已退回',
  closed: '订单已关闭',
};
const PROOF_BYTES = 10_000_000;

/** The proof of a transfer, with the name of who paid. */
function Proof({ transfer, onSent }: { transfer: Transfer; onSent: (next: Transfer) => void }) {
  const id = useId();
  const [payer, setPayer] = useState(transfer.payer ?? '');
  const [fault, setFault] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const send = useMutation({
    mutationFn: (file: File) => sendProof(transfer.order_no, payer.trim(), file),
    onSuccess: (next) => {
      onSent(next);
      toast.done('凭证已上传，核对后即开通');
    },
  });
  return (
    <div className={styles['form']}>
      <label className={styles['label']} htmlFor={id}>
        <span>付款方名称（与凭证一致）</span>
        <Input
          id={id}
          value={payer}
          maxLength={80}
          status={fault ? 'error' : ''}
          onChange={(event) => {
            setPayer(event.target.value);
            setFault(null);
          }}
        />
      </label>
      {fault ? (
        <span className={styles['fault']} role="alert">
          {fault}
        </span>
      ) : null}
      <input
        ref={input}
        type="file"
        className="hx-hidden"
        tabIndex={-1}
        aria-hidden
        accept="image/png,image/jpeg,image/webp,application/pdf"
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file && file.size > PROOF_BYTES) setFault('文件超过 10 MB，请压缩后再传');
          else if (file) send.mutate(file);
        }}
      />
      <div className={styles['acts']}>
        <Button
          loading={send.isPending}
          onClick={() => {
            if (payer.trim().length < 2) setFault('请填写付款方名称，与凭证上的一致');
            else input.current?.click();
          }}
        >
          {transfer.has_proof ? '重新上传凭证' : '上传转账凭证'}
        </Button>
        <span className={styles['quiet']}>图片或 PDF，不超过 10 MB</span>
      </div>
    </div>
  );
}

interface TransferProps {
  transfer: Transfer;
  onSent: (next: Transfer) => void;
  onClose: () => void;
}

function TransferInfo({ transfer, onSent, onClose }: TransferProps) {
  const lines: [string, string][] = [
    ['转账金额', `¥${yuan(transfer.amount)}`],
    ['公司名称', transfer.company_name],
    ['银行账号', transfer.bank_account],
    ['开户银行', transfer.bank],
    ['转账备注', transfer.remark],
  ];
  return (
    <Dialog
      open
      title="对公转账"
      width="choose"
      outsideCloses={false}
      onClose={onClose}
      footer={
        <>
          <Button onClick={() => void saveContract(transfer.order_no)}>下载合同</Button>
          <Button type="primary" onClick={() => void copyText(lines.map((line) => line.join('：')).join('\n'))}>
            复制信息
          </Button>
        </>
      }
    >
      <dl className={styles['facts']}>
        {lines.map(([name, value]) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={styles['quiet']}>
        金额须与订单完全一致，并写明备注；请在 {formatDay(transfer.expires_at)} 前完成转账并上传凭证。
      </p>
      <p>
        状态：<b>{TRANSFERS[transfer.state]}</b>
        {transfer.reason ? `（${transfer.reason}）` : ''}
      </p>
      {transfer.state === 'waiting' || transfer.state === 'returned' || transfer.state === 'proof' ? (
        <Proof transfer={transfer} onSent={onSent} />
      ) : null}
    </Dialog>
  );
}
