import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';

import { queryClient } from '../../lib/query-client.ts';
import { useToasts } from '../../lib/toast.ts';
import { type Answers, serve } from '../../report/testing/server.tsx';
import { RecipeButtons } from './recipe-buttons.tsx';

// Menus and drawers take their time on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const BASE = '/v1/user/recipes';
const recipe = (id: number, name: string, more: object = {}) => ({
  id,
  name,
  note: '',
  size: 2,
  author: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  used_at: null,
  deleted_at: null,
  ...more,
});
const step = (op: string, title: string, step_id: number): any => ({ op, title, step_id, changes: [], params: {} });
const STEPS = [step('process', '筛选', 2), step('cells', '改了 3 格', 3)];

const onVersion = vi.fn<(vid: number) => void>();
beforeEach(() => {
  queryClient.clear();
  onVersion.mockClear();
  useToasts.setState({ current: null });
});

function buttons(answers: Answers, steps = STEPS) {
  const asked = serve(answers);
  render(
    <QueryClientProvider client={queryClient}>
      <RecipeButtons version={{ vid: 7, fid: 1, name: '二月' }} steps={steps} busy={false} onVersion={onVersion} />
    </QueryClientProvider>,
  );
  return { asked, user: userEvent.setup() };
}
const sent = (asked: { method: string; path: string; body: unknown }[], call: string): unknown[] =>
  asked.filter(({ method, path }) => `${method} ${path}` === call).map(({ body }) => body);

test('a chain is saved under a name; a name that is taken may be given another chain', async () => {
  const text = '已有名为“清洗”的流程';
  const twin = { status: 422, err_code: 30508, msg: text, fields: [{ field: 'name', code: 'recipe.name', text }] };
  const { asked, user } = buttons({
    [`POST ${BASE}`]: ({ body }) => ((body as any).replace ? { ...recipe(1, '清洗'), left_out: [] } : twin),
  });
  await user.click(screen.getByRole('button', { name: '保存为常用流程' }));
  await screen.findByText(/手工改动的 1 步只属于这份数据/u);
  await user.type(screen.getByLabelText('名称'), '清洗{Enter}');
  await user.click(await screen.findByRole('button', { name: '替换它' }));
  await waitFor(() => expect(useToasts.getState().current?.text).toBe('已保存为常用流程“清洗”'));
  expect(sent(asked, `POST ${BASE}`)).toEqual([
    { vid: 7, name: '清洗', note: '', replace: false },
    { vid: 7, name: '清洗', note: '', replace: true },
  ]);
});

test('a variable that is missing is chosen among near names, a step left out, and the chain run', async () => {
  const { asked, user } = buttons({
    [`GET ${BASE}`]: () => ({ total: 1, list: [recipe(4, '清洗')] }),
    'GET /v1/user/file': () => ({ total: 0, list: [] }),
    'GET /v1/user/file/versions/7': () => ({ vid: 7, columns: [{ id: 'c2', name: '年龄（岁）' }] }),
    [`POST ${BASE}/4/match`]: ({ body }) => {
      const { columns, disabled } = body as any;
      const to = columns['年龄'] ? { id: 'c2', name: '年龄（岁）' } : null;
      const off = disabled.includes(2);
      return {
        columns: [{ name: '年龄', to, chosen: to !== null, steps: [1], near: [{ id: 'c2', name: '年龄（岁）' }] }],
        steps: [
          {
            number: 1,
            title: '筛选',
            method: '数据筛选',
            note: null,
            state: to ? 'fit' : 'unfit',
            why: to ? null : '没有“年龄”',
          },
          {
            number: 2,
            title: '取对数',
            method: null,
            note: null,
            state: off ? 'off' : 'unfit',
            why: off ? null : '不是数值',
          },
        ],
        ready: to !== null && off,
      };
    },
    [`POST ${BASE}/4/apply`]: () => ({
      run_id: 5,
      state: 'done',
      error: null,
      fid: 1,
      vid: 9,
      warnings: [],
      report: null,
    }),
  });
  await user.click(screen.getByRole('button', { name: '套用常用流程' }));
  await user.click(await screen.findByRole('button', { name: '套用“清洗”' }));
  await screen.findByText('没有“年龄”');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: '返回列表' }));
  expect(screen.getByText(/有 1 个变量没有找到，有 2 步不能运行/u)).toBeTruthy();
  expect(screen.getByRole('button', { name: '套用 2 步' })).toHaveProperty('disabled', true);
  await user.click(screen.getByRole('button', { name: '年龄（岁）' }));
  await waitFor(() => expect(screen.queryByText('没有“年龄”')).toBeNull());
  await user.click(screen.getByRole('checkbox', { name: '做第 2 步' }));
  await user.click(await screen.findByRole('button', { name: '套用 1 步' }));
  await waitFor(() => expect(onVersion).toHaveBeenCalledWith(9));
  expect(sent(asked, `POST ${BASE}/4/apply`)).toEqual([{ vid: 7, columns: { 年龄: 'c2' }, disabled: [2] }]);
  expect(useToasts.getState().current).toMatchObject({ text: '已套用“清洗”', action: { text: '撤销' } });
});

test('a long run tells how far it is, holds the drawer open and can be cancelled', async () => {
  let state = 'running';
  const { asked, user } = buttons({
    [`GET ${BASE}`]: () => ({ total: 1, list: [recipe(4, '清洗')] }),
    'GET /v1/user/file': () => ({ total: 0, list: [] }),
    'GET /v1/user/file/versions/7': () => ({ vid: 7, columns: [] }),
    [`POST ${BASE}/4/match`]: () => ({
      columns: [],
      steps: [{ number: 1, title: '筛选', method: '数据筛选', note: null, state: 'fit', why: null }],
      ready: true,
    }),
    [`POST ${BASE}/4/apply`]: () => ({
      run_id: 5,
      state: 'running',
      error: null,
      fid: null,
      vid: null,
      warnings: [],
      report: null,
    }),
    'GET /v1/runs/5': () => ({
      state,
      progress: { done: 3, of: 15, text: '第 4/15 步' },
      result: null,
      refusal: null,
      error: null,
    }),
    'DELETE /v1/runs/5': () => {
      state = 'cancelled';
      return null;
    },
  });
  await user.click(screen.getByRole('button', { name: '套用常用流程' }));
  await user.click(await screen.findByRole('button', { name: '套用“清洗”' }));
  await user.click(await screen.findByRole('button', { name: '套用 1 步' }));
  await screen.findByText('第 4/15 步');
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('20');
  expect(screen.queryByRole('button', { name: '关闭' })).toBeNull();
  await user.click(screen.getByRole('button', { name: /^取\s?消$/u }));
  await screen.findByText('没有改动：已取消', undefined, { timeout: 10_000 });
  expect(sent(asked, 'DELETE /v1/runs/5')).toHaveLength(1);
  expect(onVersion).not.toHaveBeenCalled();
});

test('a file that is no chain is refused with every line; a chain thrown away can be taken back', async () => {
  const lines = ['第 3 行：不认识的字段“x”', '第 9 行：“names”缺少'];
  const fields = lines.map((text) => ({ field: 'text', code: 'recipe.text', text }));
  const { asked, user } = buttons(
    {
      [`GET ${BASE}`]: ({ query }) =>
        query.get('bin') === '1'
          ? { total: 1, list: [recipe(5, '旧的', { deleted_at: '2026-01-01T00:00:00.000Z' })] }
          : { total: 1, list: [recipe(4, '清洗')] },
      [`POST ${BASE}/import`]: () => ({ status: 422, err_code: 30601, msg: lines[0], fields }),
      [`DELETE ${BASE}/4`]: () => null,
      [`POST ${BASE}/4/restore`]: () => recipe(4, '清洗'),
      [`DELETE ${BASE}/5`]: () => null,
    },
    [],
  );
  expect(screen.queryByRole('button', { name: '保存为常用流程' })).toBeNull();
  await user.click(screen.getByRole('button', { name: '套用常用流程' }));
  await screen.findByText('清洗');
  fireEvent.change(screen.getByLabelText('选择流程文件'), { target: { files: [new File(['{}'], 'x.json')] } });
  for (const line of lines) await screen.findByText(line);
  await user.click(screen.getByRole('button', { name: '“清洗”的更多操作' }));
  await user.click(await screen.findByRole('menuitem', { name: '删除' }));
  await waitFor(() => expect(useToasts.getState().current?.text).toBe('已把“清洗”移到回收站'));
  useToasts.getState().current?.action?.run();
  await waitFor(() => expect(useToasts.getState().current?.text).toBe('已恢复“清洗”'));
  await user.click(screen.getByRole('button', { name: /回收站/u }));
  await user.click(await screen.findByRole('button', { name: '彻底删除“旧的”' }));
  const sure = await screen.findByText(/删除后不能恢复/u);
  const dialog = sure.closest<HTMLElement>('[role="dialog"]');
  if (!dialog) throw new Error('no dialog');
  await user.click(within(dialog).getByRole('button', { name: '彻底删除' }));
  await waitFor(() => expect(sent(asked, `DELETE ${BASE}/5`)).toHaveLength(1));
});

test('without a chain the list says how to come by one', async () => {
  const { user } = buttons({ [`GET ${BASE}`]: () => ({ total: 0, list: [] }) });
  await user.click(screen.getByRole('button', { name: '套用常用流程' }));
  await screen.findByText('还没有常用流程');
  await user.type(screen.getByRole('textbox', { name: '搜索常用流程' }), '甲');
  expect(await screen.findByText('没有找到“甲”')).toBeTruthy();
});
