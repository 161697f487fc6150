/** Calls on members, invitations and the handing over of an enterprise. */
import { z } from 'zod';
import type { App, Deps } from '../../lib/deps.ts';
import { Fault, tooMany } from '../../lib/errors.ts';
import { networkOf } from '../../lib/limits.ts';
import type { Limiter } from '../../lib/limits.ts';
import { route } from '../../lib/route.ts';
import { demandStepUp } from '../accounts/service.ts';
import { demandOwner } from './access.ts';
import { PageQuery } from '../membership/schema.ts';
import {
  CodeBody,
  CodeQuery,
  Eid,
  Holdings,
  InviteBody,
  InviteId,
  InviteList,
  InviteShown,
  Joined,
  Member,
  MemberChange,
  MemberId,
  MemberList,
  MemberQuery,
  RemoveQuery,
  TransferBody,
  TransferMade,
  TransferShown,
} from './schema.ts';
import type { Enterprises } from './service.ts';

const BASE = '/v1/enterprise';

/** Wrong codes an hour, by person or, for visitors, by network (security page 4.2). */
const MISSES = { person: 20, network: 300 };
const UNKNOWN_CODE: readonly number[] = [30302, 30308];

/** Counts codes that open nothing: whoever guesses waits, whoever holds a code is never counted. */
async function guessed<T>(limiter: Limiter, who: { person: number } | { network: string }, open: () => Promise<T>) {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof Fault) || !UNKNOWN_CODE.includes(error.code)) throw error;
    const [kind, id] = 'person' in who ? (['person', who.person] as const) : (['network', who.network] as const);
    const wait = limiter.take(`invite miss ${kind} ${id}`, MISSES[kind], 3600);
    throw wait > 0 ? tooMany(wait) : error;
  }
}

export function memberRoutes(app: App, { members }: Enterprises): void {
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

export function inviteRoutes(app: App, { limiter, enterprises }: Deps & { enterprises: Enterprises }): void {
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
    handler: ({ query, request }) =>
      guessed(limiter, { network: networkOf(request.ip) }, () => invites.show(query.code)),
  });

  route(app, {
    method: 'POST',
    url: `${BASE}/invite/accept`,
    access: 'session',
    summary: 'Joins the enterprise; takes a seat',
    body: CodeBody,
    answer: Joined,
    handler: ({ actor, body }) =>
      guessed(limiter, { person: actor.userId }, () => invites.accept(actor.userId, body.code)),
  });
}

export function transferRoutes(app: App, deps: Deps & { enterprises: Enterprises }): void {
  const { limiter, enterprises } = deps;
  const { ownership } = enterprises;

  route(app, {
    method: 'POST',
    url: `${BASE}/:eid/transfer`,
    access: 'session',
    summary: 'Asks a member to become the owner, within 72 hours; by the owner with a fresh code',
    params: Eid,
    body: TransferBody,
    answer: TransferMade,
    handler: async ({ actor, params, body }) => {
      await demandOwner(deps, actor, params.eid);
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
    handler: ({ actor, query }) =>
      guessed(limiter, { person: actor.userId }, () => ownership.show(actor.userId, query.code)),
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
        await guessed(limiter, { person: actor.userId }, () => ownership[word](actor.userId, body.code));
        return null;
      },
    });
}
