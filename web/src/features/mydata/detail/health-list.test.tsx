import type { Finding, Version } from '@hengxi/server/files/schema';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, expect, it } from 'vitest';

import { methodsQuery } from '../../../lib/catalogue.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { FindingList } from './health-list.tsx';

const FOUND: Finding = {
  code: 'repeated',
  state: 'care',
  title: '重复答卷',
  text: '有答卷完全相同。',
  columns: ['c2', 'c3'],
  count: 3,
  condition: 'repeated({c2}, {c3})',
  edit: null,
  trouble: 'rows',
};
const METHODS = [
  { algo_code: 'g/other', deals_with: {}, condition_field: 'no' },
  { algo_code: 'g/drop', deals_with: { rows: { way: 'drop' } }, condition_field: 'which' },
  { algo_code: 'g/fill', deals_with: { missing: {} }, condition_field: null },
];

function Place() {
  const { pathname, search, state } = useLocation();
  return <output>{JSON.stringify([pathname + search, state])}</output>;
}

function list(finding: Finding) {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- nothing but these is read
  queryClient.setQueryData(methodsQuery.queryKey, METHODS as never);
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={['/mydata/detail/7']}>
        <FindingList
          // oxlint-disable-next-line typescript/consistent-type-assertions -- nothing but these is read
          version={{ vid: 7, fid: 1 } as Version}
          findings={[finding]}
          onPick={() => undefined}
          onSelect={() => undefined}
        />
        <Place />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

const place = (): unknown => JSON.parse(screen.getByRole('status').textContent);

afterEach(() => {
  cleanup();
  queryClient.clear();
});

it('rows that should not be there lead to the method that drops them, with their condition', async () => {
  list(FOUND);
  await userEvent.click(screen.getByRole('link', { name: '怎么处理 →' }));
  const form = { way: 'drop', which: 'repeated({c2}, {c3})' };
  expect(place()).toEqual(['/dataprocessing/dispose/7?method=g/drop', { form }]);
});

it('gaps lead to the method that fills them, with their variables', async () => {
  list({ ...FOUND, trouble: 'missing', columns: ['c5'], condition: 'missing({c5})' });
  await userEvent.click(screen.getByRole('link', { name: '怎么处理 →' }));
  expect(place()).toEqual(['/dataprocessing/dispose/7?method=g/fill&columns=c5', null]);
});

it('what no method deals with offers no way', () => {
  list({ ...FOUND, trouble: 'levels' });
  expect(screen.queryByRole('link', { name: '怎么处理 →' })).toBeNull();
});
