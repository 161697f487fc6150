/** 双人编码 through the calls: drawn, coded by another person who sees no codes, compared and settled. */
import { sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { call, makePerson } from '../../testing/makers.ts';
import { fileStage } from '../../testing/stages.ts';
import { createRounds } from './rounds.ts';

const BASE = '/v1/text-analysis/codings';
const SECOND = '/v1/text-analysis/second-codings';
const N = 60;
const on = fileStage();
let { world, person, vid } = on;
let at: string;

beforeEach(async () => {
  ({ world, person, vid } = on);
  const texts = Array.from({ length: N }, (_, i) => `回答 ${i}`);
  world.engine.on('POST', '/tables/:key/answers', () => ({
    body: {
      texts,
      rows: texts.map(() => 1),
      first: texts.map((_, i) => i + 1),
      total: N,
      answered: N,
      masked: 0,
      cut: 0,
    },
  }));
  at = `${BASE}/${(await call(world, person, 'POST', BASE, { vid, column: 'c1', question: '意见' })).data.id}`;
});

const post = (path: string, body: Record<string, unknown> = {}, who = person) => call(world, who, 'POST', path, body);
const code = (count: number) =>
  post(`${at}/marks`, { answers: Array.from({ length: count }, (_, i) => ({ at: i, version: 0 })), on: [1] });

test('too little is coded for a second coder', async () => {
  await code(10);
  expect((await post(`${at}/rounds`, { kind: 'invited' })).body.msg).toContain('先编码至少 20 条');
});

test('a guest codes the sample without seeing codes; κ comes at the end, and settling changes the answer', async () => {
  await code(N);
  const [round] = (await post(`${at}/rounds`, { kind: 'invited' })).data.list;
  expect(round).toMatchObject({ size: 50, done: 0, agreement: null, differing: [] });
  expect((await call(world, person, 'GET', `${SECOND}/${round.code}`)).body.msg).toContain('给另一位编码者');
  const guest = await makePerson(world, '李四');
  const link = `${SECOND}/${round.code}`;
  const seen = (await call(world, guest, 'GET', link)).data;
  expect(seen).toMatchObject({ question: '意见', ended: false, answers: { length: 50 } });
  expect(seen.answers.every((one: any) => one.codes === null)).toBe(true);
  // The link belongs to who came first, and gives no way to the coding itself.
  expect((await call(world, await makePerson(world), 'GET', link)).status).toBe(404);
  expect((await call(world, guest, 'GET', at)).status).toBe(404);
  expect((await post(`${link}/finish`, {}, guest)).body.msg).toContain('还有 50 条没有编码');
  for (const { place } of seen.answers) {
    const put = await call(world, guest, 'PUT', link, { place, codes: [place === 0 ? 2 : 1] });
    expect(put.status).toBe(200);
  }
  expect((await call(world, guest, 'PUT', link, { place: 0, codes: [99] })).body.msg).toContain('码表里的编码');
  expect((await post(`${link}/finish`, {}, guest)).data.ended).toBe(true);
  expect((await call(world, guest, 'PUT', link, { place: 0, codes: [1] })).body.msg).toContain('已经提交');
  const [over] = (await call(world, person, 'GET', `${at}/rounds`)).data.list;
  expect(over).toMatchObject({
    done: 50,
    coder: '李四',
    agreement: { n: 50, codes: [{ code: 1, agreed: 0.98 }, {}, {}] },
  });
  expect(over.differing).toMatchObject([{ place: 0, first: [1], second: [2], settled: null }]);
  const [settled] = (await post(`${at}/rounds/${round.id}/settle`, { place: 0, codes: [2] })).data.list;
  expect(settled.differing[0].settled).toEqual([2]);
  const twos = (await call(world, person, 'GET', `${at}/answers?code=2`)).data;
  expect(twos).toMatchObject({ total: 1, list: [{ codes: [2], text: over.differing[0].text }] });
  expect((await call(world, person, 'GET', at)).data.undo).toBe('裁定 1 条回答');
  const empty = await post(`${at}/rounds/${round.id}/settle`, { place: 0, codes: [] });
  expect(empty.body.msg).toContain('至少一个编码');
  const settlement = async () => (await call(world, person, 'GET', `${at}/rounds`)).data.list[0].differing[0].settled;
  await post(`${at}/undo`);
  expect(await settlement()).toBeNull();
  await post(`${at}/redo`);
  expect(await settlement()).toEqual([2]);
});

test('oneself again only after a week', async () => {
  await code(N);
  expect((await post(`${at}/rounds`, { kind: 'self' })).body.msg).toContain('隔 7 天');
  await world.db.execute(sql`UPDATE coded_answers SET changed_at = now() - interval '8 days' WHERE at < 30`);
  // What somebody else has coded is no first coding of one's own.
  await world.db.execute(sql`UPDATE coded_answers SET changed_by = ${person.id + 1000} WHERE at < 5`);
  const [round] = (await post(`${at}/rounds`, { kind: 'self' })).data.list;
  expect(round.size).toBe(25);
  expect((await call(world, person, 'GET', `${SECOND}/${round.code}`)).data.answers).toHaveLength(25);
});

test('a guest who leaves lets the next one begin anew', async () => {
  await code(N);
  const [round] = (await post(`${at}/rounds`, { kind: 'invited' })).data.list;
  const link = `${SECOND}/${round.code}`;
  const guest = await makePerson(world, '李四');
  await call(world, guest, 'PUT', link, { place: 0, codes: [2] });
  // Forgetting needs no keys.
  const { forget } = createRounds({ db: world.db, keys: null as never });
  await world.db.transaction((tx) => forget(tx, guest.id));
  expect((await call(world, person, 'GET', `${at}/rounds`)).data.list[0]).toMatchObject({ done: 0, coder: null });
  expect((await call(world, await makePerson(world), 'GET', link)).status).toBe(200);
});

test('rounds of others are not found', async () => {
  await code(N);
  const [round] = (await post(`${at}/rounds`, { kind: 'invited' })).data.list;
  const other = await makePerson(world);
  expect((await call(world, other, 'GET', `${at}/rounds`)).status).toBe(404);
  expect((await call(world, other, 'DELETE', `${at}/rounds/${round.id}`)).status).toBe(404);
  expect((await call(world, person, 'DELETE', `${at}/rounds/${round.id}`)).status).toBe(200);
  expect((await call(world, other, 'GET', `${SECOND}/${round.code}`)).status).toBe(404);
});
