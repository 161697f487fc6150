import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { build, rowsOf } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { deskOf, enter, makeOperator } from '../../testing/desk.ts';
import { call, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { createNps, daysAfter, isSampled } from './service.ts';
import type { Nps } from './service.ts';

const DAY = 86_400_000;
const START = Date.parse('2026-11-27T04:00:00Z');
let now = START;
let world: World;
let person: Person;
let nps: Nps;
let work = { runs: 5, days: 3, open: 0 };

const actorOf = ({ id }: Person, isDemo = false) => ({
  userId: id,
  sessionId: 1,
  owner: { kind: 'user' as const, id },
  isDemo,
  fillsMissing: false,
});
beforeAll(async () => {
  world = await build();
});
beforeEach(async () => {
  await world.reset();
  now = START;
  work = { runs: 5, days: 3, open: 0 };
  person = await makePerson(world);
  nps = createNps({
    db: world.db,
    keys: world.deps.keys,
    clock: async () => new Date(now),
    workOf: async () => work,
    createdAt: async () => new Date(START - 30 * DAY),
    editionOf: async () => 'standard',
    sample: 10_000,
  });
});
afterAll(() => world.close());

const ask = (who = person) => nps.popup(actorOf(who), 20_000, true);
async function shown(who = person) {
  const { token, survey_id: survey } = await ask(who);
  if (token === null || survey === null) throw new Error('nobody was asked');
  return { token, survey_id: survey, comment: '', contact_ok: false, page: '', app_version: '' };
}

describe('who is asked', () => {
  it('somebody with an account of 30 days and 5 analyses on 3 days, a result open for 20 seconds', async () => {
    expect(await nps.popup(actorOf(person), 0, true)).toEqual({
      show: false,
      survey_id: null,
      token: null,
      delay_ms: 20_000,
    });
    expect(await nps.popup(actorOf(person), 19_999, true)).toMatchObject({ show: false, delay_ms: 1 });
    expect(await ask()).toMatchObject({ show: true, survey_id: '2026Q4', delay_ms: 0 });
  });

  it.each([
    ['four analyses', { runs: 4, days: 3, open: 0 }],
    ['two days', { runs: 5, days: 2, open: 0 }],
    ['a run under way', { runs: 5, days: 3, open: 1 }],
  ])('nobody with %s', async (_, short) => {
    work = short;
    expect(await ask()).toEqual({ show: false, survey_id: null, token: null, delay_ms: null });
  });

  it('nobody with an account younger by a millisecond, on a phone, or in the demo account', async () => {
    now = START - 1;
    expect((await ask()).show).toBe(false);
    now = START;
    expect((await nps.popup(actorOf(person), 20_000, false)).show).toBe(false);
    expect((await nps.popup(actorOf(person, true), 20_000, true)).show).toBe(false);
  });

  it('of many about one in a hundred, the same all day', () => {
    const at = new Date(START);
    const asked = Array.from({ length: 20_000 }, (_, id) => isSampled(id, at)).filter(Boolean).length;
    // Binomial(20,000; 0.01): four standard deviations.
    expect(asked).toBeGreaterThan(143);
    expect(asked).toBeLessThan(257);
    expect(isSampled(7, at, 5000)).toBe(isSampled(7, new Date(START + 3_600_000), 5000));
  });

  it('two tabs that ask at once: one card', async () => {
    const answers = await Promise.all([ask(), ask(), ask(), ask()]);
    expect(answers.filter(({ show }) => show)).toHaveLength(1);
  });
});

describe('when again', () => {
  it.each([
    [[], 0],
    [['answer'], 180],
    [['close'], 90],
    [[null], 90],
    [['later'], 14],
    [['later', 'later'], 14],
    [['later', 'later', 'later'], 180],
    [['later', 'answer', 'later', 'later'], 14],
    [['never'], Number.POSITIVE_INFINITY],
  ] as const)('%j: %d days', (outcomes, days) => {
    expect(daysAfter(outcomes)).toBe(days);
  });

  it.each([
    ['answer', 180],
    ['close', 90],
    ['later', 14],
  ] as const)('%s: not a millisecond before %d days', async (action, days) => {
    await nps.answer(actorOf(person), { ...(await shown()), action, ...(action === 'answer' ? { score: 9 } : {}) });
    now = START + days * DAY - 1;
    expect((await ask()).show).toBe(false);
    now += 1;
    expect((await ask()).show).toBe(true);
  });

  it('never is remembered, whatever came after', async () => {
    await nps.answer(actorOf(person), { ...(await shown()), action: 'never' });
    now += 4000 * DAY;
    expect((await ask()).show).toBe(false);
    expect((await ask(await makePerson(world))).show).toBe(true);
  });

  it('the same person answers each survey once', async () => {
    await nps.answer(actorOf(person), { ...(await shown()), action: 'answer', score: 3 });
    now += 180 * DAY;
    const card = await shown();
    expect(card.survey_id).toBe('2027Q2');
    await nps.answer(actorOf(person), { ...card, action: 'answer', score: 8 });
    expect(await rowsOf(world.db, sql`SELECT survey, score FROM nps_answers ORDER BY id`)).toEqual([
      { survey: '2026Q4', score: 3 },
      { survey: '2027Q2', score: 8 },
    ]);
  });
});

describe('answers over HTTP', () => {
  const send = (body: Record<string, unknown>, who = person) =>
    call(world, who, 'POST', '/v1/statistics/nps/answers', body);
  beforeEach(() => {
    now = Date.now();
  });

  test.each([[11], [-1], [9.5], ['9'], [null], [undefined], [1e20]])('%j is no score', async (score) => {
    const { token, survey_id } = await shown();
    const reply = await send({ token, survey_id, action: 'answer', score });
    expect(reply.body).toMatchObject({ err_code: 31502, msg: '分数须为 0 至 10 的整数' });
    expect((await send({ token, survey_id, action: 'answer', score: 10 })).body.status_code).toBe(1);
  });

  test('a card is answered once, by whom it was shown to, within a day', async () => {
    const { token, survey_id } = await shown();
    const body = { token, survey_id, action: 'answer', score: 0 };
    const gone = { err_code: 31501, msg: '问卷已失效' };
    expect((await send(body, await makePerson(world))).body).toMatchObject(gone);
    expect((await send({ ...body, token: 'guessed' })).body).toMatchObject(gone);
    expect((await send({ ...body, survey_id: '1999Q1' })).body).toMatchObject(gone);
    expect((await send({ ...body, comment: '字'.repeat(1001) })).status).toBe(400);
    const answers = await Promise.all([send(body), send(body), send({ ...body, action: 'later' })]);
    expect(answers.filter((reply) => reply.body.status_code === 1)).toHaveLength(1);
    const other = await makePerson(world);
    const late = await shown(other);
    await world.db.execute(sql`UPDATE nps_prompts SET shown_at = shown_at - interval '25 hours'`);
    expect((await send({ token: late.token, survey_id, action: 'later' }, other)).body).toMatchObject(gone);
  });

  test('a visitor and an unripe account are told nothing', async () => {
    expect((await call(world, null, 'GET', '/v1/statistics/nps/popup')).status).toBe(401);
    expect((await call(world, person, 'GET', '/v1/statistics/nps/popup?open_ms=20000')).data).toMatchObject({
      show: false,
      delay_ms: null,
    });
  });
});

test('runs are counted by person, kind and day of Shanghai', async () => {
  await world.db.execute(sql`INSERT INTO runs (owner_kind, owner_id, user_id, kind, state, payload, created_at)
    SELECT 'user', ${person.id}, ${person.id}, kind, state, '{}', at::timestamptz FROM (VALUES
      ('analysis', 'done', '2026-11-20T15:59:00Z'), ('analysis', 'done', '2026-11-20T16:01:00Z'),
      ('analysis', 'failed', '2026-11-22T00:00:00Z'), ('import', 'done', '2026-11-23T00:00:00Z'),
      ('analysis', 'running', '2026-11-24T00:00:00Z')) AS t (kind, state, at)`);
  expect(await world.runs.workOf({ kind: 'user', id: person.id }, person.id, 'analysis')).toEqual({
    runs: 2,
    days: 2,
    open: 1,
  });
});

test('the desk reads the score with its interval, and who answered only where they agreed', async () => {
  for (let made = 0; made < 31; made += 1) {
    const who = await makePerson(world, `甲${made}`);
    const card = await shown(who);
    if (made === 30) continue;
    const score = made < 18 ? 10 : made < 24 ? 7 : 2;
    await nps.answer(actorOf(who), {
      ...card,
      action: 'answer',
      score,
      contact_ok: made === 29,
      comment: `原因 ${made}`,
    });
  }
  const desk = deskOf(world, await enter(world, await makeOperator(world, ['客服'])));
  // 18, 6, 6 of 30: p1 - p-1 = 0.4; R: 0.4 + c(-1, 1) * 1.96 * sqrt((0.8 - 0.16) / 30)
  expect((await desk('GET', '/v1/ops/nps')).data.list).toMatchObject([
    {
      cells: {
        month: '2026-11',
        edition: '全部',
        n: 30,
        score: '40.0',
        interval: '[11.4, 68.6]',
        response: '30/31（96.8%）',
      },
    },
  ]);
  const { list, total } = (await desk('GET', '/v1/ops/nps_answers')).data;
  expect(total).toBe(30);
  expect(list[0].cells).toMatchObject({ score: 2, comment: '原因 29', user_id: expect.stringMatching(/^\d+$/) });
  expect(list[1].cells.user_id).toBe('未同意联系');
  const money = deskOf(world, await enter(world, await makeOperator(world, ['财务'])));
  expect((await money('GET', '/v1/ops/nps')).status).toBe(404);
});

test('it leaves with the account', async () => {
  await nps.answer(actorOf(person), { ...(await shown()), action: 'answer', score: 5 });
  await world.db.transaction((tx) => world.nps.forget(tx, person.id));
  const left = sql`SELECT (SELECT count(*)::int FROM nps_prompts) + (SELECT count(*)::int FROM nps_answers) AS n`;
  expect(await rowsOf(world.db, left)).toEqual([{ n: 0 }]);
});
