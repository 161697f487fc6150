import { createCanvas, loadImage } from '@napi-rs/canvas';
import { sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { rowsOf } from '../../testing/build.ts';
import { deskOf, enter, makeOperator } from '../../testing/desk.ts';
import { call, makePerson } from '../../testing/makers.ts';
import { personStage } from '../../testing/stages.ts';

let made = 0;
const on = personStage();
let { world, person } = on;
beforeEach(() => {
  ({ world, person } = on);
});

const send = (body: Record<string, unknown> = {}, who = person) =>
  call(world, who, 'POST', '/v1/feedback', {
    type: 'fault',
    text: '导出的图里少了图例',
    request_id: `request-${(made += 1)}`,
    ...body,
  });

async function sendImage(bytes: Buffer, who = person) {
  const headers = { authorization: `Bearer ${who.token}`, 'content-type': 'application/octet-stream' };
  const answer = await world.app.inject({ method: 'POST', url: '/v1/feedback/images', headers, payload: bytes });
  return answer.json();
}
const picture = (width: number, height: number): Buffer => createCanvas(width, height).toBuffer('image/png');

test('what is sent is shown to its sender, and the same request is one feedback', async () => {
  const first = await send({ request_id: 'the-same-request', context: { page: '/analysis/index', rid: 'abc' } });
  expect(first.data).toMatchObject({ type: 'fault', state: 'sent', images: 0 });
  expect(first.data.messages).toMatchObject([{ by: 'person', text: '导出的图里少了图例' }]);
  const again = await send({ request_id: 'the-same-request' });
  expect(again.data.id).toBe(first.data.id);
  expect((await call(world, person, 'GET', '/v1/feedback')).data).toMatchObject({ total: 1, list: [first.data] });
});

test('short texts, unknown keys, bad pictures and an eleventh of the day are refused in words', async () => {
  expect((await send({ text: ' 坏了 ' })).body).toMatchObject({ err_code: 31511, msg: '内容至少 5 个字' });
  expect((await send({ text: '字'.repeat(2001) })).status).toBe(400);
  expect((await send({ context: { cells: [1] } })).status).toBe(400);
  expect((await send({ images: [1, 2, 3, 4, 5] })).status).toBe(400);
  expect(await sendImage(Buffer.from('<svg onload=alert(1)>'))).toMatchObject({
    err_code: 31512,
    msg: '图片仅支持 PNG、JPG，5 MB 以内',
  });
  for (let times = 0; times < 10; times += 1) expect((await send()).status).toBe(200);
  expect((await send()).body).toMatchObject({ err_code: 31513, msg: '今日提交次数已达上限' });
  expect((await send({}, await makePerson(world))).body.status_code).toBe(1);
});

test('a picture goes with one feedback of its owner', async () => {
  const { image } = (await sendImage(picture(40, 30))).data;
  const other = await makePerson(world);
  expect((await send({ images: [image] }, other)).status).toBe(404);
  expect((await call(world, other, 'GET', '/v1/feedback')).data.total).toBe(0);
  expect((await send({ images: [image] })).data.images).toBe(1);
  expect((await send({ images: [image] })).status).toBe(404);
});

test('the desk sees it with its pictures, answers, closes; the person adds and it waits again', async () => {
  const images = [(await sendImage(picture(40, 30))).data.image, (await sendImage(picture(60, 20))).data.image];
  const { id } = (await send({ images, contact: '微信 abc' })).data;
  const staff = await enter(world, await makeOperator(world, ['客服']));
  const desk = deskOf(world, staff);
  const row = async () => (await desk('GET', '/v1/ops/feedback')).data.list[0];
  const act = async (name: string, payload = {}) =>
    desk('POST', '/v1/ops/acts', {
      act: name,
      target: String(id),
      version: (await row()).version,
      payload,
      reason: '',
    });
  expect(await row()).toMatchObject({
    has_proof: true,
    cells: { type: '问题报错', text: '导出的图里少了图例', contact: '微信 abc', state: '已提交' },
    acts: ['feedback.take', 'feedback.answer', 'feedback.close'],
  });
  const paper = (await desk('GET', `/v1/ops/proofs/feedback/${id}`)).data;
  const { width, height } = await loadImage(Buffer.from(paper.base64, 'base64'));
  expect([paper.mime, width, height]).toEqual(['image/jpeg', 60, 30 + 16 + 20]);

  const read = async () => (await call(world, person, 'GET', `/v1/feedback/${id}`)).data;
  expect((await act('feedback.take')).body.status_code).toBe(1);
  expect((await read()).state).toBe('working');
  expect((await act('feedback.answer', { text: '请更新后再试。' })).body.status_code).toBe(1);
  expect(await read()).toMatchObject({ state: 'answered', messages: [{}, { by: 'desk', text: '请更新后再试。' }] });
  const more = await call(world, person, 'POST', `/v1/feedback/${id}/messages`, { text: '更新后还是没有' });
  expect(more.data).toMatchObject({ state: 'sent', messages: [{}, {}, { by: 'person' }] });
  expect((await act('feedback.close', { state: 'solved', text: '已在新版修复' })).body.status_code).toBe(1);
  expect((await read()).state).toBe('solved');
  // What was said and how to reach the person stay out of the log.
  const log = JSON.stringify(await rowsOf(world.db, sql`SELECT before, after FROM act_log WHERE kind = 'feedback'`));
  expect(log).not.toMatch(/图例|abc|新版/);

  const money = deskOf(world, await enter(world, await makeOperator(world, ['财务'])));
  expect((await money('GET', '/v1/ops/feedback')).status).toBe(404);
  expect((await money('GET', `/v1/ops/proofs/feedback/${id}`)).status).toBe(404);
});

test('it leaves with the account, and pictures nobody sent leave after a day', async () => {
  await sendImage(picture(10, 10));
  const { image } = (await sendImage(picture(10, 10))).data;
  await send({ images: [image] });
  await world.db.execute(sql`UPDATE feedback_images SET created_at = now() - interval '25 hours'`);
  await world.feedbacks.tidy();
  expect(await rowsOf(world.db, sql`SELECT id FROM feedback_images`)).toEqual([{ id: image }]);
  await world.db.transaction((tx) => world.feedbacks.forget(tx, person.id));
  const left = sql`SELECT (SELECT count(*)::int FROM feedback) + (SELECT count(*)::int FROM feedback_messages)
    + (SELECT count(*)::int FROM feedback_images) AS n`;
  expect(await rowsOf(world.db, left)).toEqual([{ n: 0 }]);
});
