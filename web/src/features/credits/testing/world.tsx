/** Answers of the credits centre and a page around them, for the tests of this folder. */
import type { CreditAccount } from '@hengxi/server/credits/schema';
import type { Granted, MallItem, MallOrder } from '@hengxi/server/mall/schema';
import type { Quest } from '@hengxi/server/quests/schema';
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter, Route, Routes } from 'react-router';

import { prompts } from '../../../lib/prompts.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { type SessionUser, useSession } from '../../../lib/session.ts';
import { useToasts } from '../../../lib/toast.ts';
import { type Asked, serve } from '../../../report/testing/server.tsx';

export const account: CreditAccount = { total_amount: 320, pending: 0, expiring: [], held_reason: null };

export const quest: Quest = {
  id: 1,
  title: '首次分析',
  why: '看一次完整的报告',
  kind: 'once',
  target: 3,
  progress: 2,
  bonus: 20,
  state: 0,
  record_id: 11,
  held_reason: null,
  period_end: null,
  action_url: '/analysis/index',
};

export const item: MallItem = {
  id: 5,
  title: 'AI 点数 10 点',
  summary: '',
  body_md: '',
  grant_kind: 'ai_points',
  grant_value: 10,
  valid_days: null,
  price_credits: 50,
  stock_left: null,
  per_user_limit: null,
  limit_period: 'ever',
  bought: 0,
  quantity_max: 1,
  off_at: null,
  can_buy: true,
  reason: null,
};

export const granted: Granted = { kind: 'ai_points', value: 10, until: null, method: null, codes: [] };

export const order: MallOrder = {
  order_no: 'JF20261122000001',
  item_id: 5,
  title: item.title,
  grant_kind: 'ai_points',
  quantity: 1,
  credits: 50,
  state: 'done',
  created_at: '2026-11-22T01:00:00Z',
  granted,
  returned_credits: 0,
  returned_at: null,
  can_refund: true,
  refund_until: '2026-11-23T01:00:00Z',
  refund_reason: null,
};

export interface World {
  asked: Asked[];
  calls: (what: string) => Asked[];
}

/** Somebody at a page; `answers` win over those of an account without anything. */
export function visit(
  page: ReactNode,
  address: string,
  who: Partial<SessionUser> | null,
  answers: Parameters<typeof serve>[0] = {},
): World {
  const me = { id: 7, identity: 1, phone: '138****0001', vip: { invalid_at: null, lifetime: false }, ...who };
  useSession.setState(who === null ? { token: null, user: null } : { token: 'a.b.c', user: me as SessionUser });
  const asked = serve({
    'GET /v1/user': () => me,
    'GET /v1/credits-center/account': () => account,
    'GET /v1/credits-center/account/change-detail': () => ({ total: 0, list: [] }),
    'GET /v1/credits-center/appeals': () => ({ list: [] }),
    'GET /v1/quests': () => [],
    'GET /v1/mall/items': () => ({ total: 0, list: [] }),
    'GET /v1/mall/orders': () => ({ total: 0, list: [] }),
    ...answers,
  });
  const [path = '/'] = address.split('?');
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[address]}>
        <Routes>
          <Route path={path.replace(/\/\d+$/, '/:aid')} element={page} />
        </Routes>
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return { asked, calls: (what) => asked.filter(({ method, path: at }) => `${method} ${at}` === what) };
}

export function leave(): void {
  queryClient.clear();
  useSession.setState({ token: null, user: null });
  useToasts.setState({ current: null });
  prompts.closeLogin();
  prompts.closeUnlock();
  prompts.closePurchase();
  localStorage.clear();
}
