/**
 * What must happen outside after a transaction has committed: written with the work, done at least once, with a number
 * that makes a repetition harmless. Attempts wait 1 s, 2 s, 4 s … up to an hour; after twelve a person must look.
 */
import { and, asc, count, desc, eq, isNull, isNotNull, lte, sql } from 'drizzle-orm';
import { bigint, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import { atOnce } from './clock.ts';
import type { Db } from './db.ts';
import type { Logger } from './log.ts';
import { slice } from './paging.ts';

const at = (name: string) => timestamp(name, { withTimezone: true });

const outbox = pgTable('outbox', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  topic: text('topic').notNull(),
  dedupeKey: text('dedupe_key').notNull(),
  payload: jsonb('payload').$type<unknown>().notNull(),
  attempts: integer('attempts').notNull().default(0),
  nextAt: at('next_at').notNull().defaultNow(),
  doneAt: at('done_at'),
  deadAt: at('dead_at'),
  error: text('error'),
});

const ATTEMPTS_MAX = 12;
const WAIT_MAX_SECONDS = 3600;
/** A message taken by a process that died is taken again after this. */
const HELD_SECONDS = 60;
const BATCH = 20;

/** `again`: not finished, and no fault either; asked again after so many seconds, without counting as a failure. */
export type Handled = 'done' | { again: number };

export interface Topic {
  handle(payload: unknown): Promise<Handled>;
  /** What the message said is forgotten once it is delivered. */
  forget?: boolean;
}

export interface Letter {
  topic: string;
  /** The same key is one message, however often it is sent. */
  key: string;
  payload: unknown;
  /** Seconds until the first attempt. */
  after?: number;
}

/** Puts a message into the transaction of the work. */
export async function send(tx: Db, { topic, key, payload, after }: Letter): Promise<void> {
  await tx
    .insert(outbox)
    .values({ topic, dedupeKey: key, payload, nextAt: after ? sql`now() + make_interval(secs => ${after})` : atOnce })
    .onConflictDoNothing({ target: outbox.dedupeKey });
}

const shown = {
  id: outbox.id,
  topic: outbox.topic,
  key: outbox.dedupeKey,
  attempts: outbox.attempts,
  nextAt: outbox.nextAt,
  deadAt: outbox.deadAt,
  error: outbox.error,
};
/** A message without its payload. */
export type Message = Pick<typeof outbox.$inferSelect, 'id' | 'topic' | 'attempts' | 'nextAt' | 'deadAt' | 'error'> & {
  key: string;
};

export type Outbox = ReturnType<typeof createOutbox>;

export function createOutbox({ db, log }: { db: Db; log: Logger }) {
  const topics = new Map<string, Topic>();
  let busy: Promise<number> | null = null;

  /** Takes what is due for a while; two processes never hold the same message. */
  async function take() {
    return db.transaction(async (tx) => {
      const due = await tx
        .select()
        .from(outbox)
        .where(and(isNull(outbox.doneAt), isNull(outbox.deadAt), lte(outbox.nextAt, sql`now()`)))
        .orderBy(asc(outbox.nextAt), asc(outbox.id))
        .limit(BATCH)
        .for('update', { skipLocked: true });
      for (const { id } of due)
        await tx
          .update(outbox)
          .set({ nextAt: sql`now() + make_interval(secs => ${HELD_SECONDS})` })
          .where(eq(outbox.id, id));
      return due;
    });
  }

  async function deliver(letter: typeof outbox.$inferSelect): Promise<void> {
    const topic = topics.get(letter.topic);
    try {
      if (!topic) throw new Error(`Nobody handles the topic ${letter.topic}`);
      const handled = await topic.handle(letter.payload);
      if (handled === 'done')
        await db
          .update(outbox)
          .set({ doneAt: sql`now()`, error: null, ...(topic.forget ? { payload: {} } : {}) })
          .where(eq(outbox.id, letter.id));
      else
        await db
          .update(outbox)
          .set({ nextAt: sql`now() + make_interval(secs => ${handled.again})` })
          .where(eq(outbox.id, letter.id));
    } catch (error) {
      await fail(letter, error instanceof Error ? error.message : String(error));
    }
  }

  async function fail(letter: typeof outbox.$inferSelect, message: string): Promise<void> {
    const attempts = letter.attempts + 1;
    const isDead = attempts >= ATTEMPTS_MAX;
    const wait = Math.min(WAIT_MAX_SECONDS, 2 ** letter.attempts);
    log[isDead ? 'error' : 'warn'](
      { event: isDead ? 'outbox_dead' : 'outbox', topic: letter.topic, attempts, reason: message.slice(0, 200) },
      'a message could not be delivered',
    );
    await db
      .update(outbox)
      .set({
        attempts,
        error: message.slice(0, 500),
        nextAt: sql`now() + make_interval(secs => ${wait})`,
        deadAt: isDead ? sql`now()` : null,
      })
      .where(eq(outbox.id, letter.id));
  }

  async function round(): Promise<number> {
    const letters = await take();
    await Promise.all(letters.map(deliver));
    return letters.length;
  }

  return {
    register(name: string, topic: Topic): void {
      if (topics.has(name)) throw new Error(`The topic ${name} is handled already`);
      topics.set(name, topic);
    },

    /** Delivers what is due now; gives the number of messages tried. Calls at the same time share one round. */
    deliver(): Promise<number> {
      busy ??= round().finally(() => {
        busy = null;
      });
      return busy;
    },

    /** For the desk: what waits, how long the oldest, what was given up. */
    async health(): Promise<{ waiting: number; dead: number; oldest_seconds: number }> {
      const [open] = await db
        .select({ n: count(), oldest: sql<number | null>`extract(epoch FROM now() - min(${outbox.nextAt}))::float8` })
        .from(outbox)
        .where(and(isNull(outbox.doneAt), isNull(outbox.deadAt)));
      const [dead] = await db
        .select({ n: count() })
        .from(outbox)
        .where(and(isNull(outbox.doneAt), isNotNull(outbox.deadAt)));
      return { waiting: open?.n ?? 0, dead: dead?.n ?? 0, oldest_seconds: Math.max(0, open?.oldest ?? 0) };
    },

    /** For the desk: what was given up (`dead`) or still waits, newest first; without what the messages say. */
    async list(
      state: 'dead' | 'waiting',
      page: { page: number; page_size: number },
    ): Promise<{ total: number; list: Message[] }> {
      const isOpen = isNull(outbox.doneAt);
      const where = and(isOpen, state === 'dead' ? isNotNull(outbox.deadAt) : isNull(outbox.deadAt));
      const { limit, offset } = slice(page);
      const list = await db
        .select(shown)
        .from(outbox)
        .where(where)
        .orderBy(desc(outbox.id))
        .limit(limit)
        .offset(offset);
      const [all] = await db.select({ n: count() }).from(outbox).where(where);
      return { total: all?.n ?? 0, list };
    },

    async find(executor: Db, id: number): Promise<Message | null> {
      const [row] = await executor.select(shown).from(outbox).where(eq(outbox.id, id));
      return row ?? null;
    },

    /** The desk tries a message again that was given up. */
    async retry(id: number, executor: Db = db): Promise<boolean> {
      const rows = await executor
        .update(outbox)
        .set({ deadAt: null, attempts: 0, nextAt: atOnce })
        .where(and(eq(outbox.id, id), isNull(outbox.doneAt), isNotNull(outbox.deadAt)))
        .returning({ id: outbox.id });
      return rows.length > 0;
    },

    /** The desk gives a message up for good: what it was for has been seen to by hand. */
    async drop(id: number, executor: Db): Promise<boolean> {
      const rows = await executor
        .update(outbox)
        .set({ doneAt: sql`now()` })
        .where(and(eq(outbox.id, id), isNull(outbox.doneAt), isNotNull(outbox.deadAt)))
        .returning({ id: outbox.id });
      return rows.length > 0;
    },

    async tidy(): Promise<void> {
      await db.delete(outbox).where(sql`${outbox.doneAt} < now() - interval '30 days'`);
    },
  };
}

/** A topic whose payload is checked before it is handled. */
export const topicOf = <T>(shape: z.ZodType<T>, handle: (payload: T) => Promise<Handled>): Topic => ({
  handle: (payload) => handle(shape.parse(payload)),
});
