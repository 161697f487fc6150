/** 申请发票, 修改发票: title, kind, tax number, mailbox; faults at their fields. */
import type { Invoice, InvoiceChange, Order } from '@hengxi/server/orders/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Input, Radio } from 'antd';

import { errorText } from '../../../lib/api.ts';
import { toast } from '../../../lib/toast.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ListSkeleton } from '../../../ui/skeleton.tsx';
import { FormLine } from '../form-line.tsx';
import { askInvoice, changeInvoice, invoiceQuery, money } from '../queries.ts';
import styles from '../sections.module.css';
import { type FaultsOf, useDraft } from '../use-draft.ts';

type Draft = { kind: 'person' | 'company'; title: string; tax_no: string; email: string };

const TAX_NO = /^(?:[0-9A-Z]{15}|[0-9A-Z]{17}|[0-9A-Z]{18}|[0-9A-Z]{20})$/;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** What is wrong with a draft, field by field; empty when it can be sent. */
export function invoiceFaults({ kind, title, tax_no, email }: Draft): FaultsOf<Draft> {
  return {
    ...(title.trim().length < 2 ? { title: '请填写发票抬头' } : {}),
    ...(kind === 'company' && !TAX_NO.test(tax_no.trim().toUpperCase())
      ? { tax_no: '税号为 15、17、18 或 20 位数字或大写字母' }
      : {}),
    ...(EMAIL.test(email.trim()) ? {} : { email: '请输入正确的邮箱' }),
  };
}

interface InvoiceDialogProps {
  order: Order;
  onDone: () => void;
  onClose: () => void;
}

export function InvoiceDialog({ order, onDone, onClose }: InvoiceDialogProps) {
  const id = order.invoice?.id ?? null;
  const known = useQuery({ ...invoiceQuery(id ?? 0), enabled: id !== null });
  const isReady = id === null || known.data !== undefined;
  return (
    <Dialog open title={id === null ? '申请发票' : '修改发票'} width="form" outsideCloses={false} onClose={onClose}>
      {known.isLoadingError ? <p className={styles['fault']}>{errorText(known.error)}</p> : null}
      {!isReady && !known.isLoadingError ? <ListSkeleton rows={4} /> : null}
      {isReady ? <InvoiceForm order={order} known={known.data ?? null} onDone={onDone} onClose={onClose} /> : null}
    </Dialog>
  );
}

function InvoiceForm({ order, known, onDone, onClose }: InvoiceDialogProps & { known: Invoice | null }) {
  const start: Draft = {
    kind: known?.kind ?? 'person',
    title: known?.title ?? '',
    tax_no: known?.tax_no ?? '',
    email: known?.email ?? '',
  };
  const { draft, faults, change, isGood } = useDraft(start, invoiceFaults);
  const send = useMutation({
    mutationFn: (body: InvoiceChange) =>
      known === null ? askInvoice({ order_no: order.order_no, ...body }) : changeInvoice(known.id, body),
    onSuccess: () => {
      toast.done('已提交，开具后可在订单里下载');
      onDone();
    },
  });
  const submit = () => {
    if (!isGood()) return;
    const { kind, title, tax_no, email } = draft;
    const number = kind === 'company' ? tax_no.trim().toUpperCase() : null;
    send.mutate({ kind, title: title.trim(), tax_no: number, email: email.trim() });
  };
  return (
    <div className={styles['form']}>
      <p>
        {order.subscription.title}，开票金额 <b>¥{money(order.total_fee - order.refunded)}</b>
      </p>
      {known?.state === 'refused' && known.reason ? (
        <p className={styles['fault']}>上次被驳回：{known.reason}</p>
      ) : null}
      <Radio.Group
        aria-label="发票抬头类型"
        value={draft.kind}
        options={[
          { value: 'person', label: '个人' },
          { value: 'company', label: '企业' },
        ]}
        onChange={(event) => change({ kind: event.target.value === 'company' ? 'company' : 'person' })}
      />
      <FormLine label="发票抬头" fault={faults.title}>
        {(id) => (
          <Input
            id={id}
            maxLength={80}
            value={draft.title}
            onChange={(event) => change({ title: event.target.value })}
          />
        )}
      </FormLine>
      {draft.kind === 'company' ? (
        <FormLine label="税号" fault={faults.tax_no}>
          {(id) => (
            <Input
              id={id}
              maxLength={20}
              value={draft.tax_no}
              onChange={(event) => change({ tax_no: event.target.value })}
            />
          )}
        </FormLine>
      ) : null}
      <FormLine label="接收邮箱" fault={faults.email}>
        {(id) => (
          <Input
            id={id}
            type="email"
            maxLength={120}
            value={draft.email}
            onChange={(event) => change({ email: event.target.value })}
          />
        )}
      </FormLine>
      <div className={`${styles['acts']} ${styles['foot']}`}>
        <Button onClick={onClose}>取消</Button>
        <Button type="primary" loading={send.isPending} onClick={submit}>
          提交
        </Button>
      </div>
    </div>
  );
}
