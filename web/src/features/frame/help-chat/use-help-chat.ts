/** The talk with the help pages: kept while the page is open, nowhere else. */
import type { ChatAnswer, ChatToken } from '@hengxi/server/help-chat/schema';
import { useCallback, useRef } from 'react';
import { create } from 'zustand';

import { api, ApiError, errorText } from '../../../lib/api.ts';
import { useSession } from '../../../lib/session.ts';

export interface Turn {
  id: number;
  text: string;
  /** null while it is looked for. */
  answer: ChatAnswer | { kind: 'failed' | 'stopped'; reason: string } | null;
}

interface Talk {
  turns: Turn[];
  draft: string;
}

export const useTalk = create<Talk>(() => ({ turns: [], draft: '' }));

const TOKEN_OLD = 30108;
const TURNS_MOST = 20;

let access: string | null = null;
let last = 0;

/** Whoever signs in next finds nothing of it. */
useSession.subscribe((now, before) => {
  if (now.token === before.token) return;
  access = null;
  useTalk.setState({ turns: [], draft: '' });
});

async function tokenOf(signal: AbortSignal): Promise<string> {
  access ??= (await api.get<ChatToken>('/v1/ai/customer/chat/token', { signal, quiet: true })).access_token;
  return access;
}

async function question(text: string, signal: AbortSignal, isAgain = false): Promise<ChatAnswer> {
  try {
    const body = { access_token: await tokenOf(signal), text };
    return await api.post<ChatAnswer>('/v1/ai/customer/chat/messages', body, { signal, quiet: true });
  } catch (error) {
    // Ten minutes have passed, or another person has signed in.
    if (isAgain || !(error instanceof ApiError) || error.code !== TOKEN_OLD) throw error;
    access = null;
    return question(text, signal, true);
  }
}

export function useHelpChat() {
  const running = useRef<AbortController | null>(null);
  const ask = useCallback(async (text: string) => {
    const stop = new AbortController();
    running.current = stop;
    const id = (last += 1);
    const set = (answer: Turn['answer']): void =>
      useTalk.setState(({ turns }) => ({ turns: turns.map((turn) => (turn.id === id ? { ...turn, answer } : turn)) }));
    useTalk.setState(({ turns }) => ({
      turns: [...turns.slice(1 - TURNS_MOST), { id, text, answer: null }],
      draft: '',
    }));
    try {
      set(await question(text, stop.signal));
    } catch (error) {
      set(stop.signal.aborted ? { kind: 'stopped', reason: '已停止' } : { kind: 'failed', reason: errorText(error) });
    }
  }, []);
  return { ask, stop: () => running.current?.abort() };
}
