/** Phone numbers: recognised, sealed for keeping, digested for looking up. */
import { Fault } from '../../lib/errors.ts';
import type { Keys } from '../../lib/keys.ts';

/** Numbers of mainland China: 11 digits. Anything else is answered with 20010. */
export function readPhone(text: string): string {
  if (!/^1[3-9]\d{9}$/.test(text)) throw new Fault(20010);
  return text;
}

export const digestPhone = (keys: Keys, phone: string): string => keys.digest('phone', phone);
export const sealPhone = (keys: Keys, phone: string): string => keys.seal('users.phone', phone);
export const openPhone = (keys: Keys, sealed: string): string => keys.open('users.phone', sealed);
