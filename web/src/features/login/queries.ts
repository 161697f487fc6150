/** Calls of signing in. Codes shown at a field are claimed here, so that they make no toast as well. */
import type {
  CaptchaTicket,
  Merged,
  SentCode,
  SignIn,
  SliderAnswer,
  SliderPuzzle,
} from '@hengxi/server/accounts/schema';
import type { Poll, ResearchSigned, WechatTicket } from '@hengxi/server/signin/schema';

import { api } from '../../lib/api.ts';
import { sourceNow } from '../../lib/campaign-source.ts';

/** Shown at the phone or the code field: 20010 phone, 20011 too often, 20012 expired, 20013 wrong. */
const FIELD_CODES = [20010, 20011, 20012, 20013] as const;
export const TAKEN = 30251;
export const BOTH_HAVE_DATA = 30252;

/** Sent instead of a ticket when the puzzle cannot be loaded (specification section 5, error code 1001). */
const NOT_LOADED = 'trerror_1001';

export function loadPuzzle(signal: AbortSignal): Promise<SliderPuzzle> {
  return api.get<SliderPuzzle>('/v1/captcha/slider', { signal, quiet: true });
}

export function answerPuzzle(answer: SliderAnswer): Promise<CaptchaTicket> {
  return api.post<CaptchaTicket>('/v1/captcha/slider', answer, { claims: [30203], quiet: true });
}

/** Captcha pass, then the code itself; gives the key that belongs to the code. */
export async function sendCode(phone: string, ticket: CaptchaTicket | null): Promise<string> {
  const pass = ticket ?? { ticket: NOT_LOADED, rand: '' };
  await api.post('/v1/login/phone/captcha', { phone, ...pass }, { claims: FIELD_CODES });
  const sent = await api.post<SentCode>('/v1/login/phone/verify-code', { phone }, { claims: FIELD_CODES });
  return sent.verify_key;
}

export interface PhoneBody {
  phone: string;
  verify_code: string;
  verify_key: string;
}

export function signInByPhone(body: PhoneBody): Promise<SignIn> {
  return api.post<SignIn>('/v1/login/phone', body, { query: { utm_source: sourceNow() }, claims: FIELD_CODES });
}

export function signInDemo(): Promise<SignIn> {
  return api.post<SignIn>('/v1/login/demo');
}

export function wechatTicket(signal: AbortSignal): Promise<WechatTicket> {
  return api.get<WechatTicket>('/v1/login/weixin/ticket', { signal });
}

export function pollWechat(scene: string, signal: AbortSignal): Promise<Poll> {
  return api.get<Poll>('/v1/login/token', { query: { scene, utm_source: sourceNow() }, signal, quiet: true });
}

/** Leads the whole page to the research platform, which sends it back to /oauth/login. */
export async function goToResearch(next: string | null): Promise<void> {
  const href = new URL('/oauth/login', location.origin);
  if (next) href.searchParams.set('next', next);
  const { url, ...signed } = await api.post<ResearchSigned>('/v1/zw/oauth/sign', { href: href.href });
  const address = new URL(url, location.origin);
  for (const [name, value] of Object.entries({ ...signed, href: href.href }))
    address.searchParams.set(name, String(value));
  location.assign(address);
}

export function goToAcademic(next: string | null): void {
  const query = new URLSearchParams({ confirm_login: '1' });
  const source = sourceNow();
  if (next) query.set('next', next);
  if (source) query.set('utm_source', source);
  location.assign(`/v1/baidu/oauth/login?${query.toString()}`);
}

export function restore(ticket: string): Promise<SignIn> {
  return api.post<SignIn>('/v1/login/restore', { ticket });
}

/** `claimsStepUp`: 30002, answered by withStepUp. */
export async function sendBindCode(phone: string): Promise<string> {
  const claims = [...FIELD_CODES, 30002];
  return (await api.post<SentCode>('/v1/user/mobile/verify', { phone }, { claims })).verify_key;
}

export function bindPhone(body: PhoneBody): Promise<null> {
  return api.post<null>('/v1/user/mobile/bind', body, { claims: [...FIELD_CODES, TAKEN, BOTH_HAVE_DATA, 30002] });
}

export function mergeAccounts(ticket: string): Promise<Merged> {
  return api.post<Merged>('/v1/user/mobile/merge', { ticket });
}

export async function sendStepUpCode(): Promise<string> {
  return (await api.post<SentCode>('/v1/user/step-up/code', undefined, { claims: FIELD_CODES })).verify_key;
}

export function proveByCode(body: { verify_code: string; verify_key: string }): Promise<null> {
  return api.post<null>('/v1/user/step-up', body, { claims: FIELD_CODES });
}

/** Who a whole token in an address belongs to; asked with that token, which is not stored yet. */
export async function nicknameOf(token: string): Promise<string | null> {
  const response = await fetch('/v1/user', { headers: { authorization: `Bearer ${token}` } }).catch(() => null);
  const body: { data?: { nickname?: unknown } } | null = await response?.json().catch(() => null);
  const name = body?.data?.nickname;
  return typeof name === 'string' ? name : null;
}
