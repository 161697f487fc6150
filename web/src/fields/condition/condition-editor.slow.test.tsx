import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';

import { ApiError } from '../../lib/api.ts';
import { useConnection } from '../../lib/connection.ts';
import { byId } from '../column.ts';
import { column, Harness } from '../testing/harness.tsx';
import { ConditionEditor } from './condition-editor.tsx';

// Typing into antd takes its time on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

function Editor({ start, add, onChange }: { start: string; add?: string; onChange: (formula: string) => void }) {
  const [formula, setFormula] = useState(start);
  return (
    <ConditionEditor
      value={formula}
      add={add ?? null}
      onChange={(next) => {
        setFormula(next);
        onChange(next);
      }}
    />
  );
}

test('a dropped variable arrives as a row; only a finished row counts, and it is counted live', async () => {
  const user = userEvent.setup();
  const onChange = vi.fn<(formula: string) => void>();
  render(<Harness fields={[]}>{() => <Editor start='{c1} in ("男")' add="c3" onChange={onChange} />}</Harness>);
  await user.type(screen.getAllByRole('textbox', { name: '值' }).at(-1)!, '60');
  expect(onChange).toHaveBeenLastCalledWith('{c1} in ("男") and {c3} >= 60');
  expect(await screen.findByText('60', { selector: 'strong' })).toBeTruthy();
});

test('what is no number stays as it was typed, and is said; its row does not count', async () => {
  const user = userEvent.setup();
  const onChange = vi.fn<(formula: string) => void>();
  render(<Harness fields={[]}>{() => <Editor start='{c1} in ("男") and {c3} > 60' onChange={onChange} />}</Harness>);
  const field = screen.getAllByRole<HTMLInputElement>('textbox', { name: '值' }).at(-1)!;
  await user.clear(field);
  await user.type(field, '6o');
  await user.tab();
  expect(field.value).toBe('6o');
  expect(screen.getByRole('alert').textContent).toBe('“6o”不是数字');
  expect(onChange).toHaveBeenLastCalledWith('{c1} in ("男")');
  expect(screen.getByText('有 1 行还没有填完，不算在条件里')).toBeTruthy();
  await user.clear(field);
  await user.type(field, '60');
  await user.tab();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(onChange).toHaveBeenLastCalledWith('{c1} in ("男") and {c3} > 60');
});

test('codes that stand for a missing answer can be chosen, and are asked for as they were entered', async () => {
  const user = userEvent.setup();
  const onChange = vi.fn<(formula: string) => void>();
  const answered = { value: 1, label: '好', count: 9 };
  const coded = column('c1', '态度', '定类', {
    storage: 'int',
    levels: [answered],
    missing: { values: [98, 99], ranges: [] },
    missing_labels: [{ value: 99, label: '拒答', count: 4 }],
  });
  const number = column('c2', '收入', '定量', { missing: { values: [], ranges: [{ low: null, high: -1 }] } });
  render(
    <Harness fields={[]} tools={{ columns: [coded, number], known: byId([coded, number]) }}>
      {() => <Editor start="{c1} in (1) and {c2} = 5" onChange={onChange} />}
    </Harness>,
  );
  await user.click(screen.getByRole('combobox', { name: '值' }));
  await user.click(await screen.findByTitle('拒答（缺失码 4）'));
  expect(onChange).toHaveBeenLastCalledWith('value({c1}) in (1, 99) and {c2} = 5');
  expect(screen.getByTitle('98（缺失码）')).toBeTruthy();
  const field = screen.getByRole('textbox', { name: '值' });
  await user.clear(field);
  await user.type(field, '-9');
  expect(onChange).toHaveBeenLastCalledWith('value({c1}) in (1, 99) and value({c2}) = -9');
});

test('the rows that are counted can be looked at where the form knows a place for it', async () => {
  const rowsAt = (condition: string): string => `/there?rows=${encodeURIComponent(condition)}`;
  const { rerender } = render(
    <Harness fields={[]} tools={{ rowsAt, count: async () => Promise.resolve({ count: 7, rows: 9 }) }}>
      {() => <Editor start="{c3} > 1" onChange={() => undefined} />}
    </Harness>,
  );
  const link = await screen.findByRole<HTMLAnchorElement>('link', { name: '看这些行' });
  expect(link.getAttribute('href')).toBe(rowsAt('{c3} > 1'));
  rerender(<Harness fields={[]}>{() => <Editor start="{c3} > 1" onChange={() => undefined} />}</Harness>);
  expect(screen.queryByRole('link', { name: '看这些行' })).toBeNull();
});

test('what rows cannot say is edited as text', () => {
  render(<Harness fields={[]}>{() => <Editor start="{c3} + {c4} > 10" onChange={() => undefined} />}</Harness>);
  const text = screen.getByRole<HTMLTextAreaElement>('textbox', { name: '条件公式' }).value;
  expect(text).toMatch(/^`[^`{}]+` \+ `[^`{}]+` > 10$/u);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '用行编辑' }).disabled).toBe(true);
});

test('an unreadable condition says why', async () => {
  render(
    <Harness fields={[]} tools={{ count: async () => Promise.reject(new Error('公式第 6 个字符处有误')) }}>
      {() => <Editor start="{c3} >" onChange={() => undefined} />}
    </Harness>,
  );
  expect((await screen.findByRole('alert')).textContent).toContain('第 6 个字符');
});

test('a count that got no answer is asked for again when the server is back', async () => {
  const count = vi
    .fn<(formula: string) => Promise<{ count: number; rows: number }>>()
    .mockRejectedValueOnce(new ApiError('network', '网络异常', 0, 0, [], null))
    .mockRejectedValueOnce(new ApiError('network', '网络异常', 0, 0, [], null))
    .mockResolvedValue({ count: 7, rows: 9 });
  useConnection.setState({ down: true });
  render(
    <Harness fields={[]} tools={{ count }}>
      {() => <Editor start="{c3} > 1" onChange={() => undefined} />}
    </Harness>,
  );
  expect(await screen.findByText(/还没有计数：网络异常/u)).toBeTruthy();
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: '重新计数' }));
  await waitFor(() => expect(count).toHaveBeenCalledTimes(2));
  expect(await screen.findByText(/还没有计数：网络异常/u)).toBeTruthy();
  act(() => useConnection.setState({ down: false }));
  expect(await screen.findByText('7', { selector: 'strong' })).toBeTruthy();
});
