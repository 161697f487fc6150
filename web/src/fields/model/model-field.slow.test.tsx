import type { ModelCard, ModelField as Declaration } from '@hengxi/contracts/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import type { ModelRow } from '../../lib/models.ts';
import { serve } from '../../report/testing/server.tsx';
import type { Form } from '../form.ts';
import { COMMON, Harness } from '../testing/harness.tsx';
import { ModelField } from './model-field.tsx';

// Opening a list of antd takes its time on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const FIELD: Declaration = { ...COMMON, type: 'model', key: 'model', title: '已保存模型', task: 'classification' };

const feature = (key: string, name: string): ModelCard['features'][number] => ({
  key,
  name,
  label: null,
  measure: '定量',
  kind: 'number',
  levels: null,
  low: 0,
  high: 9,
  mean: 4,
  fill: null,
  gaps: false,
  whole: false,
  edges: [],
  shares: [],
});

const row = (id: number, name: string): ModelRow => ({
  model_id: id,
  name,
  path: 'group/learner',
  method: '某种分类',
  task: 'classification',
  target: '压力大',
  features: 2,
  rows: 210,
  scores: { AUC: 0.87, 准确率: 0.956 },
  bytes: 2048,
  file_name: '调查',
  project_id: 1,
  report_id: 1,
  created_at: '2026-11-20T08:00:00Z',
  named_at: '2026-11-21T08:00:00Z',
});

const CARD: ModelCard = {
  format: 1,
  path: 'group/learner',
  method: '某种分类',
  version: 1,
  libraries: {},
  task: 'classification',
  features: [feature('x1', '运动时长'), feature('x2', '收入')],
  target: { name: '压力大', label: null, classes: null, event: null },
  rows: 210,
  threshold: null,
  seed: 1,
  settings: {},
  scores: {},
  margins: {},
};

function show(list: ModelRow[], start: Form, more: { resolved?: Form; readOnly?: boolean; list?: () => unknown } = {}) {
  const asked = serve({
    'GET /v1/analysis/models': more.list ?? (() => ({ total: list.length, page: 1, page_size: 200, list })),
    'GET /v1/analysis/models/8': () => ({ ...row(8, '压力'), card: CARD }),
    'GET /v1/analysis/models/9': () => ({ ...row(9, '旧的'), card: CARD }),
    'PATCH /v1/analysis/models/8': () => row(8, '新名'),
    'DELETE /v1/analysis/models/8': () => null,
  });
  let last = start;
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Harness
        fields={[FIELD]}
        start={start}
        {...(more.resolved === undefined ? {} : { resolved: more.resolved })}
        tools={{ readOnly: more.readOnly ?? false }}
        onForm={(form) => (last = form)}
      >
        {(form) => <ModelField field={FIELD} value={form['model']} />}
      </Harness>
    </QueryClientProvider>,
  );
  return { asked, form: () => last, user: userEvent.setup() };
}

test('without a saved model it says what to do first', async () => {
  show([], { model: null });
  expect(await screen.findByText(/先训练一个模型，在它的报告里点“保存模型”/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: '管理已保存的模型' })).toBeNull();
});

test('the newest stands there unless another is chosen; its score tells it from others', async () => {
  const { form, user } = show([row(8, '压力'), row(9, '旧的')], { model: null });
  expect(await screen.findByText('压力')).toBeTruthy();
  await user.click(screen.getByRole('combobox', { name: '已保存模型' }));
  const other = await screen.findByText('旧的');
  expect(screen.getAllByText(/某种分类，预测“压力大”，准确率 96%|准确率 95\.6%/).length).toBeGreaterThan(0);
  await user.click(other);
  expect(form()).toEqual({ model: { model_id: 9 } });
});

test('variables without a column are shown first and can be given one by hand', async () => {
  const resolved = { model: { model_id: 8, columns: { x1: 'c3', x2: null } } };
  const { form, user } = show([row(8, '压力')], { model: { model_id: 8 } }, { resolved });
  expect(await screen.findByText('模型变量 2 个，已对应 1 个')).toBeTruthy();
  expect(screen.queryByRole('combobox', { name: '“运动时长”对应的变量' })).toBeNull();
  await user.click(screen.getByRole('combobox', { name: '“收入”对应的变量' }));
  await user.click(await screen.findByTitle('睡眠时长（小时）'));
  expect(form()).toEqual({ model: { model_id: 8, columns: { x2: 'c4' } } });
  await user.click(screen.getByRole('button', { name: '查看对应关系' }));
  expect(screen.getByRole('combobox', { name: '“运动时长”对应的变量' })).toBeTruthy();
});

test('a shared form can be read, not changed', async () => {
  const resolved = { model: { model_id: 8, columns: { x1: 'c3', x2: null } } };
  show([row(8, '压力')], { model: { model_id: 8 } }, { resolved, readOnly: true });
  expect(await screen.findByRole('combobox', { name: '“收入”对应的变量' })).toHaveProperty('disabled', true);
});

test('a list that cannot be read says so and can be asked again', async () => {
  let broken = true;
  const list = () =>
    broken
      ? { status: 500, err_code: 30000, msg: '出错了' }
      : { total: 1, page: 1, page_size: 200, list: [row(8, '压力')] };
  const { user } = show([], { model: null }, { list });
  const again = await screen.findByRole('button', { name: '重试' });
  broken = false;
  await user.click(again);
  expect(await screen.findByText('压力')).toBeTruthy();
});

test('saved models are renamed and deleted in their list, deleting only after a question', async () => {
  const { asked, user } = show([row(8, '压力')], { model: null });
  await user.click(await screen.findByRole('button', { name: '管理已保存的模型' }));
  await user.click(await screen.findByRole('button', { name: '重命名模型“压力”' }));
  const name = await screen.findByDisplayValue('压力');
  await user.clear(name);
  await user.type(name, '新名{Enter}');
  await waitFor(() => expect(asked.find(({ method }) => method === 'PATCH')).toMatchObject({ body: { name: '新名' } }));
  await user.click(screen.getByRole('button', { name: '删除模型“压力”' }));
  expect(await screen.findByText(/训练它的报告不受影响/)).toBeTruthy();
  expect(asked.some(({ method }) => method === 'DELETE')).toBe(false);
  await user.click(screen.getByRole('button', { name: /^删\s?除$/ }));
  await waitFor(() => expect(asked.some(({ method }) => method === 'DELETE')).toBe(true));
});
