import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { queryClient } from '../../lib/query-client.ts';
import { Schemes } from './schemes.tsx';

// Dialogs take their time on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const RULES = [{ old: [1, 2], new: 1, label: '低' }];
let kept: any[];
let sent: any[];
const ok = (data: unknown) => new Response(JSON.stringify({ status_code: 1, data }));

beforeEach(() => {
  kept = [{ id: 4, name: '三分', rules: RULES, updated_at: '2026-01-01T00:00:00.000Z' }];
  sent = [];
  queryClient.clear();
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (init.method === 'GET') return ok({ total: kept.length, list: kept });
    sent.push([init.method, url.split('?')[0], typeof init.body === 'string' ? JSON.parse(init.body) : null]);
    if (init.method === 'DELETE') kept = [];
    return ok({ id: 5, name: '二分', rules: RULES, updated_at: '' });
  });
});
afterEach(() => vi.unstubAllGlobals());

test('rules are saved under a name', async () => {
  const user = userEvent.setup();
  render(<Schemes rules={RULES} max={50} onApply={() => undefined} />);
  await user.click(screen.getByRole('button', { name: '存为编码方案' }));
  await user.type(await screen.findByRole('textbox'), '二分{Enter}');
  await waitFor(() => expect(sent).toEqual([['POST', '/v1/user/coding-schemes', { name: '二分', rules: RULES }]]));
});

test('a saved scheme is put into the form, or deleted', async () => {
  const user = userEvent.setup();
  const onApply = vi.fn<(rules: unknown, name: string) => void>();
  render(<Schemes rules={[]} max={50} onApply={onApply} />);
  expect(screen.queryByRole('button', { name: '存为编码方案' })).toBeNull();
  await user.click(screen.getByRole('button', { name: '套用编码方案' }));
  await user.click(await screen.findByRole('button', { name: /套\s?用$/u }));
  expect(onApply).toHaveBeenCalledWith(RULES, '三分');
  await user.click(screen.getByRole('button', { name: '套用编码方案' }));
  await user.click(await screen.findByRole('button', { name: '删除编码方案“三分”' }));
  expect(await screen.findByText('还没有编码方案')).toBeTruthy();
  expect(sent).toEqual([['DELETE', '/v1/user/coding-schemes/4', null]]);
});
