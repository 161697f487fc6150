/** Calls of enterprises. The right comes from the person's role in the enterprise, on any channel. */
import { z } from 'zod';
import type { App, Deps } from '../../lib/deps.ts';
import { demandPersonal } from '../../lib/guard.ts';
import type { Authenticate } from '../../lib/guard.ts';
import { route } from '../../lib/route.ts';
import { demandStepUp } from '../accounts/service.ts';
import { PageQuery } from '../membership/schema.ts';
import { OrderList, OrderQuery } from '../orders/schema.ts';
import {
  CodeBody,
  ContentChange,
  ContentChanged,
  ContentList,
  ContentQuery,
  CodeQuery,
  Eid,
  Enterprise,
  EnterpriseChange,
  EnterpriseList,
  Holdings,
  InviteBody,
  InviteId,
  InviteList,
  InviteShown,
  Joined,
  LogList,
  LogQuery,
  Member,
  MemberChange,
  MemberId,
  MemberList,
  MemberQuery,
  NewEnterprise,
  ReassignBody,
  Reassigned,
  RemoveQuery,
  SeatOrderBody,
  SeatOrderMade,
  SeatQuote,
  ShareCode,
  ShareList,
  TemplateQuery,
  TransferBody,
  TransferMade,
  TransferShown,
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
      await demandStepUp(deps, actor);
      return tenants.dissolve(actor.userId, params.eid);
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

function memberRoutes(app: App, { members }: Enterprises): void {
  route(app, {
    method: 'GET',
    url: `${BASE}/:eid/members`,
    access: 'session',
    summary: 'Members; for admins',
    params: Eid,
    query: MemberQuery,
    answer: MemberList,
    handler: ({ actor, params, query }) => members.list(actor.userId, params.eid, query),
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/:eid/members/:mid/holdings`,
    access: 'session',
    summary: 'What a member holds, before leaving or removal; for admins and the member',
    params: MemberId,
    answer: Holdings,
    handler: ({ actor, params }) => members.holdings(actor.userId, params.eid, params.mid),
  });

  route(app, {
    method: 'PATCH',
    url: `${BASE}/:eid/members/:mid`,
    access: 'session',
    summary: 'Role (by the owner), suspension, limits of a member',
    params: MemberId,
    body: MemberChange,
    answer: Member,
    handler: ({ actor, params, body }) => members.change(actor.userId, params.eid, params.mid, body),
  });

  route(app, {
    method: 'DELETE',
    url: `${BASE}/:eid/members/:mid`,
    access: 'session',
    summary: 'Removes a member, or leaves; content goes to the heir (default the owner)',
    params: MemberId,
    query: RemoveQuery,
    handler: ({ actor, params, query }) => members.remove(actor.userId, params.eid, params.mid, query),
  });
}

function inviteRoutes(app: App, { enterprises }: Deps & { enterprises: Enterprises }): void {
  const { invites } = enterprises;

  route(app, {
    method: 'GET',
    url: `${BASE}/:eid/invites`,
    access: 'session',
    summary: 'Invitations; for admins',
    params: Eid,
    query: PageQuery,
    answer: InviteList,
    handler: ({ actor, params, query }) => invites.list(actor.userId, params.eid, query),
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/:eid/invites`,
    access: 'session',
    summary: 'One link for several people, or one invitation per phone (at most 200); by an admin',
    params: Eid,
    body: InviteBody,
    answer: InviteList,
    handler: ({ actor, params, body }) => invites.make(actor.userId, params.eid, body),
  });

  route(app, {
    method: 'DELETE',
    url: `${BASE}/:eid/invites/:id`,
    access: 'session',
    summary: 'Withdraws an invitation; by an admin',
    params: InviteId,
    handler: ({ actor, params }) => invites.withdraw(actor.userId, params.eid, params.id),
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/invite`,
    access: 'capability',
    summary: 'What an invitation says to whoever holds its code',
    query: CodeQuery,
    answer: InviteShown,
    handler: ({ query }) => invites.show(query.code),
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/invite/accept`,
    access: 'session',
    summary: 'Joins the enterprise; takes a seat',
    body: CodeBody,
    answer: Joined,
    handler: ({ actor, body }) => invites.accept(actor.userId, body.code),
  });
}

function transferRoutes(app: App, deps: Deps & { enterprises: Enterprises }): void {
  const { ownership } = deps.enterprises;

  route(app, {
    method: 'POST',
    url: `${BASE}/:eid/transfer`,
    access: 'session',
    summary: 'Asks a member to become the owner, within 72 hours; by the owner with a fresh code',
    params: Eid,
    body: TransferBody,
    answer: TransferMade,
    handler: async ({ actor, params, body }) => {
      await demandStepUp(deps, actor);
      return ownership.ask(actor.userId, params.eid, body.member_id);
    },
  });

  route(app, {
    method: 'DELETE',
    url: `${BASE}/:eid/transfer`,
    access: 'session',
    summary: 'Takes the request back',
    params: Eid,
    handler: ({ actor, params }) => ownership.cancel(actor.userId, params.eid),
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/transfer`,
    access: 'session',
    summary: 'The request behind a code, for the two it concerns',
    query: CodeQuery,
    answer: TransferShown,
    handler: ({ actor, query }) => ownership.show(actor.userId, query.code),
  });

  for (const word of ['accept', 'refuse'] as const)
    route(app, {
      method: 'POST',
      url: `${BASE}/transfer/${word}`,
      access: 'session',
      summary: word === 'accept' ? 'Becomes the owner; with a fresh code' : 'Declines',
      body: CodeBody,
      answer: z.null(),
      handler: async ({ actor, body }) => {
        if (word === 'accept') await demandStepUp(deps, actor);
        await ownership[word](actor.userId, body.code);
        return null;
      },
    });
}

function seatRoutes(app: App, { seats }: Enterprises): void {
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

function contentRoutes(app: App, { content }: Enterprises): void {
  route(app, {
    method: 'GET',
    url: `${BASE}/:eid/content`,
    access: 'session',
    summary: 'Files or projects of the enterprise: own ones and those open to all',
    params: Eid,
    query: ContentQuery,
    answer: ContentList,
    handler: ({ actor, params, query }) => content.list(actor.userId, params.eid, query),
  });

  route(app, {
    method: 'PATCH',
    url: `${BASE}/:eid/content`,
    access: 'session',
    summary: 'Opens own files and projects to all members, or takes them back',
    params: Eid,
    body: ContentChange,
    answer: ContentChanged,
    handler: ({ actor, params, body }) => content.open(actor.userId, params.eid, body),
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/:eid/content/reassign`,
    access: 'session',
    summary: 'Content of a member goes to another, with a reason that the member is told; by an admin',
    params: Eid,
    body: ReassignBody,
    answer: Reassigned,
    handler: ({ actor, params, body }) => content.reassign(actor.userId, params.eid, body),
  });

  route(app, {
    method: 'GET',
    url: `${BASE}/:eid/shares`,
    access: 'session',
    summary: 'Links outside that are open now: all for admins, own ones for members',
    params: Eid,
    query: PageQuery,
    answer: ShareList,
    handler: ({ actor, params, query }) => content.shares(actor.userId, params.eid, query),
  });

  route(app, {
    method: 'DELETE',
    url: `${BASE}/:eid/shares/:code`,
    access: 'session',
    summary: 'Ends a link outside',
    params: ShareCode,
    handler: ({ actor, params }) => content.endShare(actor.userId, params.eid, params.code),
  });
}

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

function contractRoute(
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
