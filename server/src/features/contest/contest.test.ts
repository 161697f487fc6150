/** Registration, teams and works over HTTP, with a clock of our own. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { build, rowsOf } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import {
  ANSWER,
  SIGNUP,
  TIMES,
  callsOf,
  digestOf,
  makeContestant,
  makePdf,
  makeTeam,
  makeZip,
  openSeason,
  sendBytes,
  startUpload,
  submitWork,
  uploadWhole,
} from '../../testing/contest.ts';
import { call, makePerson } from '../../testing/makers.ts';
import type { Person } from '../../testing/makers.ts';
import { makeEnterprise, openChannel } from '../../testing/enterprises.ts';

let now = SIGNUP;
let world: World;
let cid: number;
beforeAll(async () => {
  world = await build({ clock: async () => now });
});
beforeEach(async () => {
  await world.reset();
  now = SIGNUP;
  cid = await openSeason(world, now);
});
afterAll(() => world.close());

const ok = { status_code: 1 };
const refused = (code: number, msg = '') => ({ err_code: code, msg: expect.stringContaining(msg) });
const post = (person: Person | null, url: string, body?: Record<string, unknown>) =>
  callsOf(world, cid, person)(url, body);
const seen = async (person: Person | null) => (await call(world, person, 'GET', `/v1/contest?cid=${cid}`)).data.contest;

describe('registration and teams', () => {
  it('a visitor sees the season by the clock of the server, and nobody of it', async () => {
    await makeTeam(world, cid);
    expect(await seen(null)).toMatchObject({
      phase: 'signup',
      server_now: SIGNUP.toISOString(),
      phases: { answer_to: TIMES.answerTo.toISOString() },
      me: null,
      team: null,
    });
    expect((await callsOf(world, cid, null)('teams', { name: '甲队' })).status).toBe(401);
  });

  it('somebody registers, makes a team; others join by its code until it is full', async () => {
    const captain = await makeTeam(world, cid);
    const { team } = await seen(captain);
    expect(team).toMatchObject({ number: 'HX26-0001', is_captain: true, members: [{ is_me: true, is_captain: true }] });
    for (let member = 0; member < 2; member += 1)
      expect(
        (await post(await makeContestant(world, cid), 'teams/join', { code: team.code.toLowerCase() })).body,
      ).toMatchObject(ok);
    const late = await makeContestant(world, cid);
    expect((await post(late, 'teams/join', { code: team.code })).body).toMatchObject(refused(31304));
    expect((await post(late, 'teams/join', { code: 'AAAA2222' })).body).toMatchObject(refused(31314));
    expect((await seen(captain)).team.members).toHaveLength(3);
  });

  it('four at once into one team are two more', async () => {
    const { team } = await seen(await makeTeam(world, cid)).then((one) => one);
    const people = await Promise.all(Array.from({ length: 4 }, () => makeContestant(world, cid)));
    const answers = await Promise.all(people.map((person) => post(person, 'teams/join', { code: team.code })));
    expect(answers.filter(({ body }) => body.status_code === 1)).toHaveLength(2);
  });

  it('nobody is in two teams, also not by two calls at once', async () => {
    const first = await makeTeam(world, cid);
    const other = (await seen(await makeTeam(world, cid))).team.code;
    expect((await post(first, 'teams/join', { code: other })).body).toMatchObject(refused(31303, '您已在另一支队伍'));
    expect((await post(first, 'teams', { name: '第二队' })).body).toMatchObject(refused(31303));
    const free = await makeContestant(world, cid);
    const answers = await Promise.all([
      post(free, 'teams', { name: '同时一' }),
      post(free, 'teams', { name: '同时二' }),
      post(free, 'teams/join', { code: other }),
    ]);
    expect(answers.filter(({ body }) => body.status_code === 1)).toHaveLength(1);
  });

  it('who leaves frees a place; the next one leads; the last one ends the team, whose number stays used', async () => {
    const captain = await makeTeam(world, cid);
    const mate = await makeContestant(world, cid);
    await post(mate, 'teams/join', { code: (await seen(captain)).team.code });
    expect((await post(captain, 'teams/leave')).body).toMatchObject(ok);
    expect((await seen(captain)).team).toBeNull();
    expect((await seen(mate)).team).toMatchObject({ is_captain: true, members: [{ is_me: true }] });
    await post(mate, 'teams/leave');
    expect((await post(mate, 'teams/leave')).body).toMatchObject(refused(31323));
    await post(captain, 'teams', { name: '再来一队' });
    expect((await seen(captain)).team.number).toBe('HX26-0002');
  });

  it('only the captain hands over and takes out, and only members of the own team', async () => {
    const captain = await makeTeam(world, cid);
    const mate = await makeContestant(world, cid);
    await post(mate, 'teams/join', { code: (await seen(captain)).team.code });
    const before = await seen(captain);
    const [me, other] = before.team.members;
    const stranger = (await seen(await makeTeam(world, cid))).team.members[0].id;
    expect((await post(mate, 'teams/captain', { member: other.id })).body).toMatchObject(refused(31321));
    expect((await post(captain, 'teams/remove', { member: stranger })).status).toBe(404);
    expect((await post(captain, 'teams/remove', { member: me.id })).body).toMatchObject(refused(31318));
    expect((await post(captain, 'teams/captain', { member: other.id })).body).toMatchObject(ok);
    expect((await post(mate, 'teams/remove', { member: me.id })).body).toMatchObject(ok);
    expect((await seen(mate)).team).toMatchObject({ is_captain: true, members: [{ is_me: true }] });
    // The old code no longer leads back.
    expect((await post(captain, 'teams/join', { code: before.team.code })).body).toMatchObject(refused(31314));
  });

  it('names of teams are unique, whatever their case', async () => {
    const people = [await makeContestant(world, cid), await makeContestant(world, cid)];
    expect((await post(people[0]!, 'teams', { name: 'Alpha' })).body).toMatchObject(ok);
    expect((await post(people[1]!, 'teams', { name: 'ALPHA' })).body).toMatchObject(refused(31313, 'ALPHA'));
  });

  it.each([
    ['a millisecond before', new Date(TIMES.signupFrom.getTime() - 1), 31301],
    ['at the end', TIMES.signupTo, 31302],
    ['while works are sent in', ANSWER, 31302],
  ])('%s of registration every call of it is refused', async (_, when, code) => {
    const captain = await makeTeam(world, cid);
    const free = await makeContestant(world, cid);
    const { team } = await seen(captain);
    now = when;
    const late = await makePerson(world);
    const answers = await Promise.all([
      post(late, 'register', { real_name: '李四', school: '乙大学', consent: true }),
      post(free, 'teams', { name: '晚到队' }),
      post(free, 'teams/join', { code: team.code }),
      post(captain, 'teams/leave'),
      post(captain, 'teams/captain', { member: team.members[0].id }),
      post(captain, 'teams/remove', { member: team.members[0].id }),
    ]);
    expect(answers.map(({ body }) => body.err_code)).toEqual(answers.map(() => code));
  });

  it('enterprises take no part, the demo account neither, and without consent nobody', async () => {
    const tenant = await makeEnterprise(world, '某公司');
    const channel = await openChannel(world, tenant.owner, tenant.eid);
    const form = { real_name: '李四', school: '乙大学', consent: true };
    expect((await callsOf(world, cid, channel)('register', form)).body).toMatchObject(
      refused(31311, '请使用个人版参赛'),
    );
    const person = await makePerson(world);
    for (const bad of [{ consent: false }, { real_name: '' }, { school: '字'.repeat(41) }, { extra: 1 }])
      expect((await post(person, 'register', { ...form, ...bad })).status).toBe(400);
    expect((await post(person, 'teams', { name: '没报名' })).body).toMatchObject(refused(31312));
  });

  it('a source of ten kilobytes is no source; names and schools lie sealed', async () => {
    const person = await makePerson(world);
    const form = { real_name: '李四', school: '乙大学', consent: true, source: 'x'.repeat(10_240) };
    expect((await post(person, 'register', form)).body).toMatchObject(ok);
    const [row] = await rowsOf(world.db, sql`SELECT * FROM contest_people`);
    expect(row.source).toBeNull();
    expect(JSON.stringify(row)).not.toMatch(/李四|乙大学/);
  });

  it('a season that is not open yet is as absent as none', async () => {
    const hidden = await world.db.transaction((tx) =>
      world.contests.seasons.desk.make(tx, {
        code: 'HX27',
        title: '下一届',
        summary: '',
        rules: '规则',
        problems: '',
        prizes: [],
        ...TIMES,
      }),
    );
    const person = await makePerson(world);
    for (const at of [hidden.id, 999_999]) {
      expect((await call(world, null, 'GET', `/v1/contest?cid=${at}`)).status).toBe(404);
      expect(
        (await callsOf(world, at, person)('register', { real_name: '李四', school: '乙大学', consent: true })).status,
      ).toBe(404);
    }
    expect((await call(world, null, 'GET', '/v1/contest')).data.contest.code).toBe('HX26');
  });
});

describe('works', () => {
  let person: Person;
  beforeEach(async () => {
    person = await makeTeam(world, cid);
    now = ANSWER;
  });
  const list = async (who = person) => (await callsOf(world, cid, who)('submissions', undefined, 'GET')).data;
  const submit = (ids: number[], request = 'request-0001', who = person) =>
    post(who, 'submissions', { upload_ids: ids, request_id: request });

  it('a report and a zip in pieces become a submission with a receipt', async () => {
    const bytes = makePdf(12);
    const { data: started } = await startUpload(world, cid, person, 'report', bytes);
    expect(started).toMatchObject({ offset: 0, state: 'open', chunk: 4 * 1024 * 1024 });
    await sendBytes(world, cid, person, started.id, bytes.subarray(0, 100));
    // A piece sent twice, or out of turn: told where to go on.
    expect(await sendBytes(world, cid, person, started.id, bytes.subarray(0, 100))).toMatchObject({
      status: 409,
      body: { err_code: 30501, data: { offset: 100 } },
    });
    const done = await sendBytes(world, cid, person, started.id, bytes.subarray(100), 100);
    expect(done.body.data).toMatchObject({ state: 'complete', pages: 12, offset: bytes.length });
    const zip = await uploadWhole(world, cid, person, 'support', makeZip());
    const { data } = await submit([started.id, zip]);
    expect(data).toMatchObject({ receipt: 'HX26-0001-01', state: 'submitted', counts: true, in_grace: false });
    expect(data.files.map((file: any) => file.sha256)).toContain(digestOf(bytes));
    expect(await list()).toMatchObject({ left_today: 4, left_in_all: 19, list: [{ no: 1 }] });
    const file = await world.app.inject({
      url: `/v1/contest/${cid}/submissions/1/report`,
      headers: { authorization: `Bearer ${person.token}` },
    });
    expect(file.headers['content-disposition']).toContain('attachment');
    expect(file.rawPayload.equals(bytes)).toBe(true);
  });

  it('versions follow each other until the deadline, and the last one counts', async () => {
    for (let no = 1; no <= 3; no += 1) expect((await submitWork(world, cid, person)).data).toMatchObject({ no });
    const { list: rows } = await list();
    expect(rows.map((row: any) => [row.no, row.counts])).toEqual([
      [3, true],
      [2, false],
      [1, false],
    ]);
  });

  it('the same request is one submission; the same file is not submitted twice', async () => {
    const id = await uploadWhole(world, cid, person, 'report', makePdf(2));
    const answers = await Promise.all([submit([id]), submit([id]), submit([id])]);
    expect(answers.map(({ data }) => data?.no)).toEqual([1, 1, 1]);
    expect((await submit([id], 'request-0002')).body).toMatchObject(refused(31318, '已经提交过'));
  });

  it('two members at once get two numbers', async () => {
    now = SIGNUP;
    const mate = await makeContestant(world, cid);
    await post(mate, 'teams/join', { code: (await seen(person)).team.code });
    now = ANSWER;
    const answers = await Promise.all([submitWork(world, cid, person), submitWork(world, cid, mate)]);
    expect(answers.map(({ data }) => data.no).toSorted()).toEqual([1, 2]);
    expect(answers.filter(({ data }) => data.receipt === 'HX26-0001-02')).toHaveLength(1);
  });

  it('five a day by the calendar of Shanghai, twenty in all', async () => {
    for (let no = 1; no <= 5; no += 1) expect((await submitWork(world, cid, person)).body).toMatchObject(ok);
    const id = await uploadWhole(world, cid, person, 'report', makePdf(1));
    expect((await submit([id])).body).toMatchObject(refused(31306));
    now = new Date('2026-12-12T15:59:59.999Z');
    expect((await submit([id])).body).toMatchObject(refused(31306));
    now = new Date('2026-12-12T16:00:01Z');
    expect((await submit([id])).body).toMatchObject(ok);
    await world.db.execute(sql`UPDATE contest_submissions SET arrived_at = '2026-12-11'`);
    for (let no = 7; no <= 20; no += 1) {
      await world.db.execute(sql`UPDATE contest_submissions SET arrived_at = '2026-12-11'`);
      expect((await submitWork(world, cid, person)).body).toMatchObject(ok);
    }
    await world.db.execute(sql`UPDATE contest_submissions SET arrived_at = '2026-12-11'`);
    expect((await submitWork(world, cid, person)).body).toMatchObject(refused(31316));
  });

  it('late by a second is refused and told the deadline; a millisecond before it is not', async () => {
    const id = await uploadWhole(world, cid, person, 'report', makePdf(2));
    now = new Date(TIMES.answerTo.getTime() + 1000);
    expect((await submit([id])).body).toMatchObject(refused(31305, '提交已于 2026-12-20 18:00:00（北京时间）截止'));
    expect((await startUpload(world, cid, person, 'report', makePdf(2))).body).toMatchObject(refused(31305));
    // The rule itself, at the instant: the call's own time, whatever the database took for it.
    const contest = (await world.contests.seasons.find(world.db, cid))!;
    const at = (when: Date, request: string) =>
      world.contests.works.submit(contest, person.id, { upload_ids: [id], request_id: request }, when);
    await expect(at(TIMES.answerTo, 'request-0003')).rejects.toThrow('截止');
    expect(await at(new Date(TIMES.answerTo.getTime() - 1), 'request-0004')).toMatchObject({ state: 'submitted' });
  });

  it('a time the browser claims is refused as an unknown key', async () => {
    const id = await uploadWhole(world, cid, person, 'report', makePdf(2));
    now = new Date(TIMES.answerTo.getTime() + 1000);
    const forged = { upload_ids: [id], request_id: 'request-0001', arrived_at: ANSWER.toISOString() };
    expect((await post(person, 'submissions', forged)).status).toBe(400);
    expect((await list()).list).toEqual([]);
  });

  it('what was submitted in time may go on arriving for ten minutes, and says so', async () => {
    const bytes = makePdf(4);
    const { data: started } = await startUpload(world, cid, person, 'report', bytes);
    await sendBytes(world, cid, person, started.id, bytes.subarray(0, 50));
    now = new Date(TIMES.answerTo.getTime() - 500);
    expect((await submit([started.id])).data).toMatchObject({ state: 'waiting', no: 1, counts: false });
    const { data: other } = await startUpload(world, cid, person, 'report', makePdf(6));
    now = new Date(TIMES.answerTo.getTime() + 10 * 60_000 - 1);
    expect((await sendBytes(world, cid, person, other.id, makePdf(6))).body).toMatchObject(refused(31305));
    expect((await sendBytes(world, cid, person, started.id, bytes.subarray(50), 50)).body).toMatchObject(ok);
    expect((await list()).list).toMatchObject([{ state: 'submitted', in_grace: true, counts: true }]);
  });

  it('one call names the files and is in time, whenever their bytes begin to come', async () => {
    const bytes = makePdf(4);
    const files = [{ kind: 'report', name: '报告.pdf', size: bytes.length, sha256: digestOf(bytes) }];
    const send = (more: object, request: string) =>
      post(person, 'submissions', { files, request_id: request, ...more });
    for (const bad of [{ upload_ids: [1] }, { files: undefined }, { files: [] }])
      expect((await send(bad, 'request-0001')).status).toBe(400);
    const tooLarge = [{ ...files[0]!, size: 31 * 1024 * 1024 }];
    expect((await send({ files: tooLarge }, 'request-0001')).status).toBe(413);
    now = new Date(TIMES.answerTo.getTime() - 500);
    const [one, two] = await Promise.all([send({}, 'request-0001'), send({}, 'request-0001')]);
    expect(one.data).toMatchObject({ state: 'waiting', no: 1, files: [{ state: 'open', offset: 0 }] });
    expect(two.data).toEqual(one.data);
    now = new Date(TIMES.answerTo.getTime() + 60_000);
    expect((await send({}, 'request-0002')).body).toMatchObject(refused(31305));
    expect((await sendBytes(world, cid, person, one.data.files[0].id, bytes)).body).toMatchObject(ok);
    expect((await list()).list).toMatchObject([{ state: 'submitted', in_grace: true, counts: true }]);
  });

  it('after the ten minutes it is over, and told why', async () => {
    const bytes = makePdf(4);
    const { data: started } = await startUpload(world, cid, person, 'report', bytes);
    await submit([started.id]);
    now = new Date(TIMES.answerTo.getTime() + 10 * 60_000);
    expect((await sendBytes(world, cid, person, started.id, bytes)).body).toMatchObject(refused(31305));
    await world.contests.tidy();
    expect((await list()).list).toMatchObject([{ state: 'refused', reason: expect.stringContaining('10 分钟') }]);
  });

  it('a submission still arriving can be taken back, one that stands cannot', async () => {
    const { data: started } = await startUpload(world, cid, person, 'report', makePdf(2));
    await submit([started.id]);
    const send = callsOf(world, cid, person);
    expect((await send('submissions/1', undefined, 'DELETE')).body).toMatchObject(ok);
    expect(await list()).toMatchObject({ left_today: 5, list: [{ state: 'withdrawn' }] });
    await submitWork(world, cid, person);
    expect((await send('submissions/2', undefined, 'DELETE')).body).toMatchObject(refused(31318));
  });

  it.each([
    ['too large', 'report', 'a.pdf', 30 * 1024 * 1024 + 1, 413, '报告最大 30.0 MB'],
    ['too large', 'support', 'a.zip', 200 * 1024 * 1024 + 1, 413, '支撑材料最大 200.0 MB'],
    ['another kind', 'report', 'a.docx', 100, 422, '应是 PDF'],
    ['another kind', 'support', 'a.rar', 100, 422, '应是 zip'],
  ])('a file that is %s is refused before a byte is sent (%s)', async (_, kind, name, size, status, words) => {
    const reply = await post(person, 'uploads', { kind, name, size, sha256: '0'.repeat(64) });
    expect([reply.status, reply.body.msg]).toEqual([status, expect.stringContaining(words)]);
  });

  it.each([
    ['a picture called .pdf', 'report', Buffer.from('\x89PNG\r\n\x1a\nnothing of a PDF'), '报告不是 PDF'],
    ['too many pages', 'report', makePdf(41), '最多 40 页，这份有 41 页'],
    ['a PDF called .zip', 'support', makePdf(1), '不是 zip'],
  ] as const)('%s is judged by its bytes, and its submission with it', async (_, kind, bytes, words) => {
    const { data: started } = await startUpload(world, cid, person, kind, bytes);
    const report = kind === 'report' ? [] : [await uploadWhole(world, cid, person, 'report', makePdf(1))];
    await submit([...report, started.id]);
    const done = await sendBytes(world, cid, person, started.id, bytes);
    expect([done.status, done.body]).toEqual([422, expect.objectContaining(refused(31315, words))]);
    expect((await list()).list).toMatchObject([{ state: 'refused', reason: expect.stringContaining(words) }]);
    expect((await list()).left_today).toBe(5);
  });

  it('bytes that are not those that were announced are sent anew', async () => {
    const bytes = makePdf(2);
    const { data: started } = await startUpload(world, cid, person, 'report', bytes);
    const wrong = Buffer.from(bytes).fill('x', 20, 40);
    expect((await sendBytes(world, cid, person, started.id, wrong)).body).toMatchObject(refused(31307));
    expect((await sendBytes(world, cid, person, started.id, bytes)).body).toMatchObject(ok);
  });

  it('ten uploads wait at most, and what nobody submitted goes after a day with its bytes', async () => {
    const start = (mark: number) => startUpload(world, cid, person, 'report', makePdf(1, { mark: String(mark) }));
    for (let mark = 0; mark < 10; mark += 1) await start(mark);
    expect((await start(10)).status).toBe(429);
    // The same file goes on where it stopped.
    expect((await start(3)).data).toMatchObject({ state: 'open', offset: 0 });
    await world.db.execute(sql`UPDATE contest_uploads SET touched_at = touched_at - interval '25 hours'`);
    await world.contests.tidy();
    expect(await rowsOf(world.db, sql`SELECT id FROM contest_uploads`)).toEqual([]);
  });

  it('before problems are released nothing is sent, and problems are shown to nobody', async () => {
    now = new Date(TIMES.answerFrom.getTime() - 1);
    expect((await startUpload(world, cid, person, 'report', makePdf(1))).body).toMatchObject(refused(31308));
    expect((await callsOf(world, cid, null)('problems', undefined, 'GET')).body).toMatchObject(
      refused(31308, '2026-12-10 08:00:00'),
    );
    now = TIMES.answerFrom;
    expect((await callsOf(world, cid, null)('problems', undefined, 'GET')).data.problems).toContain('赛题 A');
  });

  it("another team's works are as absent as none", async () => {
    now = SIGNUP;
    const other = await makeTeam(world, cid, '乙大学');
    now = ANSWER;
    await submitWork(world, cid, person);
    const { data: started } = await startUpload(world, cid, person, 'report', makePdf(2));
    const send = callsOf(world, cid, other);
    for (const id of [started.id, 999_999]) {
      expect((await send(`uploads/${id}`, undefined, 'GET')).status).toBe(404);
      expect((await sendBytes(world, cid, other, id, makePdf(2))).status).toBe(404);
      expect((await submit([id], 'request-0001', other)).status).toBe(404);
    }
    for (const no of [1, 7]) {
      expect((await send(`submissions/${no}/report`, undefined, 'GET')).status).toBe(404);
      expect((await send(`submissions/${no}`, undefined, 'DELETE')).status).toBe(404);
    }
  });
});

test('fifty entries uploaded and submitted in the last minute: none lost, each its own number', async () => {
  const people = await Promise.all(Array.from({ length: 50 }, () => makeTeam(world, cid)));
  now = new Date(TIMES.answerTo.getTime() - 30_000);
  const answers = await Promise.all(people.map((person) => submitWork(world, cid, person)));
  expect(answers.map(({ data }) => data?.state)).toEqual(people.map(() => 'submitted'));
  expect(new Set(answers.map(({ data }) => data.receipt)).size).toBe(50);
  expect(await world.contests.works.final(world.db, cid)).toHaveLength(50);
}, 120_000);

test('a day and an hour before the deadline every member is told once, a postponed deadline anew', async () => {
  const idle = await makeTeam(world, cid);
  const busy = await makeTeam(world, cid);
  await makeContestant(world, cid);
  now = ANSWER;
  await submitWork(world, cid, busy);
  const told = async (): Promise<string[]> =>
    (await rowsOf(world.db, sql`SELECT payload FROM outbox WHERE topic = 'sms.notice' ORDER BY id`)).map(
      ({ payload }) => payload.text,
    );
  const before = async (minutes: number): Promise<void> => {
    now = new Date(TIMES.answerTo.getTime() - minutes * 60_000);
    await world.contests.tidy();
    await world.contests.tidy();
  };
  await before(24 * 60 + 1);
  expect(await told()).toEqual([]);
  await before(24 * 60 - 5);
  expect(await told()).toEqual([
    '“衡析数据分析大赛”将于 2026-12-20 18:00:00（北京时间）截止提交，还有 24 小时。您的队伍还没有提交作品。',
    '“衡析数据分析大赛”将于 2026-12-20 18:00:00（北京时间）截止提交，还有 24 小时。您的队伍已提交 1 次，以最后一次为准。',
  ]);
  await before(12 * 60);
  expect(await told()).toHaveLength(2);
  await before(59);
  expect(await told()).toHaveLength(4);
  const to = { ...TIMES, answerTo: new Date(TIMES.answerTo.getTime() + 24 * 3_600_000), reason: '维护' };
  await world.db.transaction((tx) => world.contests.seasons.desk.postpone(tx, cid, 2, to, now));
  await before(-1);
  expect(await told()).toHaveLength(6);
  expect(idle.id).not.toBe(busy.id);
});

test('two years after the prizes names are gone', async () => {
  const person = await makeTeam(world, cid);
  const settle = (years: number) =>
    world.db.execute(sql`UPDATE contests SET assigned_at = now(), published_at = now(), published_by = '{}',
      settled_at = ${now}::timestamptz - make_interval(years => ${years})`);
  await settle(1);
  await world.contests.tidy();
  expect((await seen(person)).me.school).toBe('甲大学');
  await settle(2);
  await world.contests.tidy();
  expect((await seen(person)).me).toMatchObject({ name: '已删除', school: '已删除' });
});

test('an account that ends takes its name along; a team of nobody is not judged', async () => {
  const captain = await makeTeam(world, cid);
  const mate = await makeContestant(world, cid);
  await post(mate, 'teams/join', { code: (await seen(captain)).team.code });
  now = ANSWER;
  await submitWork(world, cid, captain);
  const files = [];
  for await (const file of world.contests.belongings(captain.owner)) files.push(file.path);
  expect(files).toEqual(['contest/contest.json', expect.stringMatching(/^contest\/\d+-报告\.pdf$/)]);
  await world.db.transaction((tx) => world.contests.forget(tx, captain.id));
  expect((await seen(mate)).team).toMatchObject({ is_captain: true, members: [{ is_me: true }] });
  expect(await world.contests.works.final(world.db, cid)).toHaveLength(1);
  await world.db.transaction((tx) => world.contests.forget(tx, mate.id));
  expect(await world.contests.works.final(world.db, cid)).toEqual([]);
  await world.contests.tidy();
  expect(await rowsOf(world.db, sql`SELECT id FROM contest_people`)).toEqual([]);
});
