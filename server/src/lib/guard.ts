/** Who may call what. Every route states `access`; the application does not start when one lacks it. */
import { and, eq, or } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Fault, missing } from './errors.ts';
import type { LimitClass } from './limits.ts';

/**
 * visitor: anybody. session: a signed-in person. capability: whoever holds the unguessable code in the address.
 * operator: staff; whoever is none finds nothing there. sandbox: anybody, outside production only. machine: loopback or
 * the metrics token.
 */
export type Access = 'visitor' | 'session' | 'capability' | 'operator' | 'sandbox' | 'machine';

/** The tenant a row belongs to, taken from the session's channel and never from the request. */
export interface Owner {
  kind: 'user' | 'enterprise';
  id: number;
  /** The member at work in an enterprise; absent: the enterprise as a whole, for the product's own sums. */
  member?: number;
}

/** The owner of a stored row, with the person at work in it. */
export const ownerOf = (row: { ownerKind: Owner['kind']; ownerId: number; userId: number }): Owner =>
  row.ownerKind === 'enterprise'
    ? { kind: 'enterprise', id: row.ownerId, member: row.userId }
    : { kind: 'user', id: row.ownerId };

/** All of it, whoever made it: for quotas and sums, never for showing content. */
export const whole = ({ kind, id }: Owner): Owner => ({ kind, id });

/** Columns of a new row of this owner. */
export const belongsTo = ({ kind, id, member }: Owner) => ({
  ownerKind: kind,
  ownerId: id,
  createdBy: kind === 'user' ? id : (member ?? null),
});

export interface Actor {
  userId: number;
  /** Row id of the session. */
  sessionId: number;
  owner: Owner;
  /** The marked account of the sandbox, which its visitors share. */
  isDemo: boolean;
  /** Whether analyses of this person fill what is missing by themselves. */
  fillsMissing: boolean;
}

/** Finds the actor of a request: null without a token, a Fault (20021, 20023, 30089) for one that no longer counts. */
export type Authenticate = (request: FastifyRequest) => Promise<Actor | null>;

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    limit?: LimitClass;
  }
  interface FastifyRequest {
    actor: Actor | null;
    /** Number of the error this request was answered with; for the log. */
    errCode: number;
  }
}

/** Whether the actor's owner may do this now, by method and pattern of the route; throws where not. */
export type Work = (actor: Actor, route: { method: string; url: string }) => Promise<void>;

export function installGuard(app: FastifyInstance, authenticate: Authenticate, mayWork: Work): void {
  app.decorateRequest('actor', null);
  app.decorateRequest('errCode', 0);
  app.addHook('onRoute', (route) => {
    if (!route.config?.access) throw new Error(`Route ${String(route.method)} ${route.url} declares no access`);
  });
  app.addHook('onRequest', async (request) => {
    const { access } = request.routeOptions.config;
    if (access === 'session') {
      request.actor = await authenticate(request);
      // Who brought a token was signed in once.
      if (!request.actor) throw new Fault(request.headers.authorization ? 30089 : 30091);
      await mayWork(request.actor, { method: request.method, url: request.routeOptions.url ?? '' });
    }
    // Who is staff is found out by the desk itself; a visitor hears no more than of a page that does not exist.
    if (access === 'operator') {
      request.actor = await authenticate(request);
      if (!request.actor) throw missing();
    }
  });
}

/** The demo account is shared: its visitors may try everything but remove nothing that the next one should find. */
export function refuseDemo(actor: Actor): void {
  if (actor.isDemo) throw new Fault(30092);
}

/** Buying, points and campaigns belong to the person: refused on the channel of an enterprise. */
export function demandPersonal(actor: Actor): void {
  if (actor.owner.kind !== 'user') throw new Fault(30201);
}

interface OwnedTable {
  ownerKind: PgColumn;
  ownerId: PgColumn;
  createdBy?: PgColumn;
  userId?: PgColumn;
  visibility?: PgColumn;
}

/**
 * The rows an actor may act on, as a condition for the SQL itself: whatever it excludes does not exist for them. In an
 * enterprise a member works with what it made and with what its maker has opened to all; rows that cannot be opened
 * (uploads, runs) are their maker's alone, and rows without a maker (results by their key) are the enterprise's.
 */
export function owned(table: OwnedTable, owner: Owner, ...more: (SQL | undefined)[]): SQL {
  const condition = and(
    eq(table.ownerKind, owner.kind),
    eq(table.ownerId, owner.id),
    owner.kind === 'enterprise' && owner.member !== undefined ? seenBy(table, owner.member) : undefined,
    ...more,
  );
  if (!condition) throw new Error('A condition of two parts cannot be empty');
  return condition;
}

function seenBy({ createdBy, userId, visibility }: OwnedTable, member: number): SQL | undefined {
  const maker = createdBy ?? userId;
  if (!maker) return undefined;
  return visibility ? or(eq(visibility, 'all'), eq(maker, member)) : eq(maker, member);
}
