import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { build, rowsOf } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { deskOf, enter, makeOperator } from '../../testing/desk.ts';
import { call } from '../../testing/makers.ts';
import type { Reply } from '../../testing/makers.ts';

const PAGE = 'independent-t-test';
let world: World;
beforeAll(async () => {
  world = await build();
});
beforeEach(() => world.reset());
afterAll(() => world.close());

const send = (body: Record<string, unknown> = {}): Promise<Reply> =>
  call(world, null, 'POST', '/v1/help/feedback', { slug: PAGE, version: 1, verdict: 'yes', ...body });
const kept = () => rowsOf(world.db, sql`SELECT slug, verdict, reason, text FROM help_feedback ORDER BY id`);

test('a verdict is kept without an account, with its reason where it did not help', async () => {
  expect((await send()).data).toEqual({ taken: true });
  await send({ verdict: 'no', reason: 'differs', text: ' 按钮叫“运行”，不叫“开始” ' });
  expect(await kept()).toEqual([
    { slug: PAGE, verdict: 'yes', reason: null, text: '' },
    { slug: PAGE, verdict: 'no', reason: 'differs', text: '按钮叫“运行”，不叫“开始”' },
  ]);
});

test.each([
  ['a page that is not there', { slug: 'no-such-page' }, 404],
  ['a text that is too long', { verdict: 'no', text: '字'.repeat(301) }, 400],
  ['a reason for help that helped', { reason: 'wrong' }, 400],
  ['a reason nobody offers', { verdict: 'no', reason: 'boring' }, 400],
  ['a key that is not of the form', { user_id: 7 }, 400],
])('%s is refused and nothing kept', async (_, body, status) => {
  expect((await send(body)).status).toBe(status);
  expect(await kept()).toEqual([]);
});

test('ten a day of one network, also when they come at once', async () => {
  const answers = await Promise.all(Array.from({ length: 14 }, () => send()));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
  await world.db.execute(sql`UPDATE help_feedback SET created_at = now() - interval '25 hours'`);
  expect((await send()).status).toBe(200);
});

test('the desk sees what did not help, and how the page fared in all; after two years it is gone', async () => {
  await send();
  await send({ verdict: 'no', reason: 'lacking' });
  const desk = deskOf(world, await enter(world, await makeOperator(world, ['内容'])));
  const list = await desk('GET', '/v1/ops/help_feedback?state=no');
  expect(list.data.list.map(({ cells }: { cells: unknown }) => cells)).toMatchObject([
    { slug: `/help/${PAGE}/`, verdict: '没解决', reason: '缺内容', share: '1 / 2' },
  ]);
  await world.db.execute(sql`UPDATE help_feedback SET created_at = now() - interval '25 months' WHERE verdict = 'yes'`);
  await world.helpFeedback.tidy();
  expect(await kept()).toMatchObject([{ verdict: 'no' }]);
});
