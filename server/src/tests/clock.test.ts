/** A clock that is set back: what was done this very moment holds, what had ended does not begin again. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { send as sendLetter } from '../lib/outbox.ts';
import { build, rowsOf } from '../testing/build.ts';
import type { World } from '../testing/build.ts';
import { makeEnterprise } from '../testing/enterprises.ts';
import { call, makePerson } from '../testing/makers.ts';
import { PHONE, login, pass, post, send } from '../testing/sign-in.ts';

let world: World;
beforeAll(async () => {
  world = await build();
});
beforeEach(async () => world.reset());
afterAll(async () => world.close());

/**
 * Sets the clock back as the rows see it: everything that was written lies so many seconds further ahead, but for what
 * nobody may change.
 */
const setBack = (seconds: number): Promise<void> =>
  world.db.transaction(async (tx) => {
    await tx.execute(sql`SELECT set_config('hengxi.back', ${String(seconds)}, true)`);
    await tx.execute(sql`
      DO $$ DECLARE change text; BEGIN
        SET LOCAL session_replication_role = replica;
        FOR change IN
          SELECT format('UPDATE %I SET ', table_name)
            || string_agg(format('%1$I = %1$I + make_interval(secs => current_setting(''hengxi.back'')::float8)', column_name), ', ')
          FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
          WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND data_type = 'timestamp with time zone'
            AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = table_name::regclass AND tgenabled = 'A')
          GROUP BY table_name
        LOOP
          EXECUTE change;
        END LOOP;
      END $$`);
  });

describe('by a second or two', () => {
  const STEP = 2;

  test('a code signs in, a fresh proof counts, a seat that was given is there', async () => {
    const { key, code } = await send(world);
    await setBack(STEP);
    const signedIn = await login(world, PHONE, code, key);
    expect(signedIn.body.status_code).toBe(1);
    const owner = signedIn.data as { token: string };
    const sent = await call(world, owner, 'POST', '/v1/user/step-up/code');
    const inbox = await call(world, null, 'GET', `/sandbox/sms?phone=${PHONE}`);
    const given = { verify_key: sent.data.verify_key, verify_code: inbox.data.list[0].code };
    expect((await call(world, owner, 'POST', '/v1/user/step-up', given)).body.status_code).toBe(1);
    await setBack(STEP);
    const body = { name: '衡量科技', trial: true, credit_code: '91350100M000100Y43', contact: '张三' };
    const made = await call(world, owner, 'POST', '/v1/enterprise', body);
    expect(made.data).toMatchObject({ state: 'trial', seats: 5 });
    await setBack(STEP);
    await world.enterprises.terms.sweep();
    const shown = await call(world, owner, 'GET', `/v1/enterprise/${made.data.id}`);
    expect(shown.data).toMatchObject({ state: 'trial', seats: 5 });
  });

  test('a term that was bought this moment can be added to', async () => {
    const { eid, owner } = await makeEnterprise(world, '甲企业');
    await world.db.execute(sql`UPDATE seat_blocks SET source = 'order'`);
    await setBack(STEP);
    const quote = await call(world, owner, 'POST', `/v1/enterprise/${eid}/orders/quote`, { plan: 'more', seats: 2 });
    expect(quote.data).toMatchObject({ plan: 'more', seats: 2 });
  });

  test('a QR code is open, a method that was unlocked is free', async () => {
    const { data } = await call(world, null, 'GET', '/v1/login/weixin/ticket');
    await setBack(STEP);
    expect((await post(world, `/sandbox/wechat/${data.ticket}`, { act: 'confirm', who: '李雷' })).status).toBe(200);
    expect((await call(world, null, 'GET', `/v1/login/token?scene=${data.scene}`)).data).toMatchObject({ status: 1 });
    const person = await makePerson(world);
    await world.db.execute(sql`INSERT INTO method_unlocks (user_id, method, source, ref, starts_at, ends_at)
      VALUES (${person.id}, 'x/y', 'mall', 'a', now(), now() + interval '7 days')`);
    await setBack(STEP);
    const method = { path: 'x/y', title: '某方法', tier: 'member' };
    const asked = { owner: person.owner, method, table: null, limitsRows: true, counts: true };
    expect(await world.money.membership.usage.judge(asked)).toMatchObject({ allowed: true, reason: 'unlocked' });
  });

  test('a message goes out at once; one that is to wait waits', async () => {
    const payload = { user_id: 1 };
    await sendLetter(world.db, { topic: 'nobody', key: 'now', payload });
    await sendLetter(world.db, { topic: 'nobody', key: 'later', payload, after: 3 });
    await setBack(STEP);
    expect(await world.money.outbox.deliver()).toBe(1);
    expect(await rowsOf(world.db, sql`SELECT dedupe_key FROM outbox WHERE attempts > 0`)).toEqual([
      { dedupe_key: 'now' },
    ]);
  });

  test('a code that a newer one replaced stays dead', async () => {
    const first = await send(world);
    await world.db.execute(sql`UPDATE sms_codes SET sent_at = sent_at - interval '2 minutes'`);
    await send(world);
    await setBack(STEP);
    expect((await login(world, PHONE, first.code, first.key)).body.err_code).toBe(20012);
  });
});

describe('by a day', () => {
  const DAY = 86_400;

  test('neither a proof nor a visit is good for a day longer', async () => {
    const person = await makePerson(world);
    await world.db.execute(sql`UPDATE sessions SET proved_at = now()`);
    const { data } = await call(world, null, 'GET', '/v1/login/weixin/ticket');
    await setBack(DAY);
    expect((await call(world, person, 'DELETE', '/v1/user/me')).body.err_code).toBe(30002);
    expect((await call(world, null, 'GET', `/v1/login/token?scene=${data.scene}`)).data).toEqual({ status: 4 });
  });

  test('nobody waits a day for the next code', async () => {
    for (let i = 0; i < 5; i += 1) {
      await send(world);
      await setBack(DAY);
    }
    await pass(world);
    expect((await post(world, '/v1/login/phone/verify-code', { phone: PHONE })).body.status_code).toBe(1);
  });
});
