/** 在线客服 of the help menu: answers cut from the help pages, with links; people are one button away. */
import { Button, Drawer, Input } from 'antd';
import type { TextAreaRef } from 'antd/es/input/TextArea';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';

import { chunk } from '../../../lib/chunk.ts';
import { prompts } from '../../../lib/prompts.ts';
import styles from './help-chat.module.css';
import { type Turn, useHelpChat, useTalk } from './use-help-chat.ts';

const FeedbackDialog = lazy(() =>
  chunk(async () => ({ default: (await import('../feedback/feedback-dialog.tsx')).FeedbackDialog })),
);

const QUESTION_MAX = 500;

export function HelpChat() {
  const { turns, draft } = useTalk();
  const { ask, stop } = useHelpChat();
  const [isWriting, setWriting] = useState(false);
  const field = useRef<TextAreaRef>(null);
  const end = useRef<HTMLDivElement>(null);
  const isAsking = turns.some(({ answer }) => answer === null);
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' });
  }, [turns]);
  const send = (): void => {
    const text = draft.trim();
    if (text !== '' && !isAsking) void ask(text);
  };
  return (
    <>
      <Drawer
        open
        title="在线客服"
        size={400}
        onClose={prompts.closeChat}
        afterOpenChange={(isOpen) => isOpen && field.current?.focus()}
        footer={
          <div className={styles['form']}>
            <Input.TextArea
              aria-label="你的问题"
              ref={field}
              placeholder="例如：两个班的成绩怎么比较"
              autoSize={{ minRows: 2, maxRows: 5 }}
              maxLength={QUESTION_MAX}
              value={draft}
              onChange={(event) => useTalk.setState({ draft: event.target.value })}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
                event.preventDefault();
                send();
              }}
            />
            <div className={styles['acts']}>
              <Button onClick={() => setWriting(true)}>转人工</Button>
              {isAsking ? (
                <Button onClick={stop}>停止</Button>
              ) : (
                <Button type="primary" disabled={draft.trim() === ''} onClick={send}>
                  发送
                </Button>
              )}
            </div>
          </div>
        }
      >
        <p className={styles['note']}>内容由AI生成，仅供参考。回答摘自帮助中心，不读取你的数据，也不保存提问。</p>
        <ol className={styles['talk']} aria-live="polite">
          {turns.map((turn) => (
            <TurnView key={turn.id} turn={turn} />
          ))}
        </ol>
        <div ref={end} />
      </Drawer>
      {isWriting ? (
        <Suspense fallback={null}>
          <FeedbackDialog onClose={() => setWriting(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

function TurnView({ turn: { text, answer } }: { turn: Turn }) {
  return (
    <>
      <li className={styles['asked']}>{text}</li>
      <li className={styles['told']}>{answer === null ? '检索中……' : <Answer answer={answer} />}</li>
    </>
  );
}

function Answer({ answer }: { answer: NonNullable<Turn['answer']> }) {
  if ('reason' in answer) return answer.reason;
  if (answer.kind === 'people') return '这类问题由人工处理。请点“转人工”写下情况，我们会回复。';
  return (
    <>
      {answer.kind === 'answer' ? (
        <>
          <p>{answer.sentences.join('')}</p>
          <p className={styles['from']}>摘自帮助中心</p>
        </>
      ) : (
        <p>没有找到可靠的说明。换个说法试试，或转人工。</p>
      )}
      {answer.links.length === 0 ? null : (
        <ul>
          {answer.links.map(({ title, heading, url }) => (
            <li key={url}>
              <Link to={url} onClick={prompts.closeChat}>
                {heading === null ? title : `${title} · ${heading}`}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
