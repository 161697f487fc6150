import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { queryClient } from '../../../lib/query-client.ts';
import { NamedFilters } from './named-filters.tsx';

// Dialogs take their time on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const ADULTS = { id: 4, name: '成年', condition: '{c2} >= 18', filter_type: 'keep', reduce_num: 3 };
let sent: unknown[];
const ok = (data: unknown) => new Response(JSON.stringify({ status_code: 1, data }));

beforeEach(() => {
  sent = [];
  queryClient.clear();
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (init.method === 'GET') return ok({ total: 1, list: [ADULTS] });
    sent.push([init.method, url.split('?')[0], typeof init.body === 'string' ? JSON.parse(init.body) : null]);
    return ok(ADULTS);
  });
});
afterEach(() => vi.unstubAllGlobals());

const show = (condition: string) =>
  render(
    <QueryClientProvider client={queryClient}>
      <NamedFilters fid={7} condition={condition} kind="keep" onTake={() => undefined} />
    </QueryClientProvider>,
  );

test.each([
  ['学生', '/v1/user/file/7/filters'],
  ['成年', '/v1/user/file/7/filters/4'],
])('a condition is kept as %s; a name that is there already gets the new one', async (name, path) => {
  const user = userEvent.setup();
  show('{c2} < 25');
  await screen.findByRole('combobox', { name: '已存的筛选' });
  await user.click(screen.getByRole('button', { name: '存为…' }));
  await user.type(await screen.findByRole('textbox'), `${name}{Enter}`);
  const body = { name, condition: '{c2} < 25', filter_type: 'keep' };
  await waitFor(() => expect(sent).toEqual([['POST', path, body]]));
});

test('the one that is on can be renamed', async () => {
  const user = userEvent.setup();
  show(ADULTS.condition);
  await user.click(await screen.findByRole('button', { name: '重命名已存的筛选“成年”' }));
  await user.type(await screen.findByRole('textbox'), '人{Enter}');
  const body = { name: '成年人', condition: ADULTS.condition, filter_type: 'keep' };
  await waitFor(() => expect(sent).toEqual([['POST', '/v1/user/file/7/filters/4', body]]));
});

test('the one that is on can be removed', async () => {
  const user = userEvent.setup();
  show(ADULTS.condition);
  await user.click(await screen.findByRole('button', { name: '删除已存的筛选“成年”' }));
  await waitFor(() => expect(sent).toEqual([['DELETE', '/v1/user/file/7/filters/4', null]]));
});

test('nothing is kept while there is no condition', async () => {
  show('');
  expect((await screen.findByRole('button', { name: '存为…' })).hasAttribute('disabled')).toBe(true);
});
