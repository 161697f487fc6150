/** Adding a way to sign in to one's own account: what the visit to a provider brought back is handed in here. */
import { create } from 'zustand';

import { ApiError, api } from './api.ts';
import { reloadMe } from './me.ts';
import { toast } from './toast.ts';

/** The way belongs to another account (30253). */
export const HELD = 30253;

/** An empty account holds the way and may end in this one; whether it does is the person's choice. */
export interface Held {
  nickname: string;
  ticket: string;
}

export const useLinking = create<{ held: Held | null }>(() => ({ held: null }));

export async function wayAdded(): Promise<void> {
  await reloadMe();
  toast.done('绑定成功');
}

/** Offers the choice where there is one; any other refusal has been shown by the client. */
export function wayRefused(error: unknown): void {
  if (!(error instanceof ApiError) || error.code !== HELD) return;
  const { nickname, ticket } = factsOf(error.data);
  if (ticket) useLinking.setState({ held: { nickname, ticket } });
  else toast.warn(`${error.message}，请先在那个账号里解除绑定`, { ms: 6000 });
}

function factsOf(data: unknown): { nickname: string; ticket: string | null } {
  const facts: { nickname?: unknown; ticket?: unknown } = typeof data === 'object' && data !== null ? data : {};
  return {
    nickname: typeof facts.nickname === 'string' ? facts.nickname : '',
    ticket: typeof facts.ticket === 'string' ? facts.ticket : null,
  };
}

/** What an address brought back from a platform that is to be added. */
export const addFromAddress = (provider: 'research' | 'academic', body: object): Promise<void> =>
  api.put(`/v1/user/links/${provider}`, body, { claims: [HELD] }).then(wayAdded, wayRefused);
