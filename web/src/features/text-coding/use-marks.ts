/** Gives and takes codes, one call after the other, so that every call knows the answers as the one before left them. */
import type { Answer, MarksBody } from '@hengxi/server/answer-coding/schema';
import { useCallback, useEffect, useRef } from 'react';

import { toast } from '../../lib/toast.ts';
import { markAnswers, refreshCoding } from './queries.ts';
import type { Answers } from './use-answers.ts';

/** Counts of the code book follow the marks at some distance: they cost more than a mark. */
const COUNTS_MS = 600;

export type Change = Partial<Pick<MarksBody, 'on' | 'off' | 'accept'>>;

export function useMarks(id: number, answers: Answers): (targets: readonly Answer[], change: Change) => Promise<void> {
  const queue = useRef<Promise<void>>(Promise.resolve());
  const versions = useRef(new Map<number, number>());
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const list = useRef(answers);
  useEffect(() => {
    list.current = answers;
  });
  useEffect(() => () => void (timer.current && clearTimeout(timer.current)), []);

  return useCallback(
    (targets, change) => {
      const send = async (): Promise<void> => {
        const asked = targets.map(({ at, version }) => ({
          at,
          version: Math.max(version, versions.current.get(at) ?? 0),
        }));
        const { answers: fresh, conflicts } = await markAnswers(id, { answers: asked, ...change });
        const now = [...fresh, ...conflicts.map(({ answer }) => answer)];
        for (const { at, version } of now) versions.current.set(at, version);
        list.current.put(now);
        if (conflicts.length > 0) {
          const names = [...new Set(conflicts.map(({ by }) => by ?? '别人'))].join('、');
          toast.warn(`${conflicts.length} 条回答刚被“${names}”改过，没有覆盖；请看过后再编`);
        }
        if (timer.current) clearTimeout(timer.current);
        timer.current = setTimeout(() => void refreshCoding(id), COUNTS_MS);
      };
      // A call that failed has told so itself; the next one goes on.
      queue.current = queue.current.then(send).catch(() => undefined);
      return queue.current;
    },
    [id],
  );
}
