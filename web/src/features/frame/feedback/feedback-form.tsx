/** What kind, what about, pictures, how to reach the person, and which facts of the page go along. Never data. */
import { type FeedbackType, IMAGES_MOST, TEXT_LEAST, TEXT_MOST } from '@hengxi/server/feedback/schema';
import { useMutation } from '@tanstack/react-query';
import { Button, Checkbox, Input, Radio } from 'antd';
import { type FormEvent, useId, useState } from 'react';

import { errorText, lastFailedCall } from '../../../lib/api.ts';
import { askCaptcha } from '../../../lib/captcha.ts';
import { withoutCode } from '../../../lib/events.ts';
import { randomHex } from '../../../lib/random.ts';
import { useSession } from '../../../lib/session.ts';
import { toast } from '../../../lib/toast.ts';
import styles from './feedback.module.css';
import { Pictures } from './pictures.tsx';
import { reloadMine, send, sendAsVisitor } from './queries.ts';
import { TYPES } from './words.ts';

interface Fact {
  key: string;
  text: string;
  value: Record<string, string | number>;
}

/** What is known of the place one writes from; each is shown as it would be sent. */
function factsNow(): Fact[] {
  const page = withoutCode(location.pathname);
  const failure = lastFailedCall();
  return [
    { key: 'page', text: `页面 ${page}`, value: { page } },
    {
      key: 'browser',
      text: `浏览器 ${navigator.userAgent.slice(0, 60)}…`,
      value: { browser: navigator.userAgent.slice(0, 300) },
    },
    ...(failure
      ? [
          {
            key: 'failure',
            text: `最近一次出错的请求 ${failure.rid}${failure.code ? `（${failure.code}）` : ''}`,
            value: { rid: failure.rid, ...(failure.code ? { err_code: failure.code } : {}) },
          },
        ]
      : []),
  ];
}

export function FeedbackForm({ onSent }: { onSent: () => void }) {
  const id = useId();
  const isVisitor = useSession((state) => state.token === null);
  const [type, setType] = useState<FeedbackType>('idea');
  const [text, setText] = useState('');
  const [contact, setContact] = useState('');
  const [images, setImages] = useState<number[]>([]);
  const [round, setRound] = useState(0);
  const [facts] = useState(factsNow);
  const [chosen, setChosen] = useState(() => facts.map(({ key }) => key));
  const [requestId, setRequestId] = useState(() => randomHex(16));
  const [fault, setFault] = useState<string | null>(null);
  const sending = useMutation({
    mutationFn: async (): Promise<boolean> => {
      const feedback = {
        type,
        text,
        contact: contact.trim() || null,
        context: Object.assign({}, ...facts.filter(({ key }) => chosen.includes(key)).map(({ value }) => value)),
        request_id: requestId,
      };
      if (!isVisitor) {
        await send({ ...feedback, images });
        return true;
      }
      const ticket = await askCaptcha();
      if (ticket) await sendAsVisitor({ ...feedback, ...ticket });
      return ticket !== null;
    },
    onSuccess: async (isSent) => {
      if (!isSent) return;
      setText('');
      setContact('');
      setImages([]);
      setRound(round + 1);
      setRequestId(randomHex(16));
      if (!isVisitor) await reloadMine();
      toast.done(isVisitor ? '反馈已提交，谢谢' : '反馈已提交，我们会在三个工作日内回复');
      onSent();
    },
    onError: (error) => setFault(errorText(error)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isShort = Array.from(text.trim()).length < TEXT_LEAST;
    setFault(isShort ? `内容至少 ${TEXT_LEAST} 个字` : null);
    if (!isShort) sending.mutate();
  };
  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      <Radio.Group
        aria-label="类型"
        options={Object.entries(TYPES).map(([value, label]) => ({ value, label }))}
        value={type}
        onChange={(event) => {
          const value: FeedbackType = event.target.value;
          setType(value);
        }}
      />
      <div>
        <label htmlFor={`${id}-text`} className={styles['label']}>
          内容
        </label>
        <Input.TextArea
          id={`${id}-text`}
          rows={5}
          maxLength={TEXT_MOST}
          showCount
          value={text}
          status={fault ? 'error' : ''}
          aria-invalid={fault !== null}
          aria-describedby={`${id}-fault`}
          placeholder="在哪一页、做了什么、看到了什么、希望怎样"
          onChange={(event) => {
            setText(event.target.value);
            setFault(null);
          }}
        />
        <p id={`${id}-fault`} className={styles['fault']} role={fault ? 'alert' : undefined}>
          {fault ?? ''}
        </p>
      </div>
      {isVisitor ? null : <Pictures key={round} most={IMAGES_MOST} onChange={setImages} />}
      <div>
        <label htmlFor={`${id}-contact`} className={styles['label']}>
          联系方式（选填）
        </label>
        <Input
          id={`${id}-contact`}
          maxLength={100}
          value={contact}
          placeholder={isVisitor ? '手机号、微信或邮箱，留下才能收到回复' : '手机号、微信或邮箱，方便进一步沟通'}
          onChange={(event) => setContact(event.target.value)}
        />
      </div>
      <fieldset className={styles['facts']}>
        <legend>随反馈附上（不含你的数据，可逐项取消）</legend>
        {facts.map(({ key, text: factText }) => (
          <Checkbox
            key={key}
            checked={chosen.includes(key)}
            onChange={(event) =>
              setChosen(event.target.checked ? [...chosen, key] : chosen.filter((one) => one !== key))
            }
          >
            {factText}
          </Checkbox>
        ))}
      </fieldset>
      <Button type="primary" htmlType="submit" block loading={sending.isPending}>
        提交反馈
      </Button>
    </form>
  );
}
