import type { Version } from '@hengxi/server/files/schema';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { queryClient } from '../../../lib/query-client.ts';
import { bodyOf, FIRST } from './choices.ts';
import { VersionExportDialog } from './export-dialog.tsx';

const ok = (data: unknown) => new Response(JSON.stringify({ status_code: 1, data }));

const version: Partial<Version> = {
  vid: 7,
  name: '满意度调查',
  rows: 1200,
  columns: [],
  active: {
    filter: { condition: '{c1} > 1', filter_type: 'keep', reduce_num: 2, filter_count: 800 },
    weight: null,
    split: null,
  },
};
const file = {
  file: 'f_0',
  name: '满意度调查.csv',
  bytes: 2048,
  rows: 1200,
  notes: [{ code: 'export.names', text: '1 个变量名已改名' }],
};

let calls: { method: string; url: string; body: unknown }[];
let run: Record<string, unknown>;
let clicked: string[];

beforeEach(() => {
  calls = [];
  clicked = [];
  run = { run_id: 5, kind: 'export', state: 'done', result: file, refusal: null, error: null, progress: null };
  queryClient.clear();
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    clicked.push(this.getAttribute('href') ?? '');
  });
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const url = address.split('?')[0] ?? '';
    const { method = 'GET', body } = init;
    calls.push({ method, url, body: typeof body === 'string' ? JSON.parse(body) : null });
    if (url === '/v1/downloads') return ok({ url: '/v1/downloads/once' });
    if (url.endsWith('/events')) return new Response('no', { status: 500 });
    if (url.startsWith('/v1/runs/')) return ok(run);
    if (!url.endsWith('/export')) return ok(version);
    if (method === 'POST') return ok({ ...run, state: 'running', result: null });
    return ok({ rows: 1200, formulas: { values: 3, labels: 0 }, columns: ['备注'] });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function open() {
  const onClose = vi.fn<() => void>();
  const user = userEvent.setup();
  render(
    <QueryClientProvider client={queryClient}>
      <VersionExportDialog vid={7} onClose={onClose} />
    </QueryClientProvider>,
  );
  await screen.findByText('导出“满意度调查”');
  return { user, onClose };
}

const posted = () => calls.find(({ method, url }) => method === 'POST' && url.endsWith('/export'))?.body;

describe('the body of an export', () => {
  it('holds only the options of the format', () => {
    expect(bodyOf({ ...FIRST, filtered: true })).toEqual({
      format: 'xlsx',
      options: { cells: 'values' },
      filtered: true,
    });
    expect(bodyOf({ ...FIRST, format: 'sav' })).toEqual({ format: 'sav', options: {}, filtered: false });
    expect(bodyOf({ ...FIRST, format: 'csv', quote: false }).options).toEqual({
      cells: 'values',
      encoding: 'utf-8-sig',
      quote: false,
    });
    // A codebook describes the whole version.
    expect(bodyOf({ ...FIRST, format: 'codebook', filtered: true }).filtered).toBe(false);
  });
});

describe('the export dialog', () => {
  it('tells of texts like formulas for csv, downloads, and says what there is to know', async () => {
    const { user } = await open();
    expect(screen.queryByText(/可能被当作公式执行/)).toBeNull();
    await user.click(screen.getByRole('radio', { name: /^csv/ }));
    expect(await screen.findByText(/3 个文本单元格以 = \+ - @ 开头（备注）/)).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: '前面加单引号' }).checked).toBe(true);
    await user.click(screen.getByRole('checkbox', { name: /只导出筛选后的 800 行/ }));
    await user.click(screen.getByRole('button', { name: /导\s?出/ }));
    expect(await screen.findByText('1 个变量名已改名')).toBeTruthy();
    expect(posted()).toEqual({
      format: 'csv',
      options: { cells: 'values', encoding: 'utf-8-sig', quote: true },
      filtered: true,
    });
    await waitFor(() => expect(clicked).toEqual(['/v1/downloads/once']));
    await user.click(screen.getByRole('button', { name: '再次下载' }));
    await waitFor(() => expect(clicked).toHaveLength(2));
  });

  it('says why an export was refused, and lets choose again', async () => {
    const refusal = { fields: [{ field: null, code: 'export.size', text: 'xlsx 最多 1,048,575 行数据' }] };
    run = { ...run, state: 'refused', result: null, refusal };
    const { user } = await open();
    await user.click(screen.getByRole('button', { name: /导\s?出/ }));
    expect(await screen.findByText(/xlsx 最多 1,048,575 行数据/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: /返\s?回/ }));
    expect(screen.getByRole('radio', { name: /^csv/ })).toBeTruthy();
    expect(clicked).toEqual([]);
  });

  it('shows how far it is, and cancels the run when it is left', async () => {
    run = { ...run, state: 'running', result: null, progress: { done: 0.4, of: 1, text: '写入' } };
    const { user, onClose } = await open();
    await user.click(screen.getByRole('button', { name: /导\s?出/ }));
    await waitFor(() => expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('40'));
    await user.click(screen.getByRole('button', { name: '取消导出' }));
    expect(onClose).toHaveBeenCalled();
    await waitFor(() => expect(calls).toContainEqual({ method: 'DELETE', url: '/v1/runs/5', body: null }));
  });
});
