/** Who may call what. Every route states `access`; the application does not start when one lacks it. */
import { and, eq } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Fault } from './errors.ts';
import type { LimitClass } from './limits.ts';

/**
 * visitor: anybody. session: a signed-in person. capability: whoever holds the unguessable code in the address.
 * sandbox: anybody, outside production only. machine: loopback or the metrics token.
 */
export type Access = 'visitor' | 'session' | 'capability' | 'sandbox' | 'machine';

/** The tenant a row belongs to, taken from the session's channel and never from the request. */
export interface Owner {
  kind: 'user' | 'enterprise';
  id: number;
}

export interface Actor {
  userId: number;
  /** Row id of the session. */
  sessionId: number;
  owner: Owner;
  /** The marked account of the sandbox, which its visitors share. */
  isDemo: boolean;
}

/** Finds the actor of a request: null without a token, a Fault (20021, 20023, 30091) for one that no longer counts. */
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

export function installGuard(app: FastifyInstance, authenticate: Authenticate): void {
  app.decorateRequest('actor', null);
  app.decorateRequest('errCode', 0);
  app.addHook('onRoute', (route) => {
    if (!route.config?.access) throw new Error(`Route ${String(route.method)} ${route.url} declares no access`);
  });
  app.addHook('onRequest', async (request) => {
    const { access } = request.routeOptions.config;
    if (access === 'session') {
      request.actor = await authenticate(request);
      if (!request.actor) throw new Fault(30091);
    }
  });
}

/** The demo account is shared: its visitors may try everything but remove nothing that the next one should find. */
export function refuseDemo(actor: Actor): void {
  if (actor.isDemo) throw new Fault(30092);
}

/** What may be done with one's objects; acts beyond the owner's own come with enterprises and shares. */
export type Act = 'read' | 'write';

/** The rows an actor may act on, as a condition for the SQL itself: whatever it excludes does not exist for them. */
export function owned(
  table: { ownerKind: PgColumn; ownerId: PgColumn },
  owner: Owner,
  ...more: (SQL | undefined)[]
): SQL {
  const condition = and(eq(table.ownerKind, owner.kind), eq(table.ownerId, owner.id), ...more);
  if (!condition) throw new Error('A condition of two parts cannot be empty');
  return condition;
}
