import { createReadStream, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { build, until } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { call, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { endAllSessions } from '../accounts/store.ts';
import { users } from '../accounts/tables.ts';

let world: World;
let person: Person;
const logTo: string[] = [];
beforeAll(async () => {
  world = await build({ logTo });
});
beforeEach(async () => {
  await world.reset();
  person = await makePerson(world);
});
afterAll(async () => world.close());

const submit = (who = person): Promise<number> =>
  world.runs.submit({ owner: who.owner, userId: who.id, kind: 'probe', payload: {} });

describe('events', () => {
  const origin = async (): Promise<string> => {
    const address = world.app.server.address();
    if (address && typeof address === 'object') return `http://127.0.0.1:${address.port}`;
    return world.app.listen({ port: 0, host: '127.0.0.1' });
  };

  /** Reads a stream until it ends or `see` says that it is enough. `see` gets all text so far, each time some came. */
  async function stream(
    id: number,
    see: (text: string) => boolean,
    { who = person, last = '' }: { who?: Person; last?: string } = {},
  ): Promise<string> {
    const control = new AbortController();
    const response = await fetch(`${await origin()}/v1/runs/${id}/events`, {
      headers: { authorization: `Bearer ${who.token}`, ...(last ? { 'last-event-id': last } : {}) },
      signal: control.signal,
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toContain('no-transform');
    let text = '';
    for await (const part of response.body!) {
      text += new TextDecoder().decode(part);
      if (see(text)) break;
    }
    control.abort();
    return text;
  }
  const namesOf = (text: string): (string | undefined)[] =>
    [...text.matchAll(/^event: (\w+)$/gm)].map((match) => match[1]);

  async function running(who = person): Promise<number> {
    world.engine.onRun = () => null;
    const id = await submit(who);
    await until(async () => (await world.runs.wait(id, 0)).state === 'running');
    return id;
  }

  test('tell state, progress and end, then the stream is over', async () => {
    const id = await running();
    const next = [
      () => world.engine.emit(id, { state: 'running', progress: { done: 1, of: 4, text: '读取数据' } }),
      () => world.engine.emit(id, { state: 'running', progress: { done: 2, of: 4, text: '计算' } }),
      () => world.engine.emit(id, { state: 'done', result: { n: 1 } }),
    ];
    let seen = 0;
    const text = await stream(id, (soFar) => {
      // Each event is the sign for the next one.
      for (; seen < namesOf(soFar).length; seen += 1) next[seen]?.();
      return false;
    });
    expect(namesOf(text)).toEqual(['state', 'progress', 'progress', 'end']);
    expect(text).toContain('"text":"计算"');
    expect(text).toContain('"state":"done"');
  });

  test('continue after Last-Event-ID without repeating what was seen', async () => {
    const id = await running();
    const first = await stream(id, (text) => text.includes('event: state'));
    const last = /id: (\d+)/.exec(first)?.[1] ?? '';
    const rest = await stream(
      id,
      (text) => {
        if (text.startsWith('retry:') && !text.includes('event:')) world.engine.emit(id, { state: 'done', result: {} });
        return false;
      },
      { last },
    );
    expect(namesOf(rest)).toEqual(['end']);
    expect(namesOf(await stream(id, () => false, { last }))).toEqual(['end']);
  });

  test('end with a goodbye when the session ended', async () => {
    const id = await running();
    const text = await stream(id, (soFar) => {
      if (namesOf(soFar).length === 1) void endAllSessions(world.db, person.id, 'banned');
      return false;
    });
    expect(namesOf(text)).toEqual(['state', 'bye']);
  });

  test('and downloads leave no error in the log, whether read to the end or left', async () => {
    logTo.length = 0;
    const id = await running();
    await stream(id, (text) => text.includes('event: state'));
    await stream(id, (text) => {
      if (namesOf(text).length === 1) world.engine.emit(id, { state: 'done', result: {} });
      return false;
    });
    const lines = (): string[] =>
      logTo.filter((line) => line.includes('/v1/runs/:id/events') && line.includes('"event":"request"'));
    await until(() => lines().length === 2);
    expect(logTo.filter((line) => /"level":"(?:warn|error|fatal)"/.test(line))).toEqual([]);
  });

  test('at most five streams at once for one person', async () => {
    const who = await makePerson(world);
    const id = await running(who);
    let open = 0;
    const five = Array.from({ length: 5 }, () => {
      let isOpen = false;
      return stream(
        id,
        (text) => {
          if (!isOpen) open += 1;
          isOpen = true;
          return text.includes('event: end');
        },
        { who },
      );
    });
    await until(() => open === 5, 10_000);
    expect((await call(world, who, 'GET', `/v1/runs/${id}/events`)).status).toBe(429);
    world.engine.emit(id, { state: 'done', result: {} });
    await Promise.all(five);
  });
});

describe('downloads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hengxi-download-'));
  beforeAll(() => {
    const file = join(folder, 'a.txt');
    writeFileSync(file, '内容');
    world.downloads.register('probe', async (owner, id) =>
      id === 7 && owner.id === person.id
        ? { name: '报告 (1)‮.txt', type: 'text/plain; charset=utf-8', size: 6, open: () => createReadStream(file) }
        : null,
    );
  });

  test('an address works once, within sixty seconds, for one object', async () => {
    const { data } = await call(world, person, 'POST', '/v1/downloads', { kind: 'probe', id: 7 });
    expect(data.url).toMatch(/^\/v1\/downloads\/[\w-]{22}$/);
    const file = await call(world, null, 'GET', data.url);
    expect(file.text).toBe('内容');
    expect(file.headers['content-disposition']).not.toContain('%E2%80%AE');
    expect(file.headers['content-disposition']).toContain("filename*=UTF-8''%E6%8A%A5%E5%91%8A%20%281%29");
    expect(file.headers['referrer-policy']).toBe('no-referrer');
    const again = await call(world, null, 'GET', data.url);
    expect(again.status).toBe(404);
    expect(again.body).toMatchObject({ err_code: 30005, msg: '下载链接已失效' });
    const late = await call(world, person, 'POST', '/v1/downloads', { kind: 'probe', id: 7 });
    await world.db.execute(sql`UPDATE downloads SET ends_at = now() - interval '1 minute'`);
    expect((await call(world, null, 'GET', late.data.url)).body.err_code).toBe(30005);
  });

  test('foreign and absent objects and kinds get no address', async () => {
    const stranger = await makePerson(world);
    for (const [who, kind, id] of [
      [stranger, 'probe', 7],
      [person, 'probe', 8],
      [person, 'unknown', 7],
    ] as const)
      expect((await call(world, who, 'POST', '/v1/downloads', { kind, id })).status).toBe(404);
    expect(await world.db.select().from(users)).toHaveLength(2);
  });
});
