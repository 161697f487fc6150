/**
 * What follows a sign-in, whichever way it came: abnormal-login warning, choice among several accounts, the way on. The
 * dialogs are features/login/sign-in-flow.tsx; anything may be asked for here.
 */
import type { CaptchaTicket, Leaving, SignIn } from '@hengxi/server/accounts/schema';
import { create } from 'zustand';

import { destinationOf } from './access.ts';
import { navigateTo } from './navigate.ts';
import { prompts, usePrompts } from './prompts.ts';
import { queryClient } from './query-client.ts';
import { ownerOf, startSession } from './session.ts';
import { toast } from './toast.ts';

interface StepUpRequest {
  /** Where the code goes, shortened; null for an account without a phone, which signs in again. */
  phone: string | null;
  done: (proved: boolean) => void;
}

interface Flow {
  /** A sign-in that needs a word or a choice before it counts. */
  arrived: SignIn | null;
  /** The account asked to be removed and may come back (30008). */
  leaving: Leaving | null;
  /** A whole token in an address: it may be somebody else's, so it is asked about first. */
  claimed: string | null;
  stepUp: StepUpRequest | null;
  bind: boolean;
  /** Something that visitors may send wants a captcha; null: given up. */
  captcha: ((ticket: CaptchaTicket | null) => void) | null;
  /** The hand-off in the address of /oauth/login is being exchanged. */
  exchanging: boolean;
}

export const useSignIn = create<Flow>(() => ({
  arrived: null,
  leaving: null,
  claimed: null,
  stepUp: null,
  bind: false,
  captcha: null,
  exchanging: false,
}));

/** True when any dialog of this flow is to be shown. */
export const isFlowOpen = (flow: Flow): boolean =>
  flow.arrived !== null ||
  flow.leaving !== null ||
  flow.claimed !== null ||
  flow.stepUp !== null ||
  flow.bind ||
  flow.captcha !== null;

/** Pages that stay where they are after a sign-in and hear of it by an event. */
const STAYING: readonly string[] = [
  'contest',
  'plagdet',
  'reward-square',
  'vip-price',
  'enterprise',
  'enterprise-invite',
  'year-end-report',
];
export const SIGNED_IN = 'hx:signed-in';

/** Where a sign-in that leaves the site comes back to: what the address says, or the page that is to stay. */
export function wayBack(): string | null {
  const { source } = usePrompts.getState();
  const next = safeNext(new URLSearchParams(location.search).get('next'));
  return next ?? (source !== null && STAYING.includes(source) ? location.pathname + location.search : null);
}

export function hasChoice(answer: SignIn): boolean {
  return answer.tokens.length > 1 || (answer.token !== null && answer.co_token !== null);
}

/** Takes the answer of any way to sign in. */
export function receive(answer: SignIn): void {
  prompts.closeLogin(true);
  if (answer.warning || hasChoice(answer)) useSignIn.setState({ arrived: answer });
  else accept(answer, answer.token ?? answer.co_token);
}

/** The chosen token counts from here on; `to` is where the person wants to go at once. */
export function accept(answer: Pick<SignIn, 'lucky'>, token: string | null, to?: string): void {
  const { source } = usePrompts.getState();
  usePrompts.setState({ source: null });
  useSignIn.setState({ arrived: null, leaving: null, claimed: null });
  if (token === null) return;
  queryClient.clear();
  startSession(token, answer.lucky);
  toast.done('登录成功');
  if (to !== undefined) navigateTo(to);
  else if (source !== null && STAYING.includes(source))
    dispatchEvent(new CustomEvent(SIGNED_IN, { detail: { source } }));
  else navigateTo(safeNext(new URLSearchParams(location.search).get('next')) ?? destinationOf(versionOf(token)));
}

/** 1 personal, 2 enterprise: for the way on, never for rights. */
export function versionOf(token: string): 1 | 2 {
  return ownerOf(token)?.split('/')[1]?.startsWith('co-') ? 2 : 1;
}

/** Only an own path: `//x` and `/\x` lead to other sites. */
export function safeNext(next: string | null): string | null {
  return next && /^\/(?![/\\])/.test(next) ? next : null;
}

export function showLeaving(data: unknown): void {
  const facts: Partial<Leaving> = typeof data === 'object' && data !== null ? data : {};
  if (!facts.ticket || !facts.until) return;
  prompts.closeLogin(true);
  useSignIn.setState({ leaving: { nickname: facts.nickname ?? '', until: facts.until, ticket: facts.ticket } });
}

export const askToBind = (): void => useSignIn.setState({ bind: true });
