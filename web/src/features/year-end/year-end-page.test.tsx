import type { YearReport } from '@hengxi/server/year-end/schema';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { queryClient } from '../../lib/query-client.ts';
import { currentToken, endSession, startSession } from '../../lib/session.ts';
import { SAMPLE } from './figures.ts';
import { YearEndPage } from './year-end-page.tsx';

vi.mock('./picture.tsx', () => ({
  CardCanvas: () => <p>预览</p>,
  Picture: () => <p>保存成图片</p>,
}));

const fetching = vi.fn<typeof fetch>();
const answer = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
const done = (data: unknown): Response => answer(200, { status_code: 1, data });
const report = (more: Partial<YearReport>): YearReport => ({
  year: 2026,
  state: 'consent',
  opens_at: '2026-12-15T16:00:00.000Z',
  closes_at: '2027-01-31T16:00:00.000Z',
  server_now: '2026-12-20T04:00:00.000Z',
  numbers: null,
  range: null,
  kept: [],
  ...more,
});
const RANGE = { from: '2025-12-31T16:00:00.000Z', to: '2026-12-20T04:00:00.000Z' };
const signIn = (platform = 'pri') => startSession(`a.${btoa(JSON.stringify({ oid: 1, platform }))}.c`, null);
const open = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <YearEndPage />
      </MemoryRouter>
    </QueryClientProvider>,
  );
const calls = () =>
  fetching.mock.calls.map(
    ([url, init]) => `${init?.method} ${(typeof url === 'string' ? url : '').split(/[?&]_rid/)[0]}`,
  );

beforeEach(() => {
  fetching.mockReset();
  vi.stubGlobal('fetch', fetching);
  history.replaceState(null, '', '/year-end-report');
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  endSession();
  history.replaceState(null, '', '/');
});

test('a visitor sees a sample that is called one, and nothing is asked of the server', () => {
  open();
  expect(screen.getByRole('heading', { name: /^示例/ }).textContent).toContain('数字是编的');
  expect(screen.getByRole('button', { name: '登录查看我的报告' })).toBeTruthy();
  expect(fetching).not.toHaveBeenCalled();
});

test('a session that ended neither leaves the page nor clears the sign-in', async () => {
  signIn();
  fetching.mockResolvedValue(
    answer(401, { status_code: 0, err_code: 30089, msg: '登录已过期，请重新登录', data: null }),
  );
  open();
  expect(await screen.findByText('登录已过期，请重新登录')).toBeTruthy();
  expect(currentToken()).not.toBeNull();
  expect(location.pathname).toBe('/year-end-report');
});

test('nothing is ticked; without the tick nothing is sent; 不生成 sends nothing either', async () => {
  signIn();
  fetching.mockResolvedValue(done(report({})));
  open();
  const box = await screen.findByRole('checkbox');
  expect((box as HTMLInputElement).checked).toBe(false);
  expect(screen.getByText(/根据您 2026 年的使用记录生成，仅您可见/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: /^生\s*成$/ }));
  expect(screen.getByRole('alert').textContent).toContain('请先勾选同意');
  await userEvent.click(screen.getByRole('button', { name: '不生成' }));
  expect(screen.getByRole('heading', { name: '没有生成' })).toBeTruthy();
  expect(calls()).toEqual(['GET /v1/year-end-report']);
});

test('with the tick the report is made, and withdrawing it asks once', async () => {
  signIn();
  fetching.mockResolvedValueOnce(done(report({})));
  open();
  await userEvent.click(await screen.findByRole('checkbox'));
  fetching.mockResolvedValueOnce(done(report({ state: 'ready', numbers: SAMPLE, range: RANGE, kept: [2026] })));
  await userEvent.click(screen.getByRole('button', { name: /^生\s*成$/ }));
  expect(await screen.findByText('138 次')).toBeTruthy();
  expect(screen.getByText('统计范围：2026-01-01 至 2026-12-20 12:00（北京时间）。仅你可见。')).toBeTruthy();
  fetching.mockResolvedValueOnce(done({ removed: true })).mockResolvedValueOnce(done(report({})));
  await userEvent.click(screen.getByRole('button', { name: '撤回同意并删除报告' }));
  await userEvent.click(await screen.findByRole('button', { name: '撤回并删除' }));
  expect(await screen.findByRole('checkbox')).toBeTruthy();
  expect(calls()).toEqual([
    'GET /v1/year-end-report',
    'POST /v1/year-end-report/consent',
    'DELETE /v1/year-end-report?year=2026',
    'GET /v1/year-end-report',
  ]);
});

test.each([
  [report({ state: 'closed', server_now: '2026-12-01T00:00:00.000Z' }), '2026 年终报告还没有开放'],
  [report({ state: 'closed', server_now: '2027-02-02T00:00:00.000Z' }), '2026 年终报告已经结束'],
  [report({ state: 'closed' }), '2026 年终报告暂停开放'],
  [report({ state: 'too_few', numbers: { ...SAMPLE, runs: 2 }, range: RANGE }), '今年的记录还不多'],
  [
    report({ state: 'too_few', numbers: { ...SAMPLE, runs: 0 }, range: RANGE, server_now: '2027-01-03T00:00:00.000Z' }),
    '2026 年的记录还不多',
  ],
])('what stands in the way is said: %#', async (told, title) => {
  signIn();
  fetching.mockResolvedValue(done(told));
  open();
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
});

test('a year that is over and wholly counted is not said to grow by another analysis', async () => {
  signIn();
  const range = { from: RANGE.from, to: '2026-12-31T16:00:00.000Z' };
  const numbers = { ...SAMPLE, runs: 2 };
  fetching.mockResolvedValue(
    done(report({ state: 'too_few', numbers, range, server_now: '2027-01-03T00:00:00.000Z', kept: [2026] })),
  );
  open();
  expect(await screen.findByText(/这一年不满 3 次，没有报告/)).toBeTruthy();
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['撤回同意并删除报告']);
});

test('a report kept from a season that is over can still be withdrawn', async () => {
  signIn();
  fetching.mockResolvedValue(done(report({ state: 'closed', year: 2027, kept: [2026] })));
  open();
  expect(await screen.findByRole('button', { name: '撤回同意并删除报告' })).toBeTruthy();
});

test('the enterprise and the shared account are told why', async () => {
  signIn('co-7');
  open();
  expect(screen.getByRole('heading', { name: '年终报告只统计个人版的使用' })).toBeTruthy();
  cleanup();
  signIn();
  fetching.mockResolvedValue(answer(403, { status_code: 0, err_code: 30092, msg: '没有权限', data: null }));
  open();
  expect(await screen.findByText(/^演示账号由大家共用/)).toBeTruthy();
});
