/** 「这一页有帮助吗？」 at the foot of a help page: two buttons, a reason and a few words where it did not help. No sign-in. */
import { useMutation } from '@tanstack/react-query';
import type { Reason } from '@hengxi/server/help-feedback/schema';
import { MOST_TEXT, REASONS } from '@hengxi/server/help-feedback/schema';
import { Button, Input, Radio } from 'antd';
import { useId, useState } from 'react';

import { api, errorText } from '../../lib/api.ts';
import styles from './page-feedback.module.css';

interface Sent {
  verdict: 'yes' | 'no';
  reason: Reason | null;
  text: string;
}

interface PageFeedbackProps {
  slug: string;
  version: number | string;
}

const reasons = Object.entries(REASONS).map(([value, label]) => ({ value, label }));

export function PageFeedback({ slug, version }: PageFeedbackProps) {
  const [asked, setAsked] = useState(false);
  const sending = useMutation({
    mutationFn: (sent: Sent) => api.post('/v1/help/feedback', { slug, version, ...sent }, { quiet: true }),
  });
  if (sending.isSuccess)
    return (
      <p className={styles['thanks']} role="status">
        谢谢，已记下。
      </p>
    );
  return (
    <section className={styles['feedback']} aria-label="这一页有帮助吗">
      <p className={styles['question']}>这一页有帮助吗？</p>
      <Button disabled={sending.isPending} onClick={() => sending.mutate({ verdict: 'yes', reason: null, text: '' })}>
        有
      </Button>
      <Button aria-expanded={asked} disabled={sending.isPending} onClick={() => setAsked(true)}>
        没解决
      </Button>
      {asked ? <Why sending={sending.isPending} onSend={(why) => sending.mutate({ verdict: 'no', ...why })} /> : null}
      {sending.error ? (
        <p className={styles['error']} role="alert">
          {errorText(sending.error)} 写的内容还在，可以再试。
        </p>
      ) : null}
    </section>
  );
}

function Why({ sending, onSend }: { sending: boolean; onSend: (why: Omit<Sent, 'verdict'>) => void }) {
  const [reason, setReason] = useState<Reason | null>(null);
  const [text, setText] = useState('');
  const label = useId();
  return (
    <form
      className={styles['why']}
      onSubmit={(event) => {
        event.preventDefault();
        onSend({ reason, text: text.trim() });
      }}
    >
      <Radio.Group
        aria-label="原因"
        options={reasons}
        value={reason}
        onChange={(event) => setReason(event.target.value as Reason)}
      />
      <label htmlFor={label}>哪里没解决（可不填）</label>
      <Input.TextArea
        id={label}
        value={text}
        maxLength={MOST_TEXT}
        showCount
        autoSize={{ minRows: 2, maxRows: 6 }}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="primary" htmlType="submit" loading={sending}>
        提交
      </Button>
    </form>
  );
}
