import type { Version } from '@hengxi/server/files/schema';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { queryClient } from '../../../lib/query-client.ts';
import { toast } from '../../../lib/toast.ts';
import { startOf } from './use-cell-edits.ts';
import { useEdits } from './use-edits.ts';
import { useParseFormat } from './parse-format.ts';

const PLACE = { row: 320, column: 4 };
const handOn = () => ({ grid: { place: PLACE, editing: true, sort: null, picked: null } });
const REFUSED = { status_code: 0, err_code: 30508, msg: '不行', fields: [{ field: 'x', code: 'x', text: '请改名' }] };

function Page() {
  const { pathname, state } = useLocation();
  // oxlint-disable-next-line typescript/consistent-type-assertions -- nothing but these is read
  const { head, change, edit } = useEdits({ vid: 2, fid: 9 } as Version, handOn);
  const [isSaved, setSaved] = useState(false);
  return (
    <>
      <output>{JSON.stringify([pathname, startOf(state).place, change.error !== null])}</output>
      <button onClick={() => head.mutate(1)}>撤销</button>
      <button onClick={() => change.mutate({ sets: [] })}>题集</button>
      <button onClick={() => edit.mutate([{ id: 'c1', measure: '时间' }], { onAgain: () => setSaved(true) })}>
        类型
      </button>
      {isSaved ? '算作已保存' : null}
    </>
  );
}

beforeEach(() => {
  queryClient.clear();
  vi.stubGlobal('fetch', async (_: string, { method }: RequestInit) =>
    method === 'POST'
      ? new Response(JSON.stringify(REFUSED), { status: 422 })
      : new Response(JSON.stringify({ status_code: 1, data: { vid: 1 } })),
  );
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function page() {
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={['/mydata/detail/2']}>
        <Page />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return () => JSON.parse(screen.getByRole('status').textContent ?? '') as unknown;
}

it('undo goes on at the cell where one is', async () => {
  const told = page();
  await userEvent.click(screen.getByRole('button', { name: '撤销' }));
  await waitFor(() => expect(told()).toEqual(['/mydata/detail/1', PLACE, false]));
});

it('what the dialog of questions shows is not said in passing too', async () => {
  const warn = vi.spyOn(toast, 'warn');
  const told = page();
  await userEvent.click(screen.getByRole('button', { name: '题集' }));
  await waitFor(() => expect(told()).toEqual(['/mydata/detail/2', null, true]));
  expect(warn).not.toHaveBeenCalled();
});

it('an edit that waits for an answer counts as saved once it is given', async () => {
  const asked = { ...REFUSED, fields: [{ field: null, code: 'edit.date_order', text: '请选择' }] };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(asked), { status: 422 }));
  page();
  await userEvent.click(screen.getByRole('button', { name: '类型' }));
  await waitFor(() => expect(useParseFormat.getState().asked?.ways).toHaveLength(2));
  expect(screen.queryByText('算作已保存')).toBeNull();
  act(() => useParseFormat.getState().asked?.answer('dmy'));
  await screen.findByText('算作已保存');
});
