/** Operators at their desk, as a page makes them: roles by the command, entry by a fresh code. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { setOperator } from '../features/ops/service.ts';
import type { Role } from '../features/ops/schema.ts';
import { build, rowsOf } from './build.ts';
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

export interface DeskStage {
  world: World;
  /** Who buys. */
  person: Person;
  finance: Staff;
  /** Finance and machines: who approves. */
  second: Staff;
  /** Customer service and content. */
  service: Staff;
}

/** A fresh product for each test of a file, with a buyer and three operators who have entered. */
export function deskStage(env: NodeJS.ProcessEnv): DeskStage {
  const stage: Partial<DeskStage> = {};
  beforeAll(async () => {
    stage.world = await build({ env });
  });
  beforeEach(async () => {
    const world = stage.world!;
    await world.reset();
    stage.person = await makePerson(world);
    stage.finance = await enter(world, await makeOperator(world, ['财务']));
    stage.second = await enter(world, await makeOperator(world, ['财务', '运维']));
    stage.service = await enter(world, await makeOperator(world, ['客服', '内容']));
  });
  afterAll(() => stage.world?.close());
  // Filled before a test begins.
  return stage as DeskStage;
}

/** Short calls of the desk for the tests of its acts. */
export function deskTools(world: () => World) {
  return {
    act: (
      who: Staff,
      name: string,
      target: string | number,
      payload: Record<string, unknown> = {},
      version: number | null = null,
    ): Promise<Reply> =>
      deskOf(world(), who)('POST', '/v1/ops/acts', {
        act: name,
        target: String(target),
        payload,
        version,
        reason: REASON,
      }),
    approve: (who: Staff, id: number): Promise<Reply> => deskOf(world(), who)('POST', `/v1/ops/requests/${id}/approve`),
    list: async (who: Staff, name: string, query = ''): Promise<any> =>
      (await deskOf(world(), who)('GET', `/v1/ops/${name}${query}`)).data,
    /** Acts in the log, without entries and what the command did. */
    logged: async (): Promise<string[]> =>
      (
        await rowsOf(
          world().db,
          sql`SELECT act FROM act_log WHERE scope = 'ops' AND act NOT IN ('desk.enter', 'operator.set') ORDER BY seq`,
        )
      ).map((row) => row.act),
  };
}

export const REASON = '按用户要求办理';
export const DONE = { state: 'done', request_id: null };
export const WAITING = { state: 'waiting', msg: '需要另一位操作员审批，已提交' };
