import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../lib/clock.ts';
import type { Deed } from '../../lib/product-events.ts';
import { rowsOf } from '../../testing/build.ts';
import { creditStage } from '../../testing/credits.ts';
import { makeEnterprise, openChannel } from '../../testing/enterprises.ts';
import { call, makePerson } from '../../testing/makers.ts';

/** A Sunday in Shanghai, ten in the morning. */
const on = creditStage('2026-11-22T02:00:00Z');
const DAILY = '今日完成 1 次分析';
const WEEKLY = '本周用过 3 种不同方法';
const STREAK = '14 天内任意 7 天有分析';
const FIRST = '完成首次分析';
const PHONE = '绑定手机号';
const INVITE = '邀请好友并完成分析';

const analysis = (subject: string, method = 'descriptive/frequency', isExample = false): Deed => ({
  kind: 'analysis_succeeded',
  subject,
  method,
  isExample,
});
const tidy = () => on.world.money.centre.tidy();

describe('what counts', () => {
  test('a deed is counted in every quest it belongs to, and shows with what it was', async () => {
    await on.does(analysis('a'));
    expect(await on.quest(FIRST)).toMatchObject({ state: 1, progress: 1 });
    expect(await on.quest(DAILY)).toMatchObject({ state: 1 });
    expect(await on.quest(WEEKLY)).toMatchObject({ state: 0, progress: 1 });
    expect(await on.quest(STREAK)).toMatchObject({ state: 0, progress: 1 });
    const { record_id: id } = await on.quest(WEEKLY);
    expect(await on.get(`/v1/quest-record/${id}`)).toMatchObject({
      period_key: '2026-W47',
      period_end: '2026-11-22T16:00:00.000Z',
      hits: [{ title: '完成分析：频数分析' }],
      auto_credit_at: null,
    });
  });

  test('the same data, method and settings count once a day; another method for the quest of methods', async () => {
    await on.does(analysis('a'));
    await on.does(analysis('a'));
    await on.does(analysis('b'));
    expect((await on.quest('累计完成 50 次分析')).progress).toBe(2);
    expect((await on.quest(WEEKLY)).progress).toBe(1);
    on.at('2026-11-22T16:00:00Z');
    await on.does(analysis('a'));
    expect((await on.quest('累计完成 50 次分析')).progress).toBe(3);
  });

  test('example data count for what is done once and for nothing else', async () => {
    await on.does(analysis('a', 'descriptive/frequency', true));
    expect((await on.quest(FIRST)).state).toBe(1);
    expect((await on.quest(DAILY)).progress).toBe(0);
    expect((await on.quest('累计完成 50 次分析')).progress).toBe(0);
  });

  test('seven days of fourteen, with gaps; a new window begins after the old one', async () => {
    for (const day of [0, 1, 3, 4, 8, 10]) {
      await on.does(analysis(`${day}`), on.person, new Date(Date.parse('2026-11-22T02:00:00Z') + day * DAY_MS));
    }
    on.at('2026-12-05T15:59:59Z');
    expect(await on.quest(STREAK)).toMatchObject({ progress: 6, state: 0 });
    await on.does(analysis('last'));
    expect((await on.quest(STREAK)).state).toBe(1);
    on.at('2026-12-05T16:00:00Z');
    await on.does(analysis('next'));
    const list = (await on.get('/v1/quests')).filter((one: any) => one.title === STREAK);
    expect(list.map(({ state, progress }: any) => [state, progress])).toEqual([
      [1, 7],
      [0, 1],
    ]);
  });

  test('a clock set back opens no second period', async () => {
    on.at('2026-11-23T02:00:00Z');
    await on.does(analysis('a'));
    on.at('2026-11-22T02:00:00Z');
    await on.does(analysis('b'));
    const rows = await rowsOf(on.world.db, sql`SELECT code, period_key FROM quest_records ORDER BY code, period_key`);
    expect(rows.filter(({ code }) => code === 'daily-analysis')).toEqual([
      { code: 'daily-analysis', period_key: '2026-11-23' },
    ]);
    expect(rows.filter(({ code }) => code === 'seven-of-fourteen')).toHaveLength(1);
  });

  test('each friend is a reward of its own, twenty a calendar year', async () => {
    for (let n = 1; n <= 22; n += 1) await on.does({ kind: 'invite_qualified', subject: n });
    await on.does({ kind: 'invite_qualified', subject: 1 });
    const count = async () =>
      (await rowsOf(on.world.db, sql`SELECT count(*)::int AS n FROM quest_records WHERE code = 'invite-friend'`))[0].n;
    expect(await count()).toBe(20);
    on.at('2026-12-31T16:00:00Z');
    await on.does({ kind: 'invite_qualified', subject: 23 });
    expect(await count()).toBe(21);
    expect((await on.get('/v1/quests')).filter((one: any) => one.title === INVITE)).toHaveLength(22);
  });

  test('a phone counts for one account, whoever it is bound to later', async () => {
    await on.does({ kind: 'phone_bound', subject: 'digest' });
    const other = await makePerson(on.world);
    await on.does({ kind: 'phone_bound', subject: 'digest' }, other);
    expect((await on.quest(PHONE)).state).toBe(1);
    expect((await on.quest(PHONE, other)).state).toBe(0);
  });

  test('work in an enterprise is not counted, and there are no credits there', async () => {
    const { owner, eid } = await makeEnterprise(on.world, '企业');
    await on.does(analysis('a'), { ...owner, owner: { kind: 'enterprise', id: eid, member: owner.id } });
    expect(await rowsOf(on.world.db, sql`SELECT * FROM product_events`)).toEqual([]);
    const channel = await openChannel(on.world, owner, eid);
    for (const url of ['/v1/quests', '/v1/credits-center/account', '/v1/mall/items', '/v1/mall/orders'])
      expect([url, (await call(on.world, channel, 'GET', url)).body]).toEqual([
        url,
        { status_code: 0, err_code: 30201, msg: '请切换到个人版后操作' },
      ]);
  });

  test('an event that fails is tried again and holds up nobody else', async () => {
    const other = await makePerson(on.world);
    // No such user: the record's reference refuses it.
    await on.world.db.execute(
      sql`INSERT INTO product_events (user_id, kind, subject, at) VALUES (999999, 'file_imported', '1', ${on.now})`,
    );
    await on.does({ kind: 'file_imported', subject: 2 }, other);
    expect((await on.quest('上传第一份数据', other)).state).toBe(1);
    expect(
      await rowsOf(on.world.db, sql`SELECT user_id, attempts FROM product_events WHERE applied_at IS NULL`),
    ).toEqual([{ user_id: 999_999, attempts: 1 }]);
  });
});

describe('claiming', () => {
  const finished = async (title = FIRST) => {
    await on.does(analysis('a'));
    return (await on.quest(title)).record_id;
  };

  test('needs no body', async () => {
    const reply = await call(on.world, on.person, 'PUT', `/v1/quest-record/${await finished()}/accept-bonus`);
    expect(reply.data).toEqual({ amount: 20, total_amount: 20, already: false });
  });

  test('credits once; asked again, the same answer', async () => {
    const id = await finished();
    expect((await on.accept(id)).data).toEqual({ amount: 20, total_amount: 20, already: false });
    expect((await on.accept(id)).data).toEqual({ amount: 20, total_amount: 20, already: true });
    const many = await Promise.all(Array.from({ length: 10 }, () => on.accept(id)));
    expect(new Set(many.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    expect(await on.get('/v1/credits-center/account/change-detail')).toMatchObject({
      total: 1,
      list: [{ title: FIRST, amount: 20, kind: 'quest', ref: String(id), expires_at: '2028-11-30T16:00:00.000Z' }],
    });
    expect(await on.quest(FIRST)).toMatchObject({ state: 2 });
    await on.agrees();
  });

  test('ten at once credit once', async () => {
    const id = await finished();
    await Promise.all(Array.from({ length: 10 }, () => on.accept(id)));
    expect(await on.balance()).toBe(20);
    await on.agrees();
  });

  test('is refused: not finished, no phone, account held, somebody else’s, absent', async () => {
    const id = await finished();
    expect((await on.accept((await on.quest(WEEKLY)).record_id)).body.err_code).toBe(31002);
    const other = await makePerson(on.world);
    expect((await on.accept(id, other)).status).toBe(404);
    expect((await on.accept(999_999)).status).toBe(404);
    await on.world.db.execute(
      sql`UPDATE users SET phone_digest = NULL, phone_sealed = NULL WHERE id = ${on.person.id}`,
    );
    expect((await on.accept(id)).body).toMatchObject({ err_code: 31004, msg: '请先绑定手机号' });
    await on.world.db.transaction((tx) => on.world.money.centre.credits.ledger.hold(tx, on.person.id, '核对中'));
    expect((await on.accept(id)).body).toMatchObject({ err_code: 31005, msg: '账户暂停使用积分：核对中' });
    expect(await on.balance()).toBe(0);
  });

  test('at most sixty a day without what is earned once; the next day the rest', async () => {
    for (let n = 1; n <= 3; n += 1) await on.does({ kind: 'invite_qualified', subject: n });
    await on.does(analysis('a'));
    const friends = (await on.get('/v1/quests')).filter((one: any) => one.title === INVITE && one.record_id);
    expect(friends).toHaveLength(3);
    await on.accept(friends[0].record_id);
    await on.accept(friends[1].record_id);
    expect((await on.accept(friends[2].record_id)).body).toMatchObject({
      err_code: 31006,
      msg: '今日已领取 60 积分，每日最多领取 60 积分，请明天再领取',
    });
    expect((await on.accept((await on.quest(FIRST)).record_id)).data.amount).toBe(20);
    on.at('2026-11-22T16:00:00Z');
    expect((await on.accept(friends[2].record_id)).data).toMatchObject({ amount: 30, total_amount: 110 });
    await on.agrees();
  });

  test('what nobody claims credits itself seven days after its period, and not a moment before', async () => {
    const id = await finished(DAILY);
    on.at('2026-11-29T15:59:59.999Z');
    await tidy();
    // Done once, it has no period: seven days after it was done.
    expect(await on.balance()).toBe(20);
    on.at('2026-11-29T16:00:00Z');
    await tidy();
    await tidy();
    expect(await on.balance()).toBe(22);
    expect((await on.accept(id)).data).toMatchObject({ already: true });
    await on.agrees();
  });

  test('without a phone it waits, and is not lost', async () => {
    await finished(FIRST);
    const [{ d, s }] = await rowsOf(on.world.db, sql`SELECT phone_digest AS d, phone_sealed AS s FROM users`);
    await on.world.db.execute(sql`UPDATE users SET phone_digest = NULL, phone_sealed = NULL`);
    on.at('2027-03-01T00:00:00Z');
    await tidy();
    expect(await on.balance()).toBe(0);
    await on.world.db.execute(sql`UPDATE users SET phone_digest = ${d}, phone_sealed = ${s}`);
    on.at('2027-03-02T00:00:00Z');
    await tidy();
    expect(await on.balance()).toBe(22);
  });

  test('the shared account of the sandbox looks and does not claim', async () => {
    const id = await finished();
    await on.world.db.execute(sql`UPDATE users SET is_demo = true`);
    expect((await on.accept(id)).status).toBe(403);
  });
});

describe('what is looked at', () => {
  const crowd = async () => {
    // The stage's person is one of six that were made today with one device and network.
    await on.world.db.execute(sql`UPDATE users SET created_at = ${on.now}`);
    for (let n = 0; n < 5; n += 1) {
      const { id } = await makePerson(on.world);
      await on.world.db.execute(sql`UPDATE users SET created_at = ${on.now} WHERE id = ${id}`);
    }
  };

  test('more than five new accounts a day of one device or network: held, said so, objected to, decided', async () => {
    await crowd();
    await on.does(analysis('a'));
    const held = await on.quest(FIRST);
    expect(held).toMatchObject({ state: 3, held_reason: '同一设备或网络当天注册的账号较多' });
    expect((await on.accept(held.record_id)).body).toMatchObject({
      err_code: 31003,
      msg: '该奖励正在审核：同一设备或网络当天注册的账号较多',
    });
    const object = (text = '我们是一个班') =>
      call(on.world, on.person, 'POST', '/v1/credits-center/appeals', { record_id: held.record_id, text });
    const appeal = (await object()).data;
    expect(appeal).toMatchObject({ state: 'open', record_id: held.record_id });
    expect((await object('再说一次')).data.id).toBe(appeal.id);
    const { credits, quests } = on.world.money.centre;
    await on.world.db.transaction(async (tx) => {
      await credits.appeals.decide(tx, appeal.id, 1, { state: 'granted', reply: '已核对' });
      await quests.desk.restore(tx, held.record_id);
    });
    expect((await on.get('/v1/credits-center/appeals')).list).toMatchObject([{ state: 'granted', reply: '已核对' }]);
    expect((await on.accept(held.record_id)).data.amount).toBe(20);
    // Looked at once, the account is not held up again.
    on.at('2026-11-23T02:00:00Z');
    await on.does(analysis('b'));
    expect((await on.quest(DAILY)).state).toBe(1);
    await on.agrees();
  });

  test('five are not too many, and an account that is no longer new is not held for its class', async () => {
    await crowd();
    await on.world.db.execute(sql`UPDATE users SET created_at = ${new Date('2026-10-01T00:00:00Z')}`);
    await on.does(analysis('a'));
    expect((await on.quest(FIRST)).state).toBe(1);
  });

  test('more deeds in an hour than a person can do are looked at', async () => {
    const deeds = (n: number) =>
      on.world.db.execute(sql`INSERT INTO product_events (user_id, kind, subject, at, applied_at)
        SELECT ${on.person.id}, 'report_exported', n::text, ${on.now}, now() FROM generate_series(1, ${n}::int) n`);
    await deeds(299);
    await on.does(analysis('a'));
    expect((await on.quest(FIRST)).state).toBe(1);
    await on.does({ kind: 'file_imported', subject: 1 });
    expect(await on.quest('上传第一份数据')).toMatchObject({ state: 3, held_reason: '短时间内操作过于频繁' });
  });

  test('a reward that was refused is void with its reason, and can be objected to', async () => {
    await crowd();
    await on.does(analysis('a'));
    const { record_id: id } = await on.quest(FIRST);
    const { desk } = on.world.money.centre.quests;
    await on.world.db.transaction((tx) => desk.decide(tx, id, 1, false, '机器注册'));
    expect(await on.quest(FIRST)).toMatchObject({ state: 4, held_reason: '机器注册' });
    expect((await on.accept(id)).body).toMatchObject({ err_code: 31007, msg: '该奖励已作废：机器注册' });
    const reply = await call(on.world, on.person, 'POST', '/v1/credits-center/appeals', {
      record_id: id,
      text: '误判',
    });
    expect(reply.body.status_code).toBe(1);
  });

  test('nothing to object to is refused: a reward that stands, an account that is free', async () => {
    await on.does(analysis('a'));
    const { record_id: id } = await on.quest(FIRST);
    for (const body of [{ record_id: id, text: 'x' }, { text: 'x' }]) {
      const reply = await call(on.world, on.person, 'POST', '/v1/credits-center/appeals', body);
      expect(reply.body).toMatchObject({ status_code: 0, err_code: 30408 });
    }
    const long = { text: '长'.repeat(501) };
    expect((await call(on.world, on.person, 'POST', '/v1/credits-center/appeals', long)).status).toBe(400);
  });
});

describe('the desk', () => {
  const desk = () => on.world.money.centre.quests.desk;
  const find = async (code: string) => (await desk().all()).find((one) => one.code === code)!;

  test('a changed quest is a new version; what was begun keeps its own, and is not earned twice', async () => {
    await on.does(analysis('a'));
    const quest = await find('first-analysis');
    const { title, why, target, startsAt, endsAt, audience, actionUrl, campaignId, sort } = quest;
    const kept = { title, why, target, startsAt, endsAt, audience, actionUrl, campaignId, sort };
    await on.world.db.transaction((tx) => desk().change(tx, quest.id, 1, { ...kept, bonus: 99 }));
    expect(await on.quest(FIRST)).toMatchObject({ state: 1, bonus: 20 });
    const other = await makePerson(on.world);
    await on.does(analysis('a'), other);
    expect(await on.quest(FIRST, other)).toMatchObject({ state: 1, bonus: 99 });
    await on.does(analysis('b'));
    expect((await on.accept((await on.quest(FIRST)).record_id)).data.amount).toBe(20);
    await expect(
      on.world.db.transaction((tx) => desk().change(tx, quest.id, 1, { ...kept, bonus: 1 })),
    ).rejects.toMatchObject({ code: 30093 });
    await on.agrees();
  });

  test('a stopped quest counts nothing more, and what was finished can be claimed', async () => {
    await on.does(analysis('a'));
    const { record_id: id } = await on.quest(FIRST);
    const quest = await find('first-analysis');
    await on.world.db.transaction((tx) => desk().turn(tx, quest.id, 1, 'off'));
    const other = await makePerson(on.world);
    await on.does(analysis('a'), other);
    expect((await on.get('/v1/quests', other)).map(({ title }: any) => title)).not.toContain(FIRST);
    expect((await on.accept(id)).data.amount).toBe(20);
  });

  test('the dry run tells what last week’s events would pay', async () => {
    const other = await makePerson(on.world);
    await on.does(analysis('old'), on.person, new Date('2026-11-14T00:00:00Z'));
    for (const at of ['2026-11-20T02:00:00Z', '2026-11-20T03:00:00Z', '2026-11-21T02:00:00Z'])
      await on.does(analysis(at), on.person, new Date(at));
    await on.does(analysis('x'), other);
    await on.does(analysis('y', 'descriptive/frequency', true), other);
    expect(await desk().trial(await find('daily-analysis'))).toEqual({ credits: 6, people: 2 });
    expect(await desk().trial(await find('first-analysis'))).toEqual({ credits: 40, people: 2 });
    expect(await desk().trial(await find('weekly-methods'))).toEqual({ credits: 0, people: 0 });
    expect(await desk().trial(await find('invite-friend'))).toEqual({ credits: 0, people: 0 });
  });

  test('what was paid is taken back as far as it is there; the rest is written down', async () => {
    await on.does(analysis('a'));
    const { record_id: id } = await on.quest(FIRST);
    await on.accept(id);
    await on.world.db.transaction((tx) =>
      on.world.money.centre.credits.ledger.spend(tx, on.person.id, 15, { kind: 'adjust', key: 's', title: '用' }),
    );
    const { after } = await on.world.db.transaction((tx) => desk().takeBack(tx, id, 1, '重复注册', on.person.id));
    expect(after).toMatchObject({ state: 4, shortfall: 15, heldReason: '重复注册' });
    expect(await on.balance()).toBe(0);
    await on.agrees();
  });
});

test('what somebody did goes with the account; what it earned stays in the books under the bare number', async () => {
  await on.does({ kind: 'phone_bound', subject: 'digest' });
  await on.does(analysis('a'));
  await on.accept((await on.quest(FIRST)).record_id);
  await on.world.db.transaction((tx) => on.world.money.centre.forget(tx, on.person.id));
  expect(await rowsOf(on.world.db, sql`SELECT * FROM product_events`)).toEqual([]);
  expect(await rowsOf(on.world.db, sql`SELECT * FROM quest_hits`)).toEqual([]);
  expect(await rowsOf(on.world.db, sql`SELECT code, state FROM quest_records`)).toEqual([
    { code: 'first-analysis', state: 2 },
  ]);
  expect(await rowsOf(on.world.db, sql`SELECT amount FROM credit_entries`)).toEqual([{ amount: 20 }]);
  await on.agrees();
});

test('the deeds of the product are written with the deed', async () => {
  const digest = (await rowsOf(on.world.db, sql`SELECT phone_digest FROM users WHERE id = ${on.person.id}`))[0];
  const { findOrCreateByPhone } = await import('../accounts/store.ts');
  const made = await on.world.db.transaction((tx) =>
    findOrCreateByPhone(tx, { digest: 'new', sealed: 'new' }, '新人', null),
  );
  expect(made.isNew).toBe(true);
  await on.world.db.transaction((tx) =>
    findOrCreateByPhone(tx, { digest: digest.phone_digest, sealed: 'x' }, '旧人', null),
  );
  expect(await rowsOf(on.world.db, sql`SELECT user_id, kind, subject FROM product_events`)).toEqual([
    { user_id: made.user.id, kind: 'phone_bound', subject: 'new' },
  ]);
});
