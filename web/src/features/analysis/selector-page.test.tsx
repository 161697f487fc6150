import type { MethodRow, Selector } from '@hengxi/server/analysis/schema';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router';
import { expect, test } from 'vitest';

import { SURVEY } from '../../fields/testing/harness.tsx';
import { findableFilesQuery, methodsQuery, versionQuery } from '../../lib/catalogue.ts';
import { selectorsQuery } from './queries.ts';
import { SelectorPage } from './selector-page.tsx';

const role = (measure: string, min: number, key: string) => ({
  key,
  title: key,
  measure,
  min,
  max: min,
  levels: null,
  accepts: [],
});

const METHODS = [
  { title: '单样本检验', algo_code: 'made_up/single', roles: [role('定量', 1, '变量')] },
  { title: '多样本检验', algo_code: 'made_up/many', roles: [role('定量', 90, '变量')] },
].map((method) => ({
  ...method,
  purpose: '',
  needs: '',
  takes_data: true,
  needs_data: true,
})) as unknown as MethodRow[];

const SELECTOR: Selector = {
  key: 'difference',
  title: '差异性分析',
  question: '要比较什么？',
  groups: [
    {
      key: 'one',
      title: '单样本',
      hint: '与给定的值比',
      question: '分布怎样？',
      methods: [
        { path: 'made_up/single', when: '大致正态' },
        { path: 'made_up/many', when: '明显偏态' },
        { path: 'made_up/absent', when: '没有上线' },
      ],
    },
  ],
};

function Where() {
  const { pathname, search } = useLocation();
  return <p data-testid="where">{pathname + search}</p>;
}

function show(address: string) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  client.setQueryData(selectorsQuery.queryKey, [SELECTOR]);
  client.setQueryData(methodsQuery.queryKey, METHODS);
  client.setQueryData(findableFilesQuery.queryKey, { total: 0, list: [] });
  client.setQueryData(versionQuery(7).queryKey, { vid: 7, name: '问卷', columns: SURVEY } as never);
  const router = createMemoryRouter(
    [
      { path: '/analysis/selector/:key', element: <SelectorPage /> },
      { path: '*', element: <Where /> },
    ],
    { initialEntries: [address] },
  );
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

const NUMBER = SURVEY.find(({ measure }) => measure === '定量')?.id ?? '';

test('two questions lead to a method with the chosen variables placed', async () => {
  const user = show(`/analysis/selector/difference?vid=7&columns=${NUMBER}`);
  expect(screen.queryByRole('heading', { name: /分布怎样/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: /单样本/ }));
  screen.getByRole('heading', { name: /分布怎样/ });
  const [first, second, ...more] = screen.getAllByRole('listitem');
  expect(more).toEqual([]);
  expect(first?.textContent).toMatch(/大致正态单样本检验所选变量正好可用/);
  expect(second?.textContent).toMatch(/这份数据还不能用：要 90 个以上/);
  expect(within(second as HTMLElement).getByRole('button', { name: '用它开始' })).toHaveProperty('disabled', true);
  await user.click(within(first as HTMLElement).getByRole('button', { name: '用它开始' }));
  expect(screen.getByTestId('where').textContent).toBe(`/analysis/operation/7?method=made_up/single&columns=${NUMBER}`);
});

test('an address of no selector says so and leads back', async () => {
  const user = show('/analysis/selector/nothing?vid=7');
  screen.getByText('没有这个页面');
  await user.click(screen.getByRole('button', { name: '回到选方法' }));
  expect(screen.getByTestId('where').textContent).toBe('/analysis/index?vid=7');
});
