import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { queryClient } from '../../lib/query-client.ts';
import { takesFocus } from './focus.ts';
import { StepsRail } from './steps-rail.tsx';

// Menus and dialogs take their time on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const ok = (data: unknown) => new Response(JSON.stringify({ status_code: 1, data }));
const step = (id: number, title: string, more: Record<string, unknown> = {}) => ({
  step_id: id,
  vid: id,
  op: 'process',
  title,
  changes: [`新增“${title}”`],
  params: { path: 'group/method', form: {} },
  rows: 3,
  author: '林老师',
  made_at: '2026-01-01T00:00:00.000Z',
  created_at: '2026-02-01T00:00:00.000Z',
  ...more,
});
const STEPS = [
  step(1, '导入', { op: 'import' }),
  step(2, '编码'),
  step(3, '改名', { op: 'edit', params: {} }),
  step(4, '筛选', { disabled: true, params: { path: 'group/method', form: {}, left_out: '{c1} > 2' } }),
];

let sent: { url: string; body: any }[];
let answer: () => Response;
const onVersion = vi.fn<(vid: number) => void>();
const onEdit = vi.fn<(step: { step_id: number }, on: number) => void>();

beforeEach(() => {
  sent = [];
  queryClient.clear();
  onVersion.mockClear();
  onEdit.mockClear();
  answer = () => ok({ run_id: null, state: 'done', error: null, fid: 9, vid: 7, warnings: [], report: null });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (init.method === 'GET' && url.includes('/steps')) return ok({ total: STEPS.length, list: STEPS });
    if (init.method === 'GET') return ok({ vid: 4, undo: 3, redo: null, history: [] });
    sent.push({ url: url.split('?')[0] ?? '', body: JSON.parse(typeof init.body === 'string' ? init.body : '{}') });
    return init.method === 'PATCH' ? ok({ vid: 3 }) : answer();
  });
});
afterEach(() => vi.unstubAllGlobals());

async function rail(): Promise<ReturnType<typeof userEvent.setup>> {
  render(
    <QueryClientProvider client={queryClient}>
      <StepsRail version={{ vid: 4, fid: 9, name: '问卷' }} onVersion={onVersion} onEdit={onEdit} />
    </QueryClientProvider>,
  );
  await screen.findByText('编码');
  return userEvent.setup();
}

test('steps are switched off and on, and the version made is shown', async () => {
  const user = await rail();
  await user.click(screen.getByRole('button', { name: '停用第 1 步' }));
  await waitFor(() => expect(onVersion).toHaveBeenCalledWith(7));
  expect(sent[0]).toEqual({
    url: '/v1/user/file/versions/4/steps',
    body: { ops: [{ op: 'disable', step_id: 2 }] },
  });
  await user.click(screen.getByRole('button', { name: '启用第 3 步' }));
  await waitFor(() => expect(sent[1]?.body).toEqual({ ops: [{ op: 'enable', step_id: 4 }] }));
});

test('steps move by Alt and the arrows, never before the import or past the end', async () => {
  const user = await rail();
  screen.getByRole('button', { name: /^1编码/u }).focus();
  await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
  expect(sent).toEqual([]);
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
  await waitFor(() => expect(sent[0]?.body).toEqual({ ops: [{ op: 'move', step_id: 2, to: 2 }] }));
});

test('steps move by their buttons, which the first and the last lack', async () => {
  const user = await rail();
  expect(screen.queryByRole('button', { name: '上移第 1 步' })).toBeNull();
  expect(screen.queryByRole('button', { name: '下移第 3 步' })).toBeNull();
  await user.click(screen.getByRole('button', { name: '上移第 3 步' }));
  await waitFor(() => expect(sent[0]?.body).toEqual({ ops: [{ op: 'move', step_id: 4, to: 2 }] }));
});

test('a step that is switched keeps the focus; what follows a deleted one gets it', async () => {
  const user = await rail();
  await user.click(screen.getByRole('button', { name: '停用第 1 步' }));
  await waitFor(() => expect(onVersion).toHaveBeenCalledTimes(1));
  expect(takesFocus(1)).toBe(true);
  await user.click(screen.getByRole('button', { name: '删除第 3 步' }));
  await waitFor(() => expect(onVersion).toHaveBeenCalledTimes(2));
  expect(takesFocus(2)).toBe(true);
});

test('a step that was renamed has the focus, and so has one that could not be changed', async () => {
  answer = () => ok({ run_id: null, state: 'done', error: null, fid: 9, vid: 4, warnings: [], report: null });
  const user = await rail();
  await user.click(screen.getByRole('button', { name: '重命名第 1 步' }));
  const field = await screen.findByRole('textbox', { name: '重命名步骤' });
  await user.clear(field);
  await user.type(field, '反向计分{Enter}');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: /^1编码/u })));
  expect(onVersion).not.toHaveBeenCalled();
  answer = () => new Response(JSON.stringify({ status_code: 0, err_code: 30601, msg: '不适用' }), { status: 422 });
  await user.click(screen.getByRole('button', { name: '停用第 2 步' }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: /^2改名/u })));
});

const unfit = (number: number) => {
  const text = `第 ${number} 步不适用：没有变量“年龄”`;
  const fields = [{ field: null, code: 'replay.step', text, facts: { number } }];
  return new Response(JSON.stringify({ status_code: 0, err_code: 30601, msg: text, fields }), { status: 422 });
};

test('what does not fit is said in the rail, nothing changes, and it can be switched off with it', async () => {
  answer = () => unfit(2);
  const user = await rail();
  await user.click(screen.getByRole('button', { name: '删除第 1 步' }));
  expect((await screen.findByRole('alert')).textContent).toContain('没有改动：第 2 步不适用：没有变量“年龄”');
  expect(onVersion).not.toHaveBeenCalled();
  answer = () => unfit(3);
  await user.click(screen.getByRole('button', { name: '一并停用第 2 步' }));
  await user.click(await screen.findByRole('button', { name: '一并停用第 3 步' }));
  const ops = [
    { op: 'delete', step_id: 2 },
    { op: 'disable', step_id: 3 },
    { op: 'disable', step_id: 4 },
  ];
  await waitFor(() => expect(sent.at(-1)?.body).toEqual({ ops }));
});

test('only processing steps have settings; undo moves the head back', async () => {
  const user = await rail();
  expect(screen.queryByRole('button', { name: '修改第 2 步的设置' })).toBeNull();
  await user.click(screen.getByRole('button', { name: '修改第 1 步的设置' }));
  expect(onEdit).toHaveBeenCalledWith(expect.objectContaining({ step_id: 2 }), 1);
  const undo = screen.getByRole('button', { name: '撤销上一步' });
  await waitFor(() => expect(undo.getAttribute('aria-disabled')).toBe('false'));
  await user.click(undo);
  await waitFor(() => expect(onVersion).toHaveBeenCalledWith(3));
  expect(sent[0]).toEqual({ url: '/v1/user/file/9', body: { head: 3 } });
});

test('each step tells who made it and when, and takes a note', async () => {
  const user = await rail();
  const row = screen.getByRole('button', { name: /^1编码/u }).closest('li')!;
  expect(row.textContent).toContain('林老师');
  expect(row.querySelector('time')?.dateTime).toBe('2026-01-01T00:00:00.000Z');
  await user.click(screen.getByRole('button', { name: '备注第 1 步' }));
  await user.type(await screen.findByRole('textbox', { name: '备注' }), ' 按手册 ');
  await user.click(screen.getByRole('button', { name: /^保\s?存$/u }));
  await waitFor(() => expect(sent[0]?.body).toEqual({ ops: [{ op: 'note', step_id: 2, note: '按手册' }] }));
});

test('rows that a step left out can be looked at in the version before it', async () => {
  const kept = { rows: 2, params: { path: 'group/method', form: {}, left_out: '{c1} > 2' } };
  vi.stubGlobal('fetch', async (url: string) =>
    url.includes('/steps') ? ok({ total: 2, list: [STEPS[0], step(2, '筛选', kept)] }) : ok({ history: [] }),
  );
  render(
    <QueryClientProvider client={queryClient}>
      <StepsRail version={{ vid: 2, fid: 9, name: '问卷' }} onVersion={onVersion} onEdit={onEdit} />
    </QueryClientProvider>,
  );
  const link = await screen.findByRole('link', { name: '看去掉的 1 行' });
  expect(link.getAttribute('href')).toBe('/mydata/detail/1?rows=%7Bc1%7D+%3E+2&step=1');
});
