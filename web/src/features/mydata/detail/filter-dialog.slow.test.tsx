import type { Version } from '@hengxi/server/files/schema';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { byId } from '../../../fields/column.ts';
import { SURVEY } from '../../../fields/testing/harness.tsx';
import { queryClient } from '../../../lib/query-client.ts';
import { useSession } from '../../../lib/session.ts';
import { FilterDialog } from './filter-dialog.tsx';
import { readFilterDraft, writeFilterDraft } from './filter-draft.ts';

// Dialogs take their time on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const ACTIVE = { condition: '{c3} > 2', filter_type: 'keep', filter_count: 50 };
let sent: unknown[];
const ok = (data: unknown) => new Response(JSON.stringify({ status_code: 1, data }));

beforeEach(() => {
  sent = [];
  localStorage.clear();
  queryClient.clear();
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
    if (url.startsWith('/algorithm/filter')) sent.push(typeof body === 'string' ? JSON.parse(body) : null);
    if (url.includes('filter-count')) return ok({ count: 5, rows: 9 });
    return ok({ total: 0, list: [] });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

function show() {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- nothing but these is read
  const version = { vid: 3, fid: 9, columns: SURVEY, active: { filter: ACTIVE } } as unknown as Version;
  render(
    <QueryClientProvider client={queryClient}>
      <FilterDialog version={version} known={byId(SURVEY)} onClose={() => undefined} />
    </QueryClientProvider>,
  );
}

const field = () => screen.findByRole<HTMLInputElement>('textbox', { name: '值' });

const type = async (text: string) => fireEvent.change(await field(), { target: { value: text } });
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

/** Types a value for the only row; the page is left and comes back. */
async function written(text: string): Promise<void> {
  show();
  await type(text);
  cleanup();
  show();
}

test('a condition being written is there again after a reload, finished or not, and goes when it is applied', async () => {
  await written('6');
  expect((await field()).value).toBe('6');
  cleanup();
  await written('6o');
  expect(readFilterDraft(3)?.rows?.groups[0]?.rows).toMatchObject([{ column: 'c3', operator: '>' }]);
  await type('7');
  await press('应用筛选');
  await waitFor(() => expect(sent).toEqual([{ condition: '{c3} > 7', filter_type: 'keep' }]));
  await waitFor(() => expect(readFilterDraft(3)).toBeNull());
});

test('it can be dropped, and what is in force stands again', async () => {
  await written('6');
  await press('放弃修改');
  expect((await field()).value).toBe('2');
  expect(readFilterDraft(3)).toBeNull();
  expect(screen.queryByRole('button', { name: '放弃修改' })).toBeNull();
});

test('keep or drop is changed without losing a row that is not finished', async () => {
  show();
  await type('');
  fireEvent.click(screen.getByText('去掉满足条件的行'));
  expect((await field()).value).toBe('');
  expect(readFilterDraft(3)).toMatchObject({ kind: 'drop', formula: '' });
});

test('another person on the same browser does not see it', () => {
  const before = useSession.getState().token;
  writeFilterDraft(3, { formula: '{c3} > 6', kind: 'keep', rows: null });
  useSession.setState({ token: `x.${btoa(JSON.stringify({ oid: 9, platform: 'pri' }))}.y` });
  expect(readFilterDraft(3)).toBeNull();
  useSession.setState({ token: before });
  expect(readFilterDraft(3)).toMatchObject({ formula: '{c3} > 6' });
});
