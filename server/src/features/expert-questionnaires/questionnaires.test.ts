import { beforeEach, expect, test } from 'vitest';
import { call, makeMember, makePerson } from '../../testing/makers.ts';
import { personStage } from '../../testing/stages.ts';
import { column, teachEngine } from '../../testing/tables.ts';
import { createProjects } from './projects.ts';
import { exportQuestionnaires, forgetQuestionnaires } from './service.ts';
import { people, projects, sheets } from './tables.ts';

const BASE = '/v1/pro-analysis/projects';
const ANSWER = '/v1/pro-analysis/answer';
const DUE = '2099-01-01T00:00:00Z';
const on = personStage();
let { world, person } = on;
beforeEach(() => {
  ({ world, person } = on);
});

const ITEMS = ['i1', 'i2', 'i3'].map((id) => ({ id, text: `指标${id}` }));
const leaf = (id: string) => ({ id, name: id, children: [] });
const TREE = { id: 'goal', name: '目标', children: ['a', 'b', 'c'].map(leaf) };

const own = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  at: string,
  body?: Record<string, unknown>,
  who = person,
) => call(world, who, method, `${BASE}${at}`, body);
const expert = (method: 'GET' | 'POST' | 'PUT', code: string, at = '', body?: Record<string, unknown>) =>
  call(world, null, method, `${ANSWER}/${code}${at}`, body);
const save = (code: string, values: Record<string, unknown>, revision = 1) =>
  expert('PUT', code, '/answers', {
    answers: Object.entries(values).map(([key, value]) => ({ key, value, revision })),
  });

async function draft(kind: 'delphi' | 'ahp', content: Record<string, unknown> = {}): Promise<number> {
  const { data } = await own('POST', '', { kind, title: '问卷' });
  const asked = kind === 'delphi' ? { items: ITEMS } : { tree: TREE };
  const change = { title: '问卷', content: { ...data.content, ...asked, ...content }, revision: data.revision };
  expect((await own('PUT', `/${data.id}`, change)).body.status_code).toBe(1);
  return data.id;
}

async function panel(pid: number, n: number): Promise<string[]> {
  if (n === 0) return [];
  const names = Array.from({ length: n }, (_, at) => `专家${at}`);
  const { data } = await own('POST', `/${pid}/experts`, { names });
  return data.list.map(({ quescode }: { quescode: string }) => quescode);
}

async function published(kind: 'delphi' | 'ahp', n: number, content: Record<string, unknown> = {}) {
  if (kind === 'ahp' || n > 15) await makeMember(world, person);
  const pid = await draft(kind, content);
  const codes = await panel(pid, n);
  const { body } = await own('POST', `/${pid}/publish`, { due_at: DUE });
  expect(body.status_code).toBe(1);
  return { pid, codes };
}

test('an AHP questionnaire is published by members only, a Delphi one within its limits', async () => {
  const ahp = await draft('ahp');
  expect((await own('POST', `/${ahp}/publish`, { due_at: DUE })).body).toMatchObject({
    err_code: 20002,
    data: { limit: 'feature', lifts: 'member' },
  });
  const first = await draft('delphi');
  expect((await own('POST', `/${first}/publish`, { due_at: DUE })).body.status_code).toBe(1);
  const second = await draft('delphi');
  expect((await own('POST', `/${second}/publish`, { due_at: DUE })).body.err_code).toBe(20002);
  const names = Array.from({ length: 16 }, (_, at) => `专家${at}`);
  expect((await own('POST', `/${first}/experts`, { names })).body.err_code).toBe(20002);
  await makeMember(world, person);
  expect((await own('POST', `/${ahp}/publish`, { due_at: DUE })).body.status_code).toBe(1);
  expect((await own('POST', `/${second}/publish`, { due_at: DUE })).body.status_code).toBe(1);
});

test('what cannot be asked is refused with its place', async () => {
  await makeMember(world, person);
  const refusal = async (kind: 'delphi' | 'ahp', content: Record<string, unknown>) =>
    (await own('POST', `/${await draft(kind, content)}/publish`, { due_at: DUE })).body.msg;
  expect(await refusal('delphi', { consent: '' })).toContain('知情同意书');
  expect(await refusal('delphi', { items: ITEMS.slice(1, 2) })).toBe('至少需要 2 个指标');
  expect(await refusal('delphi', { items: [...ITEMS, { id: 'i4', text: '指标i1' }] })).toContain('出现了两次');
  expect(await refusal('delphi', { protocol: { rule: 'rand_ucla' } })).toContain('9 级评分');
  expect(await refusal('ahp', { tree: { ...TREE, children: [leaf('a')] } })).toContain('至少需要 2 个准则');
  const lonely = { id: 'b', name: '成本', children: [leaf('d')] };
  expect(await refusal('ahp', { tree: { ...TREE, children: [leaf('a'), lonely] } })).toContain('“成本”下只有 1 个下级');
  const pid = await draft('delphi');
  expect((await own('POST', `/${pid}/publish`, { due_at: '2001-01-01T00:00:00Z' })).body.msg).toContain('晚于现在');
});

test('another owner’s questionnaire and unknown links are absent', async () => {
  const { pid, codes } = await published('delphi', 2);
  const other = await makePerson(world);
  for (const at of ['', '/experts']) expect((await own('GET', `/${pid}${at}`, undefined, other)).status).toBe(404);
  expect((await own('PATCH', `/${pid}/round`, { act: 'close' }, other)).status).toBe(404);
  expect((await own('GET', '', undefined, other)).data.total).toBe(0);
  expect((await expert('GET', 'nobody')).body).toMatchObject({
    err_code: 32101,
    msg: '链接无效或已失效，请联系组织者',
  });
  const { list } = (await own('GET', `/${pid}/experts`)).data;
  const renewed = (await own('POST', `/${pid}/experts/${list[0].id}/link`)).data.list[0].quescode;
  expect((await expert('GET', codes[0]!)).body.err_code).toBe(32101);
  expect((await expert('GET', renewed)).data).toMatchObject({ expert: 'E01', state: 'open' });
  expect((await own('DELETE', `/${pid}`)).body.status_code).toBe(1);
  expect((await expert('GET', renewed)).status).toBe(404);
});

test('answers are saved, resumed on another device, and the newer revision wins', async () => {
  const { codes } = await published('delphi', 1);
  const code = codes[0]!;
  expect((await save(code, { 'item:i1': 4, 'item:i2': null, 'comment:i1': '很重要' })).data.conflicts).toEqual({});
  expect((await save(code, { 'item:i1': 5 }, 2)).data.conflicts).toEqual({});
  expect((await save(code, { 'item:i1': 3 }, 2)).data.conflicts).toEqual({ 'item:i1': { value: 5, revision: 2 } });
  expect((await save(code, { 'item:i1': 5 }, 2)).data.conflicts).toEqual({});
  expect((await expert('GET', code)).data.answers).toEqual({
    'item:i1': { value: 5, revision: 2 },
    'item:i2': { value: null, revision: 1 },
    'comment:i1': { value: '很重要', revision: 1 },
  });
  expect((await expert('POST', code, '/submit')).data).toMatchObject({ late: false });
  expect((await save(code, { 'item:i3': 2 })).body.status_code).toBe(1);
});

test('zero, negative, ten, fractions and foreign questions are no answers', async () => {
  const ahp = (await published('ahp', 1)).codes[0]!;
  for (const value of [0, -3, 10, 2.5]) {
    const { status, body } = await save(ahp, { 'pair:goal:a:b': { value, favours: 'first' } });
    expect([status, body.msg]).toEqual([422, `判断要是 1 到 9 的整数，收到 ${value}；后一项更重要时请选另一侧`]);
  }
  expect((await save(ahp, { 'pair:goal:a:b': 3 })).body.msg).toBe('比较要说明哪一项更重要');
  expect((await save(ahp, { 'pair:goal:a:x': { value: 3, favours: 'first' } })).status).toBe(422);
  expect((await save(ahp, { 'pair:goal:a:b': { value: 3, favours: 'second' } })).body.status_code).toBe(1);
  const delphi = (await published('delphi', 1)).codes[0]!;
  for (const value of [0, -1, 6, 10, 1.5, '好'])
    expect((await save(delphi, { 'item:i1': value })).body.msg).toContain('评分要是 1 到 5 的整数');
  for (const wrong of [
    { 'ca:practice': 2 },
    { 'ca:practice': 'huge' },
    { 'ca:luck': 'large' },
    { cs: 0.55 },
    { ca: 1 },
  ])
    expect((await save(delphi, wrong)).status).toBe(422);
  expect((await save(delphi, { 'ca:practice': 'large', cs: 0.8 })).body.status_code).toBe(1);
});

test('a closed round refuses late answers saying so, and opens again while no other has followed', async () => {
  const { pid, codes } = await published('delphi', 3);
  await save(codes[0]!, { 'item:i1': 4 });
  expect((await own('PATCH', `/${pid}/round`, { act: 'close' })).data.state).toBe('between');
  const late = await save(codes[0]!, { 'item:i2': 4 });
  expect([late.status, late.body.err_code]).toEqual([409, 32103]);
  expect(late.body.msg).toMatch(/^本轮已于.+截止，您已保存的答案不会丢失$/u);
  expect((await expert('POST', codes[0]!, '/submit')).body.err_code).toBe(32103);
  expect((await expert('GET', codes[0]!)).data).toMatchObject({
    state: 'closed',
    answers: { 'item:i1': { value: 4 } },
  });
  expect((await own('PATCH', `/${pid}/round`, { act: 'reopen', due_at: DUE })).data.state).toBe('collecting');
  expect((await save(codes[0]!, { 'item:i2': 4 })).body.status_code).toBe(1);
});

test('the next round asks what is not decided and shows the last one, frozen and from three answers on', async () => {
  const { pid, codes } = await published('delphi', 4);
  for (const [at, code] of codes.entries()) {
    await save(code, { 'item:i1': at + 1, 'item:i2': 5, ...(at < 2 ? { 'item:i3': 1 } : {}) });
    await expert('POST', code, '/submit');
  }
  // While it is open the owner sees numbers of sheets only.
  expect((await own('GET', `/${pid}`)).data.rounds[0]).toMatchObject({ submitted: 4, results: null });
  await own('PATCH', `/${pid}/round`, { act: 'close' });
  const [{ results }] = (await own('GET', `/${pid}`)).data.rounds;
  expect(results[0]).toEqual({ item: 'i1', n: 4, counts: [1, 1, 1, 1, 0], q1: 1.25, median: 2.5, q3: 3.75 });
  expect(results[2]).toEqual({ item: 'i3', n: 2, counts: [], q1: null, median: null, q3: null });
  const next = await own('POST', `/${pid}/rounds`, { due_at: DUE, decisions: { i2: 'accepted' } });
  expect(next.data).toMatchObject({ round: 2, state: 'collecting' });
  const page = (await expert('GET', codes[0]!)).data;
  expect(page.items.map(({ id }: { id: string }) => id)).toEqual(['i1', 'i3']);
  expect(page).toMatchObject({ round: 2, before: { 'item:i1': 1 }, answers: {} });
  expect(page.feedback).toEqual(results);
  expect((await save(codes[0]!, { 'item:i2': 3 })).status).toBe(422);
  expect((await own('PATCH', `/${pid}/round`, { act: 'reopen', due_at: DUE })).status).toBe(409);
});

test('what is asked changes only between rounds, as a version with a reason', async () => {
  const { pid } = await published('delphi', 1);
  const { data } = await own('GET', `/${pid}`);
  const content = { ...data.content, items: [...ITEMS, { id: 'i4', text: '新指标' }] };
  const change = (revision: number, reason = '') => own('PUT', `/${pid}`, { title: '问卷', content, revision, reason });
  expect((await change(data.revision)).body.msg).toContain('本轮正在收集');
  await own('PATCH', `/${pid}/round`, { act: 'close' });
  expect((await change(data.revision - 1)).status).toBe(409);
  expect((await change(data.revision)).body.msg).toContain('请填写修改原因');
  expect((await change(data.revision, '专家建议')).data).toMatchObject({
    version: 2,
    versions: [{ number: 1 }, { number: 2, reason: '专家建议' }],
  });
  const next = await own('POST', `/${pid}/rounds`, { due_at: DUE });
  expect(next.data.rounds[1]).toMatchObject({ version: 2, items: ['i1', 'i2', 'i3', 'i4'] });
});

test('the public link gives a link of one’s own, within the quota; who withdraws is asked no more', async () => {
  const { pid } = await published('delphi', 0);
  const open = (await own('PUT', `/${pid}/public-link`, { open: true })).data.public_code;
  expect((await expert('GET', open)).data).toMatchObject({ channel: 'public', items: [] });
  const { quescode } = (await expert('POST', open, '/join')).data;
  await save(quescode, { 'item:i1': 4 });
  expect((await expert('GET', quescode)).data).toMatchObject({ expert: 'E01', channel: 'personal' });
  for (let at = 0; at < 14; at += 1) expect((await expert('POST', open, '/join')).status).toBe(200);
  expect((await expert('POST', open, '/join')).body.err_code).toBe(32105);
  expect((await expert('POST', quescode, '/withdraw')).status).toBe(200);
  expect((await save(quescode, { 'item:i1': 4 })).body.err_code).toBe(32104);
  expect((await expert('GET', quescode)).data).toMatchObject({ state: 'withdrawn', answers: {} });
  expect((await own('GET', `/${pid}`)).data.rounds[0]).toMatchObject({ started: 0 });
  await own('PUT', `/${pid}/public-link`, { open: false });
  expect((await expert('POST', open, '/join')).body.err_code).toBe(32101);
});

test('two hundred experts answer at once and none is lost', async () => {
  const { pid, codes } = await published('delphi', 200);
  const sent = await Promise.all(
    codes.map(async (code, at) => {
      const saved = await save(code, { 'item:i1': (at % 5) + 1, 'item:i2': 3, 'item:i3': 5 });
      const handed = await expert('POST', code, '/submit');
      return [saved.status, handed.status];
    }),
  );
  expect(sent.filter(([saved, handed]) => saved !== 200 || handed !== 200)).toEqual([]);
  await own('PATCH', `/${pid}/round`, { act: 'close' });
  const { rounds } = (await own('GET', `/${pid}`)).data;
  expect(rounds[0]).toMatchObject({
    invited: 200,
    submitted: 200,
    results: [{ n: 200, counts: [40, 40, 40, 40, 40] }, {}, {}],
  });
}, 120_000);

test('the answers become a labelled version with the form of their method, never below the stated number', async () => {
  const columns = ['专家', '轮次', '状态', '指标01', '指标02', '指标03'].map((name, at) => column(`c${at + 1}`, name));
  teachEngine(world, columns);
  const { pid, codes } = await published('delphi', 3);
  expect((await own('POST', `/${pid}/dataset`)).body.msg).toContain('还没有结束的轮次');
  const answer = async (code: string) => {
    await save(code, { 'item:i1': 4, 'item:i2': 5, 'item:i3': 3 });
    await expert('POST', code, '/submit');
  };
  await answer(codes[0]!);
  await own('PATCH', `/${pid}/round`, { act: 'close' });
  expect((await own('POST', `/${pid}/dataset`)).body.msg).toContain('少于 3 份（最多 1 份）');
  await own('PATCH', `/${pid}/round`, { act: 'reopen', due_at: DUE });
  await Promise.all(codes.slice(1).map(answer));
  await own('PATCH', `/${pid}/round`, { act: 'close' });
  const { data } = await own('POST', `/${pid}/dataset`);
  expect(data).toMatchObject({
    method: 'evaluation/delphi',
    sheets: 3,
    form: { items: ['c4', 'c5', 'c6'], round: 'c2', expert: 'c1', invited: [3], rule: 'mean_cv', cv_max: 0.25 },
  });
  const version = (await call(world, person, 'GET', `/v1/user/file/versions/${data.vid}`)).data;
  expect(version.columns.find(({ id }: { id: string }) => id === 'c4')).toMatchObject({
    label: '指标i1',
    measure: '定量',
  });
  expect((await own('POST', `/${pid}/dataset`)).data.fid).toBe(data.fid);
});

test('whoever joins while a round is open counts as invited, and no sheet is without an invitation', async () => {
  const { pid, codes } = await published('delphi', 2);
  const invited = async () => (await own('GET', `/${pid}`)).data.rounds.at(-1).invited;
  const open = (await own('PUT', `/${pid}/public-link`, { open: true })).data.public_code;
  await expert('POST', open, '/join');
  const later = await own('POST', `/${pid}/experts`, { names: ['后来的'] });
  expect(await invited()).toBe(4);
  // Leaving does not undo an invitation; a removed one was none.
  await expert('POST', codes[0]!, '/withdraw');
  expect(await invited()).toBe(4);
  await own('DELETE', `/${pid}/experts/${later.data.list.at(-1).id}`);
  expect(await invited()).toBe(3);
  await own('PATCH', `/${pid}/round`, { act: 'close' });
  await own('POST', `/${pid}/experts`, { names: ['又一位'] });
  expect(await invited()).toBe(3);
  await own('PATCH', `/${pid}/round`, { act: 'reopen', due_at: DUE });
  expect(await invited()).toBe(4);
});

test('the least number of answers is of each round, not of all together', async () => {
  const columns = ['专家', '轮次', '状态', '指标01', '指标02', '指标03'].map((name, at) => column(`c${at + 1}`, name));
  teachEngine(world, columns);
  const { pid, codes } = await published('delphi', 3);
  const answer = async (code: string) => {
    await save(code, { 'item:i1': 4, 'item:i2': 5, 'item:i3': 3 });
    await expert('POST', code, '/submit');
  };
  for (const code of codes.slice(0, 2)) await answer(code);
  await own('PATCH', `/${pid}/round`, { act: 'close' });
  await own('POST', `/${pid}/rounds`, { due_at: DUE });
  for (const code of codes.slice(0, 2)) await answer(code);
  await own('PATCH', `/${pid}/round`, { act: 'close' });
  // Four sheets in all, two a round.
  expect((await own('POST', `/${pid}/dataset`)).body.msg).toContain('每一轮的答卷都少于 3 份（最多 2 份）');
  await own('PATCH', `/${pid}/round`, { act: 'reopen', due_at: DUE });
  await answer(codes[2]!);
  await own('PATCH', `/${pid}/round`, { act: 'close' });
  expect((await own('POST', `/${pid}/dataset`)).data).toMatchObject({
    sheets: 3,
    left_out: [1],
    form: { invited: [3] },
  });
});

test('a sheet with open questions is refused where the protocol wants all answered', async () => {
  const { codes } = await published('delphi', 1, { protocol: { require_all: true } });
  const code = codes[0]!;
  await save(code, { 'item:i1': 4, 'item:i2': null, 'item:i3': 2 });
  expect((await expert('POST', code, '/submit')).body.msg).toContain('还有 5 题没有作答');
  const bases = { 'ca:practice': 'large', 'ca:theory': 'small', 'ca:literature': 'small', 'ca:intuition': 'small' };
  await save(code, { ...bases, cs: 0.8 });
  expect((await expert('POST', code, '/submit')).status).toBe(200);
});

test('what was decided on the items of the last round is kept with its end', async () => {
  const { pid } = await published('delphi', 0);
  await own('PATCH', `/${pid}/round`, { act: 'close' });
  expect((await own('POST', `/${pid}/finish`, { decisions: { other: 'accepted' } })).status).toBe(422);
  const ended = await own('POST', `/${pid}/finish`, { decisions: { i1: 'accepted', i2: 'rejected' } });
  expect(ended.data).toMatchObject({
    state: 'finished',
    rounds: [{ decisions: { i1: 'accepted', i2: 'rejected' } }],
  });
});

test('the bin gives back or ends for good; after thirty days it is emptied', async () => {
  const { pid, codes } = await published('delphi', 1);
  await save(codes[0]!, { 'item:i1': 4 });
  expect((await own('DELETE', `/${pid}?forever=1`)).status).toBe(404);
  await own('DELETE', `/${pid}`);
  expect((await own('GET', '')).data.total).toBe(0);
  expect((await own('GET', '?bin=1')).data.list).toMatchObject([{ id: pid, deleted_at: expect.any(String) }]);
  const other = await makePerson(world);
  expect((await own('POST', `/${pid}/restore`, undefined, other)).status).toBe(404);
  expect((await own('DELETE', `/${pid}?forever=1`, undefined, other)).status).toBe(404);
  expect((await own('POST', `/${pid}/restore`)).data).toMatchObject({ id: pid, state: 'collecting' });
  expect((await expert('GET', codes[0]!)).data.answers).toEqual({ 'item:i1': { value: 4, revision: 1 } });
  // The standard edition runs one: a second cannot come in by the bin.
  await own('DELETE', `/${pid}`);
  const second = await published('delphi', 0);
  expect((await own('POST', `/${pid}/restore`)).body.err_code).toBe(20002);
  expect((await own('GET', '?bin=1')).data.total).toBe(1);
  // A draft takes nobody's turn.
  const draft = (await own('POST', '', { kind: 'delphi', title: '草稿' })).data.id;
  await own('DELETE', `/${draft}`);
  expect((await own('POST', `/${draft}/restore`)).data).toMatchObject({ id: draft, state: 'draft' });
  await own('DELETE', `/${draft}`);
  await own('DELETE', `/${draft}?forever=1`);
  await own('DELETE', `/${pid}?forever=1`);
  const left = async () => (await world.db.select().from(sheets)).length;
  expect([(await own('GET', '?bin=1')).data.total, await left()]).toEqual([0, 0]);
  await own('DELETE', `/${second.pid}`);
  const { tidy } = createProjects({ db: world.db } as never);
  await tidy();
  expect((await own('GET', '?bin=1')).data.total).toBe(1);
  await world.db.update(projects).set({ deletedAt: new Date(Date.now() - 31 * 86_400_000) });
  await tidy();
  expect((await own('GET', '?bin=1')).data.total).toBe(0);
});

test('the archive holds the panel and every answer by the expert’s number, and goes with its owner', async () => {
  const { codes } = await published('delphi', 2);
  await save(codes[1]!, { 'item:i1': 4, 'comment:i1': '重要' });
  await expert('POST', codes[1]!, '/submit');
  const files = [];
  for await (const file of exportQuestionnaires(world.db, person.owner)) files.push(file);
  const [{ path, content }] = files as [{ path: string; content: Uint8Array }];
  expect(path).toMatch(/^expert-questionnaires\/\d+_问卷\.json$/u);
  expect(JSON.parse(Buffer.from(content).toString())).toMatchObject({
    rounds: [{ number: 1, invited: 2 }],
    panel: [
      { code: 'E01', name: '专家0' },
      { code: 'E02', name: '专家1' },
    ],
    sheets: [{ expert: 'E02', round: 1, answers: { 'item:i1': { value: 4 }, 'comment:i1': { value: '重要' } } }],
  });
  await world.db.transaction((tx) => forgetQuestionnaires(tx, person.owner));
  expect((await own('GET', '')).data.total).toBe(0);
  expect(await world.db.select().from(sheets)).toEqual([]);
});

test('reminders go to who has not handed in, and at most once a day', async () => {
  const { pid, codes } = await published('delphi', 3);
  await save(codes[0]!, { 'item:i1': 4 });
  await expert('POST', codes[0]!, '/submit');
  const { list } = (await own('GET', `/${pid}/experts`)).data;
  const [first, second, third] = list.map(({ id }: { id: number }) => id);
  const remind = (...experts: number[]) => own('POST', `/${pid}/reminders`, { experts });
  expect((await remind(first)).body.msg).toBe('E01 已经提交，不用提醒');
  expect((await remind(second, second)).data.list[1]).toMatchObject({ reminders: 1, reminded_at: expect.any(String) });
  // One that cannot be reminded holds all of them back.
  expect((await remind(third, second)).body.msg).toContain('E02 一天内已经提醒过');
  expect((await own('GET', `/${pid}/experts`)).data.list[2]).toMatchObject({ reminders: 0 });
  await world.db.update(people).set({ remindedAt: new Date(Date.now() - 25 * 3_600_000) });
  expect((await remind(second)).data.list[1].reminders).toBe(2);
  await expert('POST', codes[2]!, '/withdraw');
  expect((await remind(third)).body.msg).toContain('已退出');
  expect((await remind(2_000_000_000)).status).toBe(404);
  await own('PATCH', `/${pid}/round`, { act: 'close' });
  expect((await remind(second)).body.msg).toContain('不用提醒');
});

test('comments are read without their authors, and the next round shows those the owner lets through', async () => {
  const { pid, codes } = await published('delphi', 3);
  for (const [at, code] of codes.entries()) {
    const comment = at === 2 ? {} : { 'comment:i1': ['太重要了', ' 丙医院的王医生说不重要 '][at] };
    await save(code, {
      'item:i1': at + 3,
      'item:i2': 3,
      ...(at < 2 ? { 'item:i3': 1, 'comment:i3': '少' } : {}),
      ...comment,
    });
    await expert('POST', code, '/submit');
  }
  expect((await own('GET', `/${pid}`)).data.rounds[0].comments).toEqual({});
  await own('PATCH', `/${pid}/round`, { act: 'close' });
  const [{ comments }] = (await own('GET', `/${pid}`)).data.rounds;
  expect(comments.i1).toEqual(['丙医院的王医生说不重要', '太重要了']);
  const six = Array.from({ length: 6 }, (_, at) => `意见${at}`);
  expect((await own('POST', `/${pid}/rounds`, { due_at: DUE, comments: { i1: six } })).status).toBe(400);
  await own('POST', `/${pid}/rounds`, { due_at: DUE, comments: { i1: ['有专家认为不重要'], i3: ['少'] } });
  const { feedback } = (await expert('GET', codes[0]!)).data;
  expect(feedback[0]).toMatchObject({ item: 'i1', n: 3, comments: ['有专家认为不重要'] });
  // Too few scored it: nothing of it is shown.
  expect(feedback[2]).toEqual({ item: 'i3', n: 2, counts: [], q1: null, median: null, q3: null });
});

test('a questionnaire begins from a template or a saved file, with a consent text in any case', async () => {
  const content = { items: ITEMS, consent: '', protocol: { scale_max: 7 } };
  const { data } = await own('POST', '', { kind: 'delphi', title: '导入的', content });
  expect(data.content).toMatchObject({ items: ITEMS, protocol: { scale_max: 7, rule: 'mean_cv' } });
  expect(data.content.consent).toContain('自愿参加');
  const odd = await own('POST', '', { kind: 'delphi', title: '错的', content: { ...content, items: 'x' } });
  expect(odd.status).toBe(400);
});

test('what experts say of themselves is asked once, bounded, counted for closed rounds, and a column of the data', async () => {
  const about = ['degree', 'years', 'field'];
  const { pid, codes } = await published('delphi', 3, { protocol: { about, require_all: true, ask_authority: false } });
  const scores = { 'item:i1': 4, 'item:i2': 5, 'item:i3': 3 };
  for (const wrong of [
    { 'about:degree': '院士' },
    { 'about:years': 81 },
    { 'about:years': 1.5 },
    { 'about:rank': '中级' },
  ])
    expect((await save(codes[0]!, wrong)).status).toBe(422);
  expect((await save(codes[0]!, { 'about:field': '长'.repeat(61) })).status).toBe(422);
  // A box that was cleared again tells nothing.
  await save(codes[0]!, { ...scores, 'about:years': null, 'about:field': '' });
  expect((await expert('POST', codes[0]!, '/submit')).body.msg).toContain('还有 3 题');
  for (const [at, code] of codes.entries()) {
    await save(
      code,
      { ...scores, 'about:degree': at === 2 ? '硕士' : '博士', 'about:years': 9 + at, 'about:field': '管理' },
      2,
    );
    expect((await expert('POST', code, '/submit')).status).toBe(200);
  }
  expect((await own('GET', `/${pid}`)).data.composition).toEqual({});
  await own('PATCH', `/${pid}/round`, { act: 'close' });
  expect((await own('GET', `/${pid}`)).data).toMatchObject({
    composition: { degree: { 博士: 2, 硕士: 1 }, years: { '10 年以下': 1, '10–19 年': 2 }, field: { 管理: 3 } },
    rounds: [{ start_hours: 0 }],
  });
  await own('POST', `/${pid}/rounds`, { due_at: DUE });
  expect((await expert('GET', codes[0]!)).data.before).toMatchObject({ 'about:degree': '博士' });
  await save(codes[0]!, scores);
  expect((await expert('POST', codes[0]!, '/submit')).status).toBe(200);
});

test('of a closed round the owner sees which sheets were filled in too fast or all alike', async () => {
  const items = Array.from({ length: 5 }, (_, at) => ({ id: `i${at}`, text: `指标${at}` }));
  const { pid, codes } = await published('delphi', 2, { items });
  for (const [k, code] of codes.entries()) {
    await save(code, Object.fromEntries(items.map(({ id }, at) => [`item:${id}`, k === 0 ? 3 : (at % 5) + 1])));
    await expert('POST', code, '/submit');
  }
  const signs = async () => (await own('GET', `/${pid}/experts`)).data.list.map((one: any) => one.signs);
  expect(await signs()).toEqual([[], []]);
  await own('PATCH', `/${pid}/round`, { act: 'close' });
  expect(await signs()).toEqual([['fast', 'same'], ['fast']]);
  await world.db.update(sheets).set({ startedAt: new Date(Date.now() - 60_000) });
  expect(await signs()).toEqual([['same'], []]);
});
