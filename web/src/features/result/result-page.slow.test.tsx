import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';

import { ELEMENTS } from '@hengxi/contracts/testing/elements';
import { MAIN, report } from '@hengxi/contracts/testing/reports';
import { serve } from '../../report/testing/server.tsx';
import { answers, BASE, DETAIL, ROW, version, visit } from './testing/open-report.tsx';

vi.setConfig({ testTimeout: 30_000 });

/** With a model and 试算. */
const ASKED = report([ELEMENTS.lead, MAIN, ELEMENTS.try, ELEMENTS.model]);

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

  test('what to ask next opens its method with the variables and rows of this report, at the box to fill', async () => {
    const step = {
      title: '加入其他变量一起考虑（线性回归）',
      method: 'statistical/linear_regression',
      form: { y: 'c2', x: ['c1'] },
      seek: ['x'],
    };
    const document = { ...DETAIL.document, next_steps: [step] };
    serve(answers({ [`GET ${BASE}`]: () => ({ ...DETAIL, document, form: { ...DETAIL.form, _missing: 'keep' } }) }));
    visit();
    fireEvent.click(await screen.findByRole('link', { name: step.title }));
    expect(screen.getByTestId('where').textContent).toBe('/analysis/operation/3?method=statistical/linear_regression');
    expect(JSON.parse(screen.getByTestId('state').textContent)).toEqual({
      carry: { _missing: 'keep', y: 'c2', x: ['c1'] },
      sought: ['x'],
    });
  });

  test('where only a box is to be filled, this report goes on: none is made that says the same', async () => {
    const document = {
      ...DETAIL.document,
      form: { group: 'c1', conf_level: 0.95 },
      next_steps: [{ title: '按另一个变量分层再比较', method: ROW.path, form: { group: 'c1' }, seek: ['_split'] }],
    };
    serve(answers({ [`GET ${BASE}`]: () => ({ ...DETAIL, document }) }));
    visit();
    fireEvent.click(await screen.findByRole('link', { name: '按另一个变量分层再比较' }));
    expect(screen.getByTestId('where').textContent).toContain('&report_id=5');
    expect(JSON.parse(screen.getByTestId('state').textContent)).toEqual({ sought: ['_split'] });
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

  test('its note survives a reload before it was saved, and then is saved', async () => {
    const log = serve(answers({ [`POST ${BASE}`]: () => ({ ...DETAIL, note: '先核对第 3 题' }) }));
    const first = visit();
    fireEvent.change(await screen.findByLabelText('备注'), { target: { value: '先核对第 3 题' } });
    first.unmount();
    visit();
    const box = await screen.findByLabelText<HTMLTextAreaElement>('备注');
    expect(box.value).toBe('先核对第 3 题');
    fireEvent.blur(box);
    await screen.findByText('已保存');
    expect(log.find(({ method, path }) => method === 'POST' && path === BASE)?.body).toEqual({ note: '先核对第 3 题' });
    expect(JSON.stringify(localStorage)).not.toContain('先核对第 3 题');
  });

  test('keeps to itself what is being written on it: the one gone on to begins without, the one gone back to with its own', async () => {
    const next = `${BASE.slice(0, -1)}6`;
    const kept = (beside: { title: string; rid: number }) => () => ({
      report_type: 'analysis',
      presentation: { beside: [beside] },
      form: null,
      updated_at: null,
    });
    serve(
      answers({
        [`GET ${BASE}/config`]: kept({ title: '换成秩和检验', rid: 6 }),
        [`GET ${next}`]: () => ({ ...DETAIL, rid: 6, title: '秩和检验' }),
        [`GET ${next}/config`]: kept({ title: '换回 t 检验', rid: 5 }),
        [`GET ${next}/shares`]: () => ({ total: 0, list: [] }),
      }),
    );
    visit();
    const note = (): Promise<HTMLTextAreaElement> => screen.findByLabelText('备注');
    for (const [title, written] of [
      ['秩和检验', ''],
      ['运动时长', '写在运动时长上'],
    ] as const) {
      fireEvent.change(await note(), { target: { value: written === '' ? '写在运动时长上' : '写在秩和检验上' } });
      fireEvent.click(await screen.findByRole('link', { name: '打开这份结果' }));
      await screen.findByRole('heading', { name: title });
      expect((await note()).value).toBe(written);
    }
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
