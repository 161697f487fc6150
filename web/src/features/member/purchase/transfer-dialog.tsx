/** 对公转账: amount, company, account, bank and remark to copy; then the proof is uploaded and finance confirms. */
import { CopyOutlined, UploadOutlined } from '@ant-design/icons';
import type { Transfer } from '@hengxi/server/orders/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Input } from 'antd';
import { useId, useRef, useState } from 'react';

import { errorText } from '../../../lib/api.ts';
import { formatDay } from '../../../lib/format-size.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { toast } from '../../../lib/toast.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { PaperInput } from '../../../ui/paper-input.tsx';
import { ListSkeleton } from '../../../ui/skeleton.tsx';
import { money, sendProof, transferQuery } from '../queries.ts';
import styles from './purchase.module.css';

const SAID: Record<Transfer['state'], string> = {
  waiting: '等待转账与凭证',
  proof: '已上传凭证，等待核对',
  checking: '财务核对中',
  confirmed: '已确认到账，套餐已开通',
  returned: '已退回',
  closed: '订单已关闭',
};

export function TransferDialog({ order_no, onClose }: { order_no: string; onClose: () => void }) {
  const transfer = useQuery(transferQuery(order_no));
  return (
    <Dialog open title="对公转账" width="choose" outsideCloses={false} onClose={onClose}>
      {transfer.isPending ? <ListSkeleton rows={4} /> : null}
      {transfer.isLoadingError ? <p className={styles['fault']}>{errorText(transfer.error)}</p> : null}
      {transfer.data ? <Body transfer={transfer.data} /> : null}
    </Dialog>
  );
}

function Body({ transfer }: { transfer: Transfer }) {
  const lines: [string, string][] = [
    ['转账金额', `¥${money(transfer.amount)}`],
    ['公司名称', transfer.company_name],
    ['银行账号', transfer.bank_account],
    ['开户银行', transfer.bank],
    ['转账备注', transfer.remark],
  ];
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(lines.map((line) => line.join('：')).join('\n'));
      toast.done('复制成功');
    } catch {
      toast.warn('浏览器不允许复制，请手动选择文字');
    }
  };
  const isOpen = transfer.state === 'waiting' || transfer.state === 'returned' || transfer.state === 'proof';
  return (
    <div className={styles['transferBody']}>
      <dl className={styles['transfer']}>
        {lines.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Button icon={<CopyOutlined aria-hidden />} onClick={() => void copy()}>
        复制信息
      </Button>
      <p className={styles['quiet']}>
        金额须与订单完全一致，并在备注中写明“{transfer.remark}”；不一致的款项会退回。请在{' '}
        {formatDay(transfer.expires_at)} 前完成转账并上传凭证。
      </p>
      <p>
        状态：<b>{SAID[transfer.state]}</b>
        {transfer.reason ? `（${transfer.reason}）` : ''}
      </p>
      {isOpen ? <Proof transfer={transfer} /> : null}
    </div>
  );
}

function Proof({ transfer }: { transfer: Transfer }) {
  const [payer, setPayer] = useState(transfer.payer ?? '');
  const [fault, setFault] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const send = useMutation({
    mutationFn: (file: File) => sendProof(transfer.order_no, payer.trim(), file),
    onSuccess: (next) => {
      queryClient.setQueryData(transferQuery(transfer.order_no).queryKey, next);
      toast.done('凭证已上传，核对后即开通');
    },
  });
  const choose = () => {
    if (payer.trim().length < 2) setFault('请填写付款方名称，与凭证上的一致');
    else input.current?.click();
  };
  return (
    <div className={styles['proof']}>
      <label htmlFor={id}>付款方名称</label>
      <Input
        id={id}
        value={payer}
        maxLength={80}
        placeholder="与转账凭证上的付款方一致"
        status={fault ? 'error' : ''}
        onFocus={() => setFault(null)}
        onChange={(event) => setPayer(event.target.value)}
      />
      {fault ? <p className={styles['fault']}>{fault}</p> : null}
      <PaperInput input={input} onFile={(file) => send.mutate(file)} onFault={setFault} />
      <Button icon={<UploadOutlined aria-hidden />} loading={send.isPending} onClick={choose}>
        {transfer.has_proof ? '重新上传凭证' : '上传转账凭证'}
      </Button>
      <span className={styles['quiet']}>图片或 PDF，不超过 10 MB</span>
    </div>
  );
}
