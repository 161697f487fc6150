import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { build, until } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { call, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { bannedAmong, banUser } from '../accounts/service.ts';
import type { Finisher, Outcome } from './service.ts';
import { runs as runsTable } from './tables.ts';

let world: World;
let person: Person;
/** Endings as the finisher of kind "probe" saw them. */
const finished: { id: number; outcome: Outcome; note: unknown }[] = [];
let onFinish: (() => Promise<unknown>) | null = null;

beforeAll(async () => {
  world = await build();
  const finish: Finisher = async (_tx, run, outcome) => {
    finished.push({ id: run.id, outcome, note: run.note });
    if (onFinish) return onFinish();
    return outcome.state === 'done' ? { shown: outcome.result } : null;
  };
  world.runs.register('probe', finish);
  world.runs.register('twice', finish);
  world.runs.retryOnce('twice', { memoryMb: 64, timeoutS: 9 });
});
beforeEach(async () => {
  await world.reset();
  finished.length = 0;
  onFinish = null;
  person = await makePerson(world);
});
afterAll(async () => world.close());

const submit = (who = person, payload: Record<string, unknown> = {}, kind = 'probe'): Promise<number> =>
  world.runs.submit({ owner: who.owner, userId: who.id, kind, payload, note: { for: 'test' } });

const read = async (id: number): Promise<any> => (await call(world, person, 'GET', `/v1/runs/${id}`)).data;
const ended = (id: number): Promise<void> => until(async () => (await read(id)).ended_at !== null);

describe('a run', () => {
  test('is handed to the engine with its limits and ends with what the finisher returns', async () => {
    world.engine.onRun = () => ({ state: 'done', result: { n: 7 } });
    const id = await submit(person, { table: 't_1' });
    const run = await world.runs.wait(id, 2);
    expect(world.engine.submitted[0]).toEqual({
      run_id: id,
      kind: 'probe',
      payload: { table: 't_1' },
      memory_mb: 2048,
      timeout_s: 300,
    });
    expect(run.state).toBe('done');
    expect(await read(id)).toMatchObject({
      run_id: id,
      kind: 'probe',
      state: 'done',
      result: { shown: { n: 7 } },
      refusal: null,
      error: null,
      position: null,
    });
    expect(finished).toEqual([{ id, note: { for: 'test' }, outcome: expect.objectContaining({ state: 'done' }) }]);
  });

  test('that is over before anybody could read that it began has begun all the same, and is written at its end only', async () => {
    world.engine.onRun = () => null;
    const id = await submit();
    world.engine.emit(id, { state: 'waiting', position: 1 });
    world.engine.emit(id, { state: 'running' });
    world.engine.emit(id, { state: 'running', progress: { done: 1, of: 3, text: '' } });
    world.engine.emit(id, { state: 'done', result: {} });
    await ended(id);
    const { created_at: made, started_at: began, ended_at: over, position, progress } = await read(id);
    expect([began >= made, over >= began, position, progress]).toEqual([true, true, null, null]);
  });

  test('gives a secret to the engine and stores it nowhere', async () => {
    const id = await world.runs.submit({
      owner: person.owner,
      userId: person.id,
      kind: 'probe',
      payload: { a: 1 },
      secret: { password: 'geheim-42' },
    });
    await world.runs.wait(id, 2);
    expect(world.engine.submitted[0]?.payload).toEqual({ a: 1, password: 'geheim-42' });
    const [row] = await world.db.select().from(runsTable).where(eq(runsTable.id, id));
    expect(JSON.stringify(row)).not.toContain('geheim-42');
  });

  test('shows position and progress while it goes on', async () => {
    world.engine.onRun = () => null;
    const id = await submit();
    await until(async () => (await read(id)).state === 'running');
    world.engine.emit(id, { state: 'waiting', position: 3 });
    await until(async () => (await read(id)).position === 3);
    world.engine.emit(id, { state: 'running', progress: { done: 2, of: 10, text: '拟合模型', best: 4.5 } });
    await until(async () => (await read(id)).progress?.done === 2);
    expect(await read(id)).toMatchObject({
      state: 'running',
      position: null,
      progress: { done: 2, of: 10, text: '拟合模型', best: 4.5 },
    });
  });

  test('that is refused keeps the fields; one that failed says so with an id', async () => {
    const refusal = { fields: [{ field: 'group', code: 'role.levels', text: '“性别”只有 1 组' }] };
    world.engine.onRun = () => ({ state: 'refused', refusal });
    const first = await submit();
    await ended(first);
    expect(await read(first)).toMatchObject({ state: 'refused', refusal });
    world.engine.onRun = () => ({ state: 'failed', error: { code: 'bug', text: '分析出错（编号 ab12）', id: 'ab12' } });
    const second = await submit();
    await ended(second);
    expect((await read(second)).error).toEqual({ code: 'bug', text: '分析出错（编号 ab12）', id: 'ab12' });
    world.engine.onRun = () => ({ state: 'memory' });
    const third = await submit();
    await ended(third);
    expect((await read(third)).error.text).toContain('内存超出限制');
  });

  test('is finished exactly once, however often and in whatever order the endings come', async () => {
    world.engine.onRun = () => null;
    const id = await submit();
    await until(async () => (await read(id)).state === 'running');
    const endings = ['done', 'failed', 'done', 'cancelled', 'done', 'timeout'];
    for (const state of endings) world.engine.emit(id, { state, result: { state } });
    await Promise.all([
      call(world, person, 'DELETE', `/v1/runs/${id}`),
      call(world, person, 'DELETE', `/v1/runs/${id}`),
      world.runs.engineDied(),
    ]);
    await ended(id);
    world.engine.emit(id, { state: 'running', progress: { done: 1, of: 2, text: '' } });
    // Events are taken in their order: when a later one has arrived, the late one was looked at.
    const later = await submit();
    world.engine.emit(later, { state: 'running', progress: { done: 1, of: 2, text: '' } });
    await until(async () => (await read(later)).progress !== null);
    expect(finished).toHaveLength(1);
    expect((await read(id)).state).toBe(finished[0]?.outcome.state);
  });

  test('whose finisher fails ends as failed with the number of the log entry', async () => {
    let calls = 0;
    onFinish = async () => {
      calls += 1;
      if (calls === 1) throw new Error('a bug of ours');
      return null;
    };
    const id = await submit();
    await ended(id);
    expect(await read(id)).toMatchObject({
      state: 'failed',
      result: null,
      error: { text: expect.stringMatching(/^服务器端出错（编号 \w{8}）$/) },
    });
    expect(finished.map((ending) => ending.outcome.state)).toEqual(['done', 'failed']);
    onFinish = async () => {
      throw new Error('always');
    };
    const second = await submit();
    await ended(second);
    expect((await read(second)).state).toBe('failed');
  });

  test('whose end the full disk of the database does not take is told so, without a number', async () => {
    let calls = 0;
    onFinish = async () => {
      calls += 1;
      if (calls > 1) return null;
      throw new Error('Failed query', { cause: Object.assign(new Error('could not extend file'), { code: '53100' }) });
    };
    const id = await submit();
    await ended(id);
    expect(await read(id)).toMatchObject({
      state: 'failed',
      error: { code: 'disk.full', text: '服务器存储空间不足，请稍后再试。原有的数据和报告未受影响。', id: null },
    });
    expect(finished.map((ending) => ending.outcome.state)).toEqual(['done', 'failed']);
  });

  test('writes of a submission that fails leave nothing behind', async () => {
    const failing = world.runs.submit(
      { owner: person.owner, userId: person.id, kind: 'probe', payload: {} },
      async () => {
        throw new Error('no');
      },
    );
    await expect(failing).rejects.toThrow('no');
    expect(await world.db.select().from(runsTable)).toEqual([]);
    expect(world.engine.submitted).toEqual([]);
  });
});

describe('cancelling and stopping', () => {
  test('cancel ends the run at once and tells the engine; twice is the same', async () => {
    world.engine.onRun = () => null;
    const id = await submit();
    const first = await call(world, person, 'DELETE', `/v1/runs/${id}`);
    expect(first.data.state).toBe('cancelled');
    expect(world.engine.cancelled).toEqual([id]);
    const second = await call(world, person, 'DELETE', `/v1/runs/${id}`);
    expect(second.data).toEqual(first.data);
    expect(world.engine.cancelled).toEqual([id]);
  });

  test('stop keeps what was found', async () => {
    world.engine.onRun = () => null;
    const id = await submit();
    await until(async () => (await read(id)).state === 'running');
    const { data } = await call(world, person, 'POST', `/v1/runs/${id}/stop`);
    expect(data).toMatchObject({ state: 'done', result: { shown: { stopped: true } } });
    const again = await call(world, person, 'POST', `/v1/runs/${id}/stop`);
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({ err_code: 30602, msg: '该任务已经结束' });
  });
});

test('everything a banned person has under way can be ended', async () => {
  world.engine.onRun = () => null;
  const other = await makePerson(world);
  const [mine, also, theirs] = [await submit(), await submit(), await submit(other)];
  await banUser(world.db, person.id, '违规', null);
  const banned = await bannedAmong(world.db, await world.runs.usersWithOpenRuns());
  expect(banned).toEqual([person.id]);
  await world.runs.cancelAllOf(person.id);
  const states = await world.db
    .select({ id: runsTable.id, state: runsTable.state })
    .from(runsTable)
    .orderBy(runsTable.id);
  expect(states.map((run) => run.state).slice(0, 2)).toEqual(['cancelled', 'cancelled']);
  expect(states[2]).toMatchObject({ id: theirs, state: expect.stringMatching(/waiting|running/) });
  expect(world.engine.cancelled.sort()).toEqual([mine, also]);
});

test('the runs of one report are found by its number, by its owner only', async () => {
  world.engine.onRun = () => null;
  const make = (rid: number, kind: string) =>
    world.runs.submit({ owner: person.owner, userId: person.id, kind, payload: {}, note: { rid } });
  const mine = await make(7, 'analysis');
  await make(7, 'probe');
  await make(8, 'analysis');
  const found = await call(world, person, 'GET', '/v1/runs?open=1&report_id=7');
  expect(found.data.list.map((run: { run_id: number }) => run.run_id)).toEqual([mine]);
  const other = await makePerson(world);
  expect((await call(world, other, 'GET', '/v1/runs?open=1&report_id=7')).data).toEqual({ total: 0, list: [] });
});

describe('limits', () => {
  test('five runs of one person wait, the sixth is refused, another person is not', async () => {
    world.engine.onRun = () => null;
    const holding = world.engine;
    holding.on('POST', '/runs', (body) => {
      holding.submitted.push(body);
      return { status: 202, body: { state: 'waiting' } };
    });
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => submit()));
    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(5);
    const refused = answers.find((answer) => answer.status === 'rejected');
    expect(refused?.reason).toMatchObject({ code: 30604, message: expect.stringContaining('排队中的任务已达 5 个') });
    const other = await makePerson(world);
    expect(await submit(other)).toBeGreaterThan(0);
    const open = await call(world, person, 'GET', '/v1/runs?open=1');
    expect(open.data.total).toBe(5);
    expect(open.data.list[0].state).toBe('waiting');
  });

  test('those that work do not wait, though it is not written yet', async () => {
    world.engine.onRun = () => null;
    for (let i = 0; i < 8; i += 1) {
      const id = await submit();
      await world.deps.engine.run(id);
    }
    expect((await call(world, person, 'GET', '/v1/runs?open=1')).data.total).toBe(8);
  });

  test('with 500 waiting in all nobody can submit', async () => {
    await world.db.execute(sql`
      INSERT INTO runs (owner_kind, owner_id, user_id, kind, state, payload)
      SELECT 'user', 100 + n, ${person.id}, 'probe', 'waiting', '{}' FROM generate_series(1, 500) n`);
    await expect(submit()).rejects.toMatchObject({
      code: 30021,
      message: expect.stringContaining('前面还有 500 个任务'),
    });
  });
});

describe('the engine', () => {
  test('that cannot be reached loses the run and says so', async () => {
    world.engine.refuseRuns = { status: 500, body: { error: 'x' } };
    await expect(submit()).rejects.toMatchObject({ code: 30095, message: expect.stringContaining('分析服务暂不可用') });
    expect(finished[0]?.outcome.state).toBe('lost');
  });

  test('that refuses a submission ends the run as refused with its words', async () => {
    world.engine.refuseRuns = { status: 422, body: { error: { code: 'form.bad', text: '表单不完整', facts: {} } } };
    await expect(submit()).rejects.toThrow('表单不完整');
    const [run] = (await call(world, person, 'GET', '/v1/runs')).data.list;
    expect(run).toMatchObject({ state: 'refused', refusal: { fields: [{ code: 'form.bad', text: '表单不完整' }] } });
  });

  test('whose stream breaks is asked what it did meanwhile', async () => {
    world.engine.onRun = () => null;
    const [kept, missed] = [await submit(), await submit()];
    await until(async () => (await read(missed)).state === 'running');
    world.engine.settle(missed, { state: 'done', result: { missed: true } });
    world.engine.dropStreams();
    await ended(missed);
    expect(await read(missed)).toMatchObject({ state: 'done', result: { shown: { missed: true } } });
    expect((await read(kept)).state).toBe('running');
  });

  test('that died loses its runs within a second or two, and takes new ones when it is back', async () => {
    world.engine.onRun = () => null;
    const id = await submit();
    await until(async () => (await read(id)).state === 'running');
    world.engine.die();
    await ended(id);
    expect(await read(id)).toMatchObject({ state: 'lost', error: { text: expect.stringContaining('请重试') } });
    await until(() => world.deps.engine.isConnected);
    world.engine.onRun = () => ({ state: 'done', result: {} });
    const next = await submit();
    await ended(next);
    expect((await read(next)).state).toBe('done');
  });

  test('takes a run of a retryable kind up once more, and loses it the second time', async () => {
    world.engine.onRun = () => null;
    const id = await submit(person, { table: 't_1' }, 'twice');
    await until(async () => (await read(id)).state === 'running');
    world.engine.die();
    await until(() => world.engine.submitted.length === 2);
    expect(world.engine.submitted[1]).toEqual({ ...world.engine.submitted[0], memory_mb: 64, timeout_s: 9 });
    await until(async () => (await read(id)).state === 'running');
    await world.runs.recover();
    expect(await read(id)).toMatchObject({ state: 'lost', error: { text: expect.stringContaining('请重试') } });
    const again = await submit(person, {}, 'twice');
    await until(async () => (await read(again)).state === 'running');
    await world.runs.recover();
    expect((await read(again)).state).toBe('running');
    world.engine.onRun = () => ({ state: 'done', result: { n: 1 } });
    world.engine.die();
    await ended(again);
    expect(await read(again)).toMatchObject({ state: 'done', result: { shown: { n: 1 } } });
    expect(finished.map((ending) => ending.outcome.state)).toEqual(['lost', 'done']);
  });

  test('runs found open at start are marked as lost and finished', async () => {
    const [row] = await world.db
      .insert(runsTable)
      .values({
        ownerKind: 'user',
        ownerId: person.id,
        userId: person.id,
        kind: 'probe',
        state: 'running',
        payload: {},
      })
      .returning();
    await world.runs.recover();
    expect((await read(row!.id)).state).toBe('lost');
    expect(finished.map((ending) => ending.id)).toEqual([row!.id]);
  });

  test('sends nonsense, and the stream goes on', async () => {
    world.engine.onRun = () => null;
    const id = await submit();
    await until(async () => (await read(id)).state === 'running');
    world.engine.emit(id, { state: 'dancing' });
    world.engine.emit(999_999, { state: 'done' });
    world.engine.emit(id, { state: 'done', result: {} });
    await ended(id);
    expect((await read(id)).state).toBe('done');
  });
});

describe('of others', () => {
  test('runs are neither shown, cancelled, stopped, streamed nor downloaded, and absent ones look the same', async () => {
    world.engine.onRun = () => null;
    const stranger = await makePerson(world);
    const id = await submit(stranger);
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/stop'],
      ['GET', '/events'],
    ] as const) {
      const foreign = await call(world, person, method, `/v1/runs/${id}${path}`);
      const absent = await call(world, person, method, `/v1/runs/999999${path}`);
      expect(foreign.status).toBe(404);
      expect(foreign.body).toEqual(absent.body);
      expect((await call(world, null, method, `/v1/runs/${id}${path}`)).status).toBe(401);
    }
    expect(world.engine.cancelled).toEqual([]);
    expect((await call(world, person, 'GET', '/v1/runs')).data).toEqual({ total: 0, list: [] });
  });
});
