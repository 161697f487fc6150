/** Operators at their desk, as a page makes them: roles by the command, entry by a fresh code. */
import { expect } from 'vitest';
import { setOperator } from '../features/ops/service.ts';
import type { Role } from '../features/ops/schema.ts';
import type { World } from './build.ts';
import { call, makePerson } from './makers.ts';
import type { Person, Reply } from './makers.ts';
import { cookieOf } from './sign-in.ts';

export interface Staff extends Person {
  /** The cookie of the session at the desk; null at the door. */
  desk: string | null;
}

export async function makeOperator(world: World, roles: Role[]): Promise<Staff> {
  const person = await makePerson(world, '操作员');
  await setOperator(world.db, person.id, roles, 'test');
  return { ...person, desk: null };
}

/** Gives the code; the proof of it also counts for money for ten minutes. */
export async function enter(world: World, staff: Staff): Promise<Staff> {
  const sent = await call(world, staff, 'POST', '/v1/ops/session/code');
  expect(sent.body).toMatchObject({ status_code: 1 });
  const inbox = await call(world, null, 'GET', `/sandbox/sms?phone=${staff.phone}`);
  const given = { verify_key: sent.data.verify_key, verify_code: inbox.data.list[0].code };
  const reply = await call(world, staff, 'POST', '/v1/ops/session', given);
  expect(reply.body).toMatchObject({ status_code: 1 });
  const cookies = [reply.headers['set-cookie']].flat().map(String);
  return { ...staff, desk: cookies.find((one) => one.startsWith('hx_ops='))?.split(';')[0] ?? cookieOf(reply) };
}

type Call = (method: Parameters<typeof call>[2], url: string, payload?: Record<string, unknown>) => Promise<Reply>;

/** Calls of somebody who has entered. */
export const deskOf =
  (world: World, staff: Staff): Call =>
  (method, url, payload) =>
    call(world, staff, method, url, payload, staff.desk ? { cookie: staff.desk } : {});
