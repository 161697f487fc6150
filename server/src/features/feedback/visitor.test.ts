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
    '/v1/feedback/visitor',
    {
      type: 'idea',
      text: '首页的字太小了',
      request_id: `request-${(made += 1)}`,
      ticket: 'sandbox',
      rand: '',
      ...body,
    },
    cookie ? { cookie } : {},
  );
const kept = async () => rowsOf(world.db, sql`SELECT user_id, contact FROM feedback ORDER BY id`);

test('three a day of one device, each once; another device may go on', async () => {
  const first = await send({ contact: 'a@b.cn', request_id: 'the-same-request' });
  expect(first.body).toEqual({ status_code: 1, data: null });
  const cookie = cookieOf(first);
  expect((await send({ request_id: 'the-same-request' }, cookie)).body.status_code).toBe(1);
  expect(await kept()).toEqual([{ user_id: null, contact: 'a@b.cn' }]);
  for (let times = 0; times < 2; times += 1) expect((await send({}, cookie)).body.status_code).toBe(1);
  expect((await send({}, cookie)).body).toMatchObject({ err_code: 31513, msg: '今日提交次数已达上限' });
  expect((await send()).body.status_code).toBe(1);
  await world.db.execute(sql`UPDATE feedback SET created_at = now() - interval '25 hours'`);
  expect((await send({}, cookie)).body.status_code).toBe(1);
});

test('a network has its limit, however many devices it makes up', async () => {
  await send();
  await world.db.execute(sql`INSERT INTO feedback (type, request_id, device_id, net_digest)
    SELECT 'idea', 'r' || n, 'd' || n, net_digest FROM feedback, generate_series(1, 59) n`);
  expect((await send()).body).toMatchObject({ err_code: 31513 });
});

test('without a captcha, with pictures or too little text nothing is kept', async () => {
  for (const bad of [{ ticket: 'guessed' }, { ticket: 'trerror_1001' }])
    expect((await send(bad)).body).toMatchObject({ err_code: 30203 });
  expect((await send({ ticket: '' })).status).toBe(400);
  expect((await send({ images: [1] })).status).toBe(400);
  expect((await send({ text: '短' })).body).toMatchObject({ err_code: 31511 });
  expect(await kept()).toEqual([]);
});

test('the desk sees that it came from a visitor and may answer and close it', async () => {
  await send({ contact: '微信 abc' });
  const desk = deskOf(world, await enter(world, await makeOperator(world, ['客服'])));
  const [row] = (await desk('GET', '/v1/ops/feedback')).data.list;
  expect(row).toMatchObject({ cells: { user_id: '访客', contact: '微信 abc' }, has_proof: false });
  const payload = { state: 'solved', text: '已调整' };
  const closed = await desk('POST', '/v1/ops/acts', { act: 'feedback.close', target: row.id, version: 1, payload });
  expect(closed.body.status_code).toBe(1);
});

test('two years later it is gone', async () => {
  await send();
  await send();
  await world.db.execute(sql`UPDATE feedback SET created_at = now() - interval '731 days' WHERE id = 1`);
  await world.feedbacks.tidy();
  expect(await rowsOf(world.db, sql`SELECT feedback_id FROM feedback_messages`)).toEqual([{ feedback_id: 2 }]);
});
