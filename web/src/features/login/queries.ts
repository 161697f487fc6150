/** Calls of signing in. Codes shown at a field are claimed here, so that they make no toast as well. */
import type { CaptchaTicket, SentCode, SignIn, SliderAnswer, SliderPuzzle } from '@hengxi/server/accounts/schema';

import { api } from '../../lib/api.ts';
import { readStored, STORAGE } from '../../lib/storage.ts';

/** Shown at the phone or the code field: 20010 phone, 20011 too often, 20012 expired, 20013 wrong. */
const FIELD_CODES = [20010, 20011, 20012, 20013] as const;

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

export interface PhoneLoginBody {
  phone: string;
  verify_code: string;
  verify_key: string;
}

export function signInByPhone(body: PhoneLoginBody): Promise<SignIn> {
  const source = readStored(STORAGE.utm);
  return api.post<SignIn>('/v1/login/phone', body, { query: { utm_source: source }, claims: FIELD_CODES });
}

export function signInDemo(): Promise<SignIn> {
  return api.post<SignIn>('/v1/login/demo');
}
