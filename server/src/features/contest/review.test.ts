/** Judging, publication, appeals, prizes and certificates, through the calls of judges and the acts of the desk. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { build, rowsOf } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { ANSWER, REVIEW, SIGNUP, TIMES, callsOf, makeTeam, openSeason, submitWork } from '../../testing/contest.ts';
import { REASON, deskTools, enter, makeOperator } from '../../testing/desk.ts';
import type { Staff } from '../../testing/desk.ts';
import { call, makePerson } from '../../testing/makers.ts';
import type { Person, Reply } from '../../testing/makers.ts';
import { age } from '../../testing/sign-in.ts';
import { maskName, newCode, readCode } from './outcome.ts';

const DAY = 86_400_000;
const COMMENT = '问题明确，数据处理有交代，方法的前提逐条检查过，结论与数字一致，建议补充稳健性。';
const PARTS = { question: 10, data: 15, method: 20, result: 20, writing: 5 };
let now = SIGNUP;
let world: World;
let cid: number;
let teams: Person[];
let panel: Person[];
let editor: Staff;
let second: Staff;
beforeAll(async () => {
  world = await build({ clock: async () => now, env: { HENGXI_SINGLE_OPERATOR: '0' } });
});
afterAll(() => world.close());
const { act, approve, list } = deskTools(() => world);
/** What the database says of a statement that it refuses. */
const saying = (text: string) => ({ cause: { message: expect.stringContaining(text) } });

const version = async (): Promise<number> =>
  (await rowsOf(world.db, sql`SELECT version FROM contests WHERE id = ${cid}`))[0].version;
const season = async (name: string, payload: Record<string, unknown> = {}, who = editor): Promise<Reply> =>
  act(who, `contest.${name}`, cid, payload, await version());
const addJudge = (person: Person, school: string, name = `评委${person.id}`): Promise<Reply> =>
  season('judge', { user_id: person.id, name, school });

/** For the stage: what does not succeed there fails the test at once. */
async function succeed(reply: Promise<Reply>): Promise<void> {
  const { body } = await reply;
  if (body.status_code !== 1) throw new Error(body.msg);
}

interface Given {
  id: number;
  paper: string;
  is_calibration: boolean;
  is_open: boolean;
}
const papersOf = async (judge: Person): Promise<Given[]> =>
  (await call(world, judge, 'GET', '/v1/contest/judge/assignments')).data[0]?.list ?? [];
const score = (judge: Person, id: number, parts: object = PARTS, lock = true, comment = COMMENT): Promise<Reply> =>
  call(world, judge, 'PUT', `/v1/contest/judge/assignments/${id}`, { parts, comment, lock });
/** Every judge gives every paper what `method` says, until nothing is left. */
async function scoreAll(method: (paper: string, judge: Person) => number): Promise<void> {
  for (let open = true; open;) {
    open = false;
    for (const judge of panel)
      for (const given of (await papersOf(judge)).filter((one: any) => one.locked_at === null)) {
        open = true;
        const reply = await score(judge, given.id, { ...PARTS, method: method(given.paper, judge) });
        expect(reply.body).toMatchObject({ status_code: 1 });
      }
  }
}

/** Time goes by: operators prove anew who they are. */
async function jump(to: Date): Promise<void> {
  now = to;
  await age(world, 2);
  editor = await enter(world, editor);
  second = await enter(world, second);
}

/** Twelve teams have submitted, six judges wait for their papers. */
beforeEach(async () => {
  await world.reset();
  now = SIGNUP;
  cid = await openSeason(world, now);
  teams = [];
  for (let team = 0; team < 12; team += 1) teams.push(await makeTeam(world, cid, team < 6 ? '甲大学' : '乙大学'));
  now = ANSWER;
  for (const person of teams) await succeed(submitWork(world, cid, person));
  editor = await makeOperator(world, ['内容']);
  second = await makeOperator(world, ['内容', '客服', '财务']);
  await jump(REVIEW);
  panel = [];
  for (let judge = 0; judge < 6; judge += 1) {
    const person = await makePerson(world, `评委${judge}`);
    panel.push(person);
    await succeed(addJudge(person, judge === 0 ? '甲 大学' : `丙大学${judge}`));
  }
}, 60_000);

describe('the draw', () => {
  it('waits until nothing can arrive any more, and happens once', async () => {
    now = new Date(TIMES.answerTo.getTime() + 10 * 60_000 - 1);
    expect((await season('draw')).body).toMatchObject({ err_code: 31318 });
    now = REVIEW;
    expect((await season('draw')).body).toMatchObject({ status_code: 1 });
    expect((await season('draw')).body).toMatchObject({ err_code: 31318, msg: '已经分配过评委' });
    const given = await rowsOf(
      world.db,
      sql`SELECT count(*)::int AS n FROM contest_assignments WHERE NOT is_calibration`,
    );
    expect(given[0].n).toBe(30);
  });

  it('keeps judges from their own institution, and contestants from judging', async () => {
    expect((await addJudge(teams[0]!, '丁大学')).body).toMatchObject({
      err_code: 31318,
      msg: '这个账号已报名参赛，不能做评委',
    });
    await season('draw');
    const own = await rowsOf(
      world.db,
      sql`SELECT a.id FROM contest_assignments a JOIN contest_judges j ON j.id = a.judge_id
        JOIN contest_submissions s ON s.id = a.submission_id JOIN contest_people p ON p.team_id = s.team_id
        WHERE j.user_id = ${panel[0]!.id} AND p.user_id IN (${sql.join(
          teams.slice(0, 6).map(({ id }) => sql`${id}`),
          sql`, `,
        )})`,
    );
    expect(own).toEqual([]);
    const [judge] = await rowsOf(world.db, sql`SELECT id FROM contest_judges WHERE user_id = ${panel[0]!.id}`);
    const [paper] = await rowsOf(
      world.db,
      sql`SELECT s.id FROM contest_submissions s JOIN contest_people p ON p.team_id = s.team_id WHERE p.user_id = ${teams[0]!.id}`,
    );
    expect((await act(editor, 'contest.assign', paper.id, { judge: judge.id })).body).toMatchObject({
      err_code: 31318,
      msg: '不能指派：评委与该队或其指导教师同一单位',
    });
  });

  it('tells of a work that three judges may not score', async () => {
    await world.db.execute(
      sql`UPDATE contest_judges SET active = false WHERE user_id IN (${sql.join(
        panel.slice(3).map(({ id }) => sql`${id}`),
        sql`, `,
      )})`,
    );
    expect((await season('draw')).body).toMatchObject({
      err_code: 31318,
      msg: expect.stringContaining('评委不足 3 位'),
    });
  });

  it('a judge cannot register', async () => {
    const late = await openSeason(world, SIGNUP, {
      code: 'HX27',
      times: {
        ...TIMES,
        signupTo: new Date(REVIEW.getTime() + DAY),
        answerFrom: new Date(REVIEW.getTime() + DAY),
        answerTo: new Date(REVIEW.getTime() + 2 * DAY),
        resultsAt: new Date(REVIEW.getTime() + 9 * DAY),
      },
    });
    await act(editor, 'contest.judge', late, { user_id: panel[0]!.id, name: '甲', school: '丁大学' }, 2);
    const form = { real_name: '李四', school: '丁大学', consent: true };
    expect((await callsOf(world, late, panel[0]!)('register', form)).body).toMatchObject({ err_code: 31317 });
  });
});

describe('judging', () => {
  beforeEach(() => succeed(season('draw')));

  it('shows numbers instead of names, and a report without its author', async () => {
    const [first] = await papersOf(panel[1]!);
    expect(first!.paper).toMatch(/^A-00\d\d$/);
    const all = JSON.stringify((await call(world, panel[1]!, 'GET', '/v1/contest/judge/assignments')).body);
    expect(all).not.toMatch(/张小|大学|HX26-|队伍/);
    const report = await call(world, panel[1]!, 'GET', `/v1/contest/judge/assignments/${first!.id}/report`);
    expect(report.status).toBe(200);
    expect(report.headers['content-disposition']).toContain(first!.paper);
    expect(report.text).not.toContain('张三');
  });

  it('begins with the two calibration papers', async () => {
    const given = await papersOf(panel[1]!);
    expect(given.slice(0, 2).map((one) => one.is_calibration)).toEqual([true, true]);
    const other = given.find((one) => !one.is_calibration)!;
    expect(other.is_open).toBe(false);
    expect((await score(panel[1]!, other.id)).body).toMatchObject({
      err_code: 31318,
      msg: expect.stringContaining('校准'),
    });
    for (const { id } of given.slice(0, 2)) expect((await score(panel[1]!, id)).body).toMatchObject({ status_code: 1 });
    expect((await score(panel[1]!, other.id)).body).toMatchObject({ status_code: 1 });
  });

  it('what is saved can change, what is locked cannot, by nobody', async () => {
    const [{ id } = { id: 0 }] = await papersOf(panel[1]!);
    expect((await score(panel[1]!, id, PARTS, false, '')).body).toMatchObject({ status_code: 1 });
    expect((await score(panel[1]!, id, PARTS, true, '太短')).body).toMatchObject({ err_code: 31318 });
    expect((await score(panel[1]!, id)).body).toMatchObject({ status_code: 1 });
    expect((await score(panel[1]!, id, { ...PARTS, data: 1 })).body).toMatchObject({ err_code: 31309 });
    await expect(world.db.execute(sql`UPDATE contest_reviews SET parts = '{1,1,1,1,1}'`)).rejects.toMatchObject(
      saying('is locked'),
    );
  });

  it.each([
    ['more than a part has', { ...PARTS, method: 31 }],
    ['less than nothing', { ...PARTS, data: -1 }],
    ['half a point', { ...PARTS, data: 1.5 }],
    ['a total of its own', { ...PARTS, total: 100 }],
    ['text', { ...PARTS, data: '20' }],
    ['a part missing', { question: 1 }],
  ])('a forged score is refused: %s', async (_, parts) => {
    const [{ id } = { id: 0 }] = await papersOf(panel[1]!);
    expect((await score(panel[1]!, id, parts)).status).toBe(400);
  });

  it("another judge's paper, and a contestant's look at one, is as absent as none", async () => {
    const [{ id } = { id: 0 }] = await papersOf(panel[1]!);
    for (const who of [panel[2]!, teams[0]!])
      for (const at of [id, 999_999]) {
        expect((await score(who, at)).status).toBe(404);
        expect((await call(world, who, 'GET', `/v1/contest/judge/assignments/${at}/report`)).status).toBe(404);
        expect(
          (await call(world, who, 'POST', `/v1/contest/judge/assignments/${at}/conflict`, { reason: '认识作者' }))
            .status,
        ).toBe(404);
      }
    expect((await call(world, teams[0]!, 'GET', '/v1/contest/judge/assignments')).data).toEqual([]);
  });

  it('a declared conflict goes to somebody else who has not read it', async () => {
    const given = (await papersOf(panel[1]!)).find((one) => !one.is_calibration)!;
    const standing = () =>
      rowsOf(
        world.db,
        sql`SELECT judge_id FROM contest_assignments WHERE dropped_at IS NULL AND submission_id =
        (SELECT submission_id FROM contest_assignments WHERE id = ${given.id}) ORDER BY judge_id`,
      );
    const before = await standing();
    const reply = await call(world, panel[1]!, 'POST', `/v1/contest/judge/assignments/${given.id}/conflict`, {
      reason: '认识作者',
    });
    expect(reply.body).toMatchObject({ status_code: 1 });
    const after = await standing();
    expect(after).toHaveLength(3);
    expect(after).not.toEqual(before);
    expect((await score(panel[1]!, given.id)).status).toBe(404);
  });

  it('three judges more than 20 points apart bring a fourth, 20 apart none', async () => {
    // The first of a paper's judges is strict: by 20 for one paper, by 21 for another.
    const [near, far] = [
      ...new Set(
        (await papersOf(panel[1]!))
          .concat(await papersOf(panel[2]!))
          .filter((one) => !one.is_calibration)
          .map((one) => one.paper),
      ),
    ];
    const strict = new Map<string, number>();
    await scoreAll((paper, judge) => {
      if (paper !== near && paper !== far) return 25;
      if (!strict.has(paper)) strict.set(paper, judge.id);
      return strict.get(paper) === judge.id ? 25 - (paper === near ? 20 : 21) : 25;
    });
    const judges = async (paper: string) =>
      (await list(editor, 'contest_works', '?page_size=50')).list.find((row: any) => row.cells.alias === paper).cells;
    expect(await judges(near!)).toMatchObject({ judges: 3, locked: 3, spread: 20, lack: 0 });
    expect(await judges(far!)).toMatchObject({ judges: 4, locked: 4, spread: 21, lack: 0 });
  });

  it('a judge who stops leaves what is locked and hands the rest on', async () => {
    const given = await papersOf(panel[1]!);
    await score(panel[1]!, given[0]!.id);
    const [row] = await rowsOf(world.db, sql`SELECT id FROM contest_judges WHERE user_id = ${panel[1]!.id}`);
    expect((await act(editor, 'contest.judge.end', row.id, {}, 1)).body).toMatchObject({ status_code: 1 });
    expect(await papersOf(panel[1]!)).toEqual([]);
    const works = (await list(editor, 'contest_works', '?page_size=50')).list;
    expect(works.every((one: any) => one.cells.judges >= 3)).toBe(true);
  });
});

describe('results', () => {
  /** Everything is scored: papers differ by their number, judges by how strict they are. */
  async function publish(): Promise<void> {
    await season('draw');
    await scoreAll((paper, judge) => 10 + Number(paper.slice(-2)) + (panel.indexOf(judge) % 3));
    const asked = await season('publish');
    expect(asked.data).toMatchObject({ state: 'waiting' });
    expect((await approve(second, asked.data.request_id)).body).toMatchObject({ status_code: 1 });
  }
  const results = async () => (await callsOf(world, cid, null)('results', undefined, 'GET')).data;
  const own = async (person: Person) => (await callsOf(world, cid, person)('own', undefined, 'GET')).data;
  const sheets = async () => {
    const all = await Promise.all(teams.map(async (person) => ({ person, ...(await own(person)) })));
    return all.toSorted((a, b) => a.sheet.rank - b.sheet.rank);
  };

  it('are published by two operators, when everything is scored, and frozen', async () => {
    await season('draw');
    const early = await season('publish');
    expect((await approve(second, early.data.request_id)).body).toMatchObject({
      err_code: 31318,
      msg: '还有 12 份作品没有评完',
    });
    expect(await results()).toMatchObject({ published_at: null, list: [] });
    expect((await own(teams[0]!)).sheet).toBeNull();
    await scoreAll((paper, judge) => 10 + Number(paper.slice(-2)) + (panel.indexOf(judge) % 3));
    const asked = early;
    expect((await approve(editor, asked.data.request_id)).body).toMatchObject({ err_code: 30402 });
    await approve(second, asked.data.request_id);
    expect(await results()).toMatchObject({
      papers: 12,
      method: 'model',
      list: [
        { rank: 1, award: '一等奖' },
        { rank: 2, award: '二等奖' },
        { rank: 3, award: '三等奖' },
      ],
    });
    await expect(world.db.execute(sql`UPDATE contest_results SET adjusted = 100`)).rejects.toMatchObject(
      saying('is frozen'),
    );
    const [given] = await papersOf(panel[1]!);
    expect((await score(panel[1]!, given!.id)).body).toMatchObject({ err_code: 31309 });
    expect((await season('publish')).data ?? {}).not.toMatchObject({ state: 'done' });
  }, 60_000);

  it('a team sees raw, judge effect and adjusted, and comments; nobody sees names of judges', async () => {
    await publish();
    const [best] = await sheets();
    expect(best!.sheet).toMatchObject({ rank: 1, papers: 12, award: '一等奖', method: 'model' });
    expect(best!.sheet.reviews[0]).toMatchObject({ comment: COMMENT, parts: { question: 10 } });
    const effects = best!.sheet.reviews.map((one: any) => one.judge_effect);
    const mean = effects.reduce((sum: number, one: number) => sum + one, 0) / effects.length;
    expect(best!.sheet.adjusted).toBeCloseTo(best!.sheet.raw - mean, 10);
    expect(JSON.stringify(best)).not.toMatch(/评委\d/);
  }, 60_000);

  it('can be appealed against once at a time, for five days, by a team that was scored', async () => {
    await publish();
    const send = (person: Person, text = '第二位评委的分数与评语不符，请复核计分。') =>
      callsOf(world, cid, person)('appeals', { kind: 'score', text });
    expect((await send(teams[0]!)).data).toMatchObject({ state: 'open', answer: null });
    expect((await send(teams[0]!)).body).toMatchObject({ err_code: 31320 });
    expect((await send(teams[1]!, '太短')).status).toBe(400);
    expect((await send(teams[1]!, '字'.repeat(1001))).status).toBe(400);
    const [appeal] = (await own(teams[0]!)).appeals;
    for (const at of [appeal.id, 999_999])
      expect((await callsOf(world, cid, teams[1]!)(`appeals/${at}`, undefined, 'DELETE')).status).toBe(404);
    expect((await callsOf(world, cid, teams[0]!)(`appeals/${appeal.id}`, undefined, 'DELETE')).body).toMatchObject({
      status_code: 1,
    });
    expect((await send(teams[0]!)).body).toMatchObject({ status_code: 1 });
    expect((await own(teams[1]!)).appeals).toEqual([]);
    now = new Date(now.getTime() + 5 * DAY);
    expect((await send(teams[1]!)).body).toMatchObject({ err_code: 31319 });
  }, 60_000);

  it('somebody new answers an appeal; upheld, the award changes and says so', async () => {
    await publish();
    const fourth = (await sheets())[3]!;
    const { data: appeal } = await callsOf(
      world,
      cid,
      fourth.person,
    )('appeals', { kind: 'score', text: '合计与分项之和不一致，请复核。' });
    const answer = { verdict: 'upheld', answer: '经复核，合计有误，更正奖项。', award: '三等奖', disqualify: false };
    for (const who of [editor, second])
      expect((await act(who, 'contest.appeal', appeal.id, answer, 1)).body).toMatchObject({
        err_code: 31318,
        msg: expect.stringContaining('没有参与公布'),
      });
    const fresh = await enter(world, await makeOperator(world, ['客服']));
    expect((await act(fresh, 'contest.appeal', appeal.id, { ...answer, award: '特等奖' }, 1)).body).toMatchObject({
      err_code: 31318,
    });
    expect((await act(fresh, 'contest.appeal', appeal.id, { ...answer, verdict: 'rejected' }, 1)).body).toMatchObject({
      err_code: 31318,
    });
    expect((await act(fresh, 'contest.appeal', appeal.id, answer, 1)).body).toMatchObject({ status_code: 1 });
    expect((await act(fresh, 'contest.appeal', appeal.id, answer, 2)).body).toMatchObject({ err_code: 31318 });
    expect(await own(fourth.person)).toMatchObject({
      sheet: { award: '三等奖', corrected: true, rank: 4 },
      appeals: [{ state: 'upheld', answer: answer.answer }],
    });
    expect((await results()).list).toHaveLength(4);
  }, 60_000);

  it('prizes are given once, by two operators, after appeals are answered; certificates can be checked', async () => {
    await publish();
    const ranks = await sheets();
    const [first, runnerUp, third, fourth] = ranks;
    const { data: appeal } = await callsOf(
      world,
      cid,
      fourth!.person,
    )('appeals', { kind: 'score', text: '请复核一下我们队的计分。' });
    // A request that could not be carried out goes on waiting, and is approved again.
    let request = 0;
    const settle = async () => {
      request = (await season('settle')).data?.request_id ?? request;
      return approve(second, request);
    };
    expect((await settle()).body).toMatchObject({ err_code: 31318, msg: '公示期还没有结束' });
    await jump(new Date(now.getTime() + 5 * DAY));
    expect((await settle()).body).toMatchObject({ err_code: 31318, msg: '还有 1 份申诉没有答复' });
    const fresh = await enter(world, await makeOperator(world, ['客服']));
    await act(
      fresh,
      'contest.appeal',
      appeal.id,
      { verdict: 'rejected', answer: '计分无误。', award: null, disqualify: false },
      1,
    );
    expect((await settle()).body).toMatchObject({ status_code: 1 });
    expect((await settle()).body).toMatchObject({ err_code: 31318, msg: '奖励已经发放' });

    const credits = await rowsOf(world.db, sql`SELECT user_id, amount, kind, title FROM credit_entries`);
    expect(credits).toEqual([
      { user_id: first!.person.id, amount: 500, kind: 'campaign', title: '衡析数据分析大赛一等奖' },
    ]);
    const grants = await rowsOf(world.db, sql`SELECT user_id, days, source FROM vip_grants WHERE source = 'campaign'`);
    expect(grants).toEqual([{ user_id: runnerUp!.person.id, days: 30, source: 'campaign' }]);
    expect((await own(first!.person)).prize).toEqual({ award: '一等奖', kind: 'credits', value: 500 });
    expect((await own(third!.person)).prize).toBeNull();

    const [held] = (await own(first!.person)).certificates;
    const [plain] = (await own(fourth!.person)).certificates;
    expect([held.award, plain.award]).toEqual(['一等奖', '参赛证书']);
    const verify = async (code: string) => call(world, null, 'GET', `/v1/contest/certificates/verify?code=${code}`);
    expect((await verify(held.code.toLowerCase())).data).toMatchObject({
      award: '一等奖',
      state: 'valid',
      holder: expect.stringMatching(/^张\*/),
    });
    for (const bad of [`${held.code.slice(0, -1)}${held.code.endsWith('2') ? '3' : '2'}`, newCode('HX26'), 'x'])
      expect((await verify(bad)).body).toMatchObject({ err_code: 31310 });
    expect((await callsOf(world, cid, fourth!.person)(`certificates/${held.id}`, undefined, 'GET')).status).toBe(404);

    expect((await act(editor, 'contest.certificate.replace', held.id, { name: '张晓明' }, 1)).body).toMatchObject({
      status_code: 1,
    });
    const [old, fresher] = (await own(first!.person)).certificates;
    expect([old.state, fresher.state]).toEqual(['replaced', 'valid']);
    expect((await verify(fresher.code)).data.holder).toBe('张*明');
    await act(editor, 'contest.certificate.revoke', fresher.id, {}, 1);
    expect((await verify(fresher.code)).data.state).toBe('revoked');
  }, 60_000);
});

describe('the desk', () => {
  it('a season begun keeps its rules; a postponement is later, for all, and told', async () => {
    const [row] = (await list(editor, 'contests')).list;
    const { values } = row;
    const times = Object.fromEntries(
      ['signup_from', 'signup_to', 'answer_from', 'answer_to', 'results_at'].map((key) => [key, values[key]]),
    );
    expect((await season('edit', { ...values, rules: '改了' })).body).toMatchObject({ err_code: 31318 });
    expect((await season('edit', { ...values, answer_to: '2026-12-25T00:00:00Z' })).body).toMatchObject({
      err_code: 31318,
    });
    now = ANSWER;
    expect((await season('postpone', { ...times, answer_to: '2026-12-19T00:00:00Z', why: '维护' })).body).toMatchObject(
      { err_code: 31318, msg: '提交截止只能延后，不能提前' },
    );
    expect(
      (await season('postpone', { ...times, answer_from: '2026-12-11T00:00:00Z', why: '维护' })).body,
    ).toMatchObject({ err_code: 31318, msg: '赛题发布已经过去，不能再改' });
    expect(
      (await season('postpone', { ...times, answer_to: '2026-12-21T10:00:00Z', why: '服务器维护' })).body,
    ).toMatchObject({ status_code: 1 });
    const { contest } = (await call(world, null, 'GET', '/v1/contest')).data;
    expect(contest.notices[0]).toMatchObject({
      kind: 'postponed',
      text: '提交截止由 2026-12-20 18:00:00 延至 2026-12-21 18:00:00（北京时间）。原因：服务器维护',
    });
  });

  it('makes a season from its form, and refuses times out of order and prizes that say nothing', async () => {
    const form = {
      code: 'HX28',
      title: '第三届',
      summary: null,
      rules: '规则',
      problems: null,
      prizes: '一等奖,3,积分,500\n二等奖，5，仅证书，0',
      signup_from: '2027-12-01T00:00:00Z',
      signup_to: '2027-12-10T00:00:00Z',
      answer_from: '2027-12-10T00:00:00Z',
      answer_to: '2027-12-20T00:00:00Z',
      results_at: '2028-01-10T00:00:00Z',
    };
    const make = (more: object = {}) => act(editor, 'contest.make', '', { ...form, ...more });
    expect((await make({ answer_to: '2027-12-09T00:00:00Z' })).body).toMatchObject({ err_code: 31318 });
    expect((await make({ prizes: '一等奖,三,积分,500' })).body).toMatchObject({
      err_code: 30090,
      msg: expect.stringContaining('第 1 行'),
    });
    expect((await make()).body).toMatchObject({ status_code: 1 });
    expect((await make()).body).toMatchObject({ err_code: 31318, msg: '编号 HX28 已被使用' });
    const [row] = (await list(editor, 'contests')).list;
    expect(row).toMatchObject({
      cells: { code: 'HX28', phase: '筹备中' },
      values: { prizes: '一等奖,3,积分,500\n二等奖,5,仅证书,0' },
    });
    expect((await act(editor, 'contest.file', row.id, { name: '../x.csv', text: 'a' })).body).toMatchObject({
      err_code: 30090,
    });
    expect((await act(editor, 'contest.file', row.id, { name: 'data.csv', text: 'a,b\n1,2\n' }, 1)).body).toMatchObject(
      {
        status_code: 1,
      },
    );
    expect(REASON.length).toBeGreaterThan(4);
  });

  it('is no matter of finance or of machines', async () => {
    const finance = await enter(world, await makeOperator(world, ['财务', '运维']));
    expect(await list(finance, 'contests')).toBeUndefined();
    expect((await season('draw', {}, finance)).status).toBe(403);
  });
});

describe('codes of certificates', () => {
  it('find one wrong sign and two that were swapped', () => {
    const code = newCode('HX26');
    expect(readCode(` ${code.toLowerCase()} `)).toBe(code);
    const signs = [...code];
    for (let at = 5; at < signs.length; at += 1) {
      if (signs[at] === '-') continue;
      for (const other of '23456789ABCDEFGHJKLMNPQRSTUVWXY') {
        if (other === signs[at] || at === signs.length - 1) continue;
        const wrong = signs.with(at, other).join('');
        // Two signs that the check takes for one another: the 1st and the 32nd.
        if (signs[at] === 'Z' && other === '2') continue;
        expect(readCode(wrong)).toBeNull();
      }
    }
  });

  it.each([
    ['张三', '张*'],
    ['张晓明', '张*明'],
    ['欧阳晓明', '欧**明'],
    ['李', '*'],
  ])('%s is shown as %s', (name, shown) => {
    expect(maskName(name)).toBe(shown);
  });
});
