/** Calls of enterprises. The right comes from the person's role in the enterprise, on any channel. */
import type { App, Deps } from '../../lib/deps.ts';
import { demandPersonal } from '../../lib/guard.ts';
import type { Authenticate } from '../../lib/guard.ts';
import { route } from '../../lib/route.ts';
import { demandStepUp } from '../accounts/service.ts';
import { demandOwner } from './access.ts';
import { OrderList, OrderQuery } from '../orders/schema.ts';
import { Run } from '../runs/schema.ts';
import { contentRoutes } from './content-routes.ts';
import { inviteRoutes, memberRoutes, transferRoutes } from './people-routes.ts';
import { contractRoute, seatRoutes } from './seat-routes.ts';
import {
  Eid,
  Enterprise,
  EnterpriseChange,
  EnterpriseList,
  LogList,
  LogQuery,
  NewEnterprise,
  Usage,
} from './schema.ts';
import type { Enterprises } from './service.ts';

const BASE = '/v1/enterprise';

export function enterpriseRoutes(
  app: App,
  deps: Deps & { enterprises: Enterprises; authenticate: Authenticate },
): void {
  tenantRoutes(app, deps);
  memberRoutes(app, deps.enterprises);
  inviteRoutes(app, deps);
  transferRoutes(app, deps);
  seatRoutes(app, deps.enterprises);
  contentRoutes(app, deps.enterprises);
  contractRoute(app, deps);
}

function tenantRoutes(app: App, deps: Deps & { enterprises: Enterprises }): void {
  const { tenants, usage, log } = deps.enterprises;

  route(app, {
    method: 'GET',
    url: BASE,
    access: 'session',
    summary: 'Enterprises of the person, the one last used first',
    answer: EnterpriseList,
    handler: ({ actor }) => tenants.mine(actor.userId),
  });

  route(app, {
    method: 'POST',
    url: BASE,
    access: 'session',
    summary:
      'Makes an enterprise, the caller is its owner; trial=true begins 14 days with 5 seats, once per credit code',
    body: NewEnterprise,
    answer: Enterprise,
    handler: async ({ actor, body }) => {
      demandPersonal(actor);
      if (body.trial) await demandStepUp(deps, actor);
      return tenants.make(actor.userId, body);
    },
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/:eid`,
    access: 'session',
    summary: 'An enterprise, for its members',
    params: Eid,
    answer: Enterprise,
    handler: ({ actor, params }) => tenants.read(actor.userId, params.eid),
  });

  route(app, {
    method: 'PATCH',
    url: `${BASE}/:eid`,
    access: 'session',
    summary: 'Name, contact, settings by an admin; keep=true stops a dissolution, by the owner',
    params: Eid,
    body: EnterpriseChange,
    answer: Enterprise,
    handler: ({ actor, params, body }) => tenants.change(actor.userId, params.eid, body),
  });

  route(app, {
    method: 'DELETE',
    url: `${BASE}/:eid`,
    access: 'session',
    summary: 'Dissolves an enterprise in thirty days; by the owner with a fresh code',
    params: Eid,
    answer: Enterprise,
    handler: async ({ actor, params }) => {
      await demandOwner(deps, actor, params.eid);
      return tenants.dissolve(actor.userId, params.eid);
    },
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/:eid/export`,
    access: 'session',
    summary: 'Everything of the enterprise as one archive, in a run; by the owner with a fresh code, in every state',
    params: Eid,
    answer: Run,
    limit: 'export',
    handler: async ({ actor, params }) => {
      await demandOwner(deps, actor, params.eid);
      return deps.enterprises.archive(actor, params.eid);
    },
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/:eid/usage`,
    access: 'session',
    summary: 'Seats, storage, analyses and runs, by member; for admins',
    params: Eid,
    answer: Usage,
    handler: ({ actor, params }) => usage.call(deps.enterprises, actor.userId, params.eid),
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/:eid/log`,
    access: 'session',
    summary: 'Log of acts in the enterprise; for admins',
    params: Eid,
    query: LogQuery,
    answer: LogList,
    handler: ({ actor, params, query }) => log.call(deps.enterprises, actor.userId, params.eid, query),
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/:eid/log.csv`,
    access: 'session',
    summary: 'The same as a csv file: UTF-8 with BOM, nothing a spreadsheet would compute; the newest 10,000 entries',
    params: Eid,
    query: LogQuery,
    handler: async ({ actor, params, query, reply }) =>
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="enterprise-${params.eid}-log.csv"`)
        .send(await deps.enterprises.logCsv(actor.userId, params.eid, query)),
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/:eid/orders`,
    access: 'session',
    summary: 'Orders of the enterprise, newest first; for admins',
    params: Eid,
    query: OrderQuery,
    answer: OrderList,
    handler: ({ actor, params, query }) => deps.enterprises.orders(actor.userId, params.eid, query),
  });
}
