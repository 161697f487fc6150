import type { ModelFeature, TryElement } from '@hengxi/contracts/contract';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useContext } from 'react';
import { expect, test, vi } from 'vitest';

import type { Answered, Given } from '../../lib/models.ts';
import { ReportContext, type ReportActions } from '../context.ts';
import { Try } from './try.tsx';

// Opening a list of antd takes its time on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const AGE: ModelFeature = {
  key: 'x1',
  name: '年龄',
  label: null,
  measure: '定量',
  kind: 'number',
  levels: null,
  low: 18,
  high: 60,
  mean: 30,
  fill: null,
  gaps: false,
  whole: true,
  edges: [],
  shares: [],
};
const SEX: ModelFeature = {
  ...AGE,
  key: 'x2',
  name: 'sex',
  label: '性别',
  measure: '定类',
  kind: 'category',
  levels: [
    { value: 1, label: '男', share: 0.5 },
    { value: 2, label: '女', share: 0.5 },
  ],
  low: null,
  high: null,
};
const ELEMENT: TryElement = {
  type: 'try',
  id: 'try',
  name: 'try',
  place: 'main',
  title: '试算',
  at: null,
  model: 'model',
  features: [AGE, SEX],
  start: [{ x1: 30, x2: 1 }],
};
type Ask = (id: number, cases: readonly Given[]) => Promise<Answered>;

const ANSWER: Answered = {
  classes: ['留下', '流失'],
  rows: [{ value: '流失', probabilities: [0.18, 0.82], status: null }],
};

function With({ ask, children }: { ask: Ask; children: ReactNode }) {
  const hand = useContext(ReportContext);
  const models = { save: async () => undefined, ask, predict: () => undefined };
  return <ReportContext value={{ ...hand, models } satisfies ReportActions}>{children}</ReportContext>;
}

function show(ask: Ask, element = ELEMENT) {
  render(
    <With ask={ask}>
      <Try element={element} model={8} />
    </With>,
  );
  return userEvent.setup();
}

test('typed values are asked of the model and its answer stands in words', async () => {
  const ask = vi.fn<Ask>(async () => ANSWER);
  const user = show(ask);
  await user.clear(screen.getByLabelText('年龄'));
  await user.type(screen.getByLabelText('年龄'), '41{Enter}');
  expect(await screen.findByText('流失')).toBeTruthy();
  expect(screen.getByRole('status').textContent).toBe('预测为流失留下 18%流失 82%');
  expect(ask).toHaveBeenCalledWith(8, [{ x1: 41, x2: 1 }]);
});

test('a changed value takes the old answer away', async () => {
  const user = show(async () => ANSWER);
  await user.click(screen.getByRole('button', { name: /预\s?测/ }));
  await screen.findByText('流失');
  await user.type(screen.getByLabelText('年龄'), '5');
  expect(screen.getByRole('status').textContent).toBe('');
});

test('a report computed anew keeps what was typed and drops what its former model said', async () => {
  const ask = vi.fn<Ask>(async () => ANSWER);
  const at = (model: number, features = ELEMENT.features) => (
    <With ask={ask}>
      <Try element={{ ...ELEMENT, features, start: [{ x1: 30, x2: 1, x3: 7 }] }} model={model} />
    </With>
  );
  const { rerender } = render(at(8));
  const user = userEvent.setup();
  await user.clear(screen.getByLabelText('年龄'));
  await user.type(screen.getByLabelText('年龄'), '41{Enter}');
  await screen.findByText('流失');
  rerender(at(9, [AGE, SEX, { ...AGE, key: 'x3', name: '工龄' }]));
  expect(screen.getByRole('status').textContent).toBe('');
  expect(screen.getByLabelText<HTMLInputElement>('年龄').value).toBe('41');
  expect(screen.getByLabelText<HTMLInputElement>('工龄').value).toBe('7');
});

test('a value outside what the model was trained on is told beside it', async () => {
  const user = show(async () => ANSWER);
  await user.clear(screen.getByLabelText('年龄'));
  await user.type(screen.getByLabelText('年龄'), '95');
  expect(screen.getByText('训练数据在 18 至 60 之间')).toBeTruthy();
});

test('an empty cell is a gap, and why there is no answer is told', async () => {
  const gap: Answered = { classes: [], rows: [{ value: null, probabilities: null, status: '缺少变量值：年龄' }] };
  const ask = vi.fn<Ask>(async () => gap);
  const user = show(ask);
  await user.clear(screen.getByLabelText('年龄'));
  await user.click(screen.getByRole('button', { name: /预\s?测/ }));
  expect(await screen.findByText('缺少变量值：年龄')).toBeTruthy();
  expect(ask).toHaveBeenCalledWith(8, [{ x1: null, x2: 1 }]);
});

test('a value that the model can do without says so', () => {
  show(async () => ANSWER, { ...ELEMENT, features: [{ ...AGE, gaps: true }, SEX] });
  expect(screen.getByLabelText('年龄').getAttribute('placeholder')).toBe('可以空着');
});

test('what the model refuses is said in its place', async () => {
  const user = show(async () => {
    throw new Error('“年龄”须为数字');
  });
  await user.click(screen.getByRole('button', { name: /预\s?测/ }));
  expect((await screen.findByRole('status')).textContent).not.toBe('');
});

test('a visitor sees the case it starts from, and cannot ask', () => {
  render(<Try element={ELEMENT} model={8} />);
  expect(screen.getByText(/年龄 = 30，性别 = 男/)).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});
