import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';

import { serve } from '../../report/testing/server.tsx';
import { answers, BASE, DETAIL, ROW, visit } from './testing/open-report.tsx';

vi.setConfig({ testTimeout: 30_000 });

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
