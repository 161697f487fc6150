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
  subject: ['c2', 'c3'],
};
const METHODS = [
  { algo_code: 'g/other', deals_with: {}, condition_field: 'no' },
  { algo_code: 'g/drop', deals_with: { rows: { way: 'drop' } }, condition_field: 'which' },
  { algo_code: 'g/fill', deals_with: { missing: { by: 'middle' } }, condition_field: null },
];

function Place() {
  const { pathname, search, state } = useLocation();
  return <output>{JSON.stringify([pathname + search, state])}</output>;
}

function list(...findings: Finding[]) {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- nothing but these is read
  queryClient.setQueryData(methodsQuery.queryKey, METHODS as never);
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={['/mydata/detail/7']}>
        <FindingList
          // oxlint-disable-next-line typescript/consistent-type-assertions -- nothing but these is read
          version={{ vid: 7, fid: 1 } as Version}
          findings={findings}
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
  await userEvent.click(screen.getByRole('link', { name: /^处理/ }));
  const form = { way: 'drop', which: 'repeated({c2}, {c3})' };
  expect(place()).toEqual(['/dataprocessing/dispose/7?method=g/drop', { form }]);
});

it('gaps lead to the method that fills them, with their variables', async () => {
  list({ ...FOUND, trouble: 'missing', columns: ['c5'], subject: ['c5'], condition: 'missing({c5})' });
  await userEvent.click(screen.getByRole('link', { name: /^处理/ }));
  expect(place()).toEqual(['/dataprocessing/dispose/7?method=g/fill&columns=c5', { form: { by: 'middle' } }]);
});

it('gaps of several variables are filled in one step', async () => {
  const gap = (id: string): Finding => ({
    ...FOUND,
    code: 'missing',
    title: id,
    trouble: 'missing',
    columns: [id],
    subject: [id],
  });
  list(gap('c5'), FOUND, gap('c7'), gap('c9'));
  expect(screen.getAllByRole('link')).toHaveLength(5);
  await userEvent.click(screen.getByRole('link', { name: '一起处理 3 个变量…' }));
  expect(place()).toEqual(['/dataprocessing/dispose/7?method=g/fill&columns=c5,c7,c9', { form: { by: 'middle' } }]);
});

it('what no method deals with offers no way', () => {
  list({ ...FOUND, trouble: 'levels' });
  expect(screen.queryByRole('link', { name: /^处理/ })).toBeNull();
});
