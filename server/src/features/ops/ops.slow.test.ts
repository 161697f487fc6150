/** The operator's desk over HTTP: who gets in, and what each role may do. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyLog } from '../../lib/act-log.ts';
import { build, rowsOf } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { call, makePerson } from '../../testing/makers.ts';
import type { Person, Reply } from '../../testing/makers.ts';
import { age } from '../../testing/sign-in.ts';
import { deskOf, enter, makeOperator } from '../../testing/desk.ts';
import type { Staff } from '../../testing/desk.ts';
import { LISTS, ROLES } from './schema.ts';
import type { Role } from './schema.ts';

let world: World;
/** How far the clock has been put forward, in minutes. */
let ahead = 0;

beforeAll(async () => {
  world = await build({ clock: async () => new Date(Date.now() + ahead * 60_000) });
});
beforeEach(async () => {
  ahead = 0;
  await world.reset();
});
afterAll(() => world.close());

const CALLS: [Parameters<typeof call>[2], string, Record<string, unknown> | undefined][] = [
  ['GET', '/v1/ops/me', undefined],
  ['POST', '/v1/ops/session/code', undefined],
  ['POST', '/v1/ops/session', { verify_key: 'x', verify_code: '1' }],
  ['POST', '/v1/ops/session', { nonsense: true }],
  ['DELETE', '/v1/ops/session', undefined],
  ['POST', '/v1/ops/acts', { act: 'user.ban', target: '1' }],
  ['POST', '/v1/ops/acts', { nonsense: true }],
  ['POST', '/v1/ops/requests/1/approve', undefined],
  ['POST', '/v1/ops/requests/1/refuse', { reason: '' }],
  ['GET', '/v1/ops/customers/1', undefined],
  ['GET', '/v1/ops/proofs/edu/1', undefined],
  ['POST', '/v1/ops/export', { list: 'users' }],
  ['GET', '/v1/ops/exports/1', undefined],
  ['PUT', '/v1/ops/acts', undefined],
  ['GET', '/v1/ops/nowhere', undefined],
  ...LISTS.map((list) => ['GET', `/v1/ops/${list}`, undefined] as [Parameters<typeof call>[2], string, undefined]),
];
const NOTHING = { status_code: 0, err_code: 30093, msg: '未找到该资源' };

describe('who is no operator', () => {
  test('finds nothing: as a visitor, as a person, as one who was an operator', async () => {
    const person = await makePerson(world);
    const former = await makeOperator(world, ['运维']);
    await world.db.execute(sql`UPDATE operators SET state = 'stopped'`);
    for (const [method, url, body] of CALLS)
      for (const who of [null, person, former]) {
        const reply = await call(world, who, method, url, body);
        expect([method, url, reply.status, reply.body]).toEqual([method, url, 404, NOTHING]);
      }
  });

  test('nor from another network than the ones that are named', async () => {
    const far = await build({ env: { HENGXI_OPS_NETS: '10.0.0.0/8' } });
    try {
      const staff = await makeOperator(far, ['运维']);
      expect((await call(far, staff, 'GET', '/v1/ops/me')).body).toEqual(NOTHING);
    } finally {
      await far.close();
    }
  });
});

describe('entering', () => {
  const at = (staff: Staff, url = '/v1/ops/log') => deskOf(world, staff)('GET', url);

  test('needs a fresh code of the own phone, once', async () => {
    const staff = await makeOperator(world, ['客服']);
    expect((await call(world, staff, 'GET', '/v1/ops/me')).data).toMatchObject({
      roles: ['客服'],
      phone: `${staff.phone.slice(0, 3)}****${staff.phone.slice(-4)}`,
      entered: null,
      lists: [],
    });
    expect((await at(staff)).body).toMatchObject({ err_code: 30404, msg: '操作员会话已过期，请重新验证' });
    const sent = await call(world, staff, 'POST', '/v1/ops/session/code');
    const inbox = await call(world, null, 'GET', `/sandbox/sms?phone=${staff.phone}`);
    const right = { verify_key: sent.data.verify_key, verify_code: inbox.data.list[0].code };
    const wrong = { ...right, verify_code: right.verify_code === '000000' ? '111111' : '000000' };
    const give = (who: Staff, body: Record<string, unknown>) => call(world, who, 'POST', '/v1/ops/session', body);
    expect((await give(staff, wrong)).body).toMatchObject({ err_code: 20013 });
    const other = await makeOperator(world, ['客服']);
    expect((await give(other, right)).body).toMatchObject({ err_code: 20012 });
    const entered = await give(staff, right);
    expect(entered.data).toMatchObject({ roles: ['客服'], entered: { idle_minutes: 30 } });
    expect(String(entered.headers['set-cookie'])).toContain('HttpOnly');
    expect((await give(staff, right)).body).toMatchObject({ err_code: 20012 });
    expect(await rowsOf(world.db, sql`SELECT act, actor FROM act_log WHERE act = 'desk.enter'`)).toEqual([
      { act: 'desk.enter', actor: staff.id },
    ]);
  });

  test('an old code is refused', async () => {
    const staff = await makeOperator(world, ['客服']);
    const sent = await call(world, staff, 'POST', '/v1/ops/session/code');
    const inbox = await call(world, null, 'GET', `/sandbox/sms?phone=${staff.phone}`);
    await world.db.execute(sql`UPDATE sms_codes SET ends_at = now() - interval '1 minute'`);
    const given = { verify_key: sent.data.verify_key, verify_code: inbox.data.list[0].code };
    expect((await call(world, staff, 'POST', '/v1/ops/session', given)).body).toMatchObject({ err_code: 20012 });
  });

  test('half an hour without a call ends it, eight hours end it whatever was called', async () => {
    const staff = await enter(world, await makeOperator(world, ['审计']));
    ahead = 29;
    expect((await at(staff)).status).toBe(200);
    ahead = 58;
    expect((await at(staff)).status).toBe(200);
    ahead = 88.5;
    expect((await at(staff)).body).toMatchObject({ err_code: 30404 });
    // It does not begin anew when the clock is set back.
    ahead = 60;
    expect((await at(staff)).body).toMatchObject({ err_code: 30404 });
    ahead = 0;
    await age(world, 2);
    const again = await enter(world, staff);
    for (ahead = 0; ahead < 8 * 60; ahead += 20) expect((await at(again)).status).toBe(200);
    ahead = 8 * 60 + 1;
    expect((await at(again)).body).toMatchObject({ err_code: 30404 });
  });

  test('one at a time; only with the cookie; left by a click', async () => {
    const first = await enter(world, await makeOperator(world, ['审计']));
    await age(world, 2);
    const second = await enter(world, first);
    expect((await at(first)).body).toMatchObject({ err_code: 30404 });
    expect((await at(second)).status).toBe(200);
    expect((await call(world, second, 'GET', '/v1/ops/log')).body).toMatchObject({ err_code: 30404 });
    await deskOf(world, second)('DELETE', '/v1/ops/session');
    expect((await at(second)).body).toMatchObject({ err_code: 30404 });
  });
});

/** What the table of the operations page says, act by act: who does it, who may ask for it. */
const RIGHTS: Record<string, [Role[], Role[]?]> = {
  'user.ban': [['客服', '内容', '运维']],
  'user.unban': [['客服', '运维']],
  'user.end_sessions': [['客服', '运维']],
  'grant.days': [['财务'], ['客服']],
  'grant.points': [['财务'], ['客服']],
  'order.query': [['客服', '财务']],
  'order.refund': [['财务'], ['客服']],
  'refund.agree': [['财务'], ['客服']],
  'refund.refuse': [['财务'], ['客服']],
  'refund.retry': [['财务']],
  'refund.done': [['财务']],
  'anomaly.attach': [['财务']],
  'anomaly.refund': [['财务'], ['客服']],
  'transfer.match': [['财务']],
  'transfer.confirm': [['财务']],
  'transfer.return': [['财务']],
  'invoice.issue': [['财务']],
  'invoice.refuse': [['财务']],
  'invoice.void': [['财务']],
  'package.make': [['财务']],
  'package.change': [['财务']],
  'package.stop': [['财务']],
  'coupon.make': [['财务']],
  'coupon.limit': [['财务']],
  'coupon.stop': [['财务']],
  'edu.approve': [['客服', '内容']],
  'edu.refuse': [['客服', '内容']],
  'feedback.take': [['客服', '内容']],
  'feedback.answer': [['客服', '内容']],
  'feedback.close': [['客服', '内容']],
  'cooperation.follow': [['客服', '内容']],
  'contest.make': [['内容']],
  'contest.edit': [['内容']],
  'contest.open': [['内容']],
  'contest.postpone': [['内容']],
  'contest.notice': [['内容']],
  'contest.file': [['内容']],
  'contest.judge': [['内容']],
  'contest.judge.end': [['内容']],
  'contest.draw': [['内容']],
  'contest.assign': [['内容']],
  'contest.publish': [['内容']],
  'contest.certificate.revoke': [['内容']],
  'contest.certificate.replace': [['内容']],
  'contest.settle': [['财务'], ['内容']],
  'contest.appeal': [['客服', '内容']],
  'credits.adjust': [['财务'], ['客服']],
  'credits.hold': [['客服']],
  'credits.release': [['客服']],
  'mall_item.make': [['内容']],
  'mall_item.change': [['内容']],
  'mall_item.on': [['内容']],
  'mall_item.off': [['内容']],
  'mall_order.refund': [['财务'], ['客服']],
  'quest.make': [['内容']],
  'quest.change': [['内容']],
  'quest.on': [['内容']],
  'quest.off': [['内容']],
  'quest_record.pass': [['客服']],
  'quest_record.void': [['客服']],
  'quest_record.take_back': [['财务'], ['客服']],
  'appeal.decide': [['客服']],
  'banner.make': [['内容']],
  'banner.change': [['内容']],
  'broadcast.make': [['内容']],
  'broadcast.change': [['内容']],
  'limits.change': [['运维']],
  'outbox.retry': [['运维']],
  'outbox.drop': [['运维']],
  'settings.change': [['财务']],
  'run.cancel': [['运维']],
  'share.stop': [['内容']],
  'year_report.change': [['内容']],
  'enterprise.seats': [['财务', '运维'], ['客服']],
  'enterprise.term': [['财务', '运维'], ['客服']],
  'enterprise.owner': [['财务', '运维'], ['客服']],
  'enterprise.freeze': [['运维'], ['客服', '财务']],
  'enterprise.unfreeze': [['运维'], ['客服', '财务']],
  'enterprise.storage': [['运维'], ['客服']],
  'trial.approve': [['客服', '财务']],
  'trial.refuse': [['客服', '财务']],
  'contract.archive': [['财务']],
  'tenancy.change': [['运维']],
};
const SEEN: Record<Role, string> = {
  客服: 'users user_files user_sessions orders payments anomalies refunds edu feedback cooperation help_feedback nps nps_answers contest_appeals contest_certificates quests quest_records appeals mall_items mall_orders credits credit_entries enterprises requests log',
  财务: 'users orders payments anomalies refunds transfers invoices bills bill_days settings packages coupons quest_records mall_orders credits credit_entries credit_ages books enterprises contracts requests log',
  内容: 'users packages coupons edu feedback cooperation help_feedback nps nps_answers contests contest_works contest_judges contest_appeals contest_certificates banners broadcasts shares year_reports quests mall_items requests log',
  运维: 'users user_files user_sessions orders payments anomalies books limits enterprises tenancy health jobs outbox requests log',
  审计: LISTS.join(' '),
};

test('each role does what the table says and nothing else', async () => {
  expect([...world.ops.acts.keys()].toSorted()).toEqual(Object.keys(RIGHTS).toSorted());
  for (const role of ROLES) {
    const staff = await enter(world, await makeOperator(world, [role]));
    const desk = deskOf(world, staff);
    for (const [act, [doers, askers = []]] of Object.entries(RIGHTS)) {
      // A target that does not exist: who may act gets past the right and finds nothing, or a fault of the form.
      const reply = await desk('POST', '/v1/ops/acts', { act, target: '999999', reason: '测试权限表' });
      const isRefused = reply.body.err_code === 30305;
      expect([role, act, isRefused]).toEqual([role, act, ![...doers, ...askers].includes(role)]);
      expect(reply.body.status_code).toBe(0);
    }
    const seen = await Promise.all(
      LISTS.map(async (list) => ((await desk('GET', `/v1/ops/${list}`)).status === 200 ? list : '')),
    );
    expect([role, seen.filter(Boolean).join(' ')]).toEqual([role, SEEN[role]]);
  }
  expect(await rowsOf(world.db, sql`SELECT act FROM act_log WHERE act NOT IN ('desk.enter', 'operator.set')`)).toEqual(
    [],
  );
});

describe('accounts', () => {
  let person: Person;
  let staff: Staff;
  const act = (body: Record<string, unknown>): Promise<Reply> => deskOf(world, staff)('POST', '/v1/ops/acts', body);
  beforeEach(async () => {
    person = await makePerson(world, '=1+1');
    staff = await enter(world, await makeOperator(world, ['客服', '财务']));
  });

  test('are found by number, exact phone and order, with the phone masked', async () => {
    const desk = deskOf(world, staff);
    const masked = `${person.phone.slice(0, 3)}****${person.phone.slice(-4)}`;
    const asked = [
      `id=${person.id}`,
      `phone=${person.phone}`,
      `who=${person.id}`,
      `who=${person.phone}`,
      'who=%3D1%2B',
    ];
    for (const query of asked) {
      const reply = await desk('GET', `/v1/ops/users?${query}`);
      expect(reply.data.list).toMatchObject([{ id: String(person.id), cells: { phone: masked, state: '正常' } }]);
      expect(reply.text).not.toContain(person.phone);
    }
    expect((await desk('GET', '/v1/ops/users')).data).toMatchObject({
      total: 0,
      hint: '按完整手机号、昵称、用户编号或订单号查找，点编号打开客户页。',
    });
    expect((await desk('GET', '/v1/ops/users?id=1%20OR%201')).data.total).toBe(0);
  });

  test('one customer on one page: what each role may see, files masked, the look in the log', async () => {
    await call(world, person, 'POST', '/v1/feedback', {
      type: 'idea',
      text: '希望能导出图片',
      request_id: 'customer-page-1',
    });
    const page = await deskOf(world, staff)('GET', `/v1/ops/customers/${person.id}`);
    expect(page.data).toMatchObject({ id: person.id, name: '=1+1' });
    const names = (reply: Reply): string[] => reply.data.lists.map(({ name }: { name: string }) => name);
    expect(names(page)).toEqual(['users', 'orders', 'feedback', 'user_files', 'user_sessions', 'log']);
    const [, , told, , sessions] = page.data.lists;
    expect(told).toMatchObject({ total: 1, list: [{ cells: { text: '希望能导出图片' } }] });
    expect(sessions).toMatchObject({ total: 1 });
    expect(page.text).not.toContain(person.phone);
    expect(await rowsOf(world.db, sql`SELECT actor, kind, target FROM act_log WHERE act = 'customer.view'`)).toEqual([
      { actor: staff.id, kind: 'user', target: String(person.id) },
    ]);
    const content = await enter(world, await makeOperator(world, ['内容']));
    const less = await deskOf(world, content)('GET', `/v1/ops/customers/${person.id}`);
    expect(names(less)).toEqual(['users', 'feedback', 'log']);
    // The look of the other operator is the auditor's to see.
    expect(less.data.lists.at(-1)).toMatchObject({ total: 0 });
    expect((await deskOf(world, staff)('GET', '/v1/ops/customers/999999')).status).toBe(404);
  });

  test('what cannot be undone stands last among the acts of a row', async () => {
    const row = (await deskOf(world, staff)('GET', `/v1/ops/users?id=${person.id}`)).data.list[0];
    expect(row.acts).toEqual(['grant.days', 'grant.points', 'user.ban', 'user.end_sessions']);
  });

  test('a ban takes effect on the next call, is one row of the log, and ends', async () => {
    const target = String(person.id);
    expect((await act({ act: 'user.ban', target, reason: '短' })).body).toMatchObject({ err_code: 30405 });
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const ban = { act: 'user.ban', target, payload: { until }, reason: '多次恶意退款' };
    const over = { ...ban, payload: { until: '2020-01-01T00:00:00Z' } };
    expect((await act(over)).body).toMatchObject({ err_code: 30408, msg: '封禁截止时间须在将来' });
    expect((await act(ban)).data).toEqual({ state: 'done', request_id: null, msg: '操作成功' });
    expect((await call(world, person, 'GET', '/v1/user')).body).toMatchObject({
      err_code: 20023,
      data: { reason: '多次恶意退款', until },
    });
    const [row] = await rowsOf(world.db, sql`SELECT * FROM act_log WHERE act = 'user.ban'`);
    expect(row).toMatchObject({
      scope: 'ops',
      actor: staff.id,
      role: '客服',
      kind: 'user',
      target,
      before: { banned_at: null },
      after: { reason: '多次恶意退款', until },
      reason: '多次恶意退款',
    });
    await act({ act: 'user.unban', target, reason: '申诉成立，解除' });
    expect(await rowsOf(world.db, sql`SELECT banned_at FROM users WHERE id = ${person.id}`)).toEqual([
      { banned_at: null },
    ]);
  });

  test('sessions end; the own account is refused', async () => {
    const ended = await act({ act: 'user.end_sessions', target: String(person.id), reason: '用户报告账号被盗' });
    expect(ended.data).toMatchObject({ state: 'done' });
    expect((await call(world, person, 'GET', '/v1/user')).status).toBe(401);
    for (const name of ['user.ban', 'user.end_sessions', 'grant.days', 'grant.points'])
      expect((await act({ act: name, target: String(staff.id), reason: '给自己来一点' })).body).toMatchObject({
        err_code: 30406,
        msg: '不能操作本人账号',
      });
  });

  test('grants: alone up to 31 days and 100 points and three a day, above by two', async () => {
    const grant = (name: string, payload: Record<string, unknown>) =>
      act({ act: name, target: String(person.id), payload, reason: '补偿服务中断' });
    await world.db.execute(sql`UPDATE sessions SET proved_at = NULL WHERE id = ${staff.sessionId}`);
    expect((await grant('grant.days', { days: 3 })).body).toMatchObject({ err_code: 30002 });
    await world.db.execute(sql`UPDATE sessions SET proved_at = now() WHERE id = ${staff.sessionId}`);
    expect((await grant('grant.days', { days: 32 })).data).toMatchObject({
      state: 'waiting',
      msg: '需要另一位操作员审批，已提交',
    });
    expect((await grant('grant.points', { points: 101 })).data).toMatchObject({ state: 'waiting' });
    expect((await grant('grant.days', { days: 31 })).data).toMatchObject({ state: 'done' });
    expect((await grant('grant.points', { points: 100 })).data).toMatchObject({ state: 'done' });
    expect((await grant('grant.points', { points: 1 })).data).toMatchObject({ state: 'done' });
    expect((await grant('grant.points', { points: 1 })).data).toMatchObject({ state: 'waiting' });
    expect((await grant('grant.points', { points: 1.5 })).body).toMatchObject({ err_code: 30090 });
    const user = (await call(world, person, 'GET', '/v1/user')).data;
    expect(user).toMatchObject({ is_vip: true, user_ai_point: 101 });
    const rows = await rowsOf(
      world.db,
      sql`SELECT act, before, after FROM act_log WHERE act LIKE 'grant.%' ORDER BY seq`,
    );
    expect(rows.map((row) => row.act)).toEqual(['grant.days', 'grant.points', 'grant.points']);
    // Where one operator may do both, the own request is approved all the same, and logged as one.
    const [waiting] = await rowsOf(world.db, sql`SELECT id FROM ops_requests WHERE act = 'grant.days'`);
    expect((await deskOf(world, staff)('GET', '/v1/ops/me')).data).toMatchObject({
      single_operator: true,
      single_warning: false,
    });
    const approved = await deskOf(world, staff)('POST', `/v1/ops/requests/${waiting.id}/approve`);
    expect(approved.data).toMatchObject({ state: 'done', request_id: waiting.id });
    expect(rows[2]).toMatchObject({ before: { user_ai_point: 100 }, after: { user_ai_point: 101, points: 1 } });
  });

  test('lists leave as csv: nothing runs in it, the phone is masked, the reason is logged, the file is the own', async () => {
    const desk = deskOf(world, staff);
    const filters = { id: String(person.id) };
    expect((await desk('POST', '/v1/ops/export', { list: 'users', filters })).body).toMatchObject({ err_code: 30405 });
    const made = await desk('POST', '/v1/ops/export', { list: 'users', filters, reason: '核对用户资料' });
    expect(made.data).toMatchObject({ rows: 1 });
    const { data } = await desk('GET', `/v1/ops/exports/${made.data.id}`);
    expect(data.text.slice(0, 10)).toBe('\uFEFF编号,昵称,手机号');
    expect(data.text).toContain(`${person.id},'=1+1,${person.phone.slice(0, 3)}****`);
    const other = await enter(world, await makeOperator(world, ['审计']));
    expect((await deskOf(world, other)('GET', `/v1/ops/exports/${made.data.id}`)).status).toBe(404);
    ahead = 25 * 60;
    await world.db.execute(
      sql`UPDATE ops_sessions SET seen_at = now() + interval '25 hours', ends_at = now() + interval '30 hours'`,
    );
    expect((await desk('GET', `/v1/ops/exports/${made.data.id}`)).status).toBe(404);
    expect(await rowsOf(world.db, sql`SELECT target, reason FROM act_log WHERE act = 'list.export'`)).toEqual([
      { target: 'users', reason: '核对用户资料' },
    ]);
    expect(await verifyLog(world.db)).toMatchObject({ broken: null });
  });
});
