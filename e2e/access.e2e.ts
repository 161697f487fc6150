import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { ADDRESS, call, file, newPerson } from './browser.ts';

interface Operation {
  method: string;
  path: string;
  access: string;
}

const ABSENT = '2000000001';
let operations: Operation[];
let owner: string;
let other: string;
/** What the owner really has, by the names the paths use for it. */
let owned: Record<string, string>;

async function made(): Promise<Record<string, string>> {
  const content = readFileSync(file('utf8.csv'));
  const begin = await call(owner, 'POST', '/v1/user/file/uploads', { name: 'a.csv', size: content.length });
  const upload = String(begin.envelope.data.upload_id);
  await call(owner, 'PUT', `/v1/user/file/uploads/${upload}?offset=0`, content);
  const started = await call(owner, 'POST', `/v1/user/file/uploads/${upload}/import`, { name: 'a', on_doubt: 'text' });
  const run = String(started.envelope.data.run_id);
  let result: { fid: number; vid: number } | null = null;
  for (let tries = 0; tries < 300 && !result; tries += 1) {
    const { envelope } = await call(owner, 'GET', `/v1/runs/${run}`);
    if (envelope.data.state === 'done') result = envelope.data.result as { fid: number; vid: number };
    else await new Promise((resolve) => setTimeout(resolve, 100));
  }
  if (!result) throw new Error('the import did not end');
  const analysis = await call(owner, 'POST', `/algorithm/descriptive/frequency?vid=${result.vid}`, {
    variables: ['c2'],
  });
  expect(analysis.envelope.data.state).toBe('done');
  const { project_id: pid, report_id: rid } = analysis.envelope.data;
  return { run, upload, fid: String(result.fid), vid: String(result.vid), pid: String(pid), rid: String(rid) };
}

beforeAll(async () => {
  const document = (await (await fetch(`${ADDRESS}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { 'x-access': string }>>;
  };
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, about]) => ({
      method: method.toUpperCase(),
      path,
      access: about['x-access'],
    })),
  );
  owner = await newPerson();
  other = await newPerson();
  owned = await made();
});

/** The id in a path means what the words before it say. */
function fill(path: string, ids: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name !== 'id') return ids[name] ?? ABSENT;
    if (path.startsWith('/v1/runs')) return ids.run ?? ABSENT;
    if (path.includes('/uploads/')) return ids.upload ?? ABSENT;
    if (path.startsWith('/v1/analysis/project/')) return ids.pid ?? ABSENT;
    return ABSENT;
  });
}

test('every call says who may make it, and a visitor makes no other', async () => {
  expect(operations.length).toBeGreaterThan(60);
  for (const { method, path, access } of operations) {
    expect(['visitor', 'session', 'capability', 'sandbox', 'operator'], `${method} ${path}`).toContain(access);
    if (access !== 'session' && access !== 'operator') continue;
    const body = method === 'GET' || method === 'DELETE' ? undefined : {};
    const { status, envelope } = await call(null, method, fill(path, owned), body);
    // The operator's desk does not exist for others, signed in or not.
    expect([status, envelope.status_code], `${method} ${path}`).toEqual([access === 'operator' ? 404 : 401, 0]);
    const signedIn = access === 'operator' ? (await call(owner, method, fill(path, owned), body)).status : 404;
    expect(signedIn, `${method} ${path}`).toBe(404);
  }
});

test("somebody else's id and an id that does not exist get the same answer", async () => {
  const withIds = operations.filter(
    ({ path, access }) => access === 'session' && path.includes('{') && !path.startsWith('/algorithm/'),
  );
  expect(withIds.length).toBeGreaterThan(30);
  for (const { method, path } of withIds) {
    const body = method === 'GET' || method === 'DELETE' ? undefined : {};
    const foreign = await call(other, method, fill(path, owned), body);
    const absent = await call(other, method, fill(path, {}), body);
    expect([foreign.status, foreign.envelope.err_code, foreign.envelope.msg], `${method} ${path}`).toEqual([
      absent.status,
      absent.envelope.err_code,
      absent.envelope.msg,
    ]);
    expect(foreign.status, `${method} ${path}`).toBeGreaterThanOrEqual(400);
  }
  // The owner still has everything.
  for (const path of [
    `/v1/user/file/${owned.fid}`,
    `/v1/user/file/versions/${owned.vid}`,
    `/v1/analysis/projects/${owned.pid}/reports/${owned.rid}`,
  ]) {
    expect((await call(owner, 'GET', path)).status, path).toBe(200);
  }
});
