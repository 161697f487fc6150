import type { Order } from '@hengxi/server/orders/schema';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';

import { ApiError, api } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';
import { PayPage } from './pay-page.tsx';

afterEach(() => {
  vi.restoreAllMocks();
  queryClient.clear();
});

const no = `HX20261122${'1'.repeat(14)}`;
const open = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[`/member/pay?order_no=${no}`]}>
        <PayPage />
      </MemoryRouter>
    </QueryClientProvider>,
  );
const told = (more: Partial<Order>) => {
  const can = { pay: false, close: false, invoice: false, refund: false };
  const order: Partial<Order> = {
    order_no: no,
    method: 1,
    subscription: { id: 21, title: '月度会员', calculate_type: 1 },
    can,
  };
  return vi.spyOn(api, 'get').mockResolvedValue({ ...order, ...more });
};

test.each([
  ['paid', '订单已支付'],
  ['refunded', '订单已支付'],
  ['closed', '订单已关闭'],
  // Its time is over; it closes by itself in a moment.
  ['created', '订单已关闭'],
] as const)('an order that is %s is not to be paid, and says so', async (state, title) => {
  const asked = told({ state });
  open();
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
  expect(asked.mock.calls.map(([path]) => path)).toEqual([`/v1/user/orders/${no}`]);
});

test('an order of somebody else looks like none', async () => {
  vi.spyOn(api, 'get').mockRejectedValue(new ApiError({} as never, '未找到该资源', 404, 30093, [], null));
  open();
  expect(await screen.findByRole('heading', { name: '没有找到这个订单' })).toBeTruthy();
});
