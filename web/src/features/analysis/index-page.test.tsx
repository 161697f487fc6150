import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { toast } from '../../lib/toast.ts';
import { open, serve } from '../../report/testing/server.tsx';
import { AnalysisIndexPage } from './index-page.tsx';

const FILE = { vid: 4, fid: 2, name: '新数据', rows: 10, columns: 3 };

test('where the address names data that is gone, the page says with which it goes on', async () => {
  const warn = vi.spyOn(toast, 'warn').mockReturnValue();
  serve({
    'GET /v1/user/file/versions/4': () => ({
      ...FILE,
      columns: [],
      sets: [],
      active: { filter: null, weight: null, split: null },
      number: 1,
    }),
    'GET /v1/user/file': () => ({ total: 1, list: [FILE] }),
    'GET /algorithm/v2/list': () => [],
    'POST /v1/analysis/recommend': () => [],
  });
  open('/analysis/index', '/analysis/index?vid=9', <AnalysisIndexPage />);
  await waitFor(() => expect(screen.getByTestId('where').textContent).toBe('/analysis/index?vid=4'));
  expect(warn.mock.calls).toContainEqual(['链接里的数据已删除或不存在，已换成“新数据”', { ms: 8000 }]);
  warn.mockRestore();
});
