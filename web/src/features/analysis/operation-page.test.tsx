import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { useToasts } from '../../lib/toast.ts';
import { open, serve } from '../../report/testing/server.tsx';
import { OperationPage } from './operation-page.tsx';

vi.setConfig({ testTimeout: 30_000 });

test('a report that has no result yet is shown where its progress is, not called lost', async () => {
  serve({
    'GET /v1/user/file/versions/3': () => ({ vid: 3, fid: 1, rows: 10, columns: [], active: {} }),
    'GET /algorithm/supervised_learning/classifier/random_forest': () => ({ declaration: {}, help: {}, oracle: {} }),
  });
  open(
    '/analysis/operation/:vid',
    '/analysis/operation/3?method=supervised_learning/classifier/random_forest&project_id=2&report_id=17',
    <OperationPage />,
  );
  await waitFor(() =>
    expect(screen.getByTestId('where').textContent).toBe('/analysis/result/3?project_id=2&report_id=17'),
  );
  expect(useToasts.getState().current).toBeNull();
});
