import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';

import { usePrompts } from '../../lib/prompts.ts';
import { useToasts } from '../../lib/toast.ts';
import { PurchaseDialog, termText } from './purchase-dialog.tsx';
import { granted, item, leave, visit } from './testing/world.tsx';
import { UnlockDialog } from './unlock-dialog.tsx';

vi.setConfig({ testTimeout: 30_000 });
afterEach(leave);

const done = { order_no: 'JF1', state: 'done', total_amount: 270, granted };
const unlock = {
  ...item,
  grant_kind: 'algorithm' as const,
  title: '解锁一个方法 7 天',
  grant_value: 7,
  price_credits: 60,
};

test('from when until when: days of membership follow those there are', () => {
  const now = Date.parse('2026-11-22T04:00:00Z');
  const days = { ...item, grant_kind: 'vip_days' as const, grant_value: 3 };
  expect(termText(days, 2, null, now)).toBe('2026-11-22 至 2026-11-28');
  expect(termText(days, 1, '2026-12-01T00:00:00Z', now)).toBe('2026-12-01 至 2026-12-04');
  expect(termText(days, 1, '2026-01-01T00:00:00Z', now)).toBe('2026-11-22 至 2026-11-25');
  expect(termText({ ...item, grant_kind: 'coupon', valid_days: 30 }, 1, null, now)).toBe('2026-11-22 至 2026-12-22');
  expect(termText(item, 1, null, now)).toBe('长期有效');
});

test('a purchase says what is left, sends the price that was shown, and a lost answer is asked for under its number', async () => {
  const user = userEvent.setup();
  let tries = 0;
  const { calls } = visit(
    <PurchaseDialog item={{ ...item, quantity_max: 5 }} onClose={() => undefined} />,
    '/credits',
    {},
    {
      'POST /v1/mall/purchase': () => {
        tries += 1;
        return tries === 1 ? { status: 502, err_code: 30099, msg: '网络错误' } : done;
      },
    },
  );
  const dialog = await screen.findByRole('dialog', { name: '确认兑换' });
  expect(await within(dialog).findByText('270 积分')).toBeTruthy();
  const buttons = within(dialog)
    .getAllByRole('button')
    .filter((one) => /取 ?消|确认兑换/.test(one.textContent ?? ''));
  // Refusing is as easy as agreeing.
  expect(buttons).toHaveLength(2);
  expect(buttons[0]?.className).toBe(buttons[1]?.className);
  const quantity = within(dialog).getByLabelText('数量');
  await user.clear(quantity);
  await user.type(quantity, '2');
  expect(await within(dialog).findByText('220 积分')).toBeTruthy();
  await user.click(within(dialog).getByRole('button', { name: '确认兑换' }));
  expect(await within(dialog).findByRole('alert')).toBeTruthy();
  await user.click(within(dialog).getByRole('button', { name: '确认兑换' }));
  expect(await screen.findByText(/余额 270 积分/)).toBeTruthy();
  const [first, second] = calls('POST /v1/mall/purchase').map(({ body }) => body as Record<string, unknown>);
  expect(first).toMatchObject({ item_id: 5, quantity: 2, expect_credits: 50 });
  expect(second?.['request_id']).toBe(first?.['request_id']);
});

test('a refusal is said in the dialog, and the next try is another purchase', async () => {
  const user = userEvent.setup();
  const { calls } = visit(
    <PurchaseDialog item={item} onClose={() => undefined} />,
    '/credits',
    {},
    {
      'POST /v1/mall/purchase': () => ({ status: 200, err_code: 31102, msg: '已兑完' }),
    },
  );
  const confirm = await screen.findByRole<HTMLButtonElement>('button', { name: '确认兑换' });
  await waitFor(() => expect(confirm.disabled).toBe(false));
  await user.click(confirm);
  expect(await screen.findByText('已兑完')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: '确认兑换' }));
  await waitFor(() => expect(calls('POST /v1/mall/purchase')).toHaveLength(2));
  const [first, second] = calls('POST /v1/mall/purchase').map(({ body }) => body as Record<string, unknown>);
  expect(second?.['request_id']).not.toBe(first?.['request_id']);
  expect(useToasts.getState().current).toBeNull();
});

test('too few credits: said, and not to be sent', async () => {
  visit(<PurchaseDialog item={{ ...item, price_credits: 400 }} onClose={() => undefined} />, '/credits', {});
  expect(await screen.findByText('积分不足，还差 80')).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '确认兑换' }).disabled).toBe(true);
});

test('an unlock from the shelf is for one of the members methods', async () => {
  const user = userEvent.setup();
  const { calls } = visit(
    <PurchaseDialog item={unlock} onClose={() => undefined} />,
    '/credits',
    {},
    {
      'GET /algorithm/v2/list': () => [
        { algo_code: 'a/free', title: '频数', tier: 'standard' },
        { algo_code: 'a/paid', title: '分布拟合', tier: 'member' },
      ],
      'POST /v1/mall/purchase': () => done,
    },
  );
  const confirm = await screen.findByRole<HTMLButtonElement>('button', { name: '确认兑换' });
  expect(confirm.disabled).toBe(true);
  await user.click(screen.getByLabelText('方法'));
  await user.click(await screen.findByTitle('分布拟合'));
  expect(screen.queryByTitle('频数')).toBeNull();
  await user.click(screen.getByRole('button', { name: '确认兑换' }));
  await waitFor(() =>
    expect(calls('POST /v1/mall/purchase')[0]?.body).toMatchObject({ method: 'a/paid', quantity: 1 }),
  );
});

const METHOD = { path: 'a/paid', title: '分布拟合' };

test('the unlock of the method on the screen: both terms, what it does not lift, equal buttons', async () => {
  const user = userEvent.setup();
  const { calls } = visit(
    <UnlockDialog method={METHOD} />,
    '/',
    {},
    {
      'GET /v1/mall/items': () => ({
        total: 3,
        list: [item, unlock, { ...unlock, id: 8, grant_value: 30, price_credits: 200 }],
      }),
      'POST /v1/mall/purchase': () => ({
        ...done,
        granted: { ...granted, kind: 'algorithm', until: '2026-12-22T04:00:00Z', method: METHOD },
      }),
    },
  );
  const dialog = await screen.findByRole('dialog', { name: '解锁当前算法' });
  expect(await within(dialog).findAllByRole('radio')).toHaveLength(2);
  expect(within(dialog).getByText(/仅解锁方法，行数与每日次数仍按标准版/)).toBeTruthy();
  const refuse = within(dialog).getByRole('button', { name: '暂不需要' });
  const agree = within(dialog).getByRole('button', { name: '确认兑换' });
  expect(refuse.className).toBe(agree.className);
  await user.click(within(dialog).getAllByRole('radio')[1] as HTMLElement);
  expect(await within(dialog).findByText(/可用积分 320，兑换后 120/)).toBeTruthy();
  await user.click(agree);
  await waitFor(() => expect(useToasts.getState().current?.text).toBe('已解锁，至 2026-12-22'));
  expect(calls('POST /v1/mall/purchase')[0]?.body).toMatchObject({ item_id: 8, expect_credits: 200, method: 'a/paid' });
});

test('no unlock on the shelf is said plainly; membership stays one plain link away', async () => {
  const user = userEvent.setup();
  visit(<UnlockDialog method={METHOD} />, '/', {});
  expect(await screen.findByText('商城里现在没有方法解锁可以兑换。')).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '确认兑换' }).disabled).toBe(true);
  await user.click(screen.getByRole('button', { name: '会员可使用全部高级方法' }));
  expect(usePrompts.getState().purchase).toEqual({ buy: 1, package: null });
});
