/** Who may ask for what; the documents themselves are in documents.slow.test.ts, the jobs in jobs.slow.test.ts. */
import { sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { rowsOf } from '../../testing/build.ts';
import { call, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { reportStage } from '../../testing/stages.ts';

const on = reportStage();
let { world, person, pid, rid } = on;
beforeEach(() => {
  ({ world, person, pid, rid } = on);
});

const post = (url: string, body: Record<string, unknown>, who: Person | null = person) =>
  call(world, who, 'POST', url, body);
const one = (id = rid): string => `/v1/analysis/projects/${pid}/reports/${id}/export`;
const exportRuns = () => rowsOf(world.db, sql`SELECT id FROM runs WHERE kind = 'report_export'`);

test('of others, a report is not exported, and an absent one looks the same', async () => {
  const stranger = await makePerson(world);
  const body = { format: 'docx' };
  const foreign = await post(one(), body, stranger);
  expect(foreign.status).toBe(404);
  expect(foreign.body).toEqual((await post(one(999_999), body, stranger)).body);
  expect((await post(one(), body, null)).status).toBe(401);
  const several = { format: 'docx', reports: [rid] };
  expect((await post(`/v1/analysis/projects/${pid}/export`, several, stranger)).status).toBe(404);
  expect((await post('/v1/analysis/projects/0/export', several, stranger)).status).toBe(404);
  expect(await exportRuns()).toEqual([]);
});

test('takes no format, option or size it does not know, and no report twice', async () => {
  const bodies = [
    {},
    { format: 'exe' },
    { format: 'docx', options: { style: 'loud' } },
    { format: 'figures', options: { dpi: 72 } },
    { format: 'figures', options: { mm: 10_000 } },
    { format: 'docx', options: { path: '/etc/passwd' } },
    { format: 'docx', options: { header: '长'.repeat(101) } },
    { format: 'docx', rev: 0 },
  ];
  for (const body of bodies) expect((await post(one(), body)).status).toBe(400);
  const project = `/v1/analysis/projects/${pid}/export`;
  expect((await post(project, { format: 'docx', reports: [] })).body.msg).toContain('请选择报告');
  expect((await post(project, { format: 'docx', reports: [rid, rid] })).body.msg).toContain('同一份报告只能选一次');
  expect(await exportRuns()).toEqual([]);
});

test('a deleted report and a revision that never was are not exported', async () => {
  expect((await post(one(), { format: 'docx', rev: 99 })).status).toBe(404);
  await call(world, person, 'DELETE', `/v1/analysis/projects/${pid}/reports/${rid}`);
  expect((await post(one(), { format: 'docx' })).status).toBe(404);
});

test('what a former process of the server worked on is said to be interrupted', async () => {
  await world.db.execute(
    sql`INSERT INTO runs (owner_kind, owner_id, user_id, kind, state, payload)
        VALUES ('user', ${person.id}, ${person.id}, 'report_export', 'running', '{}')`,
  );
  // The engine's end or a new connection to it is none of their business.
  await world.runs.engineDied();
  expect(await rowsOf(world.db, sql`SELECT state FROM runs WHERE kind = 'report_export'`)).toEqual([
    { state: 'running' },
  ]);
  await world.runs.adoptOrphans();
  const { data } = await call(world, person, 'GET', '/v1/runs');
  expect(data.list.find(({ kind }: any) => kind === 'report_export')).toMatchObject({
    state: 'lost',
    error: { text: '服务重新启动，本次任务已中断，请重试' },
  });
});
