/** Members under pressure: seats taken at once by many, and one owner whatever happens in which order. */
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { build, rowsOf } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { invite, join, makeEnterprise, proved } from '../../testing/enterprises.ts';
import type { Tenant } from '../../testing/enterprises.ts';
import { call, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';

let world: World;
beforeAll(async () => {
  world = await build();
}, 120_000);
afterAll(async () => world.close());
beforeEach(async () => world.reset());

test('of 50 acceptances at once for 3 free seats, 3 join and 47 are told that there is none', async () => {
  const tenant = await makeEnterprise(world, '抢座企业');
  await join(world, tenant, '已在');
  const code = await invite(world, tenant, 100);
  const people: Person[] = [];
  for (let n = 0; n < 50; n += 1) people.push(await makePerson(world, `人${n}`));
  const replies = await Promise.all(
    people.map((person) => call(world, person, 'POST', '/v1/enterprise/invite/accept', { code })),
  );
  const told = replies.map(({ body }) => body.err_code ?? 0).toSorted();
  expect(told).toEqual([...Array<number>(3).fill(0), ...Array<number>(47).fill(30301)]);
  const [row] = await rowsOf(
    world.db,
    sql`SELECT seats_used AS used, (SELECT count(*)::int FROM enterprise_members WHERE state = 'active') AS active,
      (SELECT uses_left FROM enterprise_invites ORDER BY id DESC LIMIT 1) AS left FROM enterprises`,
  );
  expect(row).toEqual({ used: 5, active: 5, left: 97 });
}, 300_000);

/** What somebody may try; indexes are taken modulo the people there are. */
const step = fc.record({
  act: fc.constantFrom(
    'join',
    'leave',
    'remove',
    'suspend',
    'return',
    'admin',
    'member',
    'transfer',
    'accept',
    'refuse',
  ),
  by: fc.nat(5),
  on: fc.nat(5),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function play(tenant: Tenant, people: Person[], steps: readonly Step[]): Promise<void> {
  const { eid } = tenant;
  const links: { code: string }[] = [];
  const invited = await invite(world, tenant, 200);
  const pick = (n: number): Person => people[n % people.length]!;
  const memberOf = async (person: Person): Promise<{ id: number; version: number } | undefined> =>
    (
      await rowsOf(
        world.db,
        sql`SELECT id, version FROM enterprise_members WHERE enterprise_id = ${eid} AND user_id = ${person.id} AND state <> 'left'`,
      )
    )[0];
  const attempt = async ({ act, by, on }: Step): Promise<void> => {
    const [actor, target] = [pick(by), pick(on)];
    const member = await memberOf(act === 'leave' ? actor : target);
    const url = `/v1/enterprise/${eid}/members/${member?.id ?? 1}`;
    const version = member?.version ?? 1;
    if (act === 'join') await call(world, actor, 'POST', '/v1/enterprise/invite/accept', { code: invited });
    else if (act === 'leave' || act === 'remove') await call(world, actor, 'DELETE', `${url}?version=${version}`);
    else if (act === 'suspend') await call(world, actor, 'PATCH', url, { version, state: 'suspended' });
    else if (act === 'return') await call(world, actor, 'PATCH', url, { version, state: 'active' });
    else if (act === 'admin' || act === 'member') await call(world, actor, 'PATCH', url, { version, role: act });
    else if (act === 'transfer') {
      const made = await call(world, actor, 'POST', `/v1/enterprise/${eid}/transfer`, { member_id: member?.id ?? 1 });
      if (made.data?.link) links.push({ code: new URL(made.data.link).searchParams.get('code')! });
    } else await call(world, actor, 'POST', `/v1/enterprise/transfer/${act}`, links.at(-1) ?? { code: 'x'.repeat(20) });
  };
  // Two at a time, so that they meet.
  for (let at = 0; at < steps.length; at += 2) await Promise.all(steps.slice(at, at + 2).map(attempt));
}

test('exactly one active owner, seats used = active members, every file with a maker who is a member, in any order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 24 }), async (steps) => {
      await world.reset();
      const tenant = await makeEnterprise(world, '性质企业');
      const people: Person[] = [tenant.owner];
      for (let n = 0; n < 4; n += 1) people.push(await makePerson(world, `人${n}`));
      await proved(world, ...people);
      for (const person of people.slice(1, 3)) {
        const code = await invite(world, tenant, 1);
        await call(world, person, 'POST', '/v1/enterprise/invite/accept', { code });
        await world.db.execute(sql`INSERT INTO files (owner_kind, owner_id, created_by, name, format)
          VALUES ('enterprise', ${tenant.eid}, ${person.id}, '数据', 'csv')`);
      }
      await play(tenant, people, steps);
      const [facts] = await rowsOf(
        world.db,
        sql`SELECT
          (SELECT count(*)::int FROM enterprise_members WHERE role = 'owner' AND state = 'active') AS owners,
          (SELECT seats_used - (SELECT count(*)::int FROM enterprise_members WHERE state = 'active') FROM enterprises) AS off,
          (SELECT count(*)::int FROM files f WHERE NOT EXISTS (SELECT 1 FROM enterprise_members m
            WHERE m.user_id = f.created_by AND m.state <> 'left')) AS lost`,
      );
      expect(facts).toEqual({ owners: 1, off: 0, lost: 0 });
    }),
    { numRuns: 12, seed: 20_261_121 },
  );
}, 600_000);
