/** Calls of adding and removing ways to sign in. Those that want a fresh proof give null when it was not given. */
import type { Merged } from '@hengxi/server/accounts/schema';
import type { AcademicVisit, LinkState, ResearchSigned, WechatTicket } from '@hengxi/server/signin/schema';

import { api } from '../../../lib/api.ts';
import { HELD } from '../../../lib/linking.ts';
import { STEP_UP, withStepUp } from '../../../lib/step-up.ts';

export type LinkedWay = 'wechat' | 'research' | 'academic';
export type WechatCode = WechatTicket;

const proved = { claims: [STEP_UP] };

export const beginWechat = (): Promise<WechatTicket | null> =>
  withStepUp(() => api.post<WechatTicket>('/v1/user/links/wechat', undefined, proved));

export const pollAdding = (scene: string, signal: AbortSignal): Promise<LinkState> =>
  api.get<LinkState>('/v1/user/links/wechat', { query: { scene }, signal, claims: [HELD] });

/** Leads the whole page away; it comes back to the personal center. */
export async function goToResearchToAdd(): Promise<void> {
  const href = new URL('/member?tab=account&link=research', location.origin).href;
  const signed = await withStepUp(() => api.post<ResearchSigned>('/v1/user/links/research', { href }, proved));
  if (signed === null) return;
  const { url, ...facts } = signed;
  const address = new URL(url, location.origin);
  for (const [name, value] of Object.entries({ ...facts, href })) address.searchParams.set(name, String(value));
  location.assign(address);
}

export async function goToAcademicToAdd(): Promise<void> {
  const visit = await withStepUp(() => api.post<AcademicVisit>('/v1/user/links/academic', undefined, proved));
  if (visit !== null) location.assign(visit.url);
}

/** True when it is gone. */
export const removeWay = (way: LinkedWay): Promise<true | null> =>
  withStepUp(async () => {
    await api.delete(`/v1/user/links/${way}`, proved);
    return true as const;
  });

export const mergeHeld = (ticket: string): Promise<Merged> => api.post<Merged>('/v1/user/mobile/merge', { ticket });
