/** Calls of the personal center and the purchase dialog: packages, orders, invoices, education, points, invitations. */
import { yuan } from '@hengxi/contracts/price';
import type { Page } from '@hengxi/contracts/http';
import type { Invitation } from '@hengxi/server/campaigns/schema';
import type {
  ComboCheck,
  EduAuth,
  EduBody,
  EduCode,
  Grant,
  Membership,
  PackageList,
  ProofMade,
} from '@hengxi/server/membership/schema';
import type {
  CouponAmount,
  Invoice,
  InvoiceBody,
  InvoiceChange,
  Order,
  OrderBody,
  OrderList,
  OrderMade,
  PaymentMethods,
  PaymentState,
  PayMethod,
  Qr,
  Refund,
  RefundOffer,
  Transfer,
} from '@hengxi/server/orders/schema';
import type { PointAccount, PointRecords } from '@hengxi/server/points/schema';
import { queryOptions } from '@tanstack/react-query';

import { ApiError, api } from '../../lib/api.ts';

/** The kinds of packages that have a list of their own. */
export type ListedKind = 'vip' | 'edu' | 'combo' | 'point';

const LISTS: Record<ListedKind, string> = {
  vip: '/v1/user/subscriptions',
  edu: '/v1/user/subscriptions/edu',
  combo: '/v1/user/subscriptions/combo',
  point: '/v1/user/subscriptions/point',
};

export function packagesQuery(kind: ListedKind) {
  return queryOptions({
    queryKey: ['packages', kind],
    queryFn: ({ signal }) =>
      api.get<PackageList>(LISTS[kind], { signal, quiet: true, query: { page: 0, page_size: 99 } }),
    staleTime: 60_000,
  });
}

export const comboCheckQuery = queryOptions({
  queryKey: ['packages', 'combo', 'check'],
  queryFn: ({ signal }) => api.get<ComboCheck>('/v1/user/subscriptions/combo/check', { signal, quiet: true }),
});

export const methodsQuery = queryOptions({
  queryKey: ['payment'],
  queryFn: ({ signal }) => api.get<PaymentMethods>('/v1/payment', { signal, quiet: true }),
  staleTime: 300_000,
});

export const membershipQuery = queryOptions({
  queryKey: ['membership'],
  queryFn: ({ signal }) => api.get<Membership>('/v1/user/membership', { signal, quiet: true }),
});

export function grantsQuery(page: number) {
  return queryOptions({
    queryKey: ['membership', 'grants', page],
    queryFn: ({ signal }) =>
      api.get<Page<Grant>>('/v1/user/membership/grants', { signal, quiet: true, query: { page, page_size: 10 } }),
  });
}

/** Codes 30211–30213 are shown at the field. */
export const COUPON_FAULTS = [30211, 30212, 30213, 20011, 30001];

export async function couponAmount(code: string, buy: 1 | 3, subscription: number): Promise<number> {
  const { amount } = await api.get<CouponAmount>('/v1/coupon/vip/amount', {
    claims: COUPON_FAULTS,
    query: { code, coupon_type: buy, subscription_id: subscription },
  });
  return amount;
}

/** Faults of an order that the dialog says in its own place. */
export const ORDER_FAULTS = [30202, 30204, 30205, 30206, 30207, 30208, 30209, 30211, 30212, 30213, 30223];

export function makeOrder(body: OrderBody, signal?: AbortSignal): Promise<OrderMade> {
  return api.post<OrderMade>('/v1/user/orders', body, { claims: ORDER_FAULTS, signal });
}

/** A new picture for an order that is still open; `qr` 1 is for either app. */
export function newQr(order_no: string, qr: PayMethod): Promise<Qr> {
  return qr === 1
    ? api.post<Qr>('/v1/user/orders/payment/qrcode2', { order_no }, { claims: ORDER_FAULTS })
    : api.post<Qr>('/v1/user/orders/payment/qrcode', { order_no, qr }, { claims: ORDER_FAULTS });
}

export function paymentState(order_no: string, qr: PayMethod): Promise<PaymentState> {
  return api.get<PaymentState>('/v1/user/orders/payment/state', { quiet: true, query: { order_no, qr } });
}

export const ORDERS_PAGE = 10;

export function ordersQuery(page: number) {
  return queryOptions({
    queryKey: ['orders', page],
    queryFn: ({ signal }) =>
      api.get<OrderList>('/v1/user/orders', { signal, quiet: true, query: { page, page_size: ORDERS_PAGE } }),
  });
}

/** One order of the person's own; null for what is foreign, absent or no number of an order. */
export function orderQuery(order_no: string) {
  return queryOptions({
    queryKey: ['orders', 'one', order_no],
    queryFn: async ({ signal }) => {
      try {
        return await api.get<Order>(`/v1/user/orders/${encodeURIComponent(order_no)}`, { signal, quiet: true });
      } catch (error) {
        if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return null;
        throw error;
      }
    },
    staleTime: 0,
  });
}

export function closeOrder(order_no: string): Promise<Order> {
  return api.patch<Order>('/v1/user/orders', { order_no, state: 'closed' });
}

export function refundOfferQuery(order_no: string) {
  return queryOptions({
    queryKey: ['orders', order_no, 'refund'],
    queryFn: ({ signal }) => api.get<RefundOffer>(`/v1/user/orders/${order_no}/refund`, { signal, quiet: true }),
    staleTime: 0,
  });
}

export function askRefund(order_no: string, reason: string): Promise<Refund> {
  return api.post<Refund>(`/v1/user/orders/${order_no}/refund`, { reason });
}

export function transferQuery(order_no: string) {
  return queryOptions({
    queryKey: ['orders', order_no, 'transfer'],
    queryFn: ({ signal }) => api.get<Transfer>(`/v1/user/orders/${order_no}/transfer`, { signal, quiet: true }),
  });
}

export function sendProof(order_no: string, payer: string, file: File): Promise<Transfer> {
  return api.post<Transfer>(`/v1/user/orders/${order_no}/transfer-proof`, file, { query: { payer }, timeout: 120_000 });
}

export function invoiceQuery(id: number) {
  return queryOptions({
    queryKey: ['invoice', id],
    queryFn: ({ signal }) => api.get<Invoice>(`/v1/user/orders/invoice/${id}`, { signal, quiet: true }),
  });
}

export function askInvoice(body: InvoiceBody): Promise<Invoice> {
  return api.post<Invoice>('/v1/user/orders/invoice', body);
}

export function changeInvoice(id: number, body: InvoiceChange): Promise<Invoice> {
  return api.put<Invoice>(`/v1/user/orders/invoice/${id}`, body);
}

export async function downloadInvoice(id: number): Promise<void> {
  const { url } = await api.post<{ url: string }>('/v1/downloads', { kind: 'invoice', id: String(id) });
  location.assign(url);
}

export const educationQuery = queryOptions({
  queryKey: ['education'],
  queryFn: ({ signal }) => api.get<EduAuth>('/v1/user/edu-auth', { signal, quiet: true }),
});

/** First application by POST, a further one after a refusal by PUT. */
export function sendEducation(body: EduBody, again: boolean): Promise<EduAuth> {
  const claims = [20012, 20013, 30261, 30262];
  return again ? api.put('/v1/user/edu-auth', body, { claims }) : api.post('/v1/user/edu-auth', body, { claims });
}

export function sendEduCode(email: string): Promise<EduCode> {
  return api.post<EduCode>('/v1/user/edu-auth/code', { email }, { claims: [20011, 30262] });
}

export function sendEduProof(file: File): Promise<ProofMade> {
  return api.post<ProofMade>('/v1/user/edu-auth/proof', file, { timeout: 120_000 });
}

export const pointsQuery = queryOptions({
  queryKey: ['points'],
  queryFn: ({ signal }) => api.get<PointAccount>('/v1/user/point', { signal, quiet: true }),
});

export const POINTS_PAGE = 20;

export function pointRecordsQuery(page: number, page_size = POINTS_PAGE) {
  return queryOptions({
    queryKey: ['points', 'record', page, page_size],
    queryFn: ({ signal }) =>
      api.get<PointRecords>('/v1/user/point/record', { signal, quiet: true, query: { page, page_size } }),
  });
}

export const invitationQuery = queryOptions({
  queryKey: ['invitation'],
  queryFn: ({ signal }) => api.get<Invitation>('/v1/campaign/2/register-invitation', { signal, quiet: true }),
});

/** 27920 → "279.20"; amounts are shown with their sign elsewhere. */
export const money = yuan;
