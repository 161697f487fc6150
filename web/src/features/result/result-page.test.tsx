import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';

import { ELEMENTS } from '@hengxi/contracts/testing/elements';
import { MAIN, report } from '@hengxi/contracts/testing/reports';
import { open, serve } from '../../report/testing/server.tsx';
import { ResultPage } from './result-page.tsx';

vi.setConfig({ testTimeout: 30_000 });

const ROW = {
  rid: 5,
  project_id: 2,
  vid: 3,
  fid: 1,
  file_name: '运动调查',
  path: 'hypothesis_test/independent_t_test',
  method: '独立样本t检验',
  title: '运动时长',
  pinned: false,
  note: '',
  frozen: false,
  rev: 2,
  revs: 2,
  key: 'k2',
  shared: false,
  created_at: '2026-11-21T06:00:00Z',
  updated_at: '2026-11-21T06:03:00Z',
  deleted_at: null,
};
const DETAIL = {
  ...ROW,
  form: { group: 'c1', variables: ['c2'] },
  filter: null,
  weight: null,
  split: null,
  document: report([ELEMENTS.lead, MAIN, ELEMENTS.check]),
  made_at: '2026-11-21T06:03:00Z',
  history: [
    { rev: 1, key: 'k1', made_at: '2026-11-21T06:00:00Z' },
    { rev: 2, key: 'k2', made_at: '2026-11-21T06:03:00Z' },
  ],
};
/** With a model and 代入新值. */
const ASKED = report([ELEMENTS.lead, MAIN, ELEMENTS.try, ELEMENTS.model]);
const version = (vid: number, is_head: boolean) => ({
  vid,
  parent: null,
  rows: 326,
  columns: 7,
  title: '导入',
  created_at: '',
  is_head,
  reports: 1,
});
const BASE = '/v1/analysis/projects/2/reports/5';

function answers(more: Parameters<typeof serve>[0] = {}): Parameters<typeof serve>[0] {
  return {
    [`GET ${BASE}`]: () => DETAIL,
    [`GET ${BASE}/config`]: () => ({ report_type: 'analysis', presentation: {}, form: null, updated_at: null }),
    [`POST ${BASE}/config`]: () => ({ report_type: 'analysis', presentation: {}, form: null, updated_at: null }),
    [`GET ${BASE}/shares`]: () => ({ total: 0, list: [] }),
    'GET /v1/user/file/1': () => ({ fid: 1, history: [version(2, false), version(3, true)] }),
    'POST /algorithm/hypothesis_test/independent_t_test': () => ({ resolved: {}, fields: [], seconds: 0.1, key: 'k2' }),
    'GET /algorithm/hypothesis_test/independent_t_test': () => ({
      declaration: {},
      help: {},
      oracle: {
        cases: 1,
        numbers: 836,
        sources: ['R 4.2.2 t.test'],
        analyses: [{ name: '两组牙长，Welch 双侧', numbers: 836 }],
      },
    }),
    ...more,
  };
}

const visit = (query = '?project_id=2&report_id=5') =>
  open('/analysis/result/:vid', `/analysis/result/3${query}`, <ResultPage />);

describe('a report whose first run is under way', () => {
  const RUN = { run_id: 31, kind: 'analysis', state: 'running', progress: { done: 4, of: 16, text: '搜索第 4/8 组' } };
  const GONE = { status: 404, err_code: 30093, msg: '未找到该资源' };

  test('says how far it is and can be cancelled; it is never called lost', async () => {
    const log = serve(
      answers({
        [`GET ${BASE}`]: () => GONE,
        'GET /v1/runs': () => ({ total: 1, list: [RUN] }),
        'GET /v1/runs/31': () => RUN,
        'DELETE /v1/runs/31': () => RUN,
      }),
    );
    visit();
    await screen.findByRole('heading', { name: '这份报告正在计算' });
    await screen.findByText(/搜索第 4\/8 组/);
    // A block inside a paragraph is no html.
    expect(screen.getByRole('progressbar').closest('p')).toBeNull();
    expect(screen.queryByText('没有找到这份报告')).toBeNull();
    expect(log.find(({ path }) => path === '/v1/runs')?.query.get('report_id')).toBe('5');
    fireEvent.click(screen.getByRole('button', { name: '取消计算' }));
    await waitFor(() =>
      expect(log.some(({ method, path }) => method === 'DELETE' && path === '/v1/runs/31')).toBe(true),
    );
  });

  test('can be stopped with what it has once it works in steps', async () => {
    const started = { ...RUN, progress: null };
    let now: object = started;
    const log = serve(
      answers({
        [`GET ${BASE}`]: () => GONE,
        'GET /v1/runs': () => ({ total: 1, list: [now] }),
        'GET /v1/runs/31': () => now,
        'POST /v1/runs/31/stop': () => now,
      }),
    );
    const first = visit();
    await screen.findByRole('button', { name: '取消计算' });
    expect(screen.queryByRole('button', { name: '停止并保留' })).toBeNull();
    first.unmount();
    now = RUN;
    visit();
    fireEvent.click(await screen.findByRole('button', { name: '停止并保留' }));
    await waitFor(() => expect(log.some(({ path }) => path === '/v1/runs/31/stop')).toBe(true));
    const stopping = screen.getByRole<HTMLButtonElement>('button', { name: '正在停止' });
    const cancel = screen.getByRole<HTMLButtonElement>('button', { name: '取消计算' });
    expect([stopping.disabled, cancel.disabled]).toEqual([true, true]);
  });

  test('stands in the list with its progress, and becomes a report there', async () => {
    const about = { report_id: 9, project_id: 2, vid: 3, method: 'g/forest' };
    const again = { report_id: 5, project_id: 2, vid: 3, method: ROW.path };
    const more = { position: null, created_at: '2026-11-21T06:05:00Z' };
    let isDone = false;
    const log = serve(
      answers({
        'GET /v1/analysis/project': () => ({ total: 0, list: [] }),
        'GET /v1/analysis/projects/0/report': () => ({
          total: 1,
          list: isDone ? [{ ...ROW, rid: 9, title: '种类的随机森林' }, ROW] : [ROW],
        }),
        'GET /v1/runs': () => ({
          total: 3,
          list: isDone
            ? []
            : [
                { ...RUN, ...more, about },
                { ...RUN, ...more, run_id: 32, state: 'waiting', position: 2, progress: null, about: again },
                { ...RUN, ...more, run_id: 33, kind: 'export', about: null },
              ],
        }),
        'GET /algorithm/v2/list': () => [{ algo_code: 'g/forest', title: '随机森林分类' }],
        'DELETE /v1/runs/31': () => {
          isDone = true;
          return RUN;
        },
      }),
    );
    visit('');
    const going = await screen.findByRole('region', { name: '正在计算的报告' });
    await within(going).findByRole('link', { name: '随机森林分类' });
    expect(within(going).getAllByRole('listitem')).toHaveLength(1);
    expect(within(going).getByRole('status').textContent).toBe('搜索第 4/8 组');
    expect(within(going).getByRole('progressbar').getAttribute('aria-valuenow')).toBe('25');
    expect(screen.getByText('更新中：排队，前面 2 个')).toBeTruthy();
    fireEvent.click(within(going).getByRole('button', { name: /取\s?消/ }));
    await screen.findByText('种类的随机森林', undefined, { timeout: 10_000 });
    expect(screen.queryByRole('region', { name: '正在计算的报告' })).toBeNull();
    expect(log.some(({ method, path }) => method === 'DELETE' && path === '/v1/runs/31')).toBe(true);
  });

  test('appears by itself when the run ends', async () => {
    let isDone = false;
    serve(
      answers({
        [`GET ${BASE}`]: () => (isDone ? DETAIL : GONE),
        'GET /v1/runs': () => ({ total: 1, list: [RUN] }),
        'GET /v1/runs/31': () => {
          isDone = true;
          return { ...RUN, state: 'done' };
        },
      }),
    );
    visit();
    expect(await screen.findByRole('heading', { name: '运动时长' })).toBeTruthy();
  });

  test('over an earlier result says why that is faded, and how far it is', async () => {
    serve(answers({ 'GET /v1/runs': () => ({ total: 1, list: [RUN] }), 'GET /v1/runs/31': () => RUN }));
    visit();
    expect(await screen.findByText('正在重新计算 25%')).toBeTruthy();
    expect(screen.getByRole('heading', { name: '运动时长' })).toBeTruthy();
  });

  test('is asked for again when it was born between the two questions', async () => {
    let asked = 0;
    serve(
      answers({
        [`GET ${BASE}`]: () => ((asked += 1) === 1 ? GONE : DETAIL),
        'GET /v1/runs': () => ({ total: 0, list: [] }),
      }),
    );
    visit();
    expect(await screen.findByRole('heading', { name: '运动时长' })).toBeTruthy();
  });

  test('that comes to nothing says so', async () => {
    serve(
      answers({
        [`GET ${BASE}`]: () => GONE,
        'GET /v1/runs': () => ({ total: 1, list: [RUN] }),
        'GET /v1/runs/31': () => ({ ...RUN, state: 'memory' }),
      }),
    );
    visit();
    await screen.findByText('这次计算没有完成');
    expect(screen.getByText(/内存超出限制/)).toBeTruthy();
  });
});

describe('a report', () => {
  test('shows where it comes from and that it agrees with the present data', async () => {
    serve(answers());
    visit();
    await screen.findByRole('heading', { name: '运动时长' });
    await screen.findByText(/与 v2 一致/);
    const origin = screen.getByRole('complementary', { name: '这份结果的来历' });
    await waitFor(() => expect(origin.textContent).toContain('运动调查 v2'));
    expect(origin.textContent).toContain('用时 ≥ 60');
    fireEvent.click(screen.getByRole('button', { name: /已验证 836 项/ }));
    expect(screen.getByText('两组牙长，Welch 双侧').textContent).toBe('两组牙长，Welch 双侧836 个数字');
  });

  test('another key means 已过期; 更新 computes the same form on the present version as the next revision', async () => {
    const log = serve(
      answers({
        'POST /algorithm/hypothesis_test/independent_t_test': ({ query }) =>
          query.get('draft') === '1'
            ? { resolved: {}, fields: [], seconds: 0.1, key: 'other' }
            : {
                run_id: null,
                state: 'done',
                project_id: 2,
                report_id: 5,
                rev: 3,
                cached: false,
                report: DETAIL.document,
              },
      }),
    );
    visit();
    // On the same version: something else has changed.
    await screen.findByText(/已过期，筛选、加权、分层或方法有改动/);
    fireEvent.click(screen.getByRole('button', { name: '更新' }));
    await waitFor(() => {
      const run = log.find(
        (a) => a.method === 'POST' && a.path.startsWith('/algorithm') && a.query.get('draft') === null,
      );
      expect(run?.body).toEqual(DETAIL.form);
      expect([run?.query.get('vid'), run?.query.get('project_id'), run?.query.get('report_id')]).toEqual([
        '3',
        '2',
        '5',
      ]);
    });
  });

  test('an older revision is read-only and can be brought back', async () => {
    const log = serve(
      answers({ [`GET ${BASE}`]: () => ({ ...DETAIL, rev: 1, key: 'k1' }), [`POST ${BASE}`]: () => DETAIL }),
    );
    visit('?project_id=2&report_id=5&rev=1');
    await screen.findByText(/这是第 1 次的结果，只读/);
    expect(log.find((a) => a.path === BASE)?.query.get('rev')).toBe('1');
    expect(screen.queryByRole('button', { name: /更多：小数位/ })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: '恢复到此处' }));
    await waitFor(() => expect(log.find((a) => a.method === 'POST' && a.path === BASE)?.body).toEqual({ rev: 1 }));
  });

  test('edits of presentation are kept with the report, the stored ones are read', async () => {
    const log = serve(
      answers({
        [`GET ${BASE}/config`]: () => ({
          report_type: 'analysis',
          presentation: { reading: { decimals: 3, p: 'zero', stars: 'usual' } },
          form: null,
          updated_at: null,
        }),
      }),
    );
    visit();
    await waitFor(() => expect(screen.getByRole('table').textContent).toContain('3.821 ± 1.690'));
    fireEvent.click(screen.getByText('APA'));
    await waitFor(() =>
      expect(log.find((a) => a.method === 'POST' && a.path === `${BASE}/config`)?.body).toMatchObject({
        presentation: { cite: 'apa', reading: { decimals: 3 } },
      }),
    );
  });

  test('that is read stays when reading it again fails, with what was typed into it', async () => {
    const broken = { status: 500, err_code: 30000, msg: '服务器出错' };
    let title = '运动时长';
    let fails = false;
    const log = serve(
      answers({
        [`GET ${BASE}`]: () => (fails ? broken : { ...DETAIL, title, document: ASKED }),
        'GET /v1/user/file/1': () => (fails ? broken : { fid: 1, history: [version(2, false), version(3, true)] }),
      }),
    );
    visit();
    const cell = await screen.findByLabelText('年龄');
    fireEvent.change(cell, { target: { value: '9.9' } });
    const readAgain = async (): Promise<void> => {
      const before = log.filter(({ path }) => path === BASE).length;
      fireEvent(window, new Event('visibilitychange'));
      await waitFor(() => expect(log.filter(({ path }) => path === BASE).length).toBe(before + 1));
    };
    fails = true;
    await readAgain();
    fails = false;
    title = '新的名字';
    await readAgain();
    await screen.findByRole('heading', { name: '新的名字' });
    expect(screen.getByLabelText<HTMLInputElement>('年龄').value).toBe('9.9');
    expect(screen.getByLabelText('年龄')).toBe(cell);
  });

  test('修改设置 leads back to the operation; a remedy carries what it proposes', async () => {
    serve(answers());
    visit();
    await screen.findByRole('heading', { name: '运动时长' });
    fireEvent.click(screen.getByRole('button', { name: /修改设置/ }));
    await waitFor(() =>
      expect(screen.getByTestId('where').textContent).toBe(
        '/analysis/operation/3?method=hypothesis_test/independent_t_test&project_id=2&report_id=5',
      ),
    );
  });

  test('a report that is gone says so and where its kind is', async () => {
    serve({});
    visit();
    await screen.findByText('没有找到这份报告');
    expect(screen.getByRole('button', { name: '看这份数据的报告' })).toBeTruthy();
  });

  test('sharing sends what was chosen and shows the link and the open ones', async () => {
    const made = {
      code: 'abcdefghijklmnopqrstuv',
      rev: 2,
      blocks: null,
      hide_small: true,
      created_at: '2026-11-21T06:03:00Z',
      ends_at: null,
    };
    const log = serve(
      answers({
        'POST /v1/analysis/report/share': () => made,
        'GET /v1/analysis/report/share': () => ({
          title: '运动时长',
          method: '',
          document: DETAIL.document,
          presentation: {},
          hide_small: true,
          made_at: made.created_at,
          ends_at: null,
        }),
        [`GET ${BASE}/shares`]: () => ({ total: 1, list: [made] }),
        'DELETE /v1/analysis/report/share': () => null,
      }),
    );
    visit();
    await screen.findByRole('heading', { name: '运动时长' });
    fireEvent.click(screen.getByRole('button', { name: /分享/ }));
    const dialog = await screen.findByRole('dialog');
    fireEvent.click(within(dialog).getByText('永久'));
    fireEvent.click(within(dialog).getByLabelText('前提检验'));
    fireEvent.click(within(dialog).getByLabelText('隐藏小于 5 的频数'));
    fireEvent.click(within(dialog).getByRole('button', { name: '创建链接' }));
    await waitFor(() =>
      expect(log.find((a) => a.method === 'POST' && a.path.endsWith('/share'))?.body).toEqual({
        days: null,
        blocks: ['lead', 'result'],
        hide_small: true,
      }),
    );
    expect(await within(dialog).findByDisplayValue(/\/s\/abcdefghijklmnopqrstuv$/)).toBeTruthy();
    fireEvent.click(await within(dialog).findByRole('button', { name: /停\s*止/ }));
    await waitFor(() => expect(log.find((a) => a.method === 'DELETE')?.query.get('code')).toBe(made.code));
  });
});

test('the reports of a project are listed, pinned and shared ones marked', async () => {
  serve({
    'GET /v1/analysis/projects/2/report': () => ({
      total: 2,
      list: [
        { ...ROW, pinned: true },
        { ...ROW, rid: 6, title: '频数', shared: true },
      ],
    }),
    'GET /v1/analysis/project': () => ({
      total: 1,
      list: [{ id: 2, name: '毕业论文', order: 1, reports: 2, created_at: '', updated_at: '' }],
    }),
  });
  visit('?project_id=2');
  await screen.findByRole('heading', { name: '毕业论文' });
  expect(screen.getByRole('link', { name: '频数' }).getAttribute('href')).toBe(
    '/analysis/result/3?project_id=2&report_id=6',
  );
  expect(screen.getByText('分享中')).toBeTruthy();
});
