/** Calls on seats: prices, orders, the contract. */
import type { App } from '../../lib/deps.ts';
import type { Authenticate } from '../../lib/guard.ts';
import { route } from '../../lib/route.ts';
import { Eid, SeatOrderBody, SeatOrderMade, SeatQuote, TemplateQuery } from './schema.ts';
import type { Enterprises } from './service.ts';

const BASE = '/v1/enterprise';

export function seatRoutes(app: App, { seats }: Enterprises): void {
  route(app, {
    method: 'POST',
    url: `${BASE}/:eid/orders/quote`,
    access: 'session',
    summary: 'What an order of seats would cost; by the owner',
    params: Eid,
    body: SeatOrderBody,
    answer: SeatQuote,
    handler: ({ actor, params, body }) => seats.quote(actor.userId, params.eid, body),
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/:eid/orders`,
    access: 'session',
    summary: 'Orders seats: new, more for the running term, or the next term; by the owner',
    params: Eid,
    body: SeatOrderBody,
    answer: SeatOrderMade,
    limit: 'write',
    handler: ({ actor, params, body }) => seats.make(actor.userId, params.eid, body),
  });
}

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

export function contractRoute(
  app: App,
  { enterprises, authenticate }: { enterprises: Enterprises; authenticate: Authenticate },
): void {
  route(app, {
    method: 'GET',
    url: `${BASE}/corporate-transfer/template`,
    access: 'visitor',
    summary: 'Contract of a corporate transfer as docx; filled for an order of the signed-in person',
    query: TemplateQuery,
    handler: async ({ query, request, reply }) => {
      const actor = query.order_no === undefined ? null : await authenticate(request);
      return reply
        .type(DOCX)
        .header(
          'content-disposition',
          `attachment; filename="contract.docx"; filename*=UTF-8''${encodeURIComponent('企业版服务订购合同.docx')}`,
        )
        .send(await enterprises.contract(actor?.userId ?? null, query.order_no));
    },
  });
}
