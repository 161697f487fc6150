/** /v1/mall: what credits buy. Visitors may look; only a person buys, and an enterprise takes no part. */
import type { App } from '../../lib/deps.ts';
import { demandPersonal, refuseDemo } from '../../lib/guard.ts';
import type { Actor, Authenticate } from '../../lib/guard.ts';
import { route } from '../../lib/route.ts';
import {
  ItemParams,
  ItemQuery,
  MallItem,
  MallItems,
  MallOrder,
  MallOrders,
  OrderParams,
  OrderQuery,
  PurchaseBody,
  Purchased,
  RefundBody,
  Refunded,
} from './schema.ts';
import type { Mall } from './service.ts';

export function mallRoutes(app: App, { mall, authenticate }: { mall: Mall; authenticate: Authenticate }): void {
  const { items, purchases } = mall;

  /** Whose balance the items are told with; a visitor sees them without. */
  const lookerOf = (actor: Actor | null): number | null => {
    if (actor) demandPersonal(actor);
    return actor?.userId ?? null;
  };

  route(app, {
    method: 'GET',
    url: '/v1/mall/items',
    access: 'visitor',
    summary: 'Items that can be had for credits now, and why one cannot',
    query: ItemQuery,
    answer: MallItems,
    handler: async ({ request, query }) => items.list(lookerOf(await authenticate(request)), query),
  });

  route(app, {
    method: 'GET',
    url: '/v1/mall/items/:id',
    access: 'visitor',
    summary: 'One item',
    params: ItemParams,
    answer: MallItem,
    handler: async ({ request, params }) => items.read(lookerOf(await authenticate(request)), params.id),
  });

  route(app, {
    method: 'POST',
    url: '/v1/mall/purchase',
    access: 'session',
    summary: 'Buys with credits; the same request_id is one purchase',
    body: PurchaseBody,
    answer: Purchased,
    limit: 'purchase',
    handler: async ({ actor, body }) => {
      demandPersonal(actor);
      refuseDemo(actor);
      return purchases.purchase(actor.userId, body);
    },
  });

  route(app, {
    method: 'GET',
    url: '/v1/mall/orders',
    access: 'session',
    summary: "The person's purchases, newest first",
    query: OrderQuery,
    answer: MallOrders,
    handler: async ({ actor, query }) => {
      demandPersonal(actor);
      return purchases.orders(actor.userId, query);
    },
  });

  route(app, {
    method: 'GET',
    url: '/v1/mall/orders/:no',
    access: 'session',
    summary: 'One purchase',
    params: OrderParams,
    answer: MallOrder,
    handler: async ({ actor, params }) => {
      demandPersonal(actor);
      return purchases.order(actor.userId, params.no);
    },
  });

  route(app, {
    method: 'POST',
    url: '/v1/mall/orders/:no/refund',
    access: 'session',
    summary: 'Gives a purchase back within 24 hours if it was not used; asked again, the same answer',
    params: OrderParams,
    body: RefundBody,
    answer: Refunded,
    limit: 'purchase',
    handler: async ({ actor, params }) => {
      demandPersonal(actor);
      refuseDemo(actor);
      return purchases.refund(actor.userId, params.no);
    },
  });
}
