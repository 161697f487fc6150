import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { build } from '../testing/build.ts';
import type { World } from '../testing/build.ts';
import { makePerson } from '../testing/makers.ts';
import { listActs, logAct, verifyLog } from './act-log.ts';
import type { Act } from './act-log.ts';

let world: World;
let actor: number;

beforeAll(async () => {
  world = await build();
});
beforeEach(async () => {
  await world.reset();
  actor = (await makePerson(world)).id;
});
afterAll(() => world.close());

const write = (more: Partial<Act> = {}) =>
  world.db.transaction((tx) =>
    logAct(tx, {
      scope: 'ops',
      actor,
      role: '客服',
      act: 'user.ban',
      kind: 'user',
      target: 7,
      before: { state: '正常' },
      after: { state: '封禁', at: new Date(0) },
      reason: '发布违规内容',
      ...more,
    }),
  );

test('each row carries the hash of the one before, also when many write at once', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, i) => write({ target: i })));
  await write({ scope: 12, before: undefined, after: { b: 1, a: [null, '二'] } });
  expect(await verifyLog(world.db)).toMatchObject({ rows: 21, broken: null });
  const { total, list } = await listActs(world.db, { scope: 12 }, { page: 1, page_size: 10 });
  expect([total, list[0]?.after, list[0]?.before]).toEqual([1, { a: [null, '二'], b: 1 }, null]);
  expect((await listActs(world.db, { scope: 'ops', target: '3' }, { page: 1, page_size: 10 })).total).toBe(1);
});

test('no row can be changed or removed, and a changed byte would be found', async () => {
  for (let i = 0; i < 3; i += 1) await write({ target: i });
  const refused = { cause: { message: 'act_log is append-only' } };
  for (const change of [sql`UPDATE act_log SET reason = 'x'`, sql`DELETE FROM act_log`, sql`TRUNCATE act_log`]) {
    await expect(world.db.execute(change)).rejects.toMatchObject(refused);
    const inDisguise = world.db.transaction(async (tx) => {
      await tx.execute(sql`SET LOCAL session_replication_role = replica`);
      await tx.execute(change);
    });
    await expect(inDisguise).rejects.toMatchObject(refused);
  }
  expect((await verifyLog(world.db)).broken).toBeNull();
  await world.db.execute(sql`ALTER TABLE act_log DISABLE TRIGGER act_log_kept`);
  await world.db.execute(sql`UPDATE act_log SET reason = '发布违规内客' WHERE seq = 2`);
  await world.db.execute(sql`ALTER TABLE act_log ENABLE ALWAYS TRIGGER act_log_kept`);
  expect(await verifyLog(world.db)).toMatchObject({ rows: 1, broken: 2 });
});
