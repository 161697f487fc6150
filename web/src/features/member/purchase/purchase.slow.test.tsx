/** The cashier's rules: one order after a pause, older answers dropped, expiry, coupon at six characters, total 0 by a click. */
import type { Package } from '@hengxi/server/membership/schema';
import type { OrderMade, PaymentState } from '@hengxi/server/orders/schema';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { ApiError } from '../../../lib/api.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { siteQuery } from '../../../lib/site.ts';
import * as calls from '../queries.ts';
import { PaidPanel } from './paid-panel.tsx';
import { PurchasePanel } from './purchase-panel.tsx';

vi.mock(import('../queries.ts'), async (original) => ({
  ...(await original()),
  makeOrder: vi.fn<typeof calls.makeOrder>(),
  couponAmount: vi.fn<typeof calls.couponAmount>(),
  paymentState: vi.fn<typeof calls.paymentState>(),
}));

const plan = (id: number, more: Partial<Package>): Package => ({
  id,
  kind: 'vip',
  title: `套餐${id}`,
  description: '',
  fee: 3900,
  discount: 0,
  discount_enabled: false,
  discount_rate: 100,
  discount_description: '',
  discount_from: null,
  discount_to: null,
  discount_on: false,
  price: 3900,
  valid_vip_days: 30,
  lifetime: false,
  points: null,
  per_user_limit: null,
  ...more,
});
const MONTH = plan(1, {});
const YEAR = plan(2, {
  fee: 39_900,
  discount: 5000,
  discount_enabled: true,
  discount_rate: 80,
  discount_on: true,
  price: 27_920,
  valid_vip_days: 365,
});
const LIFE = plan(24, { fee: 89_900, price: 89_900, valid_vip_days: null, lifetime: true });

const PAID: PaymentState = {
  state: 'paid',
  subscription: { id: 2, title: '套餐2', calculate_type: 1 },
  paid: { vip: { invalid_at: '2027-11-21T00:00:00Z', lifetime: false }, user_ai_point: 0, group_qr: null },
};

let made = 0;
const order = (total_fee: number): OrderMade => {
  made += 1;
  return {
    qrcode: 'data:image/png;base64,AA==',
    code_url: `https://pay.example/${made}`,
    timeout: 300,
    price: total_fee,
    coupon: 0,
    total_fee,
    order: { order_no: `HX${String(made).padStart(22, '0')}`, state: 'created' },
  };
};

const onPaid = vi.fn<(state: PaymentState) => void>();

function show(first: number) {
  queryClient.clear();
  const methods = [
    { qr: 1 as const, title: '微信或支付宝' },
    { qr: 2 as const, title: '微信' },
  ];
  queryClient.setQueryData(calls.methodsQuery.queryKey, { methods, sandbox: false });
  return render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <PurchasePanel packages={[MONTH, YEAR, LIFE]} buy={1} first={first} onPaid={onPaid} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const asked = () => vi.mocked(calls.makeOrder).mock.calls.map(([body]) => body);

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T04:00:00Z') });
  vi.mocked(calls.makeOrder).mockImplementation(async ({ subscription_id }) =>
    order(subscription_id === 2 ? 27_920 : 3900),
  );
  vi.mocked(calls.paymentState).mockResolvedValue({ ...PAID, state: 'created', paid: null });
});
afterEach(() => {
  vi.useRealTimers();
  vi.resetAllMocks();
});

describe('the cashier', () => {
  test('makes one order after a pause, and a new one for every change', async () => {
    show(2);
    expect(asked()).toEqual([]);
    await wait(399);
    expect(asked()).toEqual([]);
    await wait(1);
    expect(asked()).toEqual([{ subscription_id: 2, quantity: 1, coupon_code: null, qr: 1 }]);
    expect(screen.getByAltText('支付二维码')).toBeTruthy();
    expect(screen.getByText('有效期至 2027-11-21')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: '增加' }));
    fireEvent.click(screen.getByRole('button', { name: '增加' }));
    // Nobody pays for what is no longer chosen.
    expect(screen.queryByAltText('支付二维码')).toBeNull();
    await wait(400);
    expect(asked().slice(1)).toEqual([{ subscription_id: 2, quantity: 3, coupon_code: null, qr: 1 }]);
  });

  test('drops the answer to an older question', async () => {
    const answers: ((made: OrderMade) => void)[] = [];
    vi.mocked(calls.makeOrder).mockImplementation(() => new Promise((resolve) => void answers.push(resolve)));
    show(2);
    await wait(400);
    fireEvent.click(screen.getByRole('radio', { name: /套餐1/ }));
    await wait(400);
    await act(async () => answers[1]?.(order(3900)));
    await act(async () => answers[0]?.(order(27_920)));
    expect(screen.getByText('39.00', { selector: 'b' })).toBeTruthy();
  });

  test('says when the picture has expired and makes a new order', async () => {
    vi.mocked(calls.makeOrder).mockImplementation(async () => ({ ...order(27_920), timeout: 65 }));
    show(2);
    await wait(400);
    expect(screen.getByText('二维码 01:05 后过期')).toBeTruthy();
    // A clock that is set back makes no picture good for longer.
    vi.setSystemTime(new Date('2026-11-21T03:00:00Z'));
    // The clock of the page beats once a second.
    await wait(66_000);
    expect(screen.getByText('二维码已过期，请刷新')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: /^刷\s?新$/ }));
    await wait(0);
    expect(asked()).toHaveLength(2);
    expect(screen.queryByText('二维码已过期，请刷新')).toBeNull();
  });

  test('asks every three seconds until it is paid, a lost answer is no end', async () => {
    show(2);
    await wait(400);
    vi.mocked(calls.paymentState).mockRejectedValueOnce(new ApiError('network', '断了', 0, 0, [], null));
    await wait(6000);
    expect(calls.paymentState).toHaveBeenCalledTimes(2);
    vi.mocked(calls.paymentState).mockResolvedValue(PAID);
    await wait(3000);
    expect(onPaid).toHaveBeenCalledWith(PAID);
    await wait(9000);
    expect(calls.paymentState).toHaveBeenCalledTimes(3);
  });

  test('a failed order clears the picture and says why', async () => {
    vi.mocked(calls.makeOrder).mockRejectedValue(
      new ApiError('refused', '支付通道繁忙，请稍后刷新', 200, 30223, [], null),
    );
    show(2);
    await wait(400);
    expect(screen.getByRole('alert').textContent).toContain('支付通道繁忙，请稍后刷新');
    expect(screen.queryByAltText('支付二维码')).toBeNull();
    await wait(6000);
    expect(calls.paymentState).not.toHaveBeenCalled();
  });

  test('quantities that are none are not ordered; a lifetime has none', async () => {
    show(2);
    fireEvent.change(screen.getByRole('spinbutton', { name: '购买数量' }), { target: { value: '1.5' } });
    expect(screen.getByText('购买数量须为 1 到 99 的整数')).toBeTruthy();
    await wait(400);
    expect(asked()).toEqual([]);
    fireEvent.click(screen.getByRole('radio', { name: /套餐24/ }));
    expect(screen.queryByRole('spinbutton')).toBeNull();
    await wait(400);
    expect(asked()).toEqual([{ subscription_id: 24, quantity: 1, coupon_code: null, qr: 1 }]);
  });
});

describe('a coupon', () => {
  const type = (text: string) =>
    fireEvent.change(screen.getByRole('textbox', { name: '优惠码' }), { target: { value: text } });

  test('is looked up at exactly six characters and goes with the order', async () => {
    vi.mocked(calls.couponAmount).mockResolvedValue(2000);
    show(2);
    type('HX202');
    await wait(400);
    expect(calls.couponAmount).not.toHaveBeenCalled();
    type('hx2026');
    await wait(0);
    expect(calls.couponAmount).toHaveBeenCalledWith('HX2026', 1, 2);
    expect(screen.getByText('已减 ¥20.00')).toBeTruthy();
    await wait(400);
    expect(asked().at(-1)).toMatchObject({ coupon_code: 'HX2026' });
  });

  test('that fails takes nothing off and is said at the field', async () => {
    vi.mocked(calls.couponAmount).mockRejectedValue(
      new ApiError('refused', '优惠码不存在或已失效', 200, 30211, [], null),
    );
    show(2);
    type('AAAAAA');
    await wait(0);
    expect(screen.getByText('优惠码不存在或已失效')).toBeTruthy();
    await wait(400);
    expect(asked().at(-1)).toMatchObject({ coupon_code: null });
  });

  test('that makes it free buys nothing until the click', async () => {
    vi.mocked(calls.couponAmount).mockResolvedValue(5000);
    show(1);
    await wait(400);
    const before = asked().length;
    type('FREE66');
    await wait(2000);
    expect(asked()).toHaveLength(before);
    const free = { ...order(0), qrcode: null, code_url: null };
    vi.mocked(calls.makeOrder).mockResolvedValue({ ...free, order: { ...free.order, state: 'paid' } });
    vi.mocked(calls.paymentState).mockResolvedValue(PAID);
    fireEvent.click(screen.getByRole('button', { name: '免费开通' }));
    await wait(10);
    expect(asked()).toHaveLength(before + 1);
    expect(onPaid).toHaveBeenCalledWith(PAID);
  });
});

describe('after the payment', () => {
  const LIFETIME: PaymentState = {
    state: 'paid',
    subscription: { id: 24, title: '长期会员', calculate_type: 2 },
    paid: { vip: { invalid_at: '2099-12-31T15:59:59Z', lifetime: true }, user_ai_point: 0, group_qr: null },
  };
  const panel = (state: PaymentState, hotline: string | null) => {
    queryClient.clear();
    const company = { name: null, address: null, hotline, mail: null, icp: null, police: null };
    const site = { sandbox: true, wechat: true, research: true, academic: true, captcha_app: null, demo: false };
    queryClient.setQueryData(siteQuery.queryKey, { ...site, embedded: true, company });
    render(
      <QueryClientProvider client={queryClient}>
        <PaidPanel state={state} act="完成" onDone={() => undefined} />
      </QueryClientProvider>,
    );
  };

  test('a lifetime member sees the seal; whom to ask stands beneath', () => {
    panel(LIFETIME, '400-000-0000');
    expect(screen.getByRole('img', { name: '长期会员' })).toBeTruthy();
    expect(screen.getByRole('link', { name: '400-000-0000' }).getAttribute('href')).toBe('tel:400-000-0000');
  });

  test('others see none; without a number there is the way that always works', () => {
    panel(PAID, null);
    expect(screen.queryByRole('img', { name: '长期会员' })).toBeNull();
    expect(screen.getByText(/意见反馈/)).toBeTruthy();
  });
});
