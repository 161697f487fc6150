/** Calls on seats: prices, orders, the contract. */
import type { App } from '../../lib/deps.ts';
import { Fault } from '../../lib/errors.ts';
import type { Authenticate } from '../../lib/guard.ts';
import { bytesRoute, route } from '../../lib/route.ts';
import { PackageList, PackageQuery, PageQuery } from '../membership/schema.ts';
import { PROOF_BYTES } from '../membership/service.ts';
import {
  Contract,
  ContractId,
  ContractList,
  Eid,
  SeatOrderBody,
  SeatOrderMade,
  SeatQuote,
  TemplateQuery,
} from './schema.ts';
import type { Enterprises } from './service.ts';

const BASE = '/v1/enterprise';

export function seatRoutes(app: App, { contracts, seats }: Enterprises): void {
  route(app, {
    method: 'GET',
    url: `${BASE}/packages`,
    access: 'visitor',
    summary: 'Packages of seats on sale',
    query: PackageQuery,
    answer: PackageList,
    handler: ({ query }) => seats.packages(query),
  });

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

  route(app, {
    method: 'GET',
    url: `${BASE}/:eid/contracts`,
    access: 'session',
    summary: 'Contracts of its orders, newest first; for admins',
    params: Eid,
    query: PageQuery,
    answer: ContractList,
    handler: ({ actor, params, query }) => contracts.list(actor.userId, params.eid, query),
  });

  bytesRoute(app, {
    method: 'POST',
    url: `${BASE}/:eid/contracts/:id/signed`,
    access: 'session',
    summary: 'The signed copy of a contract (octet-stream, jpeg, png or pdf, at most 10 MB); by the owner',
    bodyLimit: PROOF_BYTES,
    params: ContractId,
    answer: Contract,
    otherwise: () => new Fault(30263),
    handler: ({ actor, params, bytes }) => contracts.sign(actor.userId, params.eid, params.id, bytes),
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
