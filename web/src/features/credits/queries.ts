/** Calls of the credits centre: account, movements, quests, mall, exchanges, appeals, activities. */
import type { AdDetail, AdList } from '@hengxi/server/campaigns/schema';
import type {
  Appeal,
  AppealBody,
  Appeals,
  ChangeFilter,
  CreditAccount,
  CreditChanges,
} from '@hengxi/server/credits/schema';
import type { MallItems, MallOrders, PurchaseBody, Purchased, Refunded } from '@hengxi/server/mall/schema';
import type { Accepted, QuestRecord, Quests } from '@hengxi/server/quests/schema';
import { queryOptions } from '@tanstack/react-query';

import { api } from '../../lib/api.ts';
import { reloadMe } from '../../lib/me.ts';
import { recheckMethods } from '../../lib/method-access.ts';
import { queryClient } from '../../lib/query-client.ts';

const CENTRE = '/v1/credits-center';

export const accountQuery = queryOptions({
  queryKey: ['credits', 'account'],
  queryFn: ({ signal }) => api.get<CreditAccount>(`${CENTRE}/account`, { signal, quiet: true }),
});

export const CHANGES_PAGE = 20;

export function changesQuery(page: number, kind: ChangeFilter | null) {
  return queryOptions({
    queryKey: ['credits', 'changes', page, kind],
    queryFn: ({ signal }) =>
      api.get<CreditChanges>(`${CENTRE}/account/change-detail`, {
        signal,
        quiet: true,
        query: { page, page_size: CHANGES_PAGE, kind },
      }),
  });
}

export const questsQuery = queryOptions({
  queryKey: ['credits', 'quests'],
  queryFn: ({ signal }) => api.get<Quests>('/v1/quests', { signal, quiet: true }),
  // What was done on another page or in another tab counts at once.
  staleTime: 0,
  refetchOnWindowFocus: 'always',
});

export function questRecordQuery(record: number) {
  return queryOptions({
    queryKey: ['credits', 'quests', record],
    queryFn: ({ signal }) => api.get<QuestRecord>(`/v1/quest-record/${record}`, { signal, quiet: true }),
    staleTime: 0,
  });
}

export const acceptBonus = (record: number): Promise<Accepted> =>
  api.put<Accepted>(`/v1/quest-record/${record}/accept-bonus`, {});

export const ITEMS_PAGE = 24;

export function itemsQuery(page: number, page_size = ITEMS_PAGE) {
  return queryOptions({
    queryKey: ['credits', 'items', page, page_size],
    queryFn: ({ signal }) => api.get<MallItems>('/v1/mall/items', { signal, quiet: true, query: { page, page_size } }),
  });
}

/** Enough to hold every item that unlocks methods. */
const ALL_ITEMS = 100;

export const unlocksQuery = queryOptions({
  ...itemsQuery(1, ALL_ITEMS),
  select: ({ list }: MallItems) => list.filter(({ grant_kind: kind }) => kind === 'algorithm'),
  staleTime: 0,
});

/** `quiet`: the dialog says the refusal in its own place. */
export const purchase = (body: PurchaseBody): Promise<Purchased> =>
  api.post<Purchased>('/v1/mall/purchase', body, { quiet: true, idempotencyKey: body.request_id });

export const ORDERS_PAGE = 10;

export function exchangesQuery(page: number) {
  return queryOptions({
    queryKey: ['credits', 'orders', page],
    queryFn: ({ signal }) =>
      api.get<MallOrders>('/v1/mall/orders', { signal, quiet: true, query: { page, page_size: ORDERS_PAGE } }),
    staleTime: 0,
  });
}

export const refundExchange = (order_no: string): Promise<Refunded> =>
  api.post<Refunded>(`/v1/mall/orders/${order_no}/refund`, {});

export const appealsQuery = queryOptions({
  queryKey: ['credits', 'appeals'],
  queryFn: ({ signal }) => api.get<Appeals>(`${CENTRE}/appeals`, { signal, quiet: true }),
});

export const appeal = (body: AppealBody): Promise<Appeal> => api.post<Appeal>(`${CENTRE}/appeals`, body);

const ACTIVITIES = 50;

export const activitiesQuery = queryOptions({
  queryKey: ['credits', 'activities'],
  queryFn: ({ signal }) =>
    api.get<AdList>('/v1/campaign/advertisements', {
      signal,
      quiet: true,
      query: { typ: 1, page: 1, page_size: ACTIVITIES },
    }),
});

export function activityQuery(aid: number) {
  return queryOptions({
    queryKey: ['credits', 'activities', aid],
    queryFn: ({ signal }) => api.get<AdDetail>(`/v1/campaign/advertisements/${aid}`, { signal, quiet: true }),
  });
}

/** Credits moved: the balance, what they bought, and what may be run now. */
export async function refreshCredits(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['credits'] }),
    queryClient.invalidateQueries({ queryKey: ['membership'] }),
    queryClient.invalidateQueries({ queryKey: ['points'] }),
    reloadMe(),
    recheckMethods(),
  ]);
}
