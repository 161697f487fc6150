import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLease, livingServers } from '../../lib/servers.ts';
import { build, rowsOf, until } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { call, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';

let first: World;
let second: World;
let person: Person;

beforeAll(async () => {
  first = await build();
  second = await build({ beside: first });
  for (const world of [first, second]) {
    world.runs.register('probe', async () => null);
    world.runs.register('twice', async () => null);
    world.runs.retryOnce('twice', { memoryMb: 64, timeoutS: 9 });
  }
});
beforeEach(async () => {
  await first.reset();
  second.engine.reset();
  for (const world of [first, second]) {
    world.engine.onRun = () => null;
    await leaseOf(world).begin();
  }
  person = await makePerson(first);
});
afterAll(async () => {
  await second.close();
  await first.close();
});

const leaseOf = (world: World) =>
  createLease({ db: world.db, log: world.deps.log, server: world.deps.server, isAlone: false });
const submit = (kind = 'probe'): Promise<number> =>
  first.runs.submit({ owner: person.owner, userId: person.id, kind, payload: {} });
const read = async (world: World, id: number): Promise<any> =>
  (await call(world, person, 'GET', `/v1/runs/${id}`)).data;
const stateOf = async (id: number): Promise<string> => (await read(first, id)).state;
/** As if its server had stopped renewing its lease so long ago. */
const lapse = (world: World): Promise<unknown> =>
  first.db.execute(sql`UPDATE servers SET ends_at = now() - interval '1 second', machine = 'another'
    WHERE id = ${world.deps.server}`);

async function running(kind?: string): Promise<number> {
  const id = await submit(kind);
  await until(async () => (await stateOf(id)) === 'running');
  return id;
}

describe('a second server on the same database', () => {
  test('leaves the runs of the first alone when it starts and when it ends', async () => {
    const id = await running();
    await second.runs.recover();
    await second.runs.engineDied();
    expect(await stateOf(id)).toBe('running');
    first.engine.emit(id, { state: 'done', result: {} });
    await until(async () => (await stateOf(id)) === 'done');
  });

  test('takes them over when the lease of the first is over: lost, or begun once more', async () => {
    const [once, twice] = [await running(), await running('twice')];
    await lapse(first);
    const lease = leaseOf(second);
    await lease.begin();
    await second.runs.adoptOrphans();
    expect(await stateOf(once)).toBe('running');
    // Not renewed since it was looked at: it is not the clock that went forward.
    await lease.beat();
    await second.runs.adoptOrphans();
    expect(await read(second, once)).toMatchObject({
      state: 'lost',
      error: { text: expect.stringContaining('请重试') },
    });
    expect(second.engine.submitted).toMatchObject([{ run_id: twice, kind: 'twice', memory_mb: 64 }]);
    second.engine.emit(twice, { state: 'done', result: {} });
    await until(async () => (await stateOf(twice)) === 'done');
  });

  test('that stopped in order leaves its runs to the other at once', async () => {
    const id = await running();
    await leaseOf(first).end();
    await second.runs.adoptOrphans();
    expect(await stateOf(id)).toBe('lost');
  });

  test('cancels what the first works on: its engine is told, its turn is given on', async () => {
    const id = await running();
    expect((await call(second, person, 'DELETE', `/v1/runs/${id}`)).data.state).toBe('cancelled');
    expect([first.engine.cancelled, second.engine.cancelled]).toEqual([[], []]);
    await first.runs.applyRemoteRequests();
    expect(first.engine.cancelled).toEqual([id]);
    await first.runs.applyRemoteRequests();
    expect(first.engine.cancelled).toEqual([id]);
  });

  test('cancels what waits for its turn at the first: it is never given to its engine', async () => {
    first.runs.limitBy(async () => ({ owner: 1, member: 1, waiting: 5 }));
    const [works, waits] = [await submit(), await submit()];
    await call(second, person, 'DELETE', `/v1/runs/${waits}`);
    await first.runs.applyRemoteRequests();
    const next = await submit();
    await call(first, person, 'DELETE', `/v1/runs/${works}`);
    await until(() => first.engine.submitted.length === 2);
    first.runs.limitBy(async () => null);
    expect(first.engine.submitted.map(({ run_id }) => run_id)).toEqual([works, next]);
  });

  test('stops what the first works on and keeps what it has found', async () => {
    const id = await running();
    const stopped = call(second, person, 'POST', `/v1/runs/${id}/stop`);
    await until(async () => {
      await first.runs.applyRemoteRequests();
      return first.engine.stopped.length > 0;
    });
    expect((await stopped).status).toBe(200);
    await until(async () => (await read(second, id)).state === 'done');
    await first.runs.applyRemoteRequests();
    expect(first.engine.stopped).toEqual([id]);
  });

  test('hears the end of what the first works on', async () => {
    const id = await running();
    const told = new Promise((resolve) => second.runs.watch(id, (name, run) => name === 'end' && resolve(run.state)));
    const waited = second.runs.wait(id, 60);
    first.engine.emit(id, { state: 'done', result: {} });
    expect([await told, (await waited).state]).toEqual(['done', 'done']);
  });
});

describe('the clock of the database', () => {
  test('set forward, it ends no lease that is renewed', async () => {
    const id = await running();
    await lapse(first);
    const lease = leaseOf(second);
    await lease.beat();
    await leaseOf(first).beat();
    await lease.beat();
    await second.runs.adoptOrphans();
    expect(await stateOf(id)).toBe('running');
    expect(await lease.living()).toHaveLength(2);
  });

  test('set back, it keeps no dead server alive for longer than a lease', async () => {
    await first.db.execute(sql`UPDATE servers SET ends_at = now() + interval '1 day', machine = 'another'
      WHERE id = ${first.deps.server}`);
    await leaseOf(second).beat();
    const [{ rest }] = await rowsOf(
      first.db,
      sql`SELECT extract(epoch FROM ends_at - now())::float AS rest FROM servers WHERE id = ${first.deps.server}`,
    );
    expect(rest).toBeLessThanOrEqual(30);
  });
});

test('a process of this machine that is gone need not be waited for; alone on the database nobody need be', async () => {
  const id = await running();
  await first.db.execute(sql`UPDATE servers SET started = '1' WHERE id = ${first.deps.server}`);
  expect(await livingServers(first.db)).toHaveLength(1);
  await leaseOf(second).begin();
  await second.runs.adoptOrphans();
  expect(await stateOf(id)).toBe('lost');
  await leaseOf(first).begin();
  const alone = createLease({ db: first.db, log: first.deps.log, server: second.deps.server, isAlone: true });
  await alone.begin();
  expect(await alone.living()).toEqual([second.deps.server]);
});

test('a server that was taken for dead comes back under its number', async () => {
  const lease = leaseOf(first);
  await lease.begin();
  await first.db.execute(sql`DELETE FROM servers WHERE id = ${first.deps.server}`);
  await lease.beat();
  expect(await lease.living()).toContain(first.deps.server);
});
