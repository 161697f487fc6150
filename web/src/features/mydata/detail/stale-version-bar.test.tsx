import type { FileDetail, Version } from '@hengxi/server/files/schema';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';

import { watchedFileQuery } from '../queries.ts';
import { StaleVersionBar } from './stale-version-bar.tsx';

const HISTORY = [
  { vid: 10, number: 1, title: '导入', is_head: false },
  { vid: 11, number: 2, title: '“年龄”改了一格', is_head: true },
];

function shown(vid: number, unsaved = false, isKnown = true) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  if (isKnown) client.setQueryData(watchedFileQuery(5).queryKey, { fid: 5, history: HISTORY } as unknown as FileDetail);
  return render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <StaleVersionBar version={{ fid: 5, vid, number: vid - 9 } as unknown as Version} unsaved={unsaved} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

test('a version that is not the current one says so and leads to it; unsaved changes are not lost', () => {
  shown(10, true);
  expect(screen.getByRole('status').textContent).toMatch(/当前版本是 v2“‘年龄’改了一格”.*改动还在.*应用到 v2/);
  expect(screen.getByRole('button', { name: '去当前版本' })).toBeTruthy();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a version made in another window is told without a touch', async () => {
  vi.useFakeTimers();
  const history = HISTORY.map((one) => ({ ...one }));
  vi.stubGlobal('fetch', async () => Response.json({ status_code: 1, data: { fid: 5, history } }));
  history[0]!.is_head = true;
  history[1]!.is_head = false;
  shown(10, false, false);
  await vi.advanceTimersByTimeAsync(100);
  expect(screen.queryByRole('status')).toBeNull();
  history[0]!.is_head = false;
  history[1]!.is_head = true;
  await vi.advanceTimersByTimeAsync(6000);
  expect(screen.getByRole('status').textContent).toContain('当前版本是 v2');
});

test('the current version says nothing', () => {
  shown(11);
  expect(screen.queryByRole('status')).toBeNull();
});
