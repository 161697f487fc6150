import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';

import { serve } from '../../report/testing/server.tsx';
import { useReportRun } from './use-report-run.ts';

const RUN = { run_id: 31, kind: 'analysis', state: 'running', progress: null };
const PLACE = { project_id: 2, report_id: 5 };

test('a run that is followed goes on when the list of runs cannot be read again', async () => {
  let isDown = false;
  serve({
    'GET /v1/runs': () => (isDown ? { status: 500, err_code: 30000, msg: '服务器出错' } : { total: 1, list: [RUN] }),
    'GET /v1/runs/31': () => RUN,
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const seen: unknown[] = [];
  const { unmount } = renderHook(
    () => {
      const { going } = useReportRun(PLACE);
      seen.push(going === undefined ? undefined : (going?.run_id ?? null));
    },
    { wrapper },
  );
  await waitFor(() => expect(seen.at(-1)).toBe(31));
  const [query] = client.getQueryCache().findAll({ queryKey: ['report-run'] });
  isDown = true;
  fireEvent(window, new Event('visibilitychange'));
  await waitFor(() => expect(query?.state.errorUpdateCount).toBe(1));
  isDown = false;
  const read = query?.state.dataUpdateCount ?? 0;
  fireEvent(window, new Event('visibilitychange'));
  await waitFor(() => expect(query?.state.dataUpdateCount).toBeGreaterThan(read));
  expect(new Set(seen)).toEqual(new Set([undefined, 31]));
  unmount();
});
