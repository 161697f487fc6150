import type { Version } from '@hengxi/server/files/schema';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { column } from '../../../fields/testing/harness.tsx';
import { queryClient } from '../../../lib/query-client.ts';
import { forgetTraces } from '../../../lib/session.ts';
import { leftCells } from './cell-draft.ts';
import { UnsavedCellsBar } from './unsaved-cells-bar.tsx';
import { SaveConflictDialog } from './save-conflict-dialog.tsx';
import { useSaveConflict } from './save-conflict.ts';
import { useCellEdits } from './use-cell-edits.ts';

const AGE = column('c2', '年龄', '定量');
// oxlint-disable-next-line typescript/consistent-type-assertions -- nothing but these is read
const VERSION = { vid: 2, fid: 9, number: 3, rows: 5, columns: [AGE], locked: false } as unknown as Version;
const NOWHERE = { sort: null, picked: null };
const NEWER = {
  head: 7,
  number: 4,
  title: '修改 2 个单元格',
  author: '小李',
  made_at: '2026-01-02T03:04:05Z',
  cells: { gone: 1, both: [{ row: 3, column: 'c2', old: 30, now: 32, value: 31 }], both_total: 1 },
};

const sent: { url: string; body: any }[] = [];
let refuse = true;

function Page() {
  const { pathname } = useLocation();
  const { editing, edits, save, isRestored, drop } = useCellEdits(VERSION, true, NOWHERE, () => null);
  const cells = Array.from(edits.cells.values(), ({ row, value }) => `${row}=${String(value)}`);
  return (
    <>
      <output>{[pathname, ...cells, isRestored ? '已恢复' : ''].join(' ')}</output>
      <button onClick={() => editing?.change([{ row: 3, column: 'c2', old: 30, value: 31 }])}>改</button>
      <button onClick={() => save.mutate({})}>保存</button>
      <button onClick={drop}>放弃</button>
      <SaveConflictDialog known={new Map([['c2', AGE]])} />
    </>
  );
}

function page() {
  const shown = render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={['/mydata/detail/2']}>
        <Page />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  const click = (name: string) => userEvent.click(screen.getByRole('button', { name }));
  return { ...shown, click, told: () => shown.container.querySelector('output')?.textContent?.trim() };
}

beforeEach(() => {
  localStorage.clear();
  queryClient.clear();
  sent.length = 0;
  refuse = true;
  useSaveConflict.setState({ asked: null });
  vi.stubGlobal('fetch', async (url: string, { body }: { body?: string }) => {
    sent.push({ url: url.split('_rid')[0] ?? '', body: body === undefined ? null : JSON.parse(body) });
    const answer = { status_code: 0, err_code: 30511, msg: '已有新版本', data: NEWER };
    if (refuse) return Response.json(answer, { status: 409 });
    return Response.json({ status_code: 1, data: { vid: 8, warnings: [] } });
  });
});
afterEach(() => vi.unstubAllGlobals());

it('unsaved cells come back after a reload, and go with 放弃, with saving and with a log-out', async () => {
  const first = page();
  await first.click('改');
  first.unmount();
  const second = page();
  expect(second.told()).toBe('/mydata/detail/2 3=31 已恢复');
  await second.click('放弃');
  second.unmount();
  const third = page();
  expect(third.told()).toBe('/mydata/detail/2');
  await third.click('改');
  expect(leftCells({ fid: 9, vid: 1 })).toMatchObject([{ vid: 2, number: 3, count: 1 }]);
  forgetTraces();
  expect(leftCells({ fid: 9, vid: 1 })).toEqual([]);
  third.unmount();
  refuse = false;
  const fourth = page();
  await fourth.click('改');
  await fourth.click('保存');
  await waitFor(() => expect(fourth.told()).toBe('/mydata/detail/8'));
  expect(leftCells({ fid: 9, vid: 1 })).toEqual([]);
});

it('a second save tells what there is and goes onto the newer version, with my values or theirs', async () => {
  const { click, told } = page();
  await click('改');
  await click('保存');
  const dialog = await screen.findByRole('dialog', { name: '已有新版本 v4' });
  expect(dialog.textContent).toContain('小李在');
  expect(dialog.textContent).toContain('其中 1 个单元格的行或列在 v4 里已被删除');
  expect(dialog.textContent).toContain('第 4 行“年龄”：你写 31，现在是 32');
  await userEvent.click(screen.getByRole('button', { name: '先不保存' }));
  expect(told()).toBe('/mydata/detail/2 3=31');
  await click('保存');
  await userEvent.click(await screen.findByRole('radio', { name: '保留 v4 的值' }));
  refuse = false;
  await userEvent.click(screen.getByRole('button', { name: '应用到 v4' }));
  await waitFor(() => expect(told()).toBe('/mydata/detail/8'));
  const last = sent.findLast(({ url }) => url.includes('/edits'));
  expect(last?.url).toContain('/versions/7/edits');
  expect(last?.body).toEqual({ cells: [{ row: 3, column: 'c2', value: 31 }], of: 2, theirs: true });
});

it('or stands beside the newer version', async () => {
  const { click, told } = page();
  await click('改');
  await click('保存');
  refuse = false;
  await userEvent.click(await screen.findByRole('button', { name: '从 v3 另起一个版本' }));
  await waitFor(() => expect(told()).toBe('/mydata/detail/8'));
  const saves = sent.filter(({ url }) => url.includes('/edits'));
  expect(saves.at(-1)?.url).toContain('/versions/2/edits?branch=1');
});

it('cells left in an older version are told on the newest one', async () => {
  const first = page();
  await first.click('改');
  first.unmount();
  const newest = { ...VERSION, vid: 7 };
  render(
    <MemoryRouter>
      <UnsavedCellsBar version={newest} />
    </MemoryRouter>,
  );
  expect(screen.getByRole('status').textContent).toContain('你在 v3 改过 1 个单元格，还没有保存');
  await userEvent.click(screen.getByRole('button', { name: '放弃这些改动' }));
  expect(screen.queryByRole('status')).toBeNull();
});
