import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { makeReport, reportOf } from '../../testing/tables.ts';
import { reportStage } from '../../testing/stages.ts';

const SHARE = '/v1/analysis/report/share';
const on = reportStage();
let { world, person, vid, fid, pid, rid } = on;
beforeEach(() => {
  ({ world, person, vid, fid, pid, rid } = on);
});

const at = (path = '') => `/v1/analysis/projects/${pid}/reports/${rid}${path}`;
const get = (url: string, who: Person | null = person) => call(world, who, 'GET', url);
const post = (url: string, body: Record<string, unknown> = {}) => call(world, person, 'POST', url, body);
const remove = (url: string) => call(world, person, 'DELETE', url);
const history = async () => (await get(`/v1/analysis/projects/${pid}/history`)).data.list.map(({ text }: any) => text);

describe('projects', () => {
  const names = async () => (await get('/v1/analysis/project')).data.list.map(({ name }: any) => name);

  test('are made, renamed and put in order', async () => {
    const made = await post('/v1/analysis/project/0', { name: '毕业论文' });
    expect(made.data).toMatchObject({ name: '毕业论文', order: 1, reports: 0 });
    await post('/v1/analysis/project/0', { name: '随访' });
    expect(await names()).toEqual(['随访', '毕业论文', '调查']);
    await post(`/v1/analysis/project/${pid}`, { name: '课程', order: 1 });
    expect(await names()).toEqual(['课程', '随访', '毕业论文']);
    expect((await post(`/v1/analysis/project/${pid}`, { order: 99 })).data.order).toBe(3);
    expect((await post('/v1/analysis/project/0', {})).status).toBe(400);
    expect((await get('/v1/analysis/project?keyword=论文')).data).toMatchObject({
      total: 1,
      list: [{ name: '毕业论文', order: 2 }],
    });
  });

  test('go with their reports to the bin, and come back with one of them', async () => {
    expect((await remove(`/v1/analysis/project/${pid}`)).status).toBe(200);
    expect(await names()).toEqual([]);
    expect((await get(at())).status).toBe(404);
    expect((await get('/v1/analysis/projects/0/report?bin=1')).data.list).toMatchObject([{ rid }]);
    expect((await post(at(), { restore: true })).data.deleted_at).toBeNull();
    expect(await names()).toEqual(['调查']);
  });

  test('are removed for good thirty days later, with everything in them', async () => {
    await remove(`/v1/analysis/project/${pid}`);
    await world.db.execute(sql`UPDATE projects SET deleted_at = now() - interval '31 days'`);
    await world.reports.sweep();
    for (const table of [sql`projects`, sql`reports`, sql`report_documents`, sql`project_events`])
      expect(await world.db.execute(sql`SELECT 1 FROM ${table}`)).toMatchObject({ rows: [] });
  });
});

describe('a report', () => {
  test('is renamed, pinned, noted, frozen; each act stands in the history', async () => {
    expect((await post(at(), { name: '表一' })).data.title).toBe('表一');
    expect((await post(at(), { pinned: true })).data.pinned).toBe(true);
    expect((await post(at(), { note: '送审' })).data.note).toBe('送审');
    expect((await post(at(), { frozen: true })).data.frozen).toBe(true);
    expect((await post(at(), { rev: 1 })).body.err_code).toBe(30603);
    expect(await history()).toEqual([
      '表一：冻结',
      '表一：修改备注',
      '表一：置顶',
      '“性别的频数”改名为“表一”',
      '频数分析：“性别”',
    ]);
    expect((await post(at(), { name: 'a', pinned: true })).status).toBe(400);
    expect((await post(at(), {})).status).toBe(400);
  });

  test('keeps its own title through the next run, and goes back to a revision', async () => {
    await post(at(), { name: '表一' });
    await makeReport(world, person, vid, `&report_id=${rid}`, { variables: ['c2'] });
    expect((await get(at())).data).toMatchObject({ title: '表一', rev: 2, revs: 2 });
    expect((await post(at(), { rev: 1 })).data).toMatchObject({ rev: 1, revs: 2, form: { variables: ['c1'] } });
    expect((await post(at(), { rev: 9 })).status).toBe(404);
    const next = await makeReport(world, person, vid, `&report_id=${rid}`, { variables: ['c3'] });
    expect(next.rev).toBe(3);
  });

  test('is listed by project, version and file', async () => {
    await makeReport(world, person, vid, '', { variables: ['c2'] });
    const total = async (url: string) => (await get(url)).data.total;
    expect(await total(`/v1/analysis/projects/${pid}/report`)).toBe(1);
    expect(await total(`/v1/analysis/projects/${pid}/reports?vid=${vid}`)).toBe(1);
    expect(await total(`/v1/analysis/projects/0/report?fid=${fid}`)).toBe(2);
    expect((await get(`/v1/user/file/${fid}`)).data.reports).toBe(2);
    expect(await total(`/v1/analysis/projects/0/report?vid=99999`)).toBe(0);
  });

  test('goes to the bin and for good, with the folder it kept', async () => {
    world.engine.onRun = (run) => ({ state: 'done', result: { report: reportOf({ data: run.payload.kept }) } });
    const made = await makeReport(world, person, vid, '', { variables: ['c3'] });
    const url = `/v1/analysis/projects/0/reports/${made.report_id}`;
    expect((await remove(`${url}?forever=1`)).status).toBe(422);
    expect((await remove(url)).status).toBe(200);
    expect((await get(url)).status).toBe(404);
    expect((await remove(`${url}?forever=1`)).status).toBe(200);
    expect(await world.db.execute(sql`SELECT key FROM garbage`)).toMatchObject({
      rows: [{ key: expect.stringMatching(/^t_/) }],
    });
    expect((await post(url, { restore: true })).status).toBe(404);
  });

  test('outlives its data, and says so where rows are wanted', async () => {
    await remove(`/v1/user/file/${fid}`);
    await remove(`/v1/user/file/${fid}?forever=1`);
    expect((await get(at())).data).toMatchObject({ vid: null, title: '性别的频数' });
    expect((await get(at('/rows'))).body.msg).toBe('这份报告所用的数据已经删除，无法列出各行');
  });

  test('keeps presentation and an unsaved form apart', async () => {
    expect((await get(at('/config'))).data).toEqual({
      report_type: 'analysis',
      presentation: {},
      form: null,
      updated_at: null,
    });
    await post(at('/config?report_type=analysis'), { presentation: { style: 'apa' } });
    await post(at('/config'), { form: { form: { variables: [] }, saved_at: '2026-11-21T08:00:00.000Z' } });
    expect((await get(at('/config'))).data).toMatchObject({
      presentation: { style: 'apa' },
      form: { form: { variables: [] } },
    });
    expect(
      (await get(`/v1/analysis/projects/${pid}/report/${rid}/config?report_type=drawing`)).data.presentation,
    ).toEqual({});
    expect((await post(at('/config'), { form: null })).data).toMatchObject({
      presentation: { style: 'apa' },
      form: null,
    });
    expect((await post(at('/config'), { presentation: { big: 'x'.repeat(300_000) } })).status).toBe(413);
    expect((await get(at('/config?report_type=else'))).status).toBe(400);
  });

  test('shows the rows behind its sample account', async () => {
    const asked: any[] = [];
    world.engine.on('POST', '/tables/:key/rows', (body) => {
      asked.push(body);
      return { body: { total: 3, rows: [['男'], [null]], index: [0, 4] } };
    });
    expect((await get(at('/rows?set=missing&column=c1'))).data).toMatchObject({
      total: 3,
      columns: [{ id: 'c1' }],
      index: [0, 4],
      reasons: [[], ['“性别”缺失']],
    });
    await get(at('/rows?set=used&offset=10&limit=20'));
    await get(at('/rows?set=filtered'));
    const sample = { filter: null, columns: ['c1'], chosen: null, either: null, weight: null, only: null };
    expect(asked.map((body) => body.sample)).toEqual([
      { ...sample, set: 'missing', only: 'c1' },
      { ...sample, set: 'used' },
      { ...sample, set: 'filtered' },
    ]);
    expect(asked[1]).toMatchObject({ offset: 10, limit: 20, columns: ['c1'] });
  });

  test('shows rows by their numbers, which a point of a chart names', async () => {
    const asked: any[] = [];
    world.engine.on('POST', '/tables/:key/rows', (body) => {
      asked.push(body);
      return { body: { total: 2, rows: [['男'], ['女']], index: [2, 55] } };
    });
    expect((await get(at('/rows?set=numbered&numbers=56,3'))).data).toMatchObject({
      total: 2,
      columns: [{ id: 'c1' }],
      index: [2, 55],
      reasons: [[], []],
    });
    expect(asked).toMatchObject([{ columns: ['c1'], condition: 'rownum() in (3, 56)' }]);
    for (const wrong of ['', '&numbers=0', '&numbers=1;2', `&numbers=${Array(101).fill('7').join()}`])
      expect((await get(at(`/rows?set=numbered${wrong}`))).status).toBe(400);
    expect((await get(at('/rows?set=numbered&numbers=3'), await makePerson(world))).status).toBe(404);
    expect(asked).toHaveLength(1);
  });

  test('gives the rows of a long table beyond those in the document, and no others', async () => {
    const page = { total: 1497, rows: [['其他', 1, 0.1]], depth: [0], totals: [], marks: { '0,1': 'a' } };
    const asked: unknown[] = [];
    world.engine.on('POST', '/tables/:key/kept-rows', (body) => {
      asked.push(body);
      return { body: page };
    });
    expect((await get(at('/table-rows?file=r0_1&offset=1000'))).data).toEqual(page);
    expect(asked).toEqual([{ file: 'r0_1', offset: 1000, limit: 1000 }]);
    expect((await get(at('/table-rows?file=r0_2'))).status).toBe(404);
    expect((await get(at('/table-rows?file=r0_1&limit=1001'))).status).toBe(400);
    const other = await makePerson(world);
    expect((await get(at('/table-rows?file=r0_1'), other)).status).toBe(404);
    expect(asked).toHaveLength(1);
  });

  test('writes the columns it made into the data, once', async () => {
    world.engine.onRun = (run) => ({ state: 'done', result: { report: reportOf({ data: run.payload.kept }) } });
    const made = await makeReport(world, person, vid, '', { variables: ['c3'] });
    const url = `/v1/analysis/projects/${made.project_id}/reports/${made.report_id}`;
    const written = await post(`${url}/data`, { element: 'saved' });
    const version = (await get(`/v1/user/file/versions/${written.data.vid}`)).data;
    expect(version).toMatchObject({
      parent: vid,
      is_head: true,
      step: { op: 'data', title: '由“性别的频数”生成 1 个变量', changes: ['新增“预测值”'] },
    });
    expect((await post(`${url}/data`, { element: 'saved' })).data.vid).toBe(written.data.vid);
    expect((await get(url)).data.document.parts[0].elements.find(({ id }: any) => id === 'saved').vid).toBe(
      written.data.vid,
    );
    expect((await post(`${url}/data`, { element: 'counts' })).status).toBe(404);
  });
});

describe('a share', () => {
  const share = async (body: Record<string, unknown> = {}) => (await post(`${SHARE}?rid=${rid}&pid=${pid}`, body)).data;
  const open = (code: string) => get(`${SHARE}?code=${code}`, null);

  test('shows one revision to whoever holds the code, and nothing else of the account', async () => {
    // What a remedy has added is a report of its own.
    const presentation = { style: 'apa', beside: [{ rid: 7, title: '改用 Welch' }] };
    await post(at('/config?report_type=analysis'), { presentation });
    const made = await share({ days: 30 });
    expect(made).toMatchObject({ code: expect.stringMatching(/^[\w-]{22}$/), rev: 1, ends_at: expect.any(String) });
    await post(at(), { name: '后来的名字' });
    await makeReport(world, person, vid, `&report_id=${rid}`, { variables: ['c2'] });
    const { data, text } = await open(made.code);
    expect(data).toMatchObject({
      title: '性别的频数',
      method: '频数分析',
      hide_small: false,
      document: { title: '性别的频数', form: {} },
    });
    expect(Object.keys(data).sort()).toEqual([
      'document',
      'ends_at',
      'hide_small',
      'made_at',
      'method',
      'presentation',
      'title',
    ]);
    expect(data.presentation).toEqual({ style: 'apa' });
    expect(text).not.toMatch(/"vid"|"rid"|owner|[tu]_[0-9a-f]{32}|"kept"/);
    expect(data.document.parts[0].elements.find(({ type }: any) => type === 'warning').rows).toEqual([]);
    expect(data.document.parts[0].elements.find(({ type }: any) => type === 'table').more.file).toBeNull();
  });

  test('ends by hand, by time and with its report; unknown, ended and expired look alike', async () => {
    const unknown = await open('nothing');
    expect(unknown).toMatchObject({ status: 404, body: { err_code: 30004, msg: '分享不存在或已结束' } });
    const [one, two, three] = [await share(), await share({ days: null }), await share()];
    expect(two.ends_at).toBeNull();
    expect((await get(at('/shares'))).data.total).toBe(3);
    expect((await remove(`${SHARE}?code=${one.code}`)).status).toBe(200);
    expect((await remove(`${SHARE}?code=${one.code}`)).status).toBe(404);
    await world.db.execute(sql`UPDATE shares SET ends_at = now() - interval '1 minute' WHERE code = ${three.code}`);
    expect((await get(at('/shares'))).data.list).toMatchObject([{ code: two.code }]);
    expect((await open(two.code)).status).toBe(200);
    await remove(at());
    for (const { code } of [one, two, three]) expect((await open(code)).body).toEqual(unknown.body);
  });

  test('of chosen blocks holds no other, but the data its charts draw', async () => {
    const { code } = await share({ blocks: ['bars'] });
    const { elements } = (await open(code)).data.document.parts[0];
    expect(elements.map(({ id, hidden }: any) => [id, hidden])).toEqual([
      ['counts', true],
      ['bars', undefined],
    ]);
    expect(elements[0].columns.map(({ key }: any) => key)).toEqual(['level', 'n']);
  });

  test('without small counts hides them so that they cannot be worked out', async () => {
    const { code } = await share({ hide_small: true });
    const { data } = await open(code);
    const [lead, table] = data.document.parts[0].elements;
    expect(table.rows).toEqual([
      ['第1组', null, null],
      ['第2组', null, null],
      ['第3组', 60, 60 / 103],
      ['合计', 103, 1],
    ]);
    expect(table.marks).toEqual({ '0,1': '＜5' });
    expect(lead).toMatchObject({
      text: '最少的一组有 {n:text} 例，占 {share:text}。',
      facts: { n: '＜5', share: '—' },
      figures: [{ value: '{n:text}' }],
    });
    expect(data.document.sample.why).toEqual([]);
  });

  test('needs a finished report of mine', async () => {
    const wrong = { status: 404, body: { err_code: 30093 } };
    expect(await post(`${SHARE}?rid=99999`)).toMatchObject(wrong);
    expect(await post(`${SHARE}?rid=${rid}&pid=99999`)).toMatchObject(wrong);
    world.engine.onRun = () => null;
    const { report_id: draft } = await makeReport(world, person, vid, '&wait=0', { variables: ['c2'] });
    expect(await post(`${SHARE}?rid=${draft}`)).toMatchObject({ status: 409, body: { err_code: 30605 } });
    expect((await post(`${SHARE}?rid=${rid}`, { days: 8 })).status).toBe(400);
  });
});

test("somebody else's project, report and share are as absent as none", async () => {
  const other = await makePerson(world);
  const { data: share } = await post(`${SHARE}?rid=${rid}`);
  const rows: [any, string, Record<string, unknown>?][] = [
    ['POST', `/v1/analysis/project/${pid}`, { name: '我的' }],
    ['DELETE', `/v1/analysis/project/${pid}`],
    ['GET', `/v1/analysis/projects/${pid}/history`],
    ['GET', `/v1/analysis/projects/${pid}/report`],
    ['GET', `/v1/analysis/projects/${pid}/reports`],
    ['GET', `/v1/analysis/projects/${pid}/report?bin=1`],
    ...[at(), `/v1/analysis/projects/0/reports/${rid}`].flatMap((url): [any, string, Record<string, unknown>?][] => [
      ['GET', url],
      ['GET', `${url}?rev=1`],
      ['POST', url, { name: '我的' }],
      ['POST', url, { restore: true }],
      ['DELETE', url],
      ['DELETE', `${url}?forever=1`],
      ['GET', `${url}/config`],
      ['POST', `${url}/config`, { presentation: {} }],
      ['GET', `${url}/rows`],
      ['GET', `${url}/table-rows?file=r0_1`],
      ['POST', `${url}/data`, { element: 'saved' }],
      ['GET', `${url}/shares`],
    ]),
    ['POST', `${SHARE}?rid=${rid}&pid=${pid}`, {}],
    ['POST', `${SHARE}?rid=${rid}`, {}],
    ['DELETE', `${SHARE}?code=${share.code}`],
  ];
  for (const [method, url, body] of rows) {
    const foreign = await call(world, other, method, url, body);
    expect({ url, status: foreign.status, code: foreign.body.err_code }).toEqual({ url, status: 404, code: 30093 });
    expect((await call(world, null, method, url, body)).status).toBe(401);
  }
  expect((await get('/v1/analysis/projects/0/report', other)).data.total).toBe(0);
  expect((await get(`/v1/analysis/projects/0/report?fid=${fid}`, other)).data.total).toBe(0);
  expect((await get(at())).data).toMatchObject({ title: '性别的频数' });
  expect((await get(`${SHARE}?code=${share.code}`, null)).status).toBe(200);
});

test('the shared demo account removes nothing', async () => {
  await world.db.execute(sql`UPDATE users SET is_demo = true WHERE id = ${person.id}`);
  for (const url of [at(), `/v1/analysis/project/${pid}`, `/v1/user/file/${fid}`, `/v1/user/file/versions/${vid}`])
    expect(await remove(url)).toMatchObject({ status: 403, body: { err_code: 30092 } });
  expect((await get(at())).status).toBe(200);
});
