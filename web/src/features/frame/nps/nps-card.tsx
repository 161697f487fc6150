/** 您有多大可能推荐衡析？ A card in the corner: equal buttons, none chosen, four ways out, each remembered. */
import { CloseOutlined } from '@ant-design/icons';
import type { AnswerBody, NpsAction } from '@hengxi/server/nps/schema';
import { useMutation } from '@tanstack/react-query';
import { Button, Checkbox, Input } from 'antd';
import { useEffect, useId, useState } from 'react';

import { api, errorText } from '../../../lib/api.ts';
import styles from './nps-card.module.css';
import { type Card, useNps } from './use-nps.ts';

const SCORES = Array.from({ length: 11 }, (_, score) => score);
/** As many as the server takes. */
const COMMENT_MOST = 1000;
const THANKS_MS = 4000;

export function Nps() {
  const [card, close] = useNps();
  return card === null ? null : <NpsCard key={card.token} card={card} onClose={close} />;
}

const send = (body: AnswerBody): Promise<null> => api.post('/v1/statistics/nps/answers', body, { quiet: true });

export function NpsCard({ card, onClose }: { card: Card; onClose: () => void }) {
  const id = useId();
  const [score, setScore] = useState<number | null>(null);
  const [comment, setComment] = useState('');
  const [contact, setContact] = useState(false);
  const answering = useMutation({ mutationFn: send });
  const { isSuccess } = answering;
  const body = (action: NpsAction): AnswerBody => ({
    survey_id: card.survey,
    token: card.token,
    action,
    ...(action === 'answer' ? { score } : {}),
    comment: action === 'answer' ? comment : '',
    contact_ok: action === 'answer' && contact,
    page: location.pathname.replace(/\d+/g, '0'),
    app_version: '',
  });
  /** Gone at once; that it was refused is remembered by the server, and a failure bothers nobody. */
  const leave = (action: Exclude<NpsAction, 'answer'>) => {
    onClose();
    if (!isSuccess) send(body(action)).catch(() => undefined);
  };
  useEffect(() => {
    if (!isSuccess) return undefined;
    const timer = setTimeout(onClose, THANKS_MS);
    return () => clearTimeout(timer);
  }, [isSuccess, onClose]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && document.querySelector('[role="dialog"]') === null) leave('close');
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
  if (isSuccess) {
    return (
      <aside className={styles['card']} role="status">
        <p className={styles['thanks']}>谢谢，已记下。</p>
      </aside>
    );
  }
  return (
    <aside className={styles['card']} aria-labelledby={id}>
      <div className={styles['head']}>
        <p id={id}>您有多大可能向同事或同学推荐衡析？</p>
        <Button
          type="text"
          size="small"
          aria-label="关闭"
          icon={<CloseOutlined aria-hidden />}
          onClick={() => leave('close')}
        />
      </div>
      <fieldset className={styles['scores']} aria-labelledby={id}>
        {SCORES.map((value) => (
          <label key={value}>
            <input
              type="radio"
              name={id}
              value={value}
              checked={score === value}
              onChange={() => setScore(value)}
              aria-label={value === 0 ? '0，完全不可能' : value === 10 ? '10，非常可能' : String(value)}
            />
            <span aria-hidden="true">{value}</span>
          </label>
        ))}
      </fieldset>
      <p className={styles['ends']} aria-hidden="true">
        <span>完全不可能</span>
        <span>非常可能</span>
      </p>
      {score === null ? null : (
        <>
          <label htmlFor={`${id}-why`} className={styles['why']}>
            主要原因是什么？（选填）
          </label>
          <Input.TextArea
            id={`${id}-why`}
            rows={3}
            maxLength={COMMENT_MOST}
            value={comment}
            onChange={(event) => setComment(event.target.value)}
          />
          <Checkbox checked={contact} onChange={(event) => setContact(event.target.checked)}>
            可以就此联系我
          </Checkbox>
        </>
      )}
      {answering.error ? (
        <p role="alert" className={styles['fault']}>
          {errorText(answering.error)}
        </p>
      ) : null}
      <div className={styles['acts']}>
        <Button
          disabled={score === null}
          loading={answering.isPending}
          onClick={() => answering.mutate(body('answer'))}
        >
          提交
        </Button>
        <Button onClick={() => leave('later')}>以后再说</Button>
        <Button onClick={() => leave('never')}>不再询问</Button>
      </div>
    </aside>
  );
}
