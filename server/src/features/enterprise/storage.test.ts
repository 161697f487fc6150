/** Storage that fills is told to those who manage, once for each step, and again after it was cleared. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build, rowsOf } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { join, makeEnterprise } from '../../testing/enterprises.ts';

let world: World;
beforeAll(async () => {
  world = await build();
}, 120_000);
afterAll(() => world.close());

test('80 and 100 percent are told once each to owner and admins, not to members', async () => {
  const { eid, owner } = await makeEnterprise(world, '甲企业');
  await join(world, { eid, owner, channel: owner }, '成员');
  await world.db.execute(sql`UPDATE enterprises SET storage_bytes = 1000 WHERE id = ${eid}`);
  const fill = async (bytes: number): Promise<string[]> => {
    await world.db.execute(sql`DELETE FROM uploads`);
    await world.db.execute(sql`DELETE FROM outbox`);
    await world.db.execute(sql`INSERT INTO uploads (owner_kind, owner_id, created_by, key, name, size)
      VALUES ('enterprise', ${eid}, ${owner.id}, 'u_' || md5(random()::text), '表.csv', ${bytes})`);
    await world.enterprises.terms.sweep();
    const told = await rowsOf(
      world.db,
      sql`SELECT payload FROM outbox WHERE topic = 'enterprise.notice' AND payload->>'text' LIKE '%存储%' ORDER BY id`,
    );
    return told.map(({ payload }) => `${payload.user_id === owner.id} ${/80%|用满/.exec(payload.text)?.[0]}`);
  };
  expect(await fill(799)).toEqual([]);
  expect(await fill(800)).toEqual(['true 80%']);
  expect(await fill(900)).toEqual([]);
  expect(await fill(1000)).toEqual(['true 用满']);
  expect(await fill(1001)).toEqual([]);
  expect(await fill(100)).toEqual([]);
  expect(await fill(850)).toEqual(['true 80%']);
});
