/** /v1/user/orders, coupons, payment: what the purchase dialog and the order records call. */
import { z } from 'zod';
import type { App, Deps } from '../../lib/deps.ts';
import { Fault, tooMany } from '../../lib/errors.ts';
import { demandPersonal, refuseDemo } from '../../lib/guard.ts';
import type { Actor } from '../../lib/guard.ts';
import { bytesRoute, route } from '../../lib/route.ts';
import type { FastifyRequest } from 'fastify';
import type { Buyer } from './context.ts';
import { paymentRoutes } from './pay-routes.ts';
import {
  CouponAmount,
  CouponQuery,
  Invoice,
  InvoiceBody,
  InvoiceChange,
  InvoiceId,
  InvoiceList,
  Order,
  OrderBody,
  OrderChange,
  OrderList,
  OrderMade,
  OrderNo,
  OrderQuery,
  PaymentMethods,
  PaymentState,
  ProofQuery,
  Qr,
  Qr2Body,
  QrBody,
  Refund,
  RefundBody,
  RefundOffer,
  StateQuery,
  Transfer,
} from './schema.ts';
import type { Orders } from './service.ts';

const PROOF_BYTES = 10 * 1024 * 1024;
const BASE = '/v1/user/orders';
/** Every change of the form makes an order. */
const ORDERS = { most: 60, seconds: 600 };

type Parts = Pick<Deps, 'config' | 'limiter'> & { orders: Orders };

/** The order of whoever the channel stands for: an enterprise's orders belong to it and to who made them. */
const buyerOf = (actor: Actor): Buyer => ({
  userId: actor.userId,
  enterpriseId: actor.owner.kind === 'enterprise' ? actor.owner.id : null,
});

export function ordersRoutes(app: App, parts: Parts): void {
  buyingRoutes(app, parts);
  recordRoutes(app, parts);
  afterRoutes(app, parts);
  invoiceRoutes(app, parts);
  paymentRoutes(app, parts);
}

function buyingRoutes(app: App, { config, limiter, orders }: Parts): void {
  const originOf = (request: FastifyRequest): string =>
    config.publicUrl?.origin ?? `${request.protocol}://${request.host}`;

  const demandFew = (actor: Actor): void => {
    const wait = limiter.take(`order user ${actor.userId}`, ORDERS.most, ORDERS.seconds);
    if (wait > 0) throw tooMany(wait);
  };

  route(app, {
    method: 'GET',
    url: '/v1/payment',
    access: 'visitor',
    summary: 'Methods of payment that are enabled',
    answer: PaymentMethods,
    handler: async () => ({ methods: orders.cashiers.methods(), sandbox: orders.cashiers.sandbox !== null }),
  });

  route(app, {
    method: 'GET',
    url: '/v1/coupon/vip/amount',
    access: 'session',
    summary: 'What a coupon takes off',
    query: CouponQuery,
    answer: CouponAmount,
    handler: async ({ actor, query }) => {
      demandPersonal(actor);
      return { amount: await orders.couponAmount(actor.userId, query) };
    },
  });

  route(app, {
    method: 'POST',
    url: BASE,
    access: 'session',
    summary: 'Makes an order; it replaces the open one of the same kind. Total 0 is paid at once',
    body: OrderBody,
    answer: OrderMade,
    handler: async ({ actor, body, request }) => {
      demandPersonal(actor);
      refuseDemo(actor);
      demandFew(actor);
      return orders.buying.create(actor.userId, body, originOf(request));
    },
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/payment/qrcode`,
    access: 'session',
    summary: 'A new picture for one method of payment',
    body: QrBody,
    answer: Qr,
    handler: async ({ actor, body, request }) => {
      demandFew(actor);
      return orders.buying.renew(buyerOf(actor), body.order_no, body.qr, originOf(request));
    },
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/payment/qrcode2`,
    access: 'session',
    summary: 'A new picture for either app',
    body: Qr2Body,
    answer: Qr,
    handler: async ({ actor, body, request }) => {
      demandFew(actor);
      return orders.buying.renew(buyerOf(actor), body.order_no, 1, originOf(request));
    },
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/payment/state`,
    access: 'session',
    summary: 'Whether an order has been paid',
    query: StateQuery,
    answer: PaymentState,
    handler: ({ actor, query }) => orders.buying.state(buyerOf(actor), query.order_no),
  });
}

function recordRoutes(app: App, { orders }: Parts): void {
  route(app, {
    method: 'GET',
    url: BASE,
    access: 'session',
    summary: 'Orders, newest first; replaced ones are hidden',
    query: OrderQuery,
    answer: OrderList,
    handler: ({ actor, query }) => orders.buying.list(buyerOf(actor), query),
  });

  route(app, {
    method: 'PATCH',
    url: BASE,
    access: 'session',
    summary: 'Closes an open order',
    body: OrderChange,
    answer: Order,
    handler: ({ actor, body }) => orders.buying.cancel(buyerOf(actor), body.order_no),
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/recently`,
    access: 'session',
    summary: 'The open or just paid order of this person, or null',
    answer: Order.nullable(),
    handler: ({ actor }) => orders.buying.recent(buyerOf(actor)),
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/:order_no`,
    access: 'session',
    summary: 'One order',
    params: OrderNo,
    answer: Order,
    handler: ({ actor, params }) => orders.buying.read(buyerOf(actor), params.order_no),
  });
}

function afterRoutes(app: App, { orders }: Parts): void {
  route(app, {
    method: 'GET',
    url: `${BASE}/:order_no/refund`,
    access: 'session',
    summary: 'What the rules offer for a refund',
    params: OrderNo,
    answer: RefundOffer,
    handler: ({ actor, params }) => orders.refunds.offer(buyerOf(actor), params.order_no),
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/:order_no/refund`,
    access: 'session',
    summary: 'Asks for a refund',
    params: OrderNo,
    body: RefundBody,
    answer: Refund,
    handler: ({ actor, params, body }) => orders.refunds.ask(buyerOf(actor), params.order_no, body.reason),
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/:order_no/transfer`,
    access: 'session',
    summary: 'Where to send a bank transfer for an order, and how far it is',
    params: OrderNo,
    answer: Transfer,
    handler: ({ actor, params }) => orders.transfers.read(buyerOf(actor), params.order_no),
  });

  bytesRoute(app, {
    method: 'POST',
    url: `${BASE}/:order_no/transfer-proof`,
    access: 'session',
    summary: 'Uploads the proof of a bank transfer (octet-stream, jpeg, png or pdf, at most 10 MB)',
    bodyLimit: PROOF_BYTES,
    params: OrderNo,
    query: ProofQuery,
    answer: Transfer,
    otherwise: () => new Fault(30263),
    handler: ({ actor, params, query, bytes }) =>
      orders.transfers.prove(buyerOf(actor), params.order_no, { payer: query.payer, bytes }),
  });
}

function invoiceRoutes(app: App, { orders }: Parts): void {
  const { invoices } = orders;
  const URL = `${BASE}/invoice`;

  route(app, {
    method: 'POST',
    url: URL,
    access: 'session',
    summary: 'Asks for an invoice, to the end of the 30th day after payment',
    body: InvoiceBody,
    answer: Invoice,
    handler: async ({ actor, body }) => {
      demandPersonal(actor);
      return invoices.ask(actor.userId, body);
    },
  });

  route(app, {
    method: 'GET',
    url: URL,
    access: 'session',
    summary: 'Invoices, newest first',
    query: z.object({
      page: z.coerce.number().int().min(0).max(1_000_000).default(1),
      page_size: z.coerce.number().int().min(1).max(200).default(20),
    }),
    answer: InvoiceList,
    handler: async ({ actor, query }) => {
      demandPersonal(actor);
      return invoices.list(actor.userId, query);
    },
  });

  route(app, {
    method: 'GET',
    url: `${URL}/:id`,
    access: 'session',
    summary: 'One invoice',
    params: InvoiceId,
    answer: Invoice,
    handler: async ({ actor, params }) => {
      demandPersonal(actor);
      return invoices.read(actor.userId, params.id);
    },
  });

  route(app, {
    method: 'PUT',
    url: `${URL}/:id`,
    access: 'session',
    summary: 'Corrects an invoice that is not issued yet; after a refusal asks again',
    params: InvoiceId,
    body: InvoiceChange,
    answer: Invoice,
    handler: async ({ actor, params, body }) => {
      demandPersonal(actor);
      return invoices.change(actor.userId, params.id, body);
    },
  });
}
