/** What people tell us: taken once, answered at the desk, forgotten with the account. */
import { and, asc, count, desc, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { AnyColumn } from 'drizzle-orm';
import { isRecent } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { json } from '../../lib/owner-data.ts';
import type { OwnerFile } from '../../lib/owner-data.ts';
import { Fault, missing } from '../../lib/errors.ts';
import type { Owner } from '../../lib/guard.ts';
import { slice } from '../../lib/paging.ts';
import { happened } from '../../lib/product-events.ts';
import { redraw, stack } from '../../lib/pictures.ts';
import { IMAGE_BYTES, TEXT_LEAST } from './schema.ts';
import type { Feedback, FeedbackBody, FeedbackState, VisitorFeedback } from './schema.ts';
import { feedback, feedbackImages, feedbackMessages } from './tables.ts';
import type { FeedbackRow } from './tables.ts';

const A_DAY = 10;
/** Of visitors: of one device, and of one network, where a class may sit. */
const VISITOR_A_DAY = { device: 3, network: 60 };
/** Pictures that no feedback followed. */
const LOOSE_A_DAY = 40;
/** After the end. */
const IMAGE_DAYS = 180;
/** Solved, these have changed the product. */
const ADOPTED: ReadonlySet<string> = new Set(['idea', 'fault']);
/** What the privacy agreement says. */
const KEPT_YEARS = 2;

export type Feedbacks = ReturnType<typeof createFeedbacks>;

const demandText = (text: string): void => {
  if ([...text].length < TEXT_LEAST) throw new Fault(31511);
};

export function createFeedbacks({ db }: { db: Db }) {
  const today = (column: AnyColumn) => isRecent(column, 86_400);

  async function shown(executor: Db, rows: readonly FeedbackRow[]): Promise<Feedback[]> {
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return [];
    const messages = await executor
      .select()
      .from(feedbackMessages)
      .where(inArray(feedbackMessages.feedbackId, ids))
      .orderBy(asc(feedbackMessages.id));
    const images = await executor
      .select({ id: feedbackImages.feedbackId, n: count() })
      .from(feedbackImages)
      .where(inArray(feedbackImages.feedbackId, ids))
      .groupBy(feedbackImages.feedbackId);
    return rows.map((row) => ({
      id: row.id,
      type: row.type,
      state: row.state,
      images: images.find(({ id }) => id === row.id)?.n ?? 0,
      created_at: row.createdAt.toISOString(),
      messages: messages
        .filter(({ feedbackId }) => feedbackId === row.id)
        .map(({ by, text, at }) => ({ by, text, at: at.toISOString() })),
    }));
  }

  async function own(executor: Db, userId: number, id: number): Promise<FeedbackRow> {
    const [row] = await executor
      .select()
      .from(feedback)
      .where(and(eq(feedback.id, id), eq(feedback.userId, userId)));
    if (!row) throw missing();
    return row;
  }

  const find = async (executor: Db, id: number): Promise<FeedbackRow | null> =>
    (await executor.select().from(feedback).where(eq(feedback.id, id)))[0] ?? null;

  /** Takes the pictures along; a foreign or used one is as absent as one that never was. */
  async function attach(tx: Tx, userId: number, id: number, images: readonly number[]): Promise<void> {
    const wanted = [...new Set(images)];
    if (wanted.length === 0) return;
    const taken = await tx
      .update(feedbackImages)
      .set({ feedbackId: id })
      .where(
        and(inArray(feedbackImages.id, wanted), eq(feedbackImages.userId, userId), isNull(feedbackImages.feedbackId)),
      )
      .returning({ id: feedbackImages.id });
    if (taken.length !== wanted.length) throw missing();
  }

  return {
    find,

    async send(userId: number, body: FeedbackBody): Promise<Feedback> {
      demandText(body.text);
      return db.transaction(async (tx) => {
        // One person's feedback is counted and taken one after the other.
        await tx.execute(sql`SELECT 1 FROM users WHERE id = ${userId} FOR UPDATE`);
        const mine = eq(feedback.userId, userId);
        const again = await tx
          .select()
          .from(feedback)
          .where(and(mine, eq(feedback.requestId, body.request_id)));
        if (again.length === 0) {
          const [sent] = await tx
            .select({ n: count() })
            .from(feedback)
            .where(and(mine, today(feedback.createdAt)));
          if ((sent?.n ?? 0) >= A_DAY) throw new Fault(31513);
          const { type, context, text, images } = body;
          const rows = await tx
            .insert(feedback)
            .values({ userId, type, context, contact: body.contact || null, requestId: body.request_id })
            .returning();
          for (const { id } of rows) {
            await tx.insert(feedbackMessages).values({ feedbackId: id, by: 'person', text });
            await attach(tx, userId, id, images);
          }
          again.push(...rows);
        }
        const [made] = await shown(tx, again);
        if (!made) throw new Error('INSERT gave no row');
        return made;
      });
    },

    /** From somebody without an account. `pass` is asked for last, so that a refused text does not use a captcha up. */
    async sendFrom(
      { deviceId, netDigest }: { deviceId: string; netDigest: string },
      body: Omit<VisitorFeedback, 'ticket' | 'rand'>,
      pass: () => Promise<void>,
    ): Promise<void> {
      demandText(body.text);
      const { type, context, text, request_id: requestId } = body;
      const same = and(eq(feedback.deviceId, deviceId), eq(feedback.requestId, requestId));
      if ((await db.select({ id: feedback.id }).from(feedback).where(same)).length > 0) return;
      await pass();
      await db.transaction(async (tx) => {
        // Those of one network come one after the other, so that they cannot pass the same count.
        await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext(${`feedback ${netDigest}`}))`);
        const [sent] = await tx
          .select({
            device: count(sql`CASE WHEN ${feedback.deviceId} = ${deviceId} THEN 1 END`),
            network: count(),
          })
          .from(feedback)
          .where(and(eq(feedback.netDigest, netDigest), today(feedback.createdAt)));
        if (sent && (sent.device >= VISITOR_A_DAY.device || sent.network >= VISITOR_A_DAY.network))
          throw new Fault(31513);
        const [row] = await tx
          .insert(feedback)
          .values({ deviceId, netDigest, type, context, contact: body.contact || null, requestId })
          .onConflictDoNothing()
          .returning({ id: feedback.id });
        if (row) await tx.insert(feedbackMessages).values({ feedbackId: row.id, by: 'person', text });
      });
    },

    /** A picture drawn anew; goes with the feedback that names it. */
    async addImage(userId: number, bytes: Buffer): Promise<number> {
      const [loose] = await db
        .select({ n: count() })
        .from(feedbackImages)
        .where(and(eq(feedbackImages.userId, userId), today(feedbackImages.createdAt)));
      if ((loose?.n ?? 0) >= LOOSE_A_DAY) throw new Fault(31513);
      const jpeg = bytes.length <= IMAGE_BYTES ? await redraw(bytes) : null;
      if (!jpeg) throw new Fault(31512);
      const [row] = await db
        .insert(feedbackImages)
        .values({ userId, jpeg: new Uint8Array(jpeg) })
        .returning({ id: feedbackImages.id });
      if (!row) throw new Error('INSERT gave no row');
      return row.id;
    },

    async list(userId: number, page: { page: number; page_size: number }) {
      const mine = eq(feedback.userId, userId);
      const { limit, offset } = slice(page);
      const rows = await db.select().from(feedback).where(mine).orderBy(desc(feedback.id)).limit(limit).offset(offset);
      const [all] = await db.select({ n: count() }).from(feedback).where(mine);
      return { total: all?.n ?? 0, list: await shown(db, rows) };
    },

    async read(userId: number, id: number): Promise<Feedback> {
      const [one] = await shown(db, [await own(db, userId, id)]);
      if (!one) throw missing();
      return one;
    },

    /** More of the same; what had been answered or closed waits for the desk again. */
    async add(userId: number, id: number, text: string): Promise<Feedback> {
      demandText(text);
      await db.transaction(async (tx) => {
        await tx.execute(sql`SELECT 1 FROM users WHERE id = ${userId} FOR UPDATE`);
        const row = await own(tx, userId, id);
        const [added] = await tx
          .select({ n: count() })
          .from(feedbackMessages)
          .where(
            and(eq(feedbackMessages.feedbackId, id), eq(feedbackMessages.by, 'person'), today(feedbackMessages.at)),
          );
        if ((added?.n ?? 0) >= A_DAY) throw new Fault(31513);
        await tx.insert(feedbackMessages).values({ feedbackId: id, by: 'person', text });
        await tx
          .update(feedback)
          .set({ state: 'sent', closedAt: null, version: row.version + 1 })
          .where(eq(feedback.id, id));
      });
      return this.read(userId, id);
    },

    /** For the desk: newest first, of one state, of one person. */
    async queue(
      { state, userId }: { state?: FeedbackState | undefined; userId?: number | undefined },
      page: { page: number; page_size: number },
    ) {
      const wanted = and(
        state === undefined ? undefined : eq(feedback.state, state),
        userId === undefined ? undefined : eq(feedback.userId, userId),
      );
      const { limit, offset } = slice(page);
      const rows = await db
        .select()
        .from(feedback)
        .where(wanted)
        .orderBy(desc(feedback.id))
        .limit(limit)
        .offset(offset);
      const [all] = await db.select({ n: count() }).from(feedback).where(wanted);
      const facts = await shown(db, rows);
      return { total: all?.n ?? 0, list: rows.map((row, at) => ({ row, shown: facts[at] })) };
    },

    /** Every change at the desk: a state, and words for the person where there are any. */
    async decide(
      tx: Tx,
      id: number,
      version: number,
      to: { state: Exclude<FeedbackState, 'sent'>; text: string | null },
    ): Promise<{ before: FeedbackRow; after: FeedbackRow }> {
      const [before] = await tx.select().from(feedback).where(eq(feedback.id, id)).for('update');
      if (!before) throw missing();
      if (before.version !== version) throw new Fault(30403);
      if (to.text !== null) await tx.insert(feedbackMessages).values({ feedbackId: id, by: 'desk', text: to.text });
      const isClosed = to.state === 'solved' || to.state === 'declined';
      const [after] = await tx
        .update(feedback)
        .set({ state: to.state, version: version + 1, closedAt: isClosed ? sql`now()` : null })
        .where(eq(feedback.id, id))
        .returning();
      if (!after) throw missing();
      if (to.state === 'solved' && ADOPTED.has(after.type) && after.userId !== null)
        await happened(tx, { kind: 'user', id: after.userId }, { kind: 'feedback_adopted', subject: id });
      return { before, after };
    },

    /** All pictures of one feedback, one below the other; null when there are none. */
    async pictures(id: number): Promise<Buffer | null> {
      const rows = await db
        .select({ jpeg: feedbackImages.jpeg })
        .from(feedbackImages)
        .where(eq(feedbackImages.feedbackId, id))
        .orderBy(asc(feedbackImages.id));
      return rows.length === 0 ? null : stack(rows.map(({ jpeg }) => Buffer.from(jpeg)));
    },

    /** Pictures without a feedback after a day, those of what was closed after half a year; all of it after two years. */
    async tidy(): Promise<void> {
      await db
        .delete(feedbackImages)
        .where(and(isNull(feedbackImages.feedbackId), lt(feedbackImages.createdAt, sql`now() - interval '1 day'`)));
      const old = db
        .select({ id: feedback.id })
        .from(feedback)
        .where(lt(feedback.closedAt, sql`now() - make_interval(days => ${IMAGE_DAYS})`));
      await db.delete(feedbackImages).where(inArray(feedbackImages.feedbackId, old));
      await db.delete(feedback).where(lt(feedback.createdAt, sql`now() - make_interval(years => ${KEPT_YEARS})`));
    },

    /** For taking everything away. */
    async *belongings({ kind, id }: Owner): AsyncGenerator<OwnerFile> {
      if (kind !== 'user') return;
      const rows = await db.select().from(feedback).where(eq(feedback.userId, id)).orderBy(asc(feedback.id));
      yield json('feedback.json', await shown(db, rows));
    },

    async forget(tx: Tx, userId: number): Promise<void> {
      await tx.delete(feedbackImages).where(eq(feedbackImages.userId, userId));
      await tx.delete(feedback).where(eq(feedback.userId, userId));
    },
  };
}
