/** 申请退款: what the rules offer is said before anything is asked. */
import type { Order } from '@hengxi/server/orders/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Input } from 'antd';
import { useId, useState } from 'react';

import { errorText } from '../../../lib/api.ts';
import { toast } from '../../../lib/toast.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ListSkeleton } from '../../../ui/skeleton.tsx';
import { askRefund, money, refundOfferQuery } from '../queries.ts';
import styles from '../sections.module.css';

export function RefundDialog({ order, onDone, onClose }: { order: Order; onDone: () => void; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const offer = useQuery(refundOfferQuery(order.order_no));
  const id = useId();
  const ask = useMutation({
    mutationFn: () => askRefund(order.order_no, reason.trim()),
    onSuccess: () => {
      toast.done('已提交，处理结果会显示在订单里');
      onDone();
    },
  });
  const submit = () => {
    if (reason.trim().length < 2) setFault('请填写退款原因');
    else ask.mutate();
  };
  return (
    <Dialog
      open
      title="申请退款"
      width="form"
      outsideCloses={false}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" disabled={!offer.data} loading={ask.isPending} onClick={submit}>
            提交申请
          </Button>
        </>
      }
    >
      <p>
        {order.subscription.title}，实付 ¥{money(order.total_fee)}
      </p>
      {offer.isPending ? <ListSkeleton rows={1} /> : null}
      {offer.isLoadingError ? <p className={styles['fault']}>{errorText(offer.error)}</p> : null}
      {offer.data ? (
        <p>
          {offer.data.amount === null ? '金额由客服核定。' : <b>按规则可退 ¥{money(offer.data.amount)}。</b>}
          <span className={styles['quiet']}>{offer.data.note}</span>
        </p>
      ) : null}
      <div className={styles['form']}>
        <label className={styles['label']} htmlFor={id}>
          <span>退款原因</span>
        </label>
        <Input.TextArea
          id={id}
          rows={3}
          maxLength={200}
          showCount
          value={reason}
          status={fault ? 'error' : ''}
          aria-invalid={fault !== null}
          onFocus={() => setFault(null)}
          onChange={(event) => setReason(event.target.value)}
        />
        {fault ? <p className={styles['fault']}>{fault}</p> : null}
      </div>
    </Dialog>
  );
}
