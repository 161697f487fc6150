/** 订单与合同: seats bought, added, renewed; orders of the enterprise; the contract of a corporate transfer. */
import type { Contract, Enterprise } from '@hengxi/server/enterprise/schema';
import type { Order, Transfer } from '@hengxi/server/orders/schema';
import { yuan } from '@hengxi/contracts/price';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Input } from 'antd';
import { useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';

import { formatDay, formatInstant } from '../../../lib/format-size.ts';
import { toast } from '../../../lib/toast.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { PaperInput } from '../../../ui/paper-input.tsx';
import styles from '../enterprise.module.css';
import { FaultLine, copyText, PagedTable } from '../parts.tsx';
import { bankTransfer, contractsQuery, ordersQuery, reload, saveContract, sendProof, sendSigned } from '../queries.ts';
import { Buy, payPath } from './buy-seats.tsx';

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
      <Contracts enterprise={enterprise} />
      {shown ? <TransferInfo transfer={shown} onSent={setShown} onClose={() => setShown(null)} /> : null}
    </>
  );
}

const CONTRACTS: Record<Contract['state'], string> = { draft: '草拟', signed: '已签', archived: '已归档' };

/** The paper of each order: from our template, signed by the owner, put on file by the desk. */
function Contracts({ enterprise: { id: eid, can } }: { enterprise: Enterprise }) {
  const contracts = useQuery(contractsQuery(eid));
  const [at, setAt] = useState<number | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const send = useMutation({
    mutationFn: ({ id, file }: { id: number; file: File }) => sendSigned(eid, id, file),
    onSuccess: async () => {
      await reload(eid);
      toast.done('已签合同已上传，财务核对后归档');
    },
  });
  return (
    <section className={styles['section']} aria-labelledby="orders-contracts">
      <h2 id="orders-contracts">合同</h2>
      <PaperInput
        input={input}
        onFile={(file) => (at === null ? undefined : send.mutate({ id: at, file }))}
        onFault={toast.warn}
      />
      <PagedTable
        label="合同"
        query={contracts}
        page={1}
        onPage={() => undefined}
        keyOf={(row) => row.id}
        empty="下单后这里会有对应的合同"
        columns={[
          { title: '订单号', render: (row) => row.order_no },
          { title: '模板版本', render: (row) => row.template_version },
          { title: '状态', render: (row) => CONTRACTS[row.state] },
          { title: '签署上传', render: (row) => (row.signed_at ? formatInstant(row.signed_at) : '—') },
          {
            title: '操作',
            render: (row) =>
              can.own ? (
                <div className={styles['acts']}>
                  <Button size="small" onClick={() => void saveContract(row.order_no)}>
                    下载
                  </Button>
                  {row.state === 'archived' ? null : (
                    <Button
                      size="small"
                      loading={send.isPending && at === row.id}
                      onClick={() => {
                        setAt(row.id);
                        input.current?.click();
                      }}
                    >
                      {row.state === 'signed' ? '重新上传已签合同' : '上传已签合同'}
                    </Button>
                  )}
                </div>
              ) : null,
          },
        ]}
      />
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
      <FaultLine text={fault} />
      <PaperInput input={input} onFile={(file) => send.mutate(file)} onFault={setFault} />
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
