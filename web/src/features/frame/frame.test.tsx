import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { type SessionUser, useSession } from '../../lib/session.ts';
import { queryClient } from '../../lib/query-client.ts';
import { serve } from '../../report/testing/server.tsx';
import { editionItems } from './avatar-menu.tsx';
import { Bell } from './bell.tsx';
import { DrawingTip } from './drawing-tip.tsx';
import { Notices } from './notices.tsx';
import { Carousel } from './promotions.tsx';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  localStorage.clear();
});

const base = {
  identity: 1,
  vip: { invalid_at: null, lifetime: false },
  enterprise: [],
  is_enterprise_admin: false,
  user_ai_point: 1200,
  total_amount: 5,
} as unknown as SessionUser;
const ways = { go: () => undefined, purchase: () => undefined, unlock: null };
const labels = (me: Partial<SessionUser>, unlock: (() => void) | null = null) =>
  editionItems({ ...base, ...me }, { ...ways, unlock }).map((item) =>
    item && 'label' in item && typeof item.label === 'string' ? item.label : '',
  );

describe('the account menu', () => {
  it('offers each identity what is its own', () => {
    expect(labels({})).toEqual(['开通会员', 'AI 点数 1,200', '积分 5']);
    expect(labels({ identity: 3, vip: { invalid_at: '2027-01-02T00:00:00Z', lifetime: false } })[0]).toMatch(
      /会员 2027.* 到期/,
    );
    expect(labels({ identity: 3, vip: { invalid_at: '2099-12-31T15:59:59Z', lifetime: true } })[0]).toBe('会员');
    expect(labels({ identity: 2 }, () => undefined)).toEqual([]);
    expect(labels({ identity: 2, is_enterprise_admin: true, enterprise: [{ id: 7, name: '甲' }] })).toEqual([
      '企业管理',
    ]);
  });

  it('offers an unlock only where a method is locked', () => {
    expect(labels({}, () => undefined).at(-1)).toBe('解锁算法');
    expect(labels({}).includes('解锁算法')).toBe(false);
  });
});

describe('broadcasts', () => {
  const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

  it('change every two seconds and stand still under the pointer and with the focus', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('matchMedia', () => ({ matches: false }));
    render(<Carousel sentences={['甲', '乙']} />);
    const shown = () => screen.getByRole('button').textContent;
    expect(shown()).toBe('甲');
    await wait(2000);
    expect(shown()).toBe('乙');
    act(() => screen.getByRole('button').focus());
    await wait(10_000);
    expect(shown()).toBe('乙');
    act(() => screen.getByRole('button').blur());
    await wait(2000);
    expect(shown()).toBe('甲');
  });

  it('never move by themselves where motion is not wanted', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('matchMedia', () => ({ matches: true }));
    render(<Carousel sentences={['甲', '乙']} />);
    await wait(10_000);
    expect(screen.getByRole('button').textContent).toBe('甲');
  });
});

describe('the bell of work screens', () => {
  it('shows what is announced when it is opened, and is then read', async () => {
    serve({
      'GET /v1/campaign/broadcasts': () => ['周六凌晨维护', '新方法上线'],
      'GET /v1/ads/banner': () => null,
    });
    render(
      <QueryClientProvider client={queryClient}>
        <Bell />
      </QueryClientProvider>,
    );
    fireEvent.click(await screen.findByRole('button', { name: '通知，2 条，有未读' }));
    expect((await screen.findAllByRole('listitem')).map((item) => item.textContent)).toEqual([
      '周六凌晨维护',
      '新方法上线',
    ]);
    expect(screen.getByRole('button', { name: '通知，2 条' }).getAttribute('aria-expanded')).toBe('true');
  });
});

describe('the drawing tip', () => {
  it('is shown once: closed, it never comes back', () => {
    const first = render(<DrawingTip />);
    act(() => screen.getByRole('button', { name: '不再提示' }).click());
    expect(screen.queryByText('可视化绘图已上线')).toBeNull();
    first.unmount();
    render(<DrawingTip />);
    expect(screen.queryByText('可视化绘图已上线')).toBeNull();
    expect(localStorage.getItem('pro-tip')).toBe('1');
  });
});

describe('another account in another tab', () => {
  it('leaves nothing but a reload', () => {
    useSession.setState({ foreign: true });
    render(<Notices />);
    const dialog = screen.getByRole('dialog', { name: '账号已在其他标签页切换' });
    fireEvent.keyDown(dialog, { key: 'Escape' });
    expect(screen.getAllByRole('button').map((button) => button.textContent?.replaceAll(' ', ''))).toEqual(['刷新']);
    useSession.setState({ foreign: false });
  });
});
