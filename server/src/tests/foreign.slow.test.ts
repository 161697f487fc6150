/**
 * Every call of the openapi document in the name of one person with the ids of another, with forms that would be accepted:
 * a foreign id is as absent as one that never was, and what is the caller's own is found by the very same call. A call that
 * takes anything and stands in no list here fails the test.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build } from '../testing/build.ts';
import type { World } from '../testing/build.ts';
import { makeEnterprise, openChannel } from '../testing/enterprises.ts';
import { call, makePerson } from '../testing/makers.ts';
import type { Person } from '../testing/makers.ts';
import { BESIDE, NAMED, NAMELESS } from '../testing/named-calls.ts';
import type { Form } from '../testing/named-calls.ts';
import { insertOne, plant } from '../testing/fixtures.ts';
import type { Ids } from '../testing/fixtures.ts';

/** Of these the test plants the row and not the file behind it, so that the owner is told of nothing as well. */
const WITHOUT_FILE: ReadonlySet<string> = new Set([
  'POST /v1/downloads',
  'the file of a foreign run',
  'an invoice as a file',
  'GET /v1/user/file/versions/{vid}/import-report',
  'GET /v1/user/orders/{order_no}/transfer',
  'GET /v1/contest/judge/assignments/{assignment}/report',
  'GET /v1/contest/{cid}/certificates/{certificate}',
]);

const ABSENT: Ids = Object.fromEntries(
  [
    'upload',
    'fid',
    'vid',
    'filter',
    'scheme',
    'pid',
    'rid',
    'model',
    'limits',
    'run',
    'invoice',
    'proof',
    'archive',
    'session',
    'feedback',
    'image',
    'record',
    'dictionary',
    'coding',
    'round',
    'questionnaire',
    'expert',
    'labels',
    'picture',
    'cid',
    'work',
    'appeal',
    'certificate',
    'assignment',
    'recipe',
    'check',
    'compared',
  ].map((name) => [name, '999999']),
);
Object.assign(ABSENT, { share: 'x'.repeat(22), order_no: `HX${'9'.repeat(22)}`, no: `JF${'9'.repeat(16)}` });

let world: World;
let stranger: Person;
let owner: Person;
let operations: { key: string; path: string; takes: boolean }[];
let strangers: Ids;

let seasons = 0;

/** A season in which this person has a team, a work half-sent, an appeal and a certificate, and is a judge of it all. */
async function contest(person: Person): Promise<Ids> {
  const one = (statement: ReturnType<typeof sql>) => insertOne(world, statement);
  const n = (seasons += 1);
  const code = `A${String.fromCharCode(65 + Math.floor(n / 100))}${String(n % 100).padStart(2, '0')}`;
  const sealed = world.contests.teams.seal('某人');
  const cid = Number(
    await one(sql`INSERT INTO contests
      (code, title, rules, signup_from, signup_to, answer_from, answer_to, results_at, opened_at, assigned_at)
      VALUES (${code}, '大赛', '规则', now() - interval '9 days', now() - interval '2 days', now() - interval '1 day',
        now() + interval '1 day', now() + interval '9 days', now(), now()) RETURNING id`),
  );
  const team = Number(
    await one(sql`INSERT INTO contest_teams (contest_id, number, name, code, captain_id, alias)
      VALUES (${cid}, 1, '队伍', md5(random()::text), ${person.id}, 1) RETURNING id`),
  );
  await world.db.execute(sql`INSERT INTO contest_people
    (contest_id, user_id, team_id, name_sealed, school_sealed, rules_version, created_at)
    VALUES (${cid}, ${person.id}, ${team}, ${sealed}, ${sealed}, 1, now())`);
  const upload = () =>
    one(sql`INSERT INTO contest_uploads
      (contest_id, team_id, user_id, kind, key, name, size, sha256, opened_at, touched_at)
      VALUES (${cid}, ${team}, ${person.id}, 'report', 'u_' || md5(random()::text), '报告.pdf', 9, ${'0'.repeat(64)}, now(), now())
      RETURNING id`);
  const submission = Number(
    await one(sql`INSERT INTO contest_submissions
      (contest_id, team_id, no, user_id, request_id, report_id, state, arrived_at, completed_at)
      VALUES (${cid}, ${team}, 1, ${person.id}, 'request', ${Number(await upload())}, 'submitted', now(), now()) RETURNING id`),
  );
  const judge = Number(
    await one(sql`INSERT INTO contest_judges (contest_id, user_id, name, school)
      VALUES (${cid}, ${person.id}, '评委', '别处') RETURNING id`),
  );
  return {
    cid: String(cid),
    work: await upload(),
    assignment: await one(sql`INSERT INTO contest_assignments (contest_id, submission_id, judge_id, assigned_at)
      VALUES (${cid}, ${submission}, ${judge}, now()) RETURNING id`),
    appeal: await one(sql`INSERT INTO contest_appeals (contest_id, team_id, user_id, kind, text, created_at)
      VALUES (${cid}, ${team}, ${person.id}, 'score', '请复核', now()) RETURNING id`),
    certificate: await one(sql`INSERT INTO contest_certificates
      (contest_id, team_id, user_id, code, team_name, award, issued_at)
      VALUES (${cid}, ${team}, ${person.id}, md5(random()::text), '队伍', '奖', now()) RETURNING id`),
  };
}

/** Everything a person can have. */
async function everything(person: Person): Promise<Ids> {
  const one = (statement: ReturnType<typeof sql>) => insertOne(world, statement);
  const no = `HX${String(Math.trunc(performance.now() * 1000)).padStart(22, '0')}`;
  await world.db.execute(sql`INSERT INTO orders
    (order_no, user_id, package_id, snapshot, kind, quantity, price, total, method, state, paid_at, agreement_version, expires_at)
    VALUES (${no}, ${person.id}, 21, '{}', 'vip', 1, 3900, 3900, 2, 'paid', now(), '1', now())`);
  const invoice = await one(sql`INSERT INTO invoices (order_no, user_id, kind, title, email, amount)
    VALUES (${no}, ${person.id}, 'person', '张三', 'a@b.cn', 3900) RETURNING id`);
  const proof = await one(sql`INSERT INTO proofs (user_id, purpose, mime, size, sealed)
    VALUES (${person.id}, 'edu', 'image/jpeg', 1, '\\x00') RETURNING id`);
  const feedback = await one(sql`INSERT INTO feedback (user_id, type, request_id)
    VALUES (${person.id}, 'idea', md5(random()::text)) RETURNING id`);
  const image = await one(sql`INSERT INTO feedback_images (user_id, jpeg) VALUES (${person.id}, '\\x00') RETURNING id`);
  const archive =
    await one(sql`INSERT INTO account_exports (owner_kind, owner_id, user_id, state, file_key, size, ended_at)
    VALUES ('user', ${person.id}, ${person.id}, 'done', ${'0'.repeat(32)}, 1, now()) RETURNING id`);
  const session =
    await one(sql`INSERT INTO sessions (user_id, platform, device_id, net_digest, net_shown, agent, ends_at)
    VALUES (${person.id}, 'co-' || md5(random()::text), 'd', 'n', '127.*', 'x', now() + interval '1 day') RETURNING id`);
  await world.db.execute(sql`INSERT INTO credit_accounts (user_id) VALUES (${person.id}) ON CONFLICT DO NOTHING`);
  const record =
    await one(sql`INSERT INTO quest_records (quest_id, code, user_id, period_key, target, bonus, state, held_reason)
    SELECT id, code, ${person.id}, md5(random()::text), 1, 1, 3, '核对' FROM quests ORDER BY id LIMIT 1 RETURNING id`);
  const mallNo = await one(sql`INSERT INTO mall_orders
    (order_no, user_id, request_id, item_id, title, grant_kind, grant_value, quantity, credits, created_at)
    SELECT 'JF' || upper(substr(md5(random()::text), 1, 16)), ${person.id}, md5(random()::text), id, title, grant_kind, 1, 1, 1,
      now() - interval '2 days' FROM mall_items WHERE grant_kind = 'ai_points' LIMIT 1 RETURNING order_no`);
  return {
    ...(await plant(world, person.owner, person.id)),
    ...(await contest(person)),
    order_no: no,
    invoice,
    proof,
    archive,
    session,
    feedback,
    image,
    record,
    no: mallNo,
  };
}

beforeAll(async () => {
  world = await build();
  owner = await makePerson(world, '主人');
  const tenant = await makeEnterprise(world, '旁人的企业');
  stranger = tenant.owner;
  await openChannel(world, stranger, tenant.eid);
  strangers = { ...(await everything(stranger)), eid: String(tenant.eid) };
  // Whoever asks has just proved who it is: nothing hides behind that question.
  await world.db.execute(sql`UPDATE sessions SET proved_at = now()`);
  const { paths } = (await call(world, null, 'GET', '/openapi.json')).body;
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Record<string, unknown>>)
      .filter(([, about]) => about['x-access'] === 'session')
      .map(([method, about]) => ({
        key: `${method.toUpperCase()} ${path}`,
        path,
        takes: about.parameters !== undefined || about.requestBody !== undefined,
      })),
  );
}, 120_000);
afterAll(() => world.close());

/** The id in a path means what the words before it say. */
function fill(path: string, ids: Ids): string {
  const meaning = {
    'control-limits': 'limits',
    models: 'model',
    project: 'pid',
    reports: 'rid',
    runs: 'run',
    'coding-schemes': 'scheme',
    dictionaries: 'dictionary',
    pictures: 'picture',
    recipes: 'recipe',
    uploads: 'upload',
    filters: 'filter',
    feedback: 'feedback',
    'quest-record': 'record',
    invoice: 'invoice',
    sessions: 'session',
  };
  return path.replace(/([\w-]+)\/\{(\w+)\}/g, (_, before: string, name: string) => {
    const id = name === 'id' ? Reflect.get(meaning, before) : name;
    if (ids[id] === undefined) throw new Error(`${path} names ${before}, which nobody has here`);
    return `${before}/${ids[id]}`;
  });
}

async function ask(person: { token: string }, key: string, form: Form, own: Ids, it: Ids) {
  const asked = form(own, it);
  const [method, path] = (asked.url?.includes(' ') ? asked.url : key).split(' ') as [any, string];
  const url = asked.url && !asked.url.includes(' ') ? asked.url : fill(path, it);
  if (!Buffer.isBuffer(asked.body)) {
    const { status, body: told } = await call(world, person, method, url, asked.body);
    return { status, code: told?.err_code as number | undefined, msg: told?.msg as string | undefined };
  }
  const headers = { authorization: `Bearer ${person.token}`, 'content-type': 'application/octet-stream' };
  const answer = await world.app.inject({ method, url, headers, payload: asked.body });
  return { status: answer.statusCode, code: answer.json().err_code as number, msg: answer.json().msg as string };
}

test('every call that takes anything is listed', () => {
  const listed = new Set([...Object.keys(NAMED), ...NAMELESS]);
  const taking = operations.filter(
    // Calls on one enterprise have a test of their own, by role; methods are all alike and stand under BESIDE.
    ({ path, takes }) => takes && !path.startsWith('/v1/enterprise/{eid}') && !path.startsWith('/algorithm/'),
  );
  expect(taking.map(({ key }) => key).filter((key) => !listed.has(key))).toEqual([]);
  expect([...listed].filter((key) => !operations.some((operation) => operation.key === key))).toEqual([]);
});

test("somebody else's things are as absent as what never was, and one's own are found by the same call", async () => {
  const wrong: unknown[] = [];
  for (const [key, form] of [...Object.entries(NAMED), ...Object.entries(BESIDE)]) {
    const theirs = await everything(owner);
    const foreign = await ask(stranger, key, form, strangers, theirs);
    const absent = await ask(stranger, key, form, strangers, ABSENT);
    // Refused before the form is looked at, or after it for the thing that is not there; never for the form itself.
    const isRefused = foreign.status === 404 || (foreign.code ?? 0) > 0;
    const isSame = JSON.stringify(foreign) === JSON.stringify(absent);
    if (!isRefused || !isSame || foreign.code === 30090) wrong.push({ key, foreign, absent });
    const mine = await everything(stranger);
    const found = await ask(stranger, key, form, { ...mine, eid: strangers.eid! }, mine);
    if (WITHOUT_FILE.has(key)) continue;
    if (found.status === 404 && JSON.stringify(found) === JSON.stringify(foreign))
      wrong.push({ key, ownIsAbsent: found });
  }
  expect(wrong).toEqual([]);
}, 240_000);

test('every method refuses a foreign version like one that never was', async () => {
  const theirs = await everything(owner);
  const methods = operations.filter(
    ({ key }) =>
      key.startsWith('POST /algorithm/') && !key.includes('{') && !key.includes('/v2') && !key.endsWith('/filter'),
  );
  expect(methods.length).toBeGreaterThan(15);
  const { data: list } = await call(world, null, 'GET', '/algorithm/v2/list');
  const dataless = list.filter((row: any) => !row.takes_data).map((row: any) => `POST /algorithm/${row.algo_code}`);
  for (const { key } of methods) {
    // Runs on its form alone and looks at no version, whosever it is.
    if (dataless.some((one: string) => one.replaceAll('-', '_') === key.replaceAll('-', '_'))) continue;
    const at = (vid: string) => call(world, stranger, 'POST', `${key.split(' ')[1]}?vid=${vid}`, {});
    const [foreign, absent] = [await at(theirs.vid!), await at(ABSENT.vid!)];
    expect([key, foreign.status, foreign.body]).toEqual([key, 404, absent.body]);
  }
});

test('the same person on the channel of an enterprise is a stranger too', async () => {
  const mine = await everything(stranger);
  const channel = await openChannel(world, stranger, Number(strangers.eid));
  for (const url of [`/v1/user/file/${mine.fid}`, `/v1/runs/${mine.run}`, `/v1/analysis/models/${mine.model}`])
    expect([url, (await call(world, channel, 'GET', url)).status]).toEqual([url, 404]);
});
