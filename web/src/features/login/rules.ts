/** What the fields of the sign-in form say, by the letter of the specification (sections 5 and 8). */
import { ERRORS } from '@hengxi/contracts/http';

import { ApiError } from '../../lib/api.ts';

export const PHONE_DIGITS = 11;
export const CODE_DIGITS = 6;
export const RESEND_SECONDS = 60;

export function onlyDigits(text: string, most: number): string {
  // Full-width digits are what a Chinese input method types by default.
  return text.normalize('NFKC').replace(/\D/g, '').slice(0, most);
}

export function phoneFault(phone: string): string | null {
  if (phone === '') return '请输入手机号';
  return phone.length < PHONE_DIGITS ? ERRORS[20010].text : null;
}

export function codeFault(code: string): string | null {
  return code === '' ? '验证码不能为空' : null;
}

/** Which field a refusal belongs to; null: it has been shown otherwise. */
export function faultOf(error: unknown): { field: 'phone' | 'code'; text: string } | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 20010) return { field: 'phone', text: error.message };
  if (error.code === 20011 || error.code === 20012 || error.code === 20013)
    return { field: 'code', text: error.message };
  return null;
}
