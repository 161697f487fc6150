/** /analysis/coding/second/:code: the second coder's page: texts and code book, one answer after the other. */
import type { Code, SecondCoding } from '@hengxi/server/answer-coding/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, Progress } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useParams } from 'react-router';

import { errorText, isNotFound } from '../../lib/api.ts';
import { isTyping, useShortcutsOn } from '../../lib/shortcuts.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NotFound } from '../../ui/not-found.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import styles from './coding.module.css';
import { keysOf, shownCodes } from './keys.ts';
import { codeSecond, finishSecond, secondQuery } from './queries.ts';

export function SecondCodingPage() {
  const code = useParams()['code'] ?? '';
  const round = useQuery(secondQuery(code));
  if (round.isPending) return <PageSkeleton />;
  if (round.isLoadingError) {
    if (isNotFound(round.error))
      return <NotFound title="这个链接不能用" hint="这一轮可能已被删除，或者已经有别人在编。请问问发链接给你的人。" />;
    return (
      <div className={styles['page']}>
        <EmptyState title="没有打开" hint={errorText(round.error)} heading />
      </div>
    );
  }
  return <Second code={code} round={round.data} />;
}

const isLone = (one: Code | undefined): boolean => one?.kind === 'unclear' || one?.kind === 'invalid';

function Second({ code, round }: { code: string; round: SecondCoding }) {
  const [given, setGiven] = useState(() => new Map(round.answers.map(({ place, codes }) => [place, codes ?? []])));
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      round.answers.findIndex(({ codes }) => codes === null),
    ),
  );
  const [fault, setFault] = useState<string | null>(null);
  const sending = useRef<Promise<unknown>>(Promise.resolve());
  const answer = round.answers[at];
  const book = new Map(round.codes.map((one) => [one.id, one]));
  const keys = keysOf(round.codes);
  const done = [...given.values()].filter((codes) => codes.length > 0).length;

  const toggle = (id: number): void => {
    if (!answer) return;
    const now = given.get(answer.place) ?? [];
    const kept = isLone(book.get(id)) ? [] : now.filter((one) => !isLone(book.get(one)));
    const next = now.includes(id) ? now.filter((one) => one !== id) : [...kept, id];
    setGiven((was) => new Map(was).set(answer.place, next));
    setFault(null);
    const { place } = answer;
    // One after the other: the last word counts.
    if (next.length > 0)
      sending.current = sending.current
        .then(() => codeSecond(code, place, next))
        .catch((error: unknown) => {
          setFault(errorText(error));
          // What was not stored is not shown as coded, else 提交 would ask for an answer nobody can find.
          setGiven((was) => (was.get(place) === next ? new Map(was).set(place, now) : was));
        });
  };
  const go = (by: number): void => setAt(Math.min(Math.max(0, at + by), round.answers.length - 1));
  const finish = async (): Promise<void> => {
    setFault(null);
    await sending.current;
    try {
      await finishSecond(code);
    } catch (error) {
      setFault(errorText(error));
    }
  };

  const latest = useRef({ toggle, go, keys, isOver: round.ended });
  useEffect(() => {
    latest.current = { toggle, go, keys, isOver: round.ended };
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const now = latest.current;
      if (event.isComposing || event.defaultPrevented || now.isOver || !useShortcutsOn.getState().on) return;
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const id = [...now.keys].find(([, key]) => key === event.key.toLowerCase())?.[0];
      const isButton = event.target instanceof HTMLElement && event.target.closest('button, a') !== null;
      if (id !== undefined) now.toggle(id);
      else if (event.key === 'ArrowDown' || (event.key === 'Enter' && !isButton)) now.go(1);
      else if (event.key === 'ArrowUp') now.go(-1);
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);

  if (round.ended)
    return (
      <div className={styles['page']}>
        <EmptyState
          title="已提交，谢谢"
          hint={`“${round.question}”的 ${round.answers.length} 条回答已编完。`}
          heading
        />
      </div>
    );
  return (
    <div className={styles['page']}>
      <h1>{round.question}</h1>
      <p className={styles['lead']}>请按码表独立编码，一条可以给几个编码。编的时候不要和先编的人商量。</p>
      <Progress percent={Math.floor((100 * done) / Math.max(1, round.answers.length))} aria-label="已编码的回答" />
      <blockquote className={styles['quote']}>
        <small>
          第 {at + 1} / {round.answers.length} 条
        </small>
        <p>{answer?.text}</p>
      </blockquote>
      <ul className={styles['secondCodes']}>
        {shownCodes(round.codes).map((one) => (
          <li key={one.id}>
            <button
              type="button"
              className={styles['give']}
              aria-pressed={given.get(answer?.place ?? -1)?.includes(one.id) ?? false}
              onClick={() => toggle(one.id)}
            >
              <kbd>{keys.get(one.id)?.toUpperCase() ?? ''}</kbd>
              <span>
                {one.name}
                {[one.definition, one.includes && `算：${one.includes}`, one.excludes && `不算：${one.excludes}`]
                  .filter(Boolean)
                  .map((text) => (
                    <small key={text} className={styles['block']}>
                      {text}
                    </small>
                  ))}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {fault ? (
        <p role="alert" className={styles['fault']}>
          {fault}
        </p>
      ) : null}
      <div className={styles['acts']}>
        <Button disabled={at === 0} onClick={() => go(-1)}>
          上一条
        </Button>
        <Button type="primary" disabled={at >= round.answers.length - 1} onClick={() => go(1)}>
          下一条
        </Button>
        <Button disabled={done < round.answers.length} onClick={() => void finish()}>
          {done < round.answers.length ? `还有 ${round.answers.length - done} 条` : '提交'}
        </Button>
      </div>
    </div>
  );
}
