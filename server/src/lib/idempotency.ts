/** A write repeated with its Idempotency-Key gets the first answer again and is not done twice (24 hours). */
import { createHash } from 'node:crypto';
import { and, eq, lt, isNull, sql } from 'drizzle-orm';
import { integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Db } from './db.ts';
import { Fault } from './errors.ts';

const idempotency = pgTable('idempotency', {
  userId: integer('user_id').notNull(),
  route: text('route').notNull(),
  key: text('key').notNull(),
  bodyHash: text('body_hash').notNull(),
  status: integer('status'),
  answer: text('answer'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});

interface Claim {
  userId: number;
  route: string;
  key: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    claim: Claim | null;
  }
}

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
/** Larger answers are not kept; a repetition is then done again. */
const ANSWER_LIMIT = 4 * 1024 * 1024;

export function installIdempotency(app: FastifyInstance, { db }: { db: Db }): void {
  app.decorateRequest('claim', null);

  app.addHook('preHandler', async (request, reply) => {
    const key = request.headers['idempotency-key'];
    if (!request.actor || typeof key !== 'string' || !WRITES.has(request.method) || !isRepeatable(request.body)) return;
    if (!/^[\w.:-]{1,100}$/.test(key)) throw new Fault(30090, { detail: 'Idempotency-Key 无效' });
    const claim: Claim = { userId: request.actor.userId, route: `${request.method} ${pathOf(request)}`, key };
    const bodyHash = hashOf(request);
    const [mine] = await db
      .insert(idempotency)
      .values({ ...claim, bodyHash })
      .onConflictDoNothing()
      .returning({ key: idempotency.key });
    if (mine) {
      request.claim = claim;
      return;
    }
    const [first] = await db.select().from(idempotency).where(isClaim(claim));
    if (!first || first.bodyHash !== bodyHash) throw new Fault(30011);
    if (first.status === null) throw new Fault(30012);
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
    const isFinal = reply.statusCode < 500 && reply.statusCode !== 429;
    if (isFinal && typeof payload === 'string' && payload.length <= ANSWER_LIMIT)
      await db.update(idempotency).set({ status: reply.statusCode, answer: payload }).where(isClaim(claim));
    else await db.delete(idempotency).where(isClaim(claim));
  });
}

/** No call works for a minute: an older claim without an answer belongs to a process that is gone. Run now and then. */
export async function tidyIdempotency(db: Db): Promise<void> {
  await db
    .delete(idempotency)
    .where(and(isNull(idempotency.status), lt(idempotency.createdAt, sql`now() - interval '1 minute'`)));
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
