import type { Version } from '@hengxi/server/files/schema';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createRef } from 'react';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { byId } from '../../../fields/column.ts';
import { column } from '../../../fields/testing/harness.tsx';
import { queryClient } from '../../../lib/query-client.ts';
import { toast } from '../../../lib/toast.ts';
import type { GridHandle } from './grid/data-grid.tsx';
import type { Place } from './grid/move.ts';
import { ReplaceBar } from './replace-bar.tsx';
import { closeReplaceBar, openReplaceBar } from './replace-store.ts';
import { useCellEdits } from './use-cell-edits.ts';
import { columnFrom } from './use-replace-search.ts';
import { useTableView } from './use-table-view.ts';

const COLUMNS = [column('c1', '城市', '文本'), column('c2', '年龄', '定量'), column('c3', '住处', '文本')];
// oxlint-disable-next-line typescript/consistent-type-assertions -- nothing but these is read
const VERSION = { vid: 2, fid: 9, number: 3, rows: 9, columns: COLUMNS, locked: false } as unknown as Version;
const START = { sort: null, picked: null };

/** Two cells of row 1 and one of row 4 hold the text. */
const HITS = [
  { row: 1, columns: ['c3', 'c1'], cells_before: 0 },
  { row: 4, columns: ['c1'], cells_before: 2 },
];

const sent: { url: string; body: any }[] = [];
let place: Place = { row: 0, column: 0 };
const rect = { top: 0, bottom: 8, left: 0, right: 1 };

function answer(url: string, body: any): unknown {
  if (!url.includes('/find')) return { vid: 8, warnings: [] };
  if (body.seek.text === '没有') return { total: 0, before: 0, row: null, columns: [], cells: 0, cells_before: 0 };
  const hit = HITS.find(({ row }) => row >= body.row) ?? HITS[0]!;
  const fresh = Object.fromEntries(
    hit.columns.map((id) => [id, id === 'c3' ? { fault: '第 2 行“住处”太长' } : { old: '北京', value: body.with }]),
  );
  return { total: 2, before: 0, cells: 3, number: hit.row, fresh, ...hit };
}

function Page() {
  const { pathname } = useLocation();
  const grid = createRef<GridHandle>();
  grid.current = {
    goTo: (to) => (place = { ...place, ...to }),
    focus: () => undefined,
    place: () => place,
    number: () => place.row,
    rect: () => rect,
  };
  const view = useTableView(START, () => null);
  const edits = useCellEdits(VERSION, true, START, () => place);
  return (
    <>
      <ReplaceBar
        version={VERSION}
        known={byId(COLUMNS)}
        view={view}
        grid={grid}
        edits={edits}
        onEditing={() => undefined}
      />
      <output aria-label="所在">
        {[pathname, ...Array.from(edits.edits.cells, ([key, { value }]) => `${key}=${String(value)}`)].join('|')}
      </output>
    </>
  );
}

function page() {
  openReplaceBar(9);
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={['/mydata/detail/2']}>
        <Page />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return userEvent.setup();
}
const said = (text: string) => waitFor(() => expect(screen.getAllByRole('status')[0]?.textContent).toBe(text));
const where = () => screen.getByLabelText('所在').textContent;

beforeEach(() => {
  localStorage.clear();
  sent.length = 0;
  place = { row: 0, column: 0 };
  vi.stubGlobal('fetch', async (address: string, { body }: { body?: string }) => {
    const url = address.split('_rid')[0] ?? '';
    const asked = body === undefined ? null : JSON.parse(body);
    sent.push({ url, body: asked });
    if (asked?.seek?.text === '(')
      return Response.json(
        {
          status_code: 0,
          err_code: 30601,
          msg: '正则表达式“(”写得不对',
          fields: [{ field: null, code: 'x', text: '正则表达式“(”写得不对' }],
        },
        { status: 422 },
      );
    return Response.json({ status_code: 1, data: answer(url, asked) });
  });
});
afterEach(() => {
  closeReplaceBar();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('counts cells and goes from one to the next in the order of the columns, round the end and back', async () => {
  const user = page();
  await user.type(screen.getByLabelText('查找内容'), '北京');
  await said('第 1 / 3 处');
  expect(place).toEqual({ row: 1, column: 0 });
  await user.keyboard('{Enter}');
  await said('第 2 / 3 处');
  expect(place).toEqual({ row: 1, column: 2 });
  await user.keyboard('{Enter}');
  await said('第 3 / 3 处');
  await user.click(screen.getByRole('button', { name: '下一处' }));
  await said('第 1 / 3 处');
});

it('asks as it is told: whole cells, letter case, patterns, the selected columns', async () => {
  const user = page();
  await user.click(screen.getByRole('checkbox', { name: '整格' }));
  await user.click(screen.getByRole('checkbox', { name: '正则' }));
  await user.click(screen.getByRole('combobox', { name: '查找范围' }));
  await user.click(await screen.findByText('所选的列'));
  await user.type(screen.getByLabelText('查找内容'), '^北');
  await said('第 1 / 3 处');
  expect(sent.at(-1)?.body.seek).toEqual({
    text: '^北',
    whole: true,
    case: false,
    pattern: true,
    columns: ['c1', 'c2'],
    labels: false,
  });
  await user.clear(screen.getByLabelText('查找内容'));
  await user.type(screen.getByLabelText('查找内容'), '(');
  await said('正则表达式“(”写得不对');
  await user.clear(screen.getByLabelText('查找内容'));
  await user.type(screen.getByLabelText('查找内容'), '没有');
  await said('没有找到');
});

it('replaces one place as an unsaved cell and goes on; what a column does not take is said', async () => {
  const warn = vi.spyOn(toast, 'warn');
  const user = page();
  await user.type(screen.getByLabelText('查找内容'), '北京');
  await said('第 1 / 3 处');
  await user.type(screen.getByLabelText('替换为'), '南京');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(where()).toBe('/mydata/detail/2|1 c1=南京'));
  await said('第 2 / 3 处');
  await user.keyboard('{Enter}');
  expect(warn).toHaveBeenCalledWith('第 2 行“住处”太长');
});

it('replaces all as one step, after what was changed by hand is a step of its own', async () => {
  const user = page();
  await user.type(screen.getByLabelText('查找内容'), '北京');
  await said('第 1 / 3 处');
  await user.type(screen.getByLabelText('替换为'), '南京{Enter}');
  await waitFor(() => expect(where()).toContain('1 c1'));
  await user.click(screen.getByRole('button', { name: '全部替换' }));
  await waitFor(() => expect(where()).toBe('/mydata/detail/8'));
  const saves = sent.filter(({ url }) => url.includes('/edits'));
  expect(saves.map(({ url, body }) => [url.split('?')[0], Object.keys(body)])).toEqual([
    ['/v1/user/file/versions/2/edits', ['cells']],
    ['/v1/user/file/versions/8/edits', ['replace']],
  ]);
  expect(saves[1]?.body.replace).toMatchObject({
    seek: { text: '北京', columns: null },
    with: '南京',
    condition: null,
  });
});

it('the column to stop at', () => {
  expect([columnFrom([1, 4], 2, false), columnFrom([1, 4], 2, true), columnFrom([1, 4], 5, false)]).toEqual([
    4,
    1,
    null,
  ]);
});
