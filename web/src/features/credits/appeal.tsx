/** 申诉: asks for another look at a reward that is held or void, or at a held account; afterwards its state stands in its place. */
import type { Appeal as AppealRow } from '@hengxi/server/credits/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Input } from 'antd';
import { useId, useState } from 'react';

import { queryClient } from '../../lib/query-client.ts';
import { toast } from '../../lib/toast.ts';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './credits.module.css';
import { appeal, appealsQuery } from './queries.ts';

const MOST = 500;

const STATES: Record<AppealRow['state'], string> = {
  open: '申诉处理中',
  granted: '申诉已通过',
  refused: '申诉未通过',
};

/** `record` null: the account itself. */
export function Appeal({ record, about }: { record: number | null; about: string }) {
  const appeals = useQuery(appealsQuery);
  const [isAsking, setAsking] = useState(false);
  const last = appeals.data?.list.find((one) => one.record_id === record);
  return (
    <>
      {last ? (
        <span className={styles['quiet']}>
          {STATES[last.state]}
          {last.reply ? `：${last.reply}` : ''}
        </span>
      ) : null}
      {last?.state === 'open' ? null : (
        <Button size="small" onClick={() => setAsking(true)}>
          {last ? '再次申诉' : '申诉'}
        </Button>
      )}
      {isAsking ? <AppealDialog record={record} about={about} onClose={() => setAsking(false)} /> : null}
    </>
  );
}

function AppealDialog({ record, about, onClose }: { record: number | null; about: string; onClose: () => void }) {
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const id = useId();
  const send = useMutation({
    mutationFn: () => appeal({ ...(record === null ? {} : { record_id: record }), text: text.trim() }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: appealsQuery.queryKey });
      toast.done('申诉已提交，处理结果显示在这里');
      onClose();
    },
  });
  const submit = () => (text.trim() === '' ? setFault('请填写申诉内容') : send.mutate());
  return (
    <Dialog
      open
      title="申诉"
      width="form"
      outsideCloses={false}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" loading={send.isPending} onClick={submit}>
            提交申诉
          </Button>
        </>
      }
    >
      <p className={styles['quiet']}>关于：{about}</p>
      <div className={styles['field']}>
        <label htmlFor={id}>申诉内容</label>
        <Input.TextArea
          id={id}
          rows={4}
          maxLength={MOST}
          showCount
          value={text}
          placeholder="说明实际情况，客服会人工核对"
          status={fault === null ? '' : 'error'}
          aria-invalid={fault !== null}
          onFocus={() => setFault(null)}
          onChange={(event) => setText(event.target.value)}
        />
        {fault === null ? null : (
          <p className={styles['fault']} role="alert">
            {fault}
          </p>
        )}
      </div>
    </Dialog>
  );
}
