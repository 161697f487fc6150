import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { rowsOf } from '../../testing/build.ts';
import { call } from '../../testing/makers.ts';
import { reportStage } from '../../testing/stages.ts';

/** Somebody with a file of the own and a report on it. */
const on = reportStage();
const events = (kind: string) =>
  rowsOf(
    on.world.db,
    sql`SELECT user_id, subject, method, once_only FROM product_events WHERE kind = ${kind} ORDER BY id`,
  );

test('an import and an analysis are written down with the run that made them, once each', async () => {
  expect(await events('file_imported')).toMatchObject([
    { user_id: on.person.id, subject: String(on.vid), once_only: false },
  ]);
  const [analysis, ...more] = await events('analysis_succeeded');
  expect(more).toEqual([]);
  expect(analysis).toMatchObject({ user_id: on.person.id, method: 'descriptive/frequency', once_only: false });
  // The key of the result: the same data, method and settings have the same one.
  const [{ key }] = await rowsOf(on.world.db, sql`SELECT key FROM report_revs`);
  expect(analysis.subject).toBe(key);
});

test('an analysis of example data says so; one that fails is not written down', async () => {
  await on.world.db.execute(sql`UPDATE files SET example = 'descriptive/frequency'`);
  const run = (column: string) =>
    call(on.world, on.person, 'POST', `/algorithm/descriptive/frequency?vid=${on.vid}`, { variables: [column] });
  await run('c2');
  expect((await events('analysis_succeeded')).map((one) => one.once_only)).toEqual([false, true]);
  on.world.engine.onRun = () => ({ state: 'failed', error: { code: 'x', text: 'x', id: null } });
  await run('c3');
  expect(await events('analysis_succeeded')).toHaveLength(2);
});

test('feedback that changed the product is written down when it is solved, and an answered question is not', async () => {
  const tell = async (type: string): Promise<number> => {
    const body = { type, text: '希望有深色模式', images: [], context: {}, request_id: `request-${type}` };
    const reply = await call(on.world, on.person, 'POST', '/v1/feedback', body);
    expect(reply.body.status_code).toBe(1);
    return reply.data.id;
  };
  const [idea, question] = [await tell('idea'), await tell('result')];
  const { feedbacks, db } = on.world;
  for (const id of [idea, question])
    await db.transaction((tx) => feedbacks.decide(tx, id, 1, { state: 'solved', text: '已上线' }));
  expect(await events('feedback_adopted')).toMatchObject([{ user_id: on.person.id, subject: String(idea) }]);
});

test('counting ends where it is told to, and goes on with the rest the next time', async () => {
  const open = async (): Promise<number> =>
    (await rowsOf(on.world.db, sql`SELECT id FROM product_events WHERE applied_at IS NULL`)).length;
  const { count } = on.world.money.centre;
  const before = await open();
  expect(before).toBeGreaterThan(1);
  await count(async () => false);
  expect(await open()).toBe(before - 1);
  await count();
  expect(await open()).toBe(0);
});
