import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';

import { ApiError } from '../../lib/api.ts';
import { useConnection } from '../../lib/connection.ts';
import { Harness } from '../testing/harness.tsx';
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
