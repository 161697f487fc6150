/** Enterprises at the desk: what two must agree on, what follows for the members, and that lists leave nothing behind. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { build, rowsOf, until } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { DONE, WAITING, deskOf, deskTools, enter, makeOperator } from '../../testing/desk.ts';
import type { Staff } from '../../testing/desk.ts';
import { join, makeEnterprise, proved } from '../../testing/enterprises.ts';
import type { Tenant } from '../../testing/enterprises.ts';
import { call, makePerson } from '../../testing/makers.ts';
import type { Reply } from '../../testing/makers.ts';

const DAY = 86_400_000;
let world: World;
let now: Date | null = null;
let tenant: Tenant;
let finance: Staff;
let second: Staff;

beforeAll(async () => {
  world = await build({ env: { HENGXI_SINGLE_OPERATOR: '0' }, clock: async () => now ?? new Date() });
});
beforeEach(async () => {
  now = null;
  await world.reset();
  tenant = await makeEnterprise(world, '甲企业');
  finance = await enter(world, await makeOperator(world, ['财务']));
  second = await enter(world, await makeOperator(world, ['财务', '运维']));
});
afterAll(() => world.close());

const { act, approve, list, logged } = deskTools(() => world);
const rowOf = async (): Promise<any> => (await list(second, 'enterprises', `?id=${tenant.eid}`)).list[0];
const head = async (): Promise<any> => (await call(world, tenant.owner, 'GET', `/v1/enterprise/${tenant.eid}`)).data;

/** Asked by one, approved by the other. */
async function agreed(name: string, payload: Record<string, unknown>): Promise<Reply> {
  const { version } = await rowOf();
  const asked = await act(finance, name, tenant.eid, payload, version);
  expect(asked.data).toMatchObject(WAITING);
  expect((await approve(finance, asked.data.request_id)).body).toMatchObject({ err_code: 30402 });
  return approve(second, asked.data.request_id);
}

test('seats are given and the term goes on by two, with before and after in the log', async () => {
  const until = new Date(Date.now() + 100 * DAY).toISOString();
  expect((await agreed('enterprise.seats', { seats: 7, until })).data).toMatchObject({ state: 'done' });
  expect(await head()).toMatchObject({ seats: 12, state: 'active', ends_at: until });
  expect((await agreed('enterprise.term', { days: 30 })).data).toMatchObject({ state: 'done' });
  const { ends_at: end } = await head();
  expect(Math.round((Date.parse(end) - Date.parse(until)) / DAY)).toBe(30);
  // The block that was given goes on, the trial's does not.
  now = new Date(Date.now() + 110 * DAY);
  await world.enterprises.terms.sweep();
  expect(await head()).toMatchObject({ seats: 7, state: 'active' });
  const [entry] = await rowsOf(world.db, sql`SELECT before, after FROM act_log WHERE act = 'enterprise.seats'`);
  expect([entry.before.seats, entry.after.seats]).toEqual([5, 12]);
});

test('an owner is replaced by papers: a member takes its place, and there is one owner', async () => {
  const { person } = await join(world, tenant, '接任者');
  const stranger = await makePerson(world);
  const wrong = await agreed('enterprise.owner', { user_id: stranger.id, papers: '营业执照' });
  expect(wrong.body).toMatchObject({ err_code: 30408 });
  const done = await agreed('enterprise.owner', { user_id: person.id, papers: '营业执照、变更函' });
  expect(done.data).toMatchObject({ state: 'done' });
  expect(await rowsOf(world.db, sql`SELECT user_id, role FROM enterprise_members ORDER BY role DESC`)).toEqual([
    { user_id: person.id, role: 'owner' },
    { user_id: tenant.owner.id, role: 'member' },
  ]);
  const [entry] = await rowsOf(world.db, sql`SELECT after FROM act_log WHERE act = 'enterprise.owner'`);
  expect(entry.after).toMatchObject({ ownerId: person.id, papers: '营业执照、变更函' });
});

test('a frozen enterprise shows nothing and ends its sessions; the owner still takes everything away; let go it works', async () => {
  const { version } = await rowOf();
  const asked = await act(finance, 'enterprise.freeze', tenant.eid, {}, version);
  expect(asked.data).toMatchObject(WAITING);
  expect((await approve(second, asked.data.request_id)).data).toMatchObject({ state: 'done' });
  expect((await call(world, tenant.channel, 'GET', '/v1/user/file')).status).toBe(401);
  expect(await head()).toMatchObject({ state: 'frozen', held: expect.any(String) });
  await world.enterprises.terms.sweep();
  expect((await head()).state).toBe('frozen');

  const url = `/v1/enterprise/${tenant.eid}/export`;
  expect((await call(world, tenant.owner, 'POST', url)).body).toMatchObject({ err_code: 30002 });
  await proved(world, tenant.owner);
  const run = await call(world, tenant.owner, 'POST', url);
  await world.runs.wait(run.data.run_id, 60);
  const ticket = await call(world, tenant.owner, 'POST', '/v1/downloads', { kind: 'run', id: run.data.run_id });
  const archive = await call(world, null, 'GET', ticket.data.url);
  expect(archive.headers['content-disposition']).toContain(encodeURIComponent('甲企业_全部数据'));
  expect(archive.text.slice(0, 2)).toBe('PK');

  const thaw = await act(second, 'enterprise.unfreeze', tenant.eid, {}, (await rowOf()).version);
  expect(thaw.data).toMatchObject(DONE);
  expect((await head()).state).toBe('trial');
});

test('a trial waits for the desk where that is the rule; granted it begins then, refused it says why', async () => {
  const limits = (await list(second, 'tenancy')).list[0];
  const third = await enter(world, await makeOperator(world, ['运维']));
  const changed = await act(second, 'tenancy.change', 'all', { ...limits.values, trial_review: true }, limits.version);
  expect((await approve(third, changed.data.request_id)).data).toMatchObject({ state: 'done' });
  const other = await makeEnterprise(world, '乙企业').catch(() => null);
  expect(other).toBeNull();
  const [{ row, acts }] = (await list(finance, 'enterprises', '?state=trial_waiting')).list.map((one: any) => ({
    row: one,
    acts: one.acts,
  }));
  expect(acts.slice(0, 2)).toEqual(['trial.approve', 'trial.refuse']);
  expect((await act(finance, 'trial.approve', row.id, {}, row.version)).data).toMatchObject(DONE);
  const [entry] = await rowsOf(world.db, sql`SELECT state, seats FROM enterprises WHERE id = ${Number(row.id)}`);
  expect(entry).toEqual({ state: 'trial', seats: 5 });
  expect((await act(finance, 'trial.refuse', row.id, {}, row.version + 1)).body).toMatchObject({ err_code: 30309 });
  expect(await logged()).toEqual(['request.make', 'tenancy.change', 'trial.approve']);
});

test('limits of all enterprises hold at once: room for a seat, runs of a member, of the enterprise', async () => {
  const { values, version } = (await list(second, 'tenancy')).list[0];
  const third = await enter(world, await makeOperator(world, ['运维']));
  const change = { ...values, seat_gb: 1, member_waiting: 1, runs_max: 3 };
  const asked = await act(second, 'tenancy.change', 'all', change, version);
  await approve(third, asked.data.request_id);
  const usage = await call(world, tenant.owner, 'GET', `/v1/enterprise/${tenant.eid}/usage`);
  expect(usage.data.storage_limit).toBe(5_000_000_000);
  expect(await world.enterprises.runRoom(world.db, tenant.eid)).toEqual({ owner: 3, member: 2, waiting: 1 });
  world.engine.onRun = () => null;
  const owner = { kind: 'enterprise', id: tenant.eid, member: tenant.owner.id } as const;
  const begin = () => world.runs.submit({ owner, userId: tenant.owner.id, kind: 'export', payload: {} });
  const work = () => world.db.execute(sql`UPDATE runs SET state = 'running' WHERE state = 'waiting'`);
  const [first, second2] = [await begin(), (await work(), await begin())];
  await work();
  // Two of a member work at once; the third waits here, and the fourth is one too many.
  const waiting = await begin();
  expect(world.engine.submitted.map((run) => run.run_id)).toEqual([first, second2]);
  await expect(begin()).rejects.toMatchObject({ code: 30604 });
  await world.runs.cancel(owner, first);
  await until(() => world.engine.submitted.length === 3);
  expect(world.engine.submitted.at(-1)?.run_id).toBe(waiting);
});

test('a contract is drafted with the order, signed by the owner, seen and archived by the desk', async () => {
  const url = `/v1/enterprise/${tenant.eid}`;
  const made = await call(world, tenant.owner, 'POST', `${url}/orders`, { plan: 'new', seats: 3, qr: 2 });
  const [draft] = (await call(world, tenant.owner, 'GET', `${url}/contracts`)).data.list;
  expect(draft).toMatchObject({ order_no: made.data.order.order_no, state: 'draft' });
  const sign = (who: { token: string }, bytes: Buffer) =>
    world.app.inject({
      method: 'POST',
      url: `${url}/contracts/${draft.id}/signed`,
      headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/octet-stream' },
      payload: bytes,
    });
  const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');
  expect((await sign(tenant.owner, Buffer.from('<html>renamed</html>'))).json()).toMatchObject({ err_code: 30263 });
  expect((await sign(await makePerson(world), pdf)).statusCode).toBe(404);
  expect((await sign(tenant.owner, pdf)).json().data).toMatchObject({ state: 'signed' });
  const [row] = (await list(finance, 'contracts', '?state=signed')).list;
  expect(row).toMatchObject({ has_proof: true, acts: ['contract.archive'] });
  const paper = await deskOf(world, finance)('GET', `/v1/ops/proofs/contracts/${row.id}`);
  expect(paper.data.mime).toBe('application/pdf');
  expect((await act(finance, 'contract.archive', row.id, {}, row.version)).data).toMatchObject(DONE);
  expect((await sign(tenant.owner, pdf)).statusCode).toBe(409);
  expect(await logged()).toEqual(['proof.view', 'contract.archive']);
});

test('a csv of a list is gone with its day, whether or not another is made', async () => {
  const desk = deskOf(world, finance);
  const made = await desk('POST', '/v1/ops/export', { list: 'enterprises', reason: '月度对账留档' });
  expect((await desk('GET', `/v1/ops/exports/${made.data.id}`)).data.text).toContain('甲企业');
  now = new Date(Date.now() + DAY + 60_000);
  await world.ops.exports.tidy();
  expect(await rowsOf(world.db, sql`SELECT count(*)::int AS n FROM ops_files`)).toEqual([{ n: 0 }]);
});
