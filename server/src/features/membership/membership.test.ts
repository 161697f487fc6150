import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { rowsOf } from '../../testing/build.ts';
import { call, makeMember, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { personStage } from '../../testing/stages.ts';
import { DAY_MS, dayOf, midnightAfter } from '../../lib/clock.ts';
import { endOf, fold } from './grants.ts';

const on = personStage();
let { world, person } = on;
beforeEach(() => {
  ({ world, person } = on);
});

const get = async (url: string, who: Person | null = person) => (await call(world, who, 'GET', url)).data;

test('a day begins at midnight in China, also where the server’s clock says another date', () => {
  expect(dayOf(new Date('2026-12-31T15:59:59.999Z'))).toBe('2026-12-31');
  expect(dayOf(new Date('2026-12-31T16:00:00Z'))).toBe('2027-01-01');
  expect(midnightAfter(new Date('2028-02-28T16:00:00Z')).toISOString()).toBe('2028-02-29T16:00:00.000Z');
});

describe('the chain of grants', () => {
  const NOW = new Date('2026-11-21T00:00:00Z');
  const spans = fc.array(
    fc.record({ days: fc.integer({ min: 1, max: 400 }), begun: fc.boolean(), lifetime: fc.boolean() }),
    { maxLength: 8 },
  );

  test('never overlaps, keeps whole days, ends where its last part ends', () => {
    fc.assert(
      fc.property(spans, (parts) => {
        let at = NOW.getTime() - 900 * DAY_MS;
        let isForLife = false;
        const live = parts.map(({ days, begun, lifetime }, id) => {
          const ends = isForLife ? null : new Date(at + days * DAY_MS);
          const startsAt = begun && !isForLife ? new Date(at) : null;
          const one = lifetime && !isForLife;
          if (startsAt && !one && ends) at = ends.getTime();
          isForLife ||= one;
          return { id, days: one ? null : days, lifetime: one, startsAt, endsAt: startsAt && !one ? ends : null };
        });
        const chain = fold(live, NOW);
        expect(chain).toHaveLength(live.length);
        const placed = chain.filter(({ startsAt }) => startsAt !== null);
        const lengths = placed.filter(({ days }) => days !== null);
        expect(lengths.map(({ startsAt, endsAt }) => endsAt!.getTime() - startsAt!.getTime())).toEqual(
          lengths.map(({ days }) => days! * DAY_MS),
        );
        const overlaps = placed.filter((span, index) => {
          const before = placed[index - 1];
          return before && span.startsAt!.getTime() < (before.endsAt?.getTime() ?? Number.POSITIVE_INFINITY);
        });
        expect(overlaps).toEqual([]);
        // Folding what is folded changes nothing.
        expect(fold(chain, NOW)).toEqual(chain);
        expect(endOf(chain).lifetime).toBe(live.some(({ lifetime }) => lifetime));
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  const grant = (ref: string, days: number | null) =>
    world.db.transaction((tx) =>
      world.money.membership.grants.grant(tx, { userId: person.id, source: 'ops', ref, days, lifetime: days === null }),
    );
  const revoke = (ref: string) => world.db.transaction((tx) => world.money.membership.grants.revoke(tx, 'ops', ref));
  const daysLeft = async () => (new Date((await get('/v1/user')).vip.invalid_at).getTime() - Date.now()) / DAY_MS;

  test('the same occasion is granted once; a revoked part moves what is later forward', async () => {
    expect(await grant('a', 10)).toMatchObject({ isNew: true, before: { isMember: false }, after: { isMember: true } });
    expect(await grant('a', 10)).toMatchObject({ isNew: false });
    await grant('b', 20);
    await grant('c', 30);
    expect(await daysLeft()).toBeCloseTo(60, 2);
    await revoke('b');
    expect(await daysLeft()).toBeCloseTo(40, 2);
    await revoke('b');
    expect(await daysLeft()).toBeCloseTo(40, 2);
    await revoke('a');
    expect(await daysLeft()).toBeCloseTo(30, 2);
    await expect(revoke('never')).rejects.toMatchObject({ code: 30093 });
  });

  test('days behind a lifetime wait, and live when it is revoked', async () => {
    await grant('life', null);
    await grant('days', 10);
    expect(await get('/v1/user')).toMatchObject({
      vip: { invalid_at: '2099-12-31T15:59:59Z', lifetime: true },
      identity: 3,
    });
    await revoke('life');
    expect(await daysLeft()).toBeCloseTo(10, 2);
  });

  test('overlap is impossible in the database itself', async () => {
    await grant('a', 10);
    const overlap = sql`INSERT INTO vip_grants (user_id, source, ref, days, lifetime, starts_at, ends_at)
      VALUES (${person.id}, 'ops', 'x', 5, false, now() + interval '1 day', now() + interval '6 days')`;
    await expect(world.db.execute(overlap)).rejects.toThrow(/Failed query/);
  });

  test('is told with its parts', async () => {
    await grant('a', 10);
    expect(await get('/v1/user/membership')).toMatchObject({
      edition: 'member',
      vip: { lifetime: false },
      limits: { rows: null, upload_bytes: 1024 ** 3, member_methods: true },
      usage: { used: 0, limit: null },
    });
    expect(await get('/v1/user/membership/grants')).toMatchObject({ total: 1, list: [{ source: 'ops', days: 10 }] });
  });
});

describe('packages', () => {
  test('are read without a sign-in, by kind, with the price of now', async () => {
    const vip = await get('/v1/user/subscriptions?page=0&page_size=99', null);
    expect(vip.list.map(({ id }: any) => id)).toEqual([21, 22, 23, 24]);
    expect(vip).toMatchObject({
      total: 4,
      list: expect.arrayContaining([expect.objectContaining({ id: 24, lifetime: true })]),
    });
    for (const [kind, ids] of [
      ['edu', [31, 32]],
      ['combo', [41]],
      ['point', [51, 52, 53]],
    ] as const)
      expect((await get(`/v1/user/subscriptions/${kind}`, null)).list.map(({ id }: any) => id)).toEqual(ids);
    expect(await get('/v1/editions', null)).toMatchObject([
      { edition: 'standard', upload_bytes: 20 * 1024 ** 2, rows: 10_000, analyses_day: 50, scripts_day: 3, files: 200 },
      { edition: 'member', upload_bytes: 1024 ** 3, rows: null },
      { edition: 'enterprise', upload_bytes: 4 * 1024 ** 3, flow_models: true },
    ]);
  });

  test('are changed by the desk with the version it saw', async () => {
    const { packages } = world.money.membership;
    const changed = await world.db.transaction((tx) =>
      packages.change(tx, 21, 1, { fee: 4900, discount: 900, discountEnabled: true }),
    );
    expect(changed).toMatchObject({ before: { fee: 3900 }, after: { fee: 4900, version: 2 } });
    expect((await get('/v1/user/subscriptions')).list[0]).toMatchObject({ fee: 4900, discount_on: true, price: 4000 });
    await expect(world.db.transaction((tx) => packages.change(tx, 21, 1, { fee: 1 }))).rejects.toMatchObject({
      code: 30309,
    });
  });

  test.each([
    ['a vip package with points', { kind: 'vip', fee: 1, validVipDays: 3, points: 1 }],
    ['days and lifetime at once', { kind: 'vip', fee: 1, validVipDays: 3, lifetime: true }],
    ['points without points', { kind: 'point', fee: 1 }],
    ['a negative fee', { kind: 'vip', fee: -1, validVipDays: 3 }],
    ['a rate of 0', { kind: 'vip', fee: 1, validVipDays: 3, discountRate: 0 }],
  ])('%s cannot be', async (_name, draft) => {
    const make = world.db.transaction((tx) =>
      world.money.membership.packages.make(tx, { title: 'x', ...draft } as never),
    );
    await expect(make).rejects.toThrow(/Failed query/);
  });
});

describe('education', () => {
  const URL = '/v1/user/edu-auth';
  const BODY = { kind: 'chsi', name: '张三', school: '某某大学', role: 'student', chsi_code: 'ABCD1234EFGH5678' };
  const submit = (parts: Record<string, unknown> = {}, method: 'POST' | 'PUT' = 'POST') =>
    call(world, person, method, URL, { ...BODY, ...parts });
  const check = async () =>
    (await rowsOf(world.db, sql`SELECT id, version FROM edu_checks ORDER BY id DESC LIMIT 1`))[0];

  test('waits, is refused with a reason, asked again, verified for a year, and then is none', async () => {
    const { education } = world.money.membership;
    expect(await get(URL)).toMatchObject({ status: null, ways: ['email', 'chsi', 'document'] });
    expect((await submit()).data).toMatchObject({ status: 0, school: '某某大学' });
    expect((await submit()).body).toMatchObject({ err_code: 30261, msg: '教育认证审核中' });
    const first = await check();
    await world.db.transaction((tx) => education.refuse(tx, first.id, first.version, '姓名与学信网不符'));
    expect(await get(URL)).toMatchObject({ status: 2, reason: '姓名与学信网不符' });
    expect((await submit({}, 'PUT')).data).toMatchObject({ status: 0 });
    const second = await check();
    await world.db.transaction((tx) => education.approve(tx, second.id, second.version));
    expect(await get('/v1/user')).toMatchObject({ user_edu_auth: { status: 1 } });
    const order = () => call(world, person, 'POST', '/v1/user/orders', { subscription_id: 31 });
    expect((await order()).body.status_code).toBe(1);
    await world.db.execute(sql`UPDATE edu_checks SET valid_to = now() - interval '1 minute' WHERE status = 1`);
    expect(await get('/v1/user')).toMatchObject({ user_edu_auth: { status: null } });
    expect((await order()).body.err_code).toBe(30206);
    await expect(world.db.transaction((tx) => education.approve(tx, second.id, second.version))).rejects.toMatchObject({
      code: 30309,
    });
  });

  test('a code to a school address verifies at once, is used once, and dies of wrong tries', async () => {
    const email = 'san@mail.tsinghua.edu.cn';
    const send = async (to = email) => call(world, person, 'POST', `${URL}/code`, { email: to });
    expect((await send('san@qq.com')).body).toMatchObject({ err_code: 30262, msg: '学校邮箱域名不在名单内' });
    expect((await send('san@fakeedu.cn')).body.err_code).toBe(30262);
    const { data } = await send();
    expect((await send()).body.err_code).toBe(20011);
    const letter = (await get(`/sandbox/mail?to=${email}`, null)).list[0];
    const code = /\d{6}/.exec(letter.text)![0];
    const body = { kind: 'email', chsi_code: undefined, email, verify_key: data.verify_key };
    expect((await submit({ ...body, verify_code: code === '000000' ? '000001' : '000000' })).body.err_code).toBe(20013);
    expect((await submit({ ...body, email: 'li@tsinghua.edu.cn', verify_code: code })).body.err_code).toBe(20012);
    expect((await submit({ ...body, verify_code: code })).data).toMatchObject({
      status: 1,
      valid_to: expect.any(String),
    });
    expect((await submit({ ...body, verify_code: code })).body.err_code).toBe(20012);
  });

  test('a document is the person’s own upload', async () => {
    const other = await makePerson(world);
    const bytes = Buffer.from('%PDF-1.4\n%%EOF');
    const reply = await world.app.inject({
      method: 'POST',
      url: `${URL}/proof`,
      headers: { authorization: `Bearer ${other.token}`, 'content-type': 'application/octet-stream' },
      payload: bytes,
    });
    const { proof } = reply.json().data;
    const stolen = await submit({ kind: 'document', chsi_code: undefined, proof });
    expect(stolen).toMatchObject({ status: 422, body: { err_code: 30263 } });
    const own = await call(world, other, 'POST', URL, { ...BODY, kind: 'document', chsi_code: undefined, proof });
    expect(own.data).toMatchObject({ status: 0, has_proof: true });
    // Papers do not lie open in the table.
    const [{ sealed }] = await rowsOf(world.db, sql`SELECT encode(sealed, 'escape') AS sealed FROM proofs`);
    expect(sealed).not.toContain('%PDF');
  });

  test('of codes asked for at the same moment one goes out', async () => {
    const ask = () => call(world, person, 'POST', `${URL}/code`, { email: 'li@example.edu.cn' });
    const replies = await Promise.all([ask(), ask(), ask()]);
    expect(replies.map(({ body }) => body.err_code ?? 0).toSorted((a, b) => a - b)).toEqual([0, 20011, 20011]);
    expect(await rowsOf(world.db, sql`SELECT count(*)::int AS n FROM sandbox_mails`)).toEqual([{ n: 1 }]);
  });

  test.each([
    ['without a name', { name: ' ' }],
    ['with a number that is none', { chsi_code: '123' }],
    ['by e-mail without a code', { kind: 'email', email: 'a@b.edu.cn' }],
    ['with keys of nobody', { status: 1 }],
  ])('%s is refused', async (_name, parts) => {
    expect(await submit(parts)).toMatchObject({ status: 400, body: { err_code: 30090 } });
  });
});

test('identity follows membership', async () => {
  expect(await get('/v1/user')).toMatchObject({ is_vip: false, identity: 1, user_ai_point: 0 });
  await makeMember(world, person);
  expect(await get('/v1/user')).toMatchObject({ is_vip: true, identity: 3 });
  await world.db.execute(sql`UPDATE vip_accounts SET until = now() - interval '1 minute'`);
  expect(await get('/v1/user')).toMatchObject({ is_vip: false, identity: 1 });
});
