/** Signing in as a page does it: pass, code, inbox, login. */
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { smsCodes } from '../features/accounts/tables.ts';
import type { World } from './build.ts';
import { call } from './makers.ts';
import type { Reply } from './makers.ts';

export const PHONE = '13800138000';

export const post = (
  world: World,
  url: string,
  payload: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Reply> => call(world, null, 'POST', url, payload, headers);

/** The device cookie of an answer, ready to be sent back. */
export const cookieOf = (reply: Reply): string => String([reply.headers['set-cookie']].flat()[0]).split(';')[0] ?? '';

export const pass = (world: World, phone = PHONE): Promise<Reply> =>
  post(world, '/v1/login/phone/captcha', { phone, ticket: 'sandbox', rand: '' });

/** Lets a minute or more go by for every code that was sent. */
export const age = (world: World, minutes: number): Promise<unknown> =>
  world.db.update(smsCodes).set({ sentAt: sql`${smsCodes.sentAt} - make_interval(mins => ${minutes})` });

export async function send(world: World, phone = PHONE): Promise<{ key: string; code: string }> {
  await pass(world, phone);
  const sent = await post(world, '/v1/login/phone/verify-code', { phone });
  expect(sent.body).toMatchObject({ status_code: 1 });
  const inbox = await call(world, null, 'GET', `/sandbox/sms?phone=${phone}`);
  return { key: sent.data.verify_key, code: inbox.data.list[0].code };
}

export const login = (
  world: World,
  phone: string,
  code: string,
  key: string,
  headers: Record<string, string> = {},
): Promise<Reply> => post(world, '/v1/login/phone', { phone, verify_code: code, verify_key: key }, headers);

export async function signIn(world: World, phone = PHONE, headers: Record<string, string> = {}): Promise<Reply> {
  await age(world, 2);
  const { key, code } = await send(world, phone);
  return login(world, phone, code, key, headers);
}
