/** An answer sheet in the making: every answer saved by itself, kept by the browser while the network is away. */
import type { AnswerPage, AnswerValue, Stored } from '@hengxi/server/expert-questionnaires/schema';
import { useEffect, useRef, useState } from 'react';

import { ApiError } from '../../lib/api.ts';
import { type DraftKey, readDraft, writeDraft } from '../../lib/drafts.ts';
import { toast } from '../../lib/toast.ts';
import { saveAnswers } from './queries.ts';

export type SaveState = 'saved' | 'saving' | 'offline' | 'refused';
type Answers = Record<string, Stored>;

const WAIT_MS = 500;
const RETRY_MS = 4000;
const keyOf = (code: string): DraftKey => `hx_draft:expert:${code}`;

function kept(code: string): Answers {
  const draft = readDraft(keyOf(code));
  return typeof draft === 'object' && draft !== null ? (draft as Answers) : {};
}

export interface Sheet {
  values: Record<string, AnswerValue>;
  state: SaveState;
  fault: string | null;
  set: (key: string, value: AnswerValue) => void;
  /** Sends what waits; true when all is saved. */
  flush: () => Promise<boolean>;
}

export function useSheet(code: string, page: AnswerPage): Sheet {
  const [answers, setAnswers] = useState<Answers>(() => ({ ...page.answers, ...kept(code) }));
  const [state, setState] = useState<SaveState>('saved');
  const [fault, setFault] = useState<string | null>(null);
  const latest = useRef(answers);
  const waiting = useRef<Answers>(kept(code));
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const sending = useRef<Promise<boolean> | null>(null);

  const put = (next: Answers): void => {
    latest.current = next;
    setAnswers(next);
  };
  const keep = (next: Answers): void => {
    waiting.current = next;
    writeDraft(keyOf(code), Object.keys(next).length > 0 ? next : null);
  };

  async function send(): Promise<boolean> {
    const batch = Object.entries(waiting.current).slice(0, 200);
    if (batch.length === 0) return true;
    setState('saving');
    try {
      const { conflicts } = await saveAnswers(
        code,
        batch.map(([key, one]) => ({ key, ...one })),
      );
      const sent = new Map(batch);
      keep(Object.fromEntries(Object.entries(waiting.current).filter(([key, one]) => sent.get(key) !== one)));
      if (Object.keys(conflicts).length > 0) {
        put({ ...latest.current, ...conflicts });
        toast.note('另一台设备上有更新的答案，已换成较新的');
      }
      setFault(null);
      if (Object.keys(waiting.current).length > 0) return await send();
      setState('saved');
      return true;
    } catch (error) {
      if (error instanceof ApiError && (error.status === 409 || error.status === 422 || error.status === 404)) {
        setFault(error.message);
        setState('refused');
        return false;
      }
      setState('offline');
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void flush(), RETRY_MS);
      return false;
    }
  }

  function flush(): Promise<boolean> {
    clearTimeout(timer.current);
    sending.current ??= send().finally(() => {
      sending.current = null;
    });
    return sending.current;
  }

  const again = useRef(flush);
  useEffect(() => {
    again.current = flush;
  });
  useEffect(() => {
    const back = () => void again.current();
    if (Object.keys(waiting.current).length > 0) back();
    addEventListener('online', back);
    return () => {
      removeEventListener('online', back);
      clearTimeout(timer.current);
    };
  }, []);

  return {
    values: Object.fromEntries(Object.entries(answers).map(([key, { value }]) => [key, value])),
    state,
    fault,
    set(key, value) {
      const one = { value, revision: (latest.current[key]?.revision ?? 0) + 1 };
      put({ ...latest.current, [key]: one });
      keep({ ...waiting.current, [key]: one });
      setState('saving');
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void flush(), WAIT_MS);
    },
    flush,
  };
}
