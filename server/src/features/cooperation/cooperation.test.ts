import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { build, rowsOf } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { deskOf, enter, makeOperator } from '../../testing/desk.ts';
import { call } from '../../testing/makers.ts';
import type { Reply } from '../../testing/makers.ts';
import { cookieOf } from '../../testing/sign-in.ts';

let world: World;
let made = 0;
beforeAll(async () => {
  world = await build();
});
beforeEach(() => world.reset());
afterAll(() => world.close());

const send = (body: Record<string, unknown> = {}, cookie = ''): Promise<Reply> =>
  call(
    world,
    null,
    'POST',
    '/v1/cooperation',
    {
      name: '王老师',
      company: '某大学',
      mail: `a${(made += 1)}@b.cn`,
      topic: 'school',
      text: '想给统计课的两百名学生使用。',
      consent: true,
      request_id: `request-${made}`,
      ticket: 'sandbox',
      rand: '',
      ...body,
    },
    cookie ? { cookie } : {},
  );
const kept = async () =>
  rowsOf(world.db, sql`SELECT name, phone, mail, source, state FROM cooperation_leads ORDER BY id`);

test('a form gets a number, and the same request is the same form', async () => {
  const first = await send({ request_id: 'the-same-request', source: 'poster' });
  expect(first.data.number).toMatch(/^C\d{6}-[2-9A-HJKMNP-TV-Z]{4}$/);
  const again = await send({ request_id: 'the-same-request' }, cookieOf(first));
  expect(again.data).toEqual(first.data);
  expect(await kept()).toEqual([{ name: '王老师', phone: null, mail: 'a1@b.cn', source: 'poster', state: 'new' }]);
});

test('three a day of a device, and three of a contact from however many devices', async () => {
  const cookie = cookieOf(await send());
  for (let times = 0; times < 2; times += 1) expect((await send({}, cookie)).body.status_code).toBe(1);
  expect((await send({}, cookie)).body).toMatchObject({ err_code: 31521 });
  for (let times = 0; times < 3; times += 1) expect((await send({ mail: 'x@y.cn' })).body.status_code).toBe(1);
  expect((await send({ mail: 'X@Y.cn' })).body).toMatchObject({ err_code: 31521 });
  await world.db.execute(sql`UPDATE cooperation_leads SET created_at = now() - interval '25 hours'`);
  expect((await send({ mail: 'x@y.cn' }, cookie)).body.status_code).toBe(1);
});

test('four at once of one contact are three', async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, () => send({ phone: '13800138000', mail: '' })));
  expect(answers.filter(({ body }) => body.status_code === 1)).toHaveLength(3);
});

test.each([
  ['no way to be reached', { mail: '' }, 31522, '手机和邮箱至少填一项'],
  ['no captcha', { ticket: 'guessed' }, 30203, ''],
])('%s is refused in words', async (_, bad, code, text) => {
  expect((await send(bad)).body).toMatchObject({ err_code: code, msg: expect.stringContaining(text) });
  expect(await kept()).toEqual([]);
});

test('bad forms are refused and keep nothing', async () => {
  const bad: Record<string, unknown>[] = [
    { name: ' ' },
    { name: '字'.repeat(21) },
    { phone: '12345' },
    { mail: 'nobody' },
    { text: '太短了' },
    { text: '字'.repeat(501) },
    { topic: 'spam' },
    { consent: false },
    { extra: 1 },
  ];
  for (const one of bad) expect((await send(one)).status).toBe(400);
  expect((await send({ text: 'x'.repeat(20_000) })).status).toBe(413);
  expect(await kept()).toEqual([]);
});

test('a source of ten kilobytes is no source, and a script is a text', async () => {
  const script = '<script>alert(1)</script>';
  expect((await send({ name: script.slice(0, 20), text: script, source: 'x'.repeat(10_240) })).body.status_code).toBe(
    1,
  );
  expect(await kept()).toMatchObject([{ name: '<script>alert(1)</sc', source: null }]);
});

test('the desk sees it and follows it up; the log keeps no names', async () => {
  const { number } = (await send({ phone: '13800138001' })).data;
  const desk = deskOf(world, await enter(world, await makeOperator(world, ['客服'])));
  const row = async () => (await desk('GET', '/v1/ops/cooperation')).data.list[0];
  const shown = await row();
  expect(shown).toMatchObject({
    cells: { number, topic: '高校采购', name: '王老师', phone: '13800138001', state: '待联系' },
    acts: ['cooperation.follow'],
  });
  const follow = (version: number) =>
    desk('POST', '/v1/ops/acts', {
      act: 'cooperation.follow',
      target: shown.id,
      version,
      payload: { state: 'working', note: '已电话联系' },
      reason: '',
    });
  expect((await follow(1)).body.status_code).toBe(1);
  expect((await follow(1)).body).toMatchObject({ err_code: 30309 });
  expect((await row()).cells).toMatchObject({ state: '联系中', note: '已电话联系' });
  expect((await desk('GET', '/v1/ops/cooperation?state=new')).data.total).toBe(0);
  const log = JSON.stringify(await rowsOf(world.db, sql`SELECT before, after FROM act_log WHERE kind = 'cooperation'`));
  expect(log).toContain('working');
  expect(log).not.toMatch(/王老师|13800138001|电话/);
  const money = deskOf(world, await enter(world, await makeOperator(world, ['财务'])));
  expect((await money('GET', '/v1/ops/cooperation')).status).toBe(404);
});

test('two years later it is gone', async () => {
  await send();
  await world.db.execute(sql`UPDATE cooperation_leads SET created_at = now() - interval '25 months'`);
  await send();
  await world.cooperation.tidy();
  expect(await kept()).toHaveLength(1);
});
