/** The answers of a list as they are looked at: pages come when they are scrolled to, changes stay in their place. */
import type { Answer } from '@hengxi/server/answer-coding/schema';
import { useCallback, useEffect, useRef, useState } from 'react';

import { errorText } from '../../lib/api.ts';
import { answersPage } from './queries.ts';
import type { AnswerFilter } from './queries.ts';

const PAGE = 100;

interface Listed {
  /** null: not known yet. */
  total: number | null;
  rows: number;
  error: string | null;
}

export interface Answers extends Listed {
  at: (index: number) => Answer | undefined;
  /** By its number, where it has been loaded. */
  find: (answer: number) => Answer | undefined;
  /** Loads what is not there of these places. */
  need: (from: number, to: number) => void;
  /** Answers as they are now. */
  put: (answers: readonly Answer[]) => void;
  /** Reads everything anew. */
  reload: () => void;
}

const EMPTY: Listed = { total: null, rows: 0, error: null };

export function useAnswers(id: number, filter: AnswerFilter): Answers {
  const [listed, setListed] = useState<Listed>(EMPTY);
  const [, draw] = useState(0);
  const list = useRef(new Map<number, Answer>());
  const pages = useRef(new Set<number>());
  const [turn, setTurn] = useState(0);
  const key = JSON.stringify([id, filter, turn]);
  const current = useRef(key);
  const signal = useRef<AbortController>(new AbortController());

  const load = useCallback(
    async (page: number) => {
      if (pages.current.has(page)) return;
      pages.current.add(page);
      const asked = current.current;
      try {
        const answer = await answersPage(id, filter, page * PAGE, PAGE, signal.current.signal);
        if (current.current !== asked) return;
        answer.list.forEach((one, i) => list.current.set(page * PAGE + i, one));
        setListed({ total: answer.total, rows: answer.rows, error: null });
      } catch (error) {
        pages.current.delete(page);
        if (current.current === asked) setListed((was) => ({ ...was, error: errorText(error) }));
      }
    },
    // The filter is part of the key.
    // oxlint-disable-next-line react/exhaustive-deps
    [key],
  );

  useEffect(() => {
    current.current = key;
    signal.current = new AbortController();
    pages.current.clear();
    list.current.clear();
    setListed((was) => ({ ...was, error: null }));
    void load(0);
    const { current: own } = signal;
    return () => own.abort();
  }, [key, load]);

  return {
    ...listed,
    at: (index) => list.current.get(index),
    find: (answer) => [...list.current.values()].find((one) => one.at === answer),
    need: (from, to) => {
      for (let page = Math.floor(Math.max(0, from) / PAGE); page <= Math.floor(Math.max(0, to) / PAGE); page += 1)
        void load(page);
    },
    put: (answers) => {
      const fresh = new Map(answers.map((one) => [one.at, one]));
      for (const [index, one] of list.current) {
        const next = fresh.get(one.at);
        if (next) list.current.set(index, next);
      }
      draw((n) => n + 1);
    },
    reload: () => setTurn((n) => n + 1),
  };
}
