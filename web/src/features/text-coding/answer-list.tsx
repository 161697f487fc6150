/** The list of answers: only what is seen is drawn, so that a hundred thousand scroll like ten. */
import type { Answer, Code } from '@hengxi/server/answer-coding/schema';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useImperativeHandle, useRef, type Ref } from 'react';

import { AnswerRow, type RowActs } from './answer-row.tsx';
import styles from './coding.module.css';
import type { Answers } from './use-answers.ts';

const ROW = 62;

export interface AnswerListHandle {
  show: (index: number) => void;
}

interface AnswerListProps {
  ref: Ref<AnswerListHandle>;
  answers: Answers;
  focus: number;
  picked: ReadonlyMap<number, Answer>;
  query: string;
  book: ReadonlyMap<number, Code>;
  acts: RowActs;
  isNarrowed: boolean;
}

export function AnswerList({ ref, answers, focus, picked, query, book, acts, isNarrowed }: AnswerListProps) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: answers.total ?? 0,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 8,
  });
  const items = rows.getVirtualItems();
  const [from, to] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  const { need } = answers;
  const known = answers.at(from) !== undefined && answers.at(to) !== undefined;
  useEffect(() => {
    if (!known && to > 0) need(from, to);
  });
  const isEmpty = answers.total === 0;
  useEffect(() => {
    const list = box.current;
    const onDown = ({ target }: MouseEvent): void => {
      const place = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
      if (place) acts.focus(Number(place.dataset['index']));
    };
    list?.addEventListener('mousedown', onDown);
    return () => list?.removeEventListener('mousedown', onDown);
  }, [acts, isEmpty]);
  useImperativeHandle(ref, () => ({ show: (index) => rows.scrollToIndex(index, { align: 'auto' }) }), [rows]);

  if (isEmpty) return <p className={styles['none']}>{isNarrowed ? '没有符合条件的回答。' : '这一列没有回答。'}</p>;
  return (
    <div ref={box} className={styles['list']} tabIndex={0} role="group" aria-label="回答列表">
      <div style={{ blockSize: rows.getTotalSize(), position: 'relative' }}>
        {items.map((item) => {
          const answer = answers.at(item.index);
          return (
            <div
              key={item.key}
              ref={rows.measureElement}
              data-index={item.index}
              className={styles['place']}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              {answer ? (
                <AnswerRow
                  answer={answer}
                  isFocused={item.index === focus}
                  isPicked={picked.has(answer.at)}
                  query={query}
                  book={book}
                  acts={acts}
                />
              ) : (
                <div className={styles['coming']} aria-hidden />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
