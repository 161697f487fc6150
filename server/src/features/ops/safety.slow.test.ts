/** What the desk stops: a run that holds up the queue, a shared report that must not be read. */
import { expect, test } from 'vitest';
import { call, makePerson } from '../../testing/makers.ts';
import { DONE, REASON, deskStage, deskOf, deskTools, enter, makeOperator } from '../../testing/desk.ts';
import { makeFile, makeReport, teachEngine } from '../../testing/tables.ts';
import { codeIn } from './lists/shares.ts';
import { spanOf } from './lists/jobs.ts';

const on = deskStage({ HENGXI_SINGLE_OPERATOR: '0' });
const { act, list, logged } = deskTools(() => on.world);

test('ages and links are read as people write them', () => {
  // The last one: the clock was set back under it.
  expect([0, 59_999, 65_000, 7_500_000, -5000].map(spanOf)).toEqual([
    '0 秒',
    '59 秒',
    '1 分 5 秒',
    '2 小时 5 分',
    '0 秒',
  ]);
  const written = [
    'https://hengxi.cn/s/AbC-d_1?utm_source=x#top',
    '请看 http://127.0.0.1:3000/s/AbC-d_1 这份',
    'AbC-d_1',
  ];
  expect(written.map(codeIn)).toEqual(['AbC-d_1', 'AbC-d_1', 'AbC-d_1']);
});

test('a run that is under way is listed with its age and owner, and cancelled once', async () => {
  on.world.engine.onRun = () => null;
  const id = await on.world.runs.submit({
    owner: on.person.owner,
    userId: on.person.id,
    kind: 'export',
    payload: { secret_name: '工资' },
    note: { path: 'descriptive/frequency' },
  });
  const shown = await list(on.second, 'jobs');
  expect(shown).toMatchObject({
    total: 1,
    list: [
      {
        id: String(id),
        cells: {
          kind: '导出',
          path: 'descriptive/frequency',
          state: expect.stringMatching('排队中|运行中'),
          owner: '个人',
          user_id: on.person.id,
        },
        acts: ['run.cancel'],
      },
    ],
  });
  expect(JSON.stringify(shown)).not.toContain('工资');
  expect((await list(on.second, 'jobs', `?user_id=${on.finance.id}`)).total).toBe(0);
  expect((await list(on.second, 'jobs', '?state=nothing')).total).toBe(0);
  expect((await act(on.finance, 'run.cancel', id)).body).toMatchObject({ err_code: 30305 });
  expect((await act(on.second, 'run.cancel', id)).data).toMatchObject(DONE);
  expect((await call(on.world, on.person, 'GET', `/v1/runs/${id}`)).data.state).toBe('cancelled');
  expect((await act(on.second, 'run.cancel', id)).body).toMatchObject({ err_code: 30602 });
  expect((await act(on.second, 'run.cancel', 987_654)).status).toBe(404);
  expect((await list(on.second, 'jobs')).total).toBe(0);
  expect((await list(on.second, 'jobs', '?state=cancelled')).list).toMatchObject([{ acts: [] }]);
  expect(await logged()).toEqual(['run.cancel']);
});

test('nobody cancels the own run at the desk', async () => {
  on.world.engine.onRun = () => null;
  const { owner, id: userId } = on.second;
  const id = await on.world.runs.submit({ owner, userId, kind: 'export', payload: {} });
  expect((await act(on.second, 'run.cancel', id)).body).toMatchObject({ err_code: 30406 });
});

test('a share is found by its link or its maker, without its code, and stopped for good', async () => {
  const content = await enter(on.world, await makeOperator(on.world, ['内容']));
  teachEngine(on.world);
  const { vid } = await makeFile(on.world, on.person);
  const { project_id: pid, report_id: rid } = await makeReport(on.world, on.person, vid);
  const share = async () =>
    (await call(on.world, on.person, 'POST', `/v1/analysis/report/share?rid=${rid}&pid=${pid}`, {})).data;
  const open = (code: string) => call(on.world, null, 'GET', `/v1/analysis/report/share?code=${code}`);
  const [told, other] = [await share(), await share()];
  expect(await list(content, 'shares')).toMatchObject({ total: 0, hint: expect.stringContaining('分享链接') });
  const found = await list(content, 'shares', `?code=${encodeURIComponent(`http://x/s/${told.code}`)}`);
  expect(found).toMatchObject({
    total: 1,
    list: [{ cells: { user_id: on.person.id, owner: '个人', state: '有效' }, acts: ['share.stop'] }],
  });
  expect(JSON.stringify(found.list)).not.toContain(told.code);
  expect((await list(content, 'shares', `?user_id=${on.person.id}`)).total).toBe(2);
  expect((await list(content, 'shares', `?user_id=${(await makePerson(on.world)).id}`)).total).toBe(0);
  expect((await open(told.code)).status).toBe(200);
  const [{ id }] = found.list;
  const short = { act: 'share.stop', target: id, payload: {}, version: null, reason: '违规' };
  expect((await deskOf(on.world, content)('POST', '/v1/ops/acts', short)).body).toMatchObject({ err_code: 30405 });
  expect((await act(on.finance, 'share.stop', id)).body).toMatchObject({ err_code: 30305 });
  expect((await act(content, 'share.stop', id)).data).toMatchObject(DONE);
  expect((await open(told.code)).status).toBe(404);
  expect((await open(other.code)).status).toBe(200);
  expect((await act(content, 'share.stop', id)).body).toMatchObject({ err_code: 30408, msg: '分享已经结束' });
  const history = await call(on.world, on.person, 'GET', `/v1/analysis/projects/${pid}/history`);
  expect(history.data.list[0].text).toContain('分享已被平台停止');
  const log = await list(content, 'log');
  expect(log.list[0]).toMatchObject({ cells: { act: '停止分享', kind: '分享', target: id, reason: REASON } });
  expect(JSON.stringify(log)).not.toContain(told.code);
  expect(await logged()).toEqual(['share.stop']);
});
