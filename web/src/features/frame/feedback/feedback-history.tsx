/** 我的反馈: what was sent, in which state it is, what was answered, and a way to add. */
import type { Feedback } from '@hengxi/server/feedback/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Input, Pagination } from 'antd';
import { useState } from 'react';

import { errorText } from '../../../lib/api.ts';
import { formatInstant } from '../../../lib/format-size.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ListSkeleton } from '../../../ui/skeleton.tsx';
import styles from './feedback.module.css';
import { add, mineQuery, PAGE, reloadMine } from './queries.ts';
import { STATES, TYPES } from './words.ts';

export function FeedbackHistory() {
  const [page, setPage] = useState(1);
  const mine = useQuery(mineQuery(page));
  if (mine.isPending) return <ListSkeleton rows={3} />;
  if (mine.isLoadingError) return <p role="alert">{errorText(mine.error)}</p>;
  const { total, list } = mine.data;
  if (total === 0) return <EmptyState title="还没有反馈" hint="提交后可以在这里看到处理进度和回复。" />;
  return (
    <>
      <ul className={styles['list']}>
        {list.map((one) => (
          <Item key={one.id} feedback={one} />
        ))}
      </ul>
      {total > PAGE ? (
        <Pagination
          size="small"
          current={page}
          pageSize={PAGE}
          total={total}
          showSizeChanger={false}
          onChange={setPage}
        />
      ) : null}
    </>
  );
}

function Item({ feedback }: { feedback: Feedback }) {
  const [text, setText] = useState<string | null>(null);
  const adding = useMutation({
    mutationFn: (more: string) => add(feedback.id, more),
    onSuccess: async () => {
      setText(null);
      await reloadMine();
    },
  });
  return (
    <li className={styles['item']}>
      <p className={styles['head']}>
        <b>{TYPES[feedback.type]}</b>
        <span className={styles['state']} data-state={feedback.state}>
          {STATES[feedback.state]}
        </span>
        <span className={styles['quiet']}>
          {formatInstant(feedback.created_at)}
          {feedback.images > 0 ? `　截图 ${feedback.images} 张` : ''}
        </span>
      </p>
      {feedback.messages.map((message) => (
        <div key={`${message.at}${message.by}`} className={styles['message']} data-by={message.by}>
          {message.by === 'desk' ? (
            <span className={styles['quiet']}>客服回复　{formatInstant(message.at)}</span>
          ) : null}
          <p>{message.text}</p>
        </div>
      ))}
      {text === null ? (
        <button type="button" className="hx-link" onClick={() => setText('')}>
          补充说明
        </button>
      ) : (
        <div className={styles['more']}>
          <Input.TextArea
            aria-label="补充说明"
            rows={2}
            maxLength={2000}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          {adding.error ? (
            <p className={styles['fault']} role="alert">
              {errorText(adding.error)}
            </p>
          ) : null}
          <div className={styles['acts']}>
            <Button size="small" onClick={() => setText(null)}>
              取消
            </Button>
            <Button size="small" type="primary" loading={adding.isPending} onClick={() => adding.mutate(text)}>
              发送
            </Button>
          </div>
        </div>
      )}
    </li>
  );
}
