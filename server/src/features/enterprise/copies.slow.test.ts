/** 复制到企业 and 复制到个人 on the real engine: what arrives, what stays apart, who may, and what both ends log. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../../testing/build.ts';
import { join, makeEnterprise } from '../../testing/enterprises.ts';
import type { Tenant } from '../../testing/enterprises.ts';
import { call as callWorld } from '../../testing/makers.ts';
import type { Reply } from '../../testing/makers.ts';
import { buildWithEngine } from '../../testing/real-engine.ts';
import type { RealWorld } from '../../testing/real-engine.ts';

let real: RealWorld;
let tenant: Tenant;
/** Of the owner's personal space. */
let mine: { fid: number; vid: number; pid: number; rid: number };

// The makers need the application, its database and its keys: a world with the real engine has them all.
const world = (): any => real;
type Who = { token: string };
const call = (who: Who, method: any, url: string, body?: Record<string, unknown>): Promise<Reply> =>
  callWorld(world(), who, method, url, body);
const get = async (who: Who, url: string): Promise<any> => (await call(who, 'GET', url)).data;
const code = (reply: Reply): number => reply.body?.err_code ?? 0;
const copy = (who: Who, body: Record<string, unknown>, eid = tenant.eid): Promise<Reply> =>
  call(who, 'POST', `/v1/enterprise/${eid}/copies`, body);

beforeAll(async () => {
  real = await buildWithEngine();
  tenant = await makeEnterprise(world(), '甲企业');
  const { owner } = tenant;
  const { data } = await call(owner, 'POST', '/v1/user/file/example', { path: 'descriptive/frequency' });
  const { columns } = await get(owner, `/v1/user/file/versions/${data.vid}`);
  // A second version whose cells lie with the first.
  const edits = { columns: [{ id: columns[0].id, label: '改过的标签' }] };
  const edited = await call(owner, 'POST', `/v1/user/file/versions/${data.vid}/edits`, edits);
  const { vid } = edited.data;
  const path = `/algorithm/descriptive/frequency?vid=${vid}&project_name=${encodeURIComponent('问卷项目')}`;
  const made = await call(owner, 'POST', path, { variables: [columns[1].id] });
  if (made.data.state !== 'done') throw new Error('The analysis did not end');
  mine = { fid: data.fid, vid, pid: made.data.project_id, rid: made.data.report_id };
}, 240_000);
afterAll(() => real.close());

const isFresh = async (who: Who, report: any): Promise<boolean> => {
  const url = `/algorithm/${report.path}?vid=${report.vid}&draft=1`;
  const { data } = await call(who, 'POST', url, {
    ...report.form,
    _filter: report.filter,
    _weight: null,
    _split: null,
  });
  return data.key === report.key;
};

test('a project goes into the enterprise with its reports and their data, and lives on without the original', async () => {
  const { owner, channel, eid } = tenant;
  const done = await copy(owner, { to: 'enterprise', projects: [mine.pid] });
  expect(done.data).toMatchObject({ files: [expect.any(Number)], projects: [expect.any(Number)], reports: 1 });
  const [fid] = done.data.files;
  const [pid] = done.data.projects;
  const original = await get(owner, `/v1/analysis/projects/${mine.pid}/reports/${mine.rid}`);
  const [row] = (await get(channel, `/v1/analysis/projects/${pid}/report`)).list;
  const report = await get(channel, `/v1/analysis/projects/${pid}/reports/${row.rid}`);
  expect(report.document.parts).toEqual(original.document.parts);
  expect(report).toMatchObject({ title: original.title, fid, rev: 1, shared: false });
  expect(report.rid).not.toBe(mine.rid);
  // It is up to date there as it was here, so nobody is told to run it again.
  expect([await isFresh(owner, original), await isFresh(channel, report)]).toEqual([true, true]);
  expect((await get(channel, `/v1/analysis/projects/${pid}/history`)).list[0].text).toBe('复制自个人空间');
  // Each end sees its own only.
  expect((await call(owner, 'GET', `/v1/user/file/${fid}`)).status).toBe(404);
  expect((await call(channel, 'GET', `/v1/user/file/${mine.fid}`)).status).toBe(404);
  const file = await get(channel, `/v1/user/file/${fid}`);
  expect(file.history).toHaveLength(2);

  // The original goes for good, with its folders; the copy still gives rows, and its bytes count for the enterprise.
  await call(owner, 'DELETE', `/v1/user/file/${mine.fid}`);
  await call(owner, 'DELETE', `/v1/user/file/${mine.fid}?forever=1`);
  await real.db.execute(sql`UPDATE garbage SET due_at = now() - interval '1 minute'`);
  await real.files.sweeper.sweep();
  expect(
    await rowsOf(
      real.db,
      sql`SELECT (SELECT count(*)::int FROM garbage) AS left,
    (SELECT count(*)::int FROM versions WHERE fid = ${mine.fid}) AS versions`,
    ),
  ).toEqual([{ left: 0, versions: 0 }]);
  const asked = { offset: 0, limit: 3, columns: report.form.variables };
  const rows = await call(channel, 'POST', `/v1/user/file/versions/${report.vid}/rows`, asked);
  expect(rows.data.rows).toHaveLength(3);
  const { columns } = await get(channel, `/v1/user/file/versions/${report.vid}`);
  expect(columns[0].label).toBe('改过的标签');
  expect((await get(channel, '/v1/user/file')).used).toBeGreaterThan(0);

  const [entry] = (await get(owner, `/v1/enterprise/${eid}/log`)).list;
  expect(entry).toMatchObject({ act: 'content.copy_in', after: { files: 1, projects: 1, reports: 1 } });
  expect((await get(owner, '/v1/enterprise/copies')).list).toMatchObject([
    { to: 'enterprise', enterprise_name: '甲企业', projects: ['问卷项目'], reports: 1 },
  ]);
});

test('a member takes own and opened content out where the enterprise allows it, and nothing leaves where it does not', async () => {
  const { owner, channel, eid } = tenant;
  const member = await join(world(), tenant, '成员');
  const [project] = (await get(channel, '/v1/analysis/project')).list;
  const [report] = (await get(channel, `/v1/analysis/projects/${project.id}/report`)).list;
  // Somebody else's private content is not there.
  expect(code(await copy(member.channel, { to: 'personal', projects: [project.id] }))).toBe(30317);
  const opened = { projects: [project.id], files: [report.fid], visibility: 'all' };
  await call(owner, 'PATCH', `/v1/enterprise/${eid}/content`, opened);
  const out = await copy(member.channel, { to: 'personal', reports: [report.rid] });
  expect(out.data).toMatchObject({ reports: 1 });
  const personal = (await get(member.person, `/v1/analysis/projects/${out.data.projects[0]}/report`)).list;
  expect(personal).toMatchObject([{ title: report.title, fid: out.data.files[0] }]);
  expect((await get(member.person, `/v1/analysis/projects/${out.data.projects[0]}/history`)).list[0].text).toBe(
    '复制自企业“甲企业”',
  );
  expect((await get(owner, `/v1/enterprise/${eid}/log`)).list[0]).toMatchObject({ act: 'content.copy_out' });

  const run = await call(channel, 'POST', `/v1/user/file/versions/${report.vid}/export`, { format: 'csv' });
  await real.runs.wait(run.data.run_id, 60);
  const ticket = { kind: 'run', id: run.data.run_id };
  const { url } = (await call(channel, 'POST', '/v1/downloads', ticket)).data;
  const { version } = await get(owner, `/v1/enterprise/${eid}`);
  await call(owner, 'PATCH', `/v1/enterprise/${eid}`, { version, settings: { export_allowed: false } });
  expect(code(await copy(member.channel, { to: 'personal', reports: [report.rid] }))).toBe(30310);
  const leaving: [method: string, url: string, body?: Record<string, unknown>][] = [
    ['POST', `/v1/user/file/versions/${report.vid}/export`, { format: 'csv' }],
    ['POST', `/v1/analysis/projects/${project.id}/reports/${report.rid}/export`, { format: 'docx' }],
    ['POST', `/v1/analysis/projects/${project.id}/reports/${report.rid}/export`, { format: 'package' }],
    ['POST', `/v1/analysis/projects/${project.id}/export`, { format: 'docx', reports: [report.rid] }],
    ['POST', `/v1/analysis/projects/${project.id}/export`, { format: 'package', reports: [report.rid] }],
    ['POST', `/v1/analysis/projects/${project.id}/models/export`, {}],
    ['GET', `/v1/analysis/projects/${project.id}/reports/${report.rid}/file?file=x`],
    ['POST', '/v1/downloads', ticket],
    // The ticket was given before.
    ['GET', url],
  ];
  for (const [method, path, body] of leaving)
    expect([path, code(await call(channel, method, path, body))]).toEqual([path, 30318]);
  // What comes in still does.
  const back = await copy(member.person, { to: 'enterprise', files: [out.data.files[0]] });
  expect(back.data.files).toHaveLength(1);
});

test('the wrong channel, a stranger, nothing chosen, no room: refused, and nothing is left behind', async () => {
  const { owner, channel, eid } = tenant;
  const stranger = await makeEnterprise(world(), '乙企业');
  const before = await rowsOf(real.db, sql`SELECT (SELECT count(*) FROM files) f, (SELECT count(*) FROM projects) p`);
  const fid = (await get(channel, '/v1/user/file')).list[0].fid;
  expect((await copy(stranger.owner, { to: 'enterprise', files: [fid] })).status).toBe(404);
  expect((await copy(stranger.channel, { to: 'personal', files: [fid] })).status).toBe(404);
  expect((await copy(stranger.channel, { to: 'personal', files: [fid] }, stranger.eid)).body.err_code).toBe(30317);
  expect(code(await copy(channel, { to: 'enterprise', files: [fid] }))).toBe(30201);
  expect((await call(owner, 'POST', `/v1/enterprise/${eid}/copies`, { to: 'personal', files: [fid] })).status).toBe(
    403,
  );
  expect(code(await copy(owner, { to: 'enterprise' }))).toBe(30317);
  const example = await call(owner, 'POST', '/v1/user/file/example', { path: 'descriptive/frequency' });
  await real.db.execute(sql`UPDATE enterprises SET storage_bytes = 1 WHERE id = ${eid}`);
  expect(code(await copy(owner, { to: 'enterprise', files: [example.data.fid] }))).toBe(30035);
  await real.db.execute(sql`UPDATE enterprises SET state = 'readonly' WHERE id = ${eid}`);
  expect(code(await copy(owner, { to: 'enterprise', files: [example.data.fid] }))).toBe(30306);
  const after = await rowsOf(real.db, sql`SELECT (SELECT count(*) FROM files) f, (SELECT count(*) FROM projects) p`);
  expect(Number(after[0].f) - Number(before[0].f)).toBe(1);
  expect(after[0].p).toBe(before[0].p);
});
