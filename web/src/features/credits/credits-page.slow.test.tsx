import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';

import { POINTS_USE } from '../../lib/points-note.ts';
import { usePrompts } from '../../lib/prompts.ts';
import { useSession } from '../../lib/session.ts';
import { SIGNED_IN } from '../../lib/sign-in.ts';
import { useToasts } from '../../lib/toast.ts';
import { CreditsPage } from './credits-page.tsx';
import { account, granted, item, leave, order, quest, visit } from './testing/world.tsx';
import { balanceNotes } from './words.ts';

vi.setConfig({ testTimeout: 30_000 });
afterEach(leave);

const toastText = () => useToasts.getState().current?.text;

test('the balance says what waits and what goes within a month, and leaves out what is nothing', () => {
  const now = Date.parse('2026-12-10T00:00:00Z');
  const end = '2026-12-31T16:00:00Z';
  const later = '2027-02-28T16:00:00Z';
  expect(balanceNotes({ ...account, pending: 50, expiring: [{ amount: 40, at: end }] }, now)).toEqual([
    '待到账 50',
    '30 天内到期 40（12 月 31 日）',
  ]);
  expect(balanceNotes({ ...account, expiring: [{ amount: 40, at: later }] }, now)).toEqual([]);
});

test('a visitor reads rules and shelf, and signs in without leaving', async () => {
  const user = userEvent.setup();
  const { calls } = visit(<CreditsPage />, '/credits', null, {
    'GET /v1/mall/items': () => ({ total: 1, list: [{ ...item, can_buy: false, reason: '登录后可兑换' }] }),
  });
  expect(screen.getByRole('heading', { name: '积分规则' })).toBeTruthy();
  await user.click(await screen.findByRole('button', { name: '登录后兑换AI 点数 10 点' }));
  expect(usePrompts.getState()).toMatchObject({ login: true, source: 'reward-square' });
  expect(calls('GET /v1/credits-center/account')).toEqual([]);
  // The sign-in tells of itself by an event; the page shows the account in its place.
  act(() => {
    useSession.setState({ token: 'a.b.c', user: { id: 7, identity: 1, phone: '1', vip: {} } as never });
    dispatchEvent(new CustomEvent(SIGNED_IN, { detail: { source: 'reward-square' } }));
  });
  expect(await screen.findByText('320')).toBeTruthy();
});

test('an enterprise is told where credits are, asks for none, and can change over in place', async () => {
  const user = userEvent.setup();
  const { asked } = visit(
    <CreditsPage />,
    '/credits',
    { identity: 2 },
    {
      'GET /v1/user/identity': () => ({ identity: 2, pri: { platform: 'pri', token: 'x.y.z' }, co: null, tokens: [] }),
    },
  );
  expect(await screen.findByText('企业版不参与积分活动，可切换到个人版查看')).toBeTruthy();
  expect(asked.filter(({ path }) => /credits|quest|mall/.test(path))).toEqual([]);
  await user.click(screen.getByRole('button', { name: '切换到个人版' }));
  await waitFor(() => expect(useSession.getState().token).toBe('x.y.z'));
});

test('tasks say how far one is, lead there, and a reward is claimed once', async () => {
  const user = userEvent.setup();
  let state = 1;
  const { calls } = visit(
    <CreditsPage />,
    '/credits',
    {},
    {
      'GET /v1/quests': () => [
        quest,
        { ...quest, id: 2, title: '上传第一份数据', state, progress: 3, record_id: 12 },
        { ...quest, id: 3, title: '每周三种方法', state: 3, record_id: 13, held_reason: '同一设备新账号过多' },
        { ...quest, id: 4, title: '邀请一人', state: 4, record_id: 14, held_reason: '不是新用户' },
      ],
      'PUT /v1/quest-record/12/accept-bonus': () => {
        state = 2;
        return { amount: 20, total_amount: 340, already: false };
      },
    },
  );
  const row = async (title: string) => {
    const found = (await screen.findByRole('heading', { name: new RegExp(title) })).closest('li');
    if (!found) throw new Error(title);
    return within(found);
  };
  expect((await row('首次分析')).getByText('2/3')).toBeTruthy();
  expect((await row('首次分析')).getByRole('link', { name: '去完成：首次分析' }).getAttribute('href')).toBe(
    '/analysis/index',
  );
  expect((await row('每周三种方法')).getByText(/审核中：同一设备新账号过多/)).toBeTruthy();
  expect((await row('邀请一人')).getByText(/已作废：不是新用户/)).toBeTruthy();
  await user.click((await row('上传第一份数据')).getByRole('button', { name: /领取 20 积分/ }));
  expect(await screen.findByText('已领取 20 积分')).toBeTruthy();
  expect(toastText()).toBe('已领取 20 积分');
  expect(calls('PUT /v1/quest-record/12/accept-bonus')).toHaveLength(1);
});

test('what is held can be appealed against, and its state stands there afterwards', async () => {
  const user = userEvent.setup();
  const appeals: unknown[] = [];
  const { calls } = visit(
    <CreditsPage />,
    '/credits',
    {},
    {
      'GET /v1/quests': () => [{ ...quest, state: 3, record_id: 13, held_reason: '异常' }],
      'GET /v1/credits-center/appeals': () => ({ list: appeals }),
      'POST /v1/credits-center/appeals': () => {
        appeals.push({ id: 1, record_id: 13, text: '', state: 'open', reply: null, created_at: '', decided_at: null });
        return appeals[0];
      },
    },
  );
  await user.click(await screen.findByRole('button', { name: /^申 ?诉$/ }));
  const dialog = await screen.findByRole('dialog', { name: '申诉' });
  await user.click(within(dialog).getByRole('button', { name: '提交申诉' }));
  expect(within(dialog).getByText('请填写申诉内容')).toBeTruthy();
  await user.type(within(dialog).getByLabelText('申诉内容'), '本人操作');
  await user.click(within(dialog).getByRole('button', { name: '提交申诉' }));
  expect(await screen.findByText('申诉处理中')).toBeTruthy();
  expect(calls('POST /v1/credits-center/appeals')[0]?.body).toEqual({ record_id: 13, text: '本人操作' });
});

test('a held account says why; without a phone the way to bind one is there', async () => {
  visit(
    <CreditsPage />,
    '/credits',
    { phone: null },
    {
      'GET /v1/credits-center/account': () => ({ ...account, held_reason: '正在核对' }),
    },
  );
  expect(await screen.findByText('账户暂停使用积分：正在核对')).toBeTruthy();
  expect(screen.getByRole('button', { name: '绑定手机号' })).toBeTruthy();
  expect(await screen.findByText('现在没有任务')).toBeTruthy();
});

test('the shelf says price, true stock and why not', async () => {
  visit(
    <CreditsPage />,
    '/credits?tab=mall',
    {},
    {
      'GET /v1/mall/items': () => ({
        total: 2,
        list: [
          { ...item, stock_left: 12, per_user_limit: 1, limit_period: 'month' },
          { ...item, id: 6, title: '会员 30 天', can_buy: false, reason: '积分不足，还差 60' },
        ],
      }),
    },
  );
  expect(await screen.findByText('每月限兑 1 件 · 剩 12 件')).toBeTruthy();
  expect(screen.getByText('积分不足，还差 60')).toBeTruthy();
  // What cannot be used yet is not offered as if it could.
  expect(screen.getAllByText(new RegExp(POINTS_USE))).toHaveLength(2);
  expect(screen.getAllByRole('button', { name: /^兑换/ })).toHaveLength(1);
});

test('an empty shelf says so', async () => {
  visit(<CreditsPage />, '/credits?tab=mall', {});
  expect(await screen.findByText('商城里现在没有可兑换的东西')).toBeTruthy();
});

test('movements stand with sign, balance and end; the filter goes into the address and asks anew', async () => {
  const user = userEvent.setup();
  const change = { id: 1, created_at: '2026-11-22T01:00:00Z', ref: '', kind: 'quest', title: '首次分析' };
  const { calls } = visit(
    <CreditsPage />,
    '/credits?tab=changes',
    {},
    {
      'GET /v1/credits-center/account/change-detail': ({ query }) =>
        query.get('kind') === 'used'
          ? { total: 0, list: [] }
          : { total: 1, list: [{ ...change, amount: 20, balance_after: 20, expires_at: '2028-11-30T16:00:00Z' }] },
    },
  );
  const line = (await screen.findByRole('cell', { name: '首次分析' })).closest('tr');
  expect([...(line?.children ?? [])].slice(1).map((cell) => cell.textContent)).toEqual([
    '首次分析',
    '任务奖励',
    '+20',
    '20',
    '2028-11-30',
  ]);
  await user.click(screen.getByText('使用'));
  expect(await screen.findByText('没有这一类记录')).toBeTruthy();
  expect(calls('GET /v1/credits-center/account/change-detail').at(-1)?.query.get('kind')).toBe('used');
});

test('an account without movements is told how the first comes about', async () => {
  visit(<CreditsPage />, '/credits?tab=changes', {});
  expect(await screen.findByText('还没有积分记录，完成一次分析即可获得第一笔')).toBeTruthy();
});

test('an exchange is given back after a question, and one that cannot be says why', async () => {
  const user = userEvent.setup();
  const { calls } = visit(
    <CreditsPage />,
    '/credits?tab=orders',
    {},
    {
      'GET /v1/mall/orders': () => ({
        total: 2,
        list: [
          order,
          {
            ...order,
            order_no: 'JF2',
            title: '优惠码',
            granted: { ...granted, kind: 'coupon', value: 500, codes: ['K7M2PQ'] },
            can_refund: false,
            refund_reason: '优惠码已使用',
          },
        ],
      }),
      'POST /v1/mall/orders/JF20261122000001/refund': () => ({
        order_no: order.order_no,
        state: 'refunded',
        amount: 50,
        total_amount: 370,
      }),
    },
  );
  expect(await screen.findByText('不能自行退回：优惠码已使用')).toBeTruthy();
  expect(screen.getByText('K7M2PQ')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: '申请退回AI 点数 10 点' }));
  const dialog = await screen.findByRole('dialog', { name: '申请退回' });
  expect(dialog.textContent).toContain('50 积分回到账户');
  await user.click(within(dialog).getByRole('button', { name: /^退 ?回$/ }));
  await waitFor(() => expect(toastText()).toBe('已退回 50 积分'));
  expect(calls('POST /v1/mall/orders/JF20261122000001/refund')).toHaveLength(1);
});

test('what does not come can be asked for again', async () => {
  const user = userEvent.setup();
  let fails = true;
  visit(
    <CreditsPage />,
    '/credits?tab=orders',
    {},
    {
      'GET /v1/mall/orders': () =>
        fails ? { status: 500, err_code: 30099, msg: '服务器端出错' } : { total: 0, list: [] },
    },
  );
  const retry = await screen.findByRole('button', { name: /重 ?试/ });
  fails = false;
  await user.click(retry);
  expect(await screen.findByText('还没有兑换')).toBeTruthy();
});
