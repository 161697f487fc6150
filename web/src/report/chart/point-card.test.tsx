import { render, screen } from '@testing-library/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { expect, test, vi } from 'vitest';

import { type CaseActions, ReportContext, useReport } from '../context.ts';
import { PointCard } from './point-card.tsx';

const MARK = { tip: ['序号 12', '均值 74.01', '准则 1：1 点超出控制限'], cases: [56, 57, 58] };

function Around({ cases, children }: { cases: CaseActions | undefined; children: ReactNode }) {
  const report = useReport();
  return <ReportContext value={{ ...report, cases }}>{children}</ReportContext>;
}

function shown(cases: CaseActions | undefined) {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MemoryRouter>
        <Around cases={cases}>
          <PointCard mark={MARK} onClose={() => undefined} />
        </Around>
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

test('a point shows the rows behind it with their cells, and leads to them in the data', async () => {
  const read = vi.fn<CaseActions['read']>(async () => ({
    columns: [
      { id: 'c1', name: 'd', label: '直径', levels: null },
      { id: 'c2', name: 'shift', label: null, levels: [{ value: 1, label: '早班' }] },
    ],
    rows: [
      [74.012, 1],
      [null, 1],
      [73.994, 2],
    ],
    index: [55, 56, 57],
  }));
  shown({ key: '1/1/1', read, address: (rows) => `/data?rows=${rows.join('-')}` });
  expect(screen.getByText('准则 1：1 点超出控制限')).toBeTruthy();
  expect(await screen.findByText('74.012')).toBeTruthy();
  expect(read.mock.calls[0]?.[0]).toEqual([56, 57, 58]);
  expect(screen.getAllByRole('row').map((row) => row.textContent)).toEqual([
    '行直径shift',
    '5674.012早班',
    '57缺失早班',
    '5873.9942',
  ]);
  expect(screen.getByRole('link', { name: '在数据中查看' }).getAttribute('href')).toBe('/data?rows=56-57-58');
});

test('where rows are not to be seen the point is told alone', () => {
  shown(undefined);
  expect(screen.getByText('均值 74.01')).toBeTruthy();
  expect(screen.queryByText(/行/)).toBeNull();
  expect(screen.queryByRole('link')).toBeNull();
});
