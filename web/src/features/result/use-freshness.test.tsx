import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';

import { MAIN, report } from '@hengxi/contracts/testing/reports';
import { serve } from '../../report/testing/server.tsx';
import type { OpenReport } from './queries.ts';
import { useFreshness } from './use-freshness.ts';

const REPORT = {
  vid: 3,
  fid: 1,
  path: 'group/method',
  rev: 1,
  revs: 1,
  key: 'k1',
  form: {},
  document: report([MAIN]),
} as unknown as OpenReport;

async function stateOf(of: OpenReport = REPORT): Promise<string> {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(() => useFreshness(of), { wrapper });
  await waitFor(() => expect(result.current.state).not.toBe('asking'));
  return result.current.state;
}

test.each([
  ['that is gone', 404, 'gone'],
  ['that could not be read', 500, 'unknown'],
])('a file %s is told as such', async (_name, status, state) => {
  serve({ 'GET /v1/user/file/1': () => ({ status, err_code: status === 404 ? 30093 : 30000, msg: '出错' }) });
  expect(await stateOf()).toBe(state);
});

const REFUSED = { field: '_weight', code: 'weight.kind', text: '“方法”不能使用频数权重' };
test.each([
  ['agrees with data that give the same', 'k1', [], 'same'],
  ['is out of date where they give another', 'k2', [], 'stale'],
  ['is out of date where its method would refuse them now', 'k1', [REFUSED], 'stale'],
])('a report %s', async (_name, key, fields, state) => {
  serve({
    'GET /v1/user/file/1': () => ({ fid: 1, history: [{ vid: 3, is_head: true }] }),
    'POST /algorithm/group/method': () => ({ resolved: {}, fields, seconds: 0.1, key }),
  });
  expect(await stateOf()).toBe(state);
});

test('a report of a method without data is never called one whose data are deleted', async () => {
  const { sample } = REPORT.document;
  const document = { ...REPORT.document, sample: { ...sample, file: 0, used: 0 } };
  expect(await stateOf({ ...REPORT, vid: null, fid: null, document })).toBe('same');
});
