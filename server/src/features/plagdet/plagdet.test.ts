import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { rowsOf, until } from '../../testing/build.ts';
import { call, makeMember, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { expectBalanced } from '../../testing/money.ts';
import { personStage } from '../../testing/stages.ts';

const on = personStage();
const TEXT = '统计分析的方法与应用'.repeat(40);

/** The files an engine would have written for a check: twenty characters of document `source`. */
function answerCheck(payload: any, source: number): Record<string, unknown> {
  put(payload.text, TEXT);
  const match = {
    document: source,
    kind: 'same',
    span: [0, 20, 0, 20],
    source: [5, 25],
    chain: 1,
    ratio: 100,
    documents: 1,
  };
  const report = { characters: 400, notes: { unseen: 1 }, pages: [], parts: [], matches: [match] };
  put(payload.report, JSON.stringify(report));
  if (payload.other) put(payload.other.text, TEXT);
  return { characters: 400, sha256: 'x', documents: 1, matches: 1 };
}

const at = (key: string): string => join(on.world.deps.config.data, 'plagdet', key);
function put(key: string, content: string): void {
  mkdirSync(at(''), { recursive: true });
  writeFileSync(at(key), gzipSync(content));
}

let source = 0;
beforeEach(() => {
  source = 0;
  on.world.engine.onRun = ({ payload }) => {
    if (payload.act === 'check') return { state: 'done', result: answerCheck(payload, source) };
    if (payload.act === 'merge')
      return { state: 'done', result: { documents: payload.from.flatMap(({ documents }: any) => documents) } };
    for (const { text } of payload.documents) put(text, `前${'甲'.repeat(4)}${TEXT}`);
    const documents = payload.documents.map(({ id, name }: any) =>
      name.startsWith('坏')
        ? { id, refusal: { code: 'file.scanned', text: '这份 PDF 没有文字层' } }
        : { id, characters: 400, sha256: name },
    );
    return { state: 'done', result: { documents } };
  };
});

const send = (who: Person, path: string, body: string) =>
  call(on.world, who, 'POST', `/v1/plagdet/${path}`, body, { 'content-type': 'application/octet-stream' });
const documents = async (who = on.person) => (await call(on.world, who, 'GET', '/v1/plagdet/documents')).data.list;
const scope = async (who = on.person) => (await call(on.world, who, 'GET', '/v1/plagdet/scope')).data;

async function addDocument(who: Person, name: string): Promise<number> {
  await send(who, `documents?name=${encodeURIComponent(name)}&consent=1`, TEXT);
  const { data } = await call(on.world, who, 'POST', '/v1/plagdet/documents/index');
  await until(async () => (await documents(who)).every(({ state }: any) => state !== 'waiting'));
  expect(data.run_id).toBeGreaterThan(0);
  return (await documents(who)).find((one: any) => one.name === name).id;
}

async function check(who: Person, query: string, body = randomBytes(8).toString('hex')) {
  const answer = await send(who, `checks?${query}`, body);
  if (!answer.data?.id) return answer;
  const url = `/v1/plagdet/checks/${answer.data.id}`;
  let now = answer;
  await until(async () => (now = await call(on.world, who, 'GET', url)).data.state !== 'running');
  return now;
}

test('documents join the library with consent only, once, and what cannot be read says why', async () => {
  const refused = await send(on.person, `documents?name=a.txt`, TEXT);
  expect(refused.body.err_code).toBe(30175);
  expect((await send(on.person, 'documents?name=a.txt&consent=1', '')).body.err_code).toBe(30177);
  for (const name of ['论文.docx', '坏.pdf'])
    await send(on.person, `documents?name=${encodeURIComponent(name)}&consent=1`, TEXT);
  expect(await scope()).toMatchObject({ documents: 0, waiting: 2 });
  // Two clicks are one run.
  const clicks = await Promise.all([0, 1].map(() => call(on.world, on.person, 'POST', '/v1/plagdet/documents/index')));
  expect(clicks.map(({ status }) => status)).toEqual([200, 200]);
  await until(async () => (await scope()).waiting === 0);
  expect(on.world.engine.submitted.filter(({ payload }) => payload.act === 'add')).toHaveLength(1);
  expect(await documents()).toMatchObject([
    { name: '坏.pdf', state: 'refused', reason: '这份 PDF 没有文字层' },
    { name: '论文.docx', state: 'ready', characters: 400 },
  ]);
  await addDocument(on.person, '论文.docx').catch(() => 0);
  expect((await documents())[0]).toMatchObject({ state: 'refused', reason: '文库里已有同样的文本' });
  expect((await scope()).documents).toBe(1);
});

test('documents whose run failed go one by one, and the one that fails alone is refused', async () => {
  const good = on.world.engine.onRun;
  on.world.engine.onRun = (submitted) =>
    submitted.payload.documents.some(({ name }: any) => name === '慢.pdf')
      ? { state: 'timeout' }
      : (good?.(submitted) ?? { state: 'failed' });
  for (const name of ['慢.pdf', '好.pdf'])
    await send(on.person, `documents?name=${encodeURIComponent(name)}&consent=1`, TEXT);
  for (let round = 0; round < 3; round += 1) {
    await call(on.world, on.person, 'POST', '/v1/plagdet/documents/index');
    await until(async () => (await scope()).run_id === null);
  }
  expect(await documents()).toMatchObject([
    { name: '好.pdf', state: 'ready', reason: null },
    { name: '慢.pdf', state: 'refused', reason: expect.any(String) },
  ]);
});

test('without a library nothing begins; two texts need none', async () => {
  expect((await check(on.person, 'name=a.txt')).body.err_code).toBe(30171);
  expect((await send(on.person, 'checks?name=a.txt&other=b.txt', '甲乙')).body.err_code).toBe(30090);
  const both = '甲乙';
  const { data } = await check(on.person, `name=a.txt&other=b.txt&split=3`, both);
  expect(data).toMatchObject({ state: 'done', other_name: 'b.txt', documents: 1, points: 0 });
  const [run] = on.world.engine.submitted;
  expect(run?.payload).toMatchObject({ scope: null, other: { name: 'b.txt' } });
  const report = (await call(on.world, on.person, 'GET', `/v1/plagdet/checks/${data.id}/report`)).data;
  expect(report.sources).toMatchObject([{ document: 0, name: 'b.txt', same: 20 }]);
  const excerpt = (await call(on.world, on.person, 'GET', `/v1/plagdet/checks/${data.id}/passages/0`)).data;
  expect(excerpt).toEqual({
    name: 'b.txt',
    before: TEXT.slice(0, 5),
    passage: TEXT.slice(5, 25),
    after: TEXT.slice(25, 125),
  });
});

test('a report is of now: what left the library leaves it at once, and what its author says is counted anew', async () => {
  source = await addDocument(on.person, '来源.docx');
  const { data } = await check(on.person, 'name=a.txt');
  expect(data).toMatchObject({ state: 'done', documents: 1, figures: { characters: 400, same: 20 } });
  const url = `/v1/plagdet/checks/${data.id}`;
  const claimed = await call(on.world, on.person, 'POST', `${url}/exclusions`, {
    quoted: [0],
    own: [source],
    count: [],
  });
  expect(claimed.data.figures).toMatchObject({ same: 20, same_unquoted: 0, same_foreign: 0 });
  expect(claimed.data.sources).toMatchObject([{ name: '来源.docx', is_own: true }]);
  expect((await call(on.world, on.person, 'GET', `${url}/passages/0`)).data.name).toBe('来源.docx');

  const html = await call(on.world, on.person, 'GET', `${url}/export`);
  expect(html.headers['content-disposition']).toContain(encodeURIComponent('查重_a.html'));
  expect(html.text).toContain('本次与 1 篇文档比对');
  expect(html.text).toContain('没有全国性的论文库');
  expect(html.text).toContain('这是作者的说法');
  expect(html.text).not.toMatch(/通过|合格线|抄袭率/);

  await call(on.world, on.person, 'DELETE', `/v1/plagdet/documents/${source}`);
  const after = (await call(on.world, on.person, 'GET', `${url}/report`)).data;
  expect(after).toMatchObject({
    removed: 1,
    figures: { same: 0 },
    sources: [],
    passages: [],
    claims: { quoted: [], own: [] },
  });
  expect((await call(on.world, on.person, 'GET', `${url}/passages/0`)).status).toBe(404);
});

test('two people never see or meet each other’s texts', async () => {
  const other = await makePerson(on.world);
  const mine = await addDocument(on.person, '我的.docx');
  const theirs = await addDocument(other, '别人的.docx');
  const scopes: any[] = [];
  on.world.engine.onRun = ({ payload }) => {
    scopes.push(payload.scope);
    return { state: 'done', result: answerCheck(payload, theirs) };
  };
  const { data } = await check(on.person, 'name=a.txt');
  expect(data.documents).toBe(1);
  // Even where an index were to name a foreign document, nothing of it is shown.
  const report = (await call(on.world, on.person, 'GET', `/v1/plagdet/checks/${data.id}/report`)).data;
  expect(report).toMatchObject({ sources: [], passages: [], figures: { same: 0 } });
  expect((await call(on.world, on.person, 'GET', `/v1/plagdet/checks/${data.id}/passages/0`)).status).toBe(404);
  for (const path of ['', '/report', '/passages/0', '/export'])
    expect((await call(on.world, other, 'GET', `/v1/plagdet/checks/${data.id}${path}`)).status).toBe(404);
  expect((await call(on.world, other, 'DELETE', `/v1/plagdet/documents/${mine}`)).status).toBe(404);
  expect((await documents(other)).map(({ name }: any) => name)).toEqual(['别人的.docx']);
});

test('the day has its free check; a further one costs points, once, and a failure gives them back', async () => {
  await addDocument(on.person, '来源.docx');
  const file = '甲';
  const first = await check(on.person, 'name=a.txt', file);
  expect(first.data).toMatchObject({ state: 'done', points: 0 });
  expect(on.world.engine.submitted.at(-1)?.payload.most).toBe(30_000);
  // The same against the same library is the same check.
  expect((await check(on.person, 'name=a.txt', file)).data.id).toBe(first.data.id);
  expect(await scope()).toMatchObject({ used_today: 1, balance: 0, limits: { checks_day: 1, price: 3 } });
  expect((await check(on.person, 'name=b.txt')).body.err_code).toBe(30172);
  expect((await check(on.person, 'name=b.txt&pay=1')).body.err_code).toBe(30101);

  const give = { kind: 'ops' as const, key: 'gift', title: '赠送' };
  await on.world.db.transaction((tx) => on.world.money.points.add(tx, on.person.owner, { paid: 7 }, give));
  const again = '乙';
  const clicks = await Promise.all([0, 1].map(() => check(on.person, 'name=b.txt&pay=1', again)));
  expect(new Set(clicks.map(({ data }) => data.id)).size).toBe(1);
  expect((await scope()).balance).toBe(4);

  const refusal = { fields: [{ field: null, code: 'file.encrypted', text: '文件已加密，请去掉密码' }] };
  on.world.engine.onRun = () => ({ state: 'refused', refusal });
  const failed = await check(on.person, 'name=c.pdf&pay=1');
  expect(failed.data).toMatchObject({ state: 'failed', reason: '文件已加密，请去掉密码（已退回 3 点）', points: 0 });
  expect((await scope()).balance).toBe(4);
  await expectBalanced(on.world);
});

test('a check that is deleted leaves nothing behind and still counts for its day', async () => {
  await addDocument(on.person, '来源.docx');
  const { data } = await check(on.person, 'name=a.txt');
  const url = `/v1/plagdet/checks/${data.id}`;
  expect((await call(on.world, on.person, 'DELETE', url)).body.status_code).toBe(1);
  expect((await call(on.world, on.person, 'GET', url)).status).toBe(404);
  expect((await call(on.world, on.person, 'GET', '/v1/plagdet/checks')).data).toEqual({ total: 0, list: [] });
  expect((await check(on.person, 'name=b.txt')).body.err_code).toBe(30172);
  const rows = () => rowsOf(on.world.db, sql`SELECT name, digest, figures FROM plagdet_checks`);
  await on.world.plagdet.tidy();
  expect(await rows()).toEqual([{ name: '', digest: '', figures: null }]);
  await on.world.db.execute(sql`UPDATE plagdet_checks SET created_at = created_at - interval '1 day'`);
  await on.world.plagdet.tidy();
  expect(await rows()).toEqual([]);
});

test('a member has more, and a check that failed does not count', async () => {
  await makeMember(on.world, on.person);
  await addDocument(on.person, '来源.docx');
  on.world.engine.onRun = () => ({ state: 'timeout' });
  expect((await check(on.person, 'name=a.txt')).data.state).toBe('failed');
  expect(await scope()).toMatchObject({ used_today: 0, limits: { checks_day: 5, documents: 2000 } });
});

test('a cancelled check says so and its files go', async () => {
  await addDocument(on.person, '来源.docx');
  on.world.engine.onRun = null;
  const { data } = await send(on.person, 'checks?name=a.txt', '丙');
  const { file } = on.world.engine.submitted.at(-1)?.payload ?? {};
  expect(existsSync(at(file))).toBe(true);
  await call(on.world, on.person, 'DELETE', `/v1/runs/${data.run_id}`);
  const now = (await call(on.world, on.person, 'GET', `/v1/plagdet/checks/${data.id}`)).data;
  expect(now).toMatchObject({ state: 'cancelled', reason: '已取消' });
  await until(() => !existsSync(at(file)));
  expect((await call(on.world, on.person, 'GET', `/v1/plagdet/checks/${data.id}/report`)).status).toBe(409);
});

test('a text joins the library when its owner says so, and not before', async () => {
  source = await addDocument(on.person, '来源.docx');
  const { data } = await check(on.person, 'name=论文.txt');
  expect((await scope()).documents).toBe(1);
  const url = `/v1/plagdet/checks/${data.id}/library`;
  expect((await call(on.world, on.person, 'POST', url, {})).status).toBe(400);
  await call(on.world, on.person, 'POST', url, { consent: true });
  await until(async () => (await scope()).documents === 2);
});

test('reports go after their days, segments without documents too, and nothing is left on disk', async () => {
  source = await addDocument(on.person, '来源.docx');
  const { data } = await check(on.person, 'name=a.txt');
  const [{ report_key: key }] = await rowsOf(on.world.db, sql`SELECT report_key FROM plagdet_checks`);
  expect(existsSync(at(key))).toBe(true);
  await on.world.db.execute(sql`UPDATE plagdet_checks SET expires_at = now() - interval '1 day'`);
  expect((await call(on.world, on.person, 'GET', `/v1/plagdet/checks/${data.id}`)).status).toBe(404);
  await on.world.plagdet.tidy();
  expect(existsSync(at(key))).toBe(false);
  await call(on.world, on.person, 'DELETE', `/v1/plagdet/documents/${source}`);
  await on.world.plagdet.tidy();
  await on.world.db.execute(sql`UPDATE plagdet_segments SET dropped_at = now() - interval '2 hours'`);
  await on.world.plagdet.tidy();
  expect(await rowsOf(on.world.db, sql`SELECT 1 FROM plagdet_segments`)).toEqual([]);
});

test('an account that leaves takes library, results and files with it; an archive holds them before', async () => {
  source = await addDocument(on.person, '来源.docx');
  await check(on.person, 'name=论文.txt');
  const archive = [];
  for await (const file of on.world.plagdet.belongings(on.person.owner)) archive.push(file.path);
  expect(archive).toEqual([
    'plagdet/library.json',
    `plagdet/library/${source}_来源.docx.txt`,
    'plagdet/checks.json',
    expect.stringMatching(/^plagdet\/checks\/\d+_论文\.txt\.txt$/),
  ]);
  expect(await on.world.plagdet.holds(on.world.db, on.person.id)).toBe(true);
  await on.world.db.transaction((tx) => on.world.plagdet.forget(tx, on.person.id));
  expect(await on.world.plagdet.holds(on.world.db, on.person.id)).toBe(false);
  expect(await rowsOf(on.world.db, sql`SELECT 1 FROM plagdet_segments WHERE dropped_at IS NULL`)).toEqual([]);
});

test('a segment that lost a document is made anew without it', async () => {
  for (const name of ['甲.txt', '乙.txt'])
    await send(on.person, `documents?name=${encodeURIComponent(name)}&consent=1`, TEXT);
  await call(on.world, on.person, 'POST', '/v1/plagdet/documents/index');
  await until(async () => (await scope()).documents === 2);
  const [gone, kept] = await documents();
  await call(on.world, on.person, 'DELETE', `/v1/plagdet/documents/${gone.id}`);
  await on.world.plagdet.tidy();
  const inUse = () => rowsOf(on.world.db, sql`SELECT key, documents FROM plagdet_segments WHERE dropped_at IS NULL`);
  await until(async () => (await inUse()).every(({ documents: n }) => n === 1));
  expect(on.world.engine.submitted.at(-1)?.payload).toMatchObject({ act: 'merge', from: [{ documents: [kept.id] }] });
  const [{ key }] = await inUse();
  expect(await rowsOf(on.world.db, sql`SELECT segment_key FROM plagdet_documents`)).toEqual([{ segment_key: key }]);
});
