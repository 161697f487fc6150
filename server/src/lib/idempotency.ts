/**
 * A write repeated with its Idempotency-Key gets the first answer again and is not done twice (24 hours).
 *
 * A claim is written before the work, so that two equal requests never work at once. Work that must not be done twice
 * (money) runs in `work(db, …)`, which confirms the claim in the transaction of the work itself: when the process dies
 * after that commit, the claim stays and a repetition is refused; when it dies before, the claim goes and the
 * repetition works.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { and, eq, lt, isNull, sql } from 'drizzle-orm';
import { boolean, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isCollision } from './db.ts';
import type { Db, Tx } from './db.ts';
import { Fault } from './errors.ts';

const idempotency = pgTable('idempotency', {
  userId: integer('user_id').notNull(),
  route: text('route').notNull(),
  key: text('key').notNull(),
  bodyHash: text('body_hash').notNull(),
  status: integer('status'),
  answer: text('answer'),
  isCommitted: boolean('is_committed').notNull().default(false),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});

interface Claim {
  userId: number;
  route: string;
  key: string;
  bodyHash: string;
}

/** The claim of the request that is being worked on. */
const current = new AsyncLocalStorage<Claim>();

/** Runs a handler so that `work` within it knows the request's claim. */
export const claimed = <T>(request: FastifyRequest, act: () => Promise<T>): Promise<T> =>
  request.claim ? current.run(request.claim, act) : act();

/** A transaction that is done once for one Idempotency-Key, whatever dies in between. Tried again after a deadlock. */
export async function work<T>(db: Db, act: (tx: Tx) => Promise<T>): Promise<T> {
  const claim = current.getStore();
  return retried(() =>
    db.transaction(async (tx) => {
      if (claim)
        await tx
          .insert(idempotency)
          .values({ ...claim, isCommitted: true })
          .onConflictDoUpdate({
            target: [idempotency.userId, idempotency.route, idempotency.key],
            set: { isCommitted: true },
          });
      return act(tx);
    }),
  );
}

const RETRIES = 3;

/** The database ended one of two transactions that waited for each other: that one simply comes again. */
export async function retried<T>(act: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await act();
    } catch (error) {
      if (tries >= RETRIES || !isCollision(error)) throw error;
    }
}

declare module 'fastify' {
  interface FastifyRequest {
    claim: Claim | null;
  }
}

/** Answered with 200, and yet worth a new attempt. */
const PROVIDER_BUSY = 30223;
const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
/** Larger answers are not kept; a repetition is then done again. */
const ANSWER_LIMIT = 4 * 1024 * 1024;

export function installIdempotency(app: FastifyInstance, { db }: { db: Db }): void {
  app.decorateRequest('claim', null);

  app.addHook('preHandler', async (request, reply) => {
    const key = request.headers['idempotency-key'];
    if (!request.actor || typeof key !== 'string' || !WRITES.has(request.method) || !isRepeatable(request.body)) return;
    if (!/^[\w.:-]{1,100}$/.test(key)) throw new Fault(30090, { detail: 'Idempotency-Key 无效' });
    const bodyHash = hashOf(request);
    const claim: Claim = { userId: request.actor.userId, route: `${request.method} ${pathOf(request)}`, key, bodyHash };
    const [mine] = await db.insert(idempotency).values(claim).onConflictDoNothing().returning({ key: idempotency.key });
    if (mine) {
      request.claim = claim;
      return;
    }
    const [first] = await db.select().from(idempotency).where(isClaim(claim));
    if (!first || first.bodyHash !== bodyHash) throw new Fault(30011);
    if (first.status === null) throw new Fault(first.isCommitted ? 30013 : 30012);
    await reply
      .code(first.status)
      .type('application/json; charset=utf-8')
      .header('idempotency-replayed', 'true')
      .send(first.answer);
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const { claim } = request;
    if (!claim) return;
    request.claim = null;
    // Unavailability and faults of ours are worth a new attempt; everything else is the answer.
    const isFinal = reply.statusCode < 500 && reply.statusCode !== 429 && request.errCode !== PROVIDER_BUSY;
    const answer = isFinal ? keptAnswer(reply, payload) : null;
    if (answer !== null) await db.update(idempotency).set({ status: reply.statusCode, answer }).where(isClaim(claim));
    else await db.delete(idempotency).where(and(isClaim(claim), eq(idempotency.isCommitted, false)));
  });
}

/** What a repetition is answered; null where that would be too large, or is no JSON. */
function keptAnswer(reply: FastifyReply, payload: unknown): string | null {
  if (typeof payload === 'string') return payload.length <= ANSWER_LIMIT ? payload : null;
  const isJson = String(reply.getHeader('content-type') ?? '').startsWith('application/json');
  return isJson && Buffer.isBuffer(payload) && payload.length <= ANSWER_LIMIT ? payload.toString('utf8') : null;
}

/** No call works for a minute: an older unconfirmed claim belongs to a process that is gone. Run now and then. */
export async function tidyIdempotency(db: Db): Promise<void> {
  await db
    .delete(idempotency)
    .where(
      and(
        isNull(idempotency.status),
        eq(idempotency.isCommitted, false),
        lt(idempotency.createdAt, sql`now() - interval '1 minute'`),
      ),
    );
  await db.delete(idempotency).where(lt(idempotency.createdAt, sql`now() - interval '24 hours'`));
}

const isClaim = (claim: Claim) =>
  and(eq(idempotency.userId, claim.userId), eq(idempotency.route, claim.route), eq(idempotency.key, claim.key));

/** Chunks of uploads state their offset and are safe by it; a stream cannot be compared anyway. */
const isRepeatable = (body: unknown): boolean =>
  body === undefined || body === null || Array.isArray(body) || Object.getPrototypeOf(body) === Object.prototype;

const pathOf = (request: FastifyRequest): string => request.url.split('?')[0] ?? '';

function hashOf(request: FastifyRequest): string {
  const query = new URLSearchParams(request.url.split('?')[1] ?? '');
  query.delete('_rid');
  query.sort();
  return createHash('sha256')
    .update(`${query.toString()}\n${JSON.stringify(request.body ?? null)}`)
    .digest('hex');
}
