/** 文本编码 through the calls of the application, on an engine that knows five answers. */
import { sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { call, makePerson } from '../../testing/makers.ts';
import { fileStage } from '../../testing/stages.ts';
import { COLUMNS, column } from '../../testing/tables.ts';
import { exportCodings } from './service.ts';

const BASE = '/v1/text-analysis/codings';
const TEXTS = ['服务热情', '房间干净', '服务热情，房间干净', '100%_满意', '不知道'];
const on = fileStage();
let { world, person, vid, fid } = on;
let written: any;
let at: string;
let service: number;
let room: number;

beforeEach(async () => {
  ({ world, person, vid, fid } = on);
  world.engine.on('POST', '/tables/:key/answers', (body) => ({
    body: {
      texts: body.mask ? TEXTS : TEXTS.slice(0, 1),
      rows: [3, 2, 1, 1, 1],
      first: [1, 2, 4, 6, 8],
      total: 9,
      answered: 8,
      masked: 1,
      cut: 0,
    },
  }));
  world.engine.on('POST', '/tables/:key/coded', (body, [key]) => {
    written = { ...body, key };
    const ids = body.codes.map((one: any, i: number) => one.column ?? `c${5 + i}`);
    const fresh = ids.map((id: string, i: number) => column(id, body.codes[i].name, { storage: 'int' }));
    const set = { id: body.set.id ?? 's1', name: body.set.name, label: null, columns: ids, counted: 1 };
    const meta = { data: null, rows: 3, columns: [...COLUMNS, ...fresh], warnings: [], sets: [set] };
    return { body: { ...meta, ids, set: set.id, renamed: {} } };
  });
  world.engine.onRun = (run) => {
    if (run.payload.act === 'draft') return { state: 'done', result: { codes: [], read: 5 } };
    const suggestions = [
      [0, service, 1],
      [1, room, 0.8],
      [2, service, 1],
      [2, room, 0.6],
    ];
    return { state: 'done', result: { suggestions, learnt: null, why: '先人工编码 50 条' } };
  };
  const { data } = await post('', { vid, column: 'c1', question: '意见' });
  at = `/${data.id}`;
  const codes = [...data.codes, bare('服务', '服务，热情'), bare('房间')];
  const edited = await call(world, person, 'PUT', `${BASE}${at}/book`, { codes, version: 1 });
  [service, room] = edited.data.codes.slice(3).map((one: any) => one.id);
});

const bare = (name: string, rule = '') => ({
  id: null,
  name,
  group: '',
  definition: '',
  includes: '',
  excludes: '',
  rule,
});
const post = (path: string, body: Record<string, unknown> = {}, who = person) =>
  call(world, who, 'POST', `${BASE}${path}`, body);
const read = async () => (await call(world, person, 'GET', `${BASE}${at}`)).data;
const list = async (query = '') => (await call(world, person, 'GET', `${BASE}${at}/answers?${query}`)).data;
const mark = (ats: number[], body: Record<string, unknown>, version = 0) =>
  post(`${at}/marks`, { answers: ats.map((one) => ({ at: one, version })), ...body });
const codesOf = async () => (await list()).list.map((one: any) => one.codes);

test('a coding begins with every different answer once, and the three codes everybody needs', async () => {
  const coding = await read();
  expect(coding).toMatchObject({ question: '意见', fid, vid, masked: true, total: 9, answered: 8, covered: 1 });
  expect(coding.progress).toEqual({ answers: 5, rows: 8, coded_answers: 0, coded_rows: 0 });
  expect(coding.codes.slice(0, 3).map((one: any) => one.name)).toEqual(['其他', '无法归类', '无效']);
  const { total, rows, list: answers } = await list();
  expect([total, rows]).toEqual([5, 8]);
  expect(answers[0]).toEqual({
    at: 0,
    text: '服务热情',
    rows: 3,
    first_row: 1,
    version: 0,
    codes: [],
    by_hand: [],
    rejected: [],
    suggested: [],
  });
  expect((await call(world, person, 'GET', `${BASE}?fid=${fid}`)).data).toMatchObject({
    total: 1,
    list: [{ question: '意见' }],
  });
});

test('only a text column of the version can be coded', async () => {
  expect((await post('', { vid, column: 'c9' })).body.msg).toContain('没有这个变量');
  expect((await post('', { vid, column: 'c2' })).body.msg).toContain('不是文字');
});

test('answers are found by a part of their text, letter by letter', async () => {
  expect((await list(`q=${encodeURIComponent('房间')}`)).list.map((one: any) => one.at)).toEqual([1, 2]);
  expect((await list(`q=${encodeURIComponent('%_')}`)).list.map((one: any) => one.at)).toEqual([3]);
  expect((await list('sort=length&limit=1')).list[0].at).toBe(2);
});

test('several codes an answer, several answers at once, and how far one has come', async () => {
  const { data } = await mark([0, 2], { on: [service] });
  expect(data.answers.map((one: any) => [one.at, one.codes, one.by_hand, one.version])).toEqual([
    [0, [service], [service], 1],
    [2, [service], [service], 1],
  ]);
  await mark([2], { on: [room] }, 1);
  expect(await codesOf()).toEqual([[service], [], [service, room], [], []]);
  const coding = await read();
  expect(coding.progress).toMatchObject({ coded_answers: 2, coded_rows: 4 });
  expect(coding.counts.slice(3)).toEqual([
    { code: service, answers: 2, rows: 4, suggested: 0 },
    { code: room, answers: 1, rows: 1, suggested: 0 },
  ]);
  expect((await list(`code=${room}`)).total).toBe(1);
  expect((await list('state=uncoded')).total).toBe(3);
  expect((await mark([0], { on: [99] })).body.msg).toContain('已从码表里删除');
});

test('suggestions enter the data only when a person takes them', async () => {
  const run = (await post(`${at}/suggest?wait=5`)).data;
  expect(run).toMatchObject({ state: 'done', suggestions: 4 });
  expect(world.engine.submitted.at(-1)).toMatchObject({ kind: 'answers' });
  expect(world.engine.submitted.at(-1)?.payload.body.rules).toEqual([
    { code: service, name: '服务', rule: '服务，热情' },
  ]);
  let coding = await read();
  expect(coding).toMatchObject({ open: 3, progress: { coded_answers: 0 }, suggested: { why: '先人工编码 50 条' } });
  expect(coding.by_p.map((one: any) => one.marks)).toEqual([2, 2, 3, 3, 4, 4]);
  expect((await list('state=suggested')).total).toBe(3);
  await mark([1], { off: [room] });
  expect((await post(`${at}/accept`, { p: 1 })).data).toMatchObject({ answers: 2, marks: 2 });
  expect(await codesOf()).toEqual([[service], [], [service], [], []]);
  coding = await read();
  expect(coding).toMatchObject({ open: 1, taken: { marks: 2, at_once: 2 } });
  // What a person rejected does not come back with the next suggestions.
  await post(`${at}/suggest?wait=5`);
  expect((await list('state=suggested')).list.map((one: any) => one.at)).toEqual([2]);
  await mark([2], { accept: true }, 1);
  expect((await codesOf())[2]).toEqual([service, room]);
  // An answer that is 无效 has no open suggestions: what is offered to be taken is what would be taken.
  await mark([2], { on: [3] }, 2);
  await post(`${at}/suggest?wait=5`);
  coding = await read();
  expect([coding.open, coding.by_p.at(-1).marks, (await list('state=suggested')).total]).toEqual([0, 0, 0]);
});

test('what was done is undone and done again, but for answers somebody else has changed', async () => {
  await mark([0, 1], { on: [service] });
  await world.db.execute(sql`UPDATE coded_answers SET codes = ${`{${room}}`}, version = 5 WHERE at = 1`);
  expect((await read()).undo).toBe('加上“服务”：2 条回答');
  expect((await post(`${at}/undo`)).data).toMatchObject({ answers: 1, kept: 1 });
  expect(await codesOf()).toEqual([[], [room], [], [], []]);
  expect((await post(`${at}/redo`)).data).toMatchObject({ answers: 1, kept: 1 });
  expect((await codesOf())[0]).toEqual([service]);
  await post(`${at}/undo`);
  await mark([3], { on: [room] });
  expect((await post(`${at}/redo`)).body.msg).toContain('没有可以重做');
});

test('a change of somebody else in between is told and not overwritten', async () => {
  const other = await makePerson(world, '李四');
  await world.db.execute(
    sql`UPDATE coded_answers SET codes = ${`{${room}}`}, version = 1, changed_by = ${other.id} WHERE at = 0`,
  );
  const { data } = await mark([0, 1], { on: [service] });
  expect(data.answers.map((one: any) => one.at)).toEqual([1]);
  expect(data.conflicts).toMatchObject([{ by: '李四', answer: { at: 0, codes: [room] } }]);
  expect((await codesOf())[0]).toEqual([room]);
});

test('two who edit the code book: the second is told', async () => {
  const { codes } = await read();
  const edit = () => call(world, person, 'PUT', `${BASE}${at}/book`, { codes: codes.slice(0, 4), version: 2 });
  expect((await edit()).data.codes.at(-1)).toMatchObject({ name: '房间', gone: true });
  expect((await edit()).body.msg).toContain('码表已在别处修改');
});

test('a code book does not grow without end, the codes that were taken out counted', async () => {
  const { codes } = await read();
  const put = (edit: unknown[], version: number) =>
    call(world, person, 'PUT', `${BASE}${at}/book`, { codes: edit, version });
  const more = (from: number, n: number) => Array.from({ length: n }, (_, i) => bare(`新${from + i}`));
  expect((await put([...codes.slice(0, 3), ...more(0, 150)], 2)).status).toBe(200);
  expect((await put([...codes.slice(0, 3), ...more(150, 100)], 3)).body.msg).toContain('已删除的也算在内');
});

test('a code that is taken out keeps its marks and gets them back', async () => {
  await mark([0], { on: [room] });
  const { codes } = await read();
  const put = (edit: unknown[], version: number) =>
    call(world, person, 'PUT', `${BASE}${at}/book`, { codes: edit, version });
  await put(codes.slice(0, 4), 2);
  expect((await read()).progress.coded_answers).toBe(0);
  await put(codes, 3);
  expect((await codesOf())[0]).toEqual([room]);
});

test('one code is merged into another', async () => {
  await mark([0, 1], { on: [service] });
  await mark([1], { on: [room] }, 1);
  expect((await post(`${at}/merge`, { from: service, into: room })).data).toMatchObject({ answers: 2 });
  expect((await codesOf()).slice(0, 2)).toEqual([[room], [room]]);
  await post(`${at}/undo`);
  expect((await codesOf()).slice(0, 2)).toEqual([[service], [service, room]]);
  expect((await post(`${at}/merge`, { from: service, into: 3 })).body.msg).toContain('不能合并到');
});

test('codes are written into the next version as a set, and a later writing takes its place', async () => {
  expect((await post(`${at}/write`)).body.msg).toContain('还没有一条回答有编码');
  await mark([0], { on: [service] });
  await mark([4], { on: [3] });
  const { data } = await post(`${at}/write`);
  expect(data).toMatchObject({ columns: 4, warnings: ['还有 4 行没有编码，写回后是缺失值（8 未编码）'] });
  expect(written).toMatchObject({
    column: 'c1',
    mask: true,
    invalid: 3,
    gone: [],
    set: { id: null, name: '意见' },
    codes: [
      { name: '意见_其他', column: null },
      { name: '意见_无法归类' },
      { name: '意见_服务', code: service },
      { name: '意见_房间' },
    ],
    marks: [
      [0, [service]],
      [4, [3]],
    ],
  });
  const version = (await call(world, person, 'GET', `/v1/user/file/versions/${data.vid}`)).data;
  expect(version).toMatchObject({
    parent: vid,
    is_head: true,
    sets: [{ name: '意见', columns: ['c5', 'c6', 'c7', 'c8'] }],
    step: { op: 'data', title: '写回“意见”的编码：4 个变量', params: { book_version: 2 } },
  });
  const { codes } = await read();
  await call(world, person, 'PUT', `${BASE}${at}/book`, { codes: codes.slice(0, 4), version: 2 });
  await post(`${at}/write`);
  expect(written).toMatchObject({
    gone: ['c8'],
    set: { id: 's1' },
    codes: [{}, {}, { name: '意见_服务', column: 'c7' }],
  });
});

test('a coding goes with its file and is not found by others', async () => {
  const other = await makePerson(world);
  expect((await call(world, other, 'GET', `${BASE}${at}`)).status).toBe(404);
  expect((await call(world, other, 'GET', BASE)).data.total).toBe(0);
  await call(world, person, 'DELETE', `/v1/user/file/${fid}`);
  expect((await call(world, person, 'GET', `${BASE}${at}`)).status).toBe(404);
  const archived: string[] = [];
  for await (const { path } of exportCodings(world.db, { kind: 'user', id: person.id })) archived.push(path);
  expect(archived).toEqual([`text-codings${at}.json`]);
  await world.db.execute(sql`DELETE FROM versions`);
  await world.db.execute(sql`DELETE FROM files`);
  const { rows } = (await world.db.execute(sql`SELECT 1 FROM coded_answers`)) as { rows: unknown[] };
  expect(rows).toEqual([]);
});
