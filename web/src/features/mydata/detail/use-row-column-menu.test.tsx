import type { Version } from '@hengxi/server/files/schema';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { column } from '../../../fields/testing/harness.tsx';
import { queryClient } from '../../../lib/query-client.ts';
import type { HandOf } from './grid/data-grid.tsx';
import { startOf, useCellEdits } from './use-cell-edits.ts';
import { useRowColumnMenu } from './use-row-column-menu.tsx';
import { useTableView } from './use-table-view.ts';

const COLUMNS = [column('c1', '城市', '文本'), column('c2', '年龄', '定量')];
// oxlint-disable-next-line typescript/consistent-type-assertions -- nothing but these is read
const VERSION = { vid: 2, fid: 9, number: 3, rows: 9, columns: COLUMNS, locked: false } as unknown as Version;
const SORTED = { sort: { column: 'c1', desc: true }, picked: null };
const PLACE = { row: 4, column: 1 };

const sent: { url: string; body: any }[] = [];

/** Rows 2 and 3 of a view whose rows are the table's from the last to the first. */
const OF: HandOf = {
  rect: { top: 2, bottom: 3, left: 1, right: 1 },
  active: { row: 2, column: 1 },
  total: 9,
  read: ({ top, bottom }) => {
    const index = Array.from({ length: bottom - top + 1 }, (_, at) => 8 - top - at);
    return { cells: index.map(() => [null]), index };
  },
};

function Page({ locked }: { locked: boolean }) {
  const { pathname, state } = useLocation();
  const version = { ...VERSION, locked };
  const view = useTableView(SORTED, () => null);
  const edits = useCellEdits(version, true, SORTED, () => PLACE);
  const { hand, columnItems, dialog } = useRowColumnMenu(version, view, edits, () => undefined);
  const all = [...hand.menu(OF), ...columnItems(0).map((item) => ({ ...item, key: `列 ${String(item?.key)}` }))];
  return (
    <>
      {all.map((item) =>
        item && 'onClick' in item ? (
          <button key={item.key} disabled={item.disabled ?? false} onClick={item.onClick as () => void}>
            {String(item.key)}
          </button>
        ) : null,
      )}
      <button onClick={() => hand.onKey('delete', OF)}>按键删除</button>
      <output>{JSON.stringify([pathname, startOf(state).sort, startOf(state).place])}</output>
      {dialog}
    </>
  );
}

function page(locked = false) {
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={['/mydata/detail/2']}>
        <Page locked={locked} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  const click = (name: string) => userEvent.click(screen.getByRole('button', { name }));
  const told = () => JSON.parse(screen.getByRole('status').textContent ?? '') as unknown;
  return { click, told };
}
const shape = () => sent.find(({ url }) => url.includes('/edits'))?.body.shape;

beforeEach(() => {
  localStorage.clear();
  sent.length = 0;
  vi.stubGlobal('fetch', async (url: string, { body }: { body?: string }) => {
    sent.push({ url, body: body === undefined ? null : JSON.parse(body) });
    return Response.json({ status_code: 1, data: { vid: 8, warnings: [] } });
  });
});
afterEach(() => vi.unstubAllGlobals());

it('as many rows as are selected come above the first of them, shown in the order of the table', async () => {
  const { click, told } = page();
  await click('above');
  await waitFor(() => expect(told()).toEqual(['/mydata/detail/8', null, { row: 6, column: 1 }]));
  expect(shape()).toEqual({ op: 'insert_rows', at: 6, count: 2 });
});

it('below the last of them', async () => {
  const { click } = page();
  await click('below');
  await waitFor(() => expect(shape()).toEqual({ op: 'insert_rows', at: 6, count: 2 }));
});

it('selected rows are taken out by their numbers in the table, by menu and by keys', async () => {
  const { click, told } = page();
  await click('按键删除');
  await waitFor(() => expect(told()).toEqual(['/mydata/detail/8', SORTED.sort, PLACE]));
  expect(shape()).toEqual({ op: 'delete_rows', rows: [6, 5] });
});

it('a new column has a name of its own and comes where it was asked for', async () => {
  const { click, told } = page();
  await click('列 right');
  const name = await screen.findByLabelText('变量名');
  await userEvent.clear(name);
  await userEvent.type(name, '年龄');
  expect(screen.getByText('“年龄”已存在，请换名')).toBeTruthy();
  await userEvent.clear(name);
  await userEvent.type(name, '备注');
  await userEvent.click(screen.getByRole('radio', { name: '文字' }));
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(told()).toEqual(['/mydata/detail/8', SORTED.sort, { row: 0, column: 1 }]));
  expect(shape()).toEqual({ op: 'insert_columns', before: 'c2', columns: [{ name: '备注', kind: '文字' }] });
});

it('a column is taken out from the menu of its head', async () => {
  const { click } = page();
  await click('列 delete columns');
  await waitFor(() => expect(shape()).toEqual({ op: 'delete_columns', columns: ['c1'] }));
});

it('locked data offers none of it', async () => {
  const { click } = page(true);
  for (const name of ['above', 'delete rows', 'left', 'delete columns'])
    expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true);
  await click('按键删除');
  expect(shape()).toBeUndefined();
});
