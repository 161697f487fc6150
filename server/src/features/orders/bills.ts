/**
 * Our books against the providers' bills, day by day. A payment the bill knows and we do not (its notices were lost) is
 * asked about and settled first; what then still differs stands at the desk until a later comparison finds it gone.
 */
import { and, count, desc, eq, gte, inArray, isNull, isNotNull, lt, notInArray, or, sql } from 'drizzle-orm';
import { DAY_MS, dayOf, dayRange } from '../../lib/clock.ts';
import { send } from '../../lib/outbox.ts';
import type { Handled } from '../../lib/outbox.ts';
import { slice } from '../../lib/paging.ts';
import type { Context } from './context.ts';
import type { DeskPage } from './desk.ts';
import type { Payments } from './payments.ts';
import type { BillLine } from './providers/bill-files.ts';
import type { PaymentProvider } from './providers/provider.ts';
import { billDays, billDifferences, payments as paymentTable, refunds } from './tables.ts';
import type { BillDayRow, BillDifferenceRow } from './tables.ts';

/** Bills of a day are made until ten o'clock of the next one. */
const READY_MS = 10.5 * 3_600_000;
/** Days that are caught up on after the server was down. */
const BACK_DAYS = 3;
/** Days with open differences are compared again so long. */
const AGAIN_DAYS = 7;
/** Where we know of payments, a missing bill is believed only after this. */
const PATIENCE_MS = 36 * 3_600_000;

/** One of our rows. `expected` false: it may stand on the bill of another day. */
export type OwnLine = BillLine & { expected: boolean };
export interface Difference {
  kind: BillLine['kind'];
  reference: string;
  order_no: string | null;
  ours: number | null;
  theirs: number | null;
}

const keyOf = ({ kind, reference }: Pick<BillLine, 'kind' | 'reference'>): string => `${kind} ${reference}`;

/** What stands on one side only, or with another amount. */
export function differ(own: readonly OwnLine[], theirs: readonly BillLine[]): Difference[] {
  const theirsByKey = new Map(theirs.map((line) => [keyOf(line), line]));
  const known = new Map(own.map((line) => [keyOf(line), line]));
  const mine = own.flatMap(({ expected, kind, reference, order_no, amount }) => {
    const line = theirsByKey.get(keyOf({ kind, reference }));
    if (!line ? !expected : line.amount === amount) return [];
    return [{ kind, reference, order_no, ours: amount, theirs: line?.amount ?? null }];
  });
  const others = [...theirsByKey.values()].filter((line) => !known.has(keyOf(line)));
  return [
    ...mine,
    ...others.map(({ kind, reference, order_no, amount }) => ({
      kind,
      reference,
      order_no: order_no || null,
      ours: null,
      theirs: amount,
    })),
  ];
}

export function createBills({ db, clock, cashiers, log, onAnomaly }: Context, payments: Payments) {
  async function ownOf(name: PaymentProvider['name'], day: string, told: readonly BillLine[]): Promise<OwnLine[]> {
    const { from, to } = dayRange(day);
    const ids = (kind: BillLine['kind']) => told.filter((line) => line.kind === kind).map((line) => line.reference);
    const [transactions, backs] = [ids('payment'), ids('refund')];
    const paid = await db
      .select()
      .from(paymentTable)
      .where(
        and(
          eq(paymentTable.provider, name),
          or(
            and(gte(paymentTable.paidAt, from), lt(paymentTable.paidAt, to)),
            transactions.length > 0 ? inArray(paymentTable.transactionId, transactions) : undefined,
          ),
        ),
      );
    const sent = await db
      .select({ refund: refunds })
      .from(refunds)
      .innerJoin(paymentTable, eq(paymentTable.id, refunds.paymentId))
      .where(
        and(
          eq(paymentTable.provider, name),
          or(
            and(gte(refunds.doneAt, from), lt(refunds.doneAt, to)),
            backs.length > 0 ? inArray(refunds.refundNo, backs) : undefined,
          ),
        ),
      );
    return [
      ...paid.map((row) => ({
        kind: 'payment' as const,
        reference: row.transactionId,
        order_no: row.orderNo,
        amount: row.amount,
        expected: row.paidAt >= from && row.paidAt < to,
      })),
      ...sent.map(({ refund: row }) => ({
        kind: 'refund' as const,
        reference: row.refundNo,
        order_no: row.orderNo,
        amount: row.amount,
        // A bill counts a refund when it was accepted, which we only know where one day held all of it.
        expected:
          row.state === 'refunded' && row.doneAt !== null && row.decidedAt !== null && dayOf(row.decidedAt) === day,
      })),
    ];
  }

  /** Payments whose notices were lost: the provider vouches for each of them by its own answer. */
  async function settleLost(provider: PaymentProvider, theirs: readonly BillLine[], own: readonly OwnLine[]) {
    const known = new Set(own.map(keyOf));
    let settled = 0;
    for (const line of theirs) {
      if (line.kind !== 'payment' || known.has(keyOf(line)) || !line.order_no) continue;
      const fact = await provider.query(line.order_no);
      if (fact === 'unpaid' || fact === 'unknown' || fact.transaction_id !== line.reference) continue;
      await payments.settle(fact);
      settled += 1;
    }
    return settled;
  }

  async function record(
    name: PaymentProvider['name'],
    day: string,
    theirs: readonly BillLine[],
    differences: Difference[],
  ) {
    const sumOf = (kind: BillLine['kind']) =>
      theirs.filter((line) => line.kind === kind).reduce((sum, line) => sum + line.amount, 0);
    const countOf = (kind: BillLine['kind']) => theirs.filter((line) => line.kind === kind).length;
    const facts = {
      payments: countOf('payment'),
      paid: sumOf('payment'),
      refunds: countOf('refund'),
      refunded: sumOf('refund'),
      differences: differences.length,
    };
    return db.transaction(async (tx) => {
      await tx
        .insert(billDays)
        .values({ provider: name, day, ...facts })
        .onConflictDoUpdate({
          target: [billDays.provider, billDays.day],
          set: { ...facts, checkedAt: sql`now()` },
        });
      const mine = and(eq(billDifferences.provider, name), eq(billDifferences.day, day));
      const ids: number[] = [];
      let isNew = false;
      for (const { order_no: orderNo, ...rest } of differences) {
        const [row] = await tx
          .insert(billDifferences)
          .values({ provider: name, day, orderNo, ...rest })
          .onConflictDoUpdate({
            target: [billDifferences.provider, billDifferences.day, billDifferences.kind, billDifferences.reference],
            set: { ours: rest.ours, theirs: rest.theirs, settledAt: null },
          })
          .returning({ id: billDifferences.id, isNew: sql<boolean>`xmax = 0` });
        if (row) ids.push(row.id);
        isNew ||= row?.isNew ?? false;
      }
      await tx
        .update(billDifferences)
        .set({ settledAt: sql`now()` })
        .where(
          and(
            mine,
            isNull(billDifferences.settledAt),
            ids.length > 0 ? notInArray(billDifferences.id, ids) : undefined,
          ),
        );
      return isNew;
    });
  }

  return {
    /** Asks for what is to be compared; the same day is asked for once, and once a day while it differs. */
    async plan(): Promise<void> {
      const now = await clock(db);
      const today = dayOf(now);
      const begins = dayRange(today).from.getTime();
      const providers = cashiers.all.map(({ name }) => name);
      for (const provider of providers)
        for (let back = 1; back <= BACK_DAYS; back += 1) {
          const end = begins - (back - 1) * DAY_MS;
          const after = Math.max(0, Math.ceil((end + READY_MS - now.getTime()) / 1000));
          const day = dayOf(new Date(end - DAY_MS));
          await send(db, { topic: 'bill', key: `bill:${provider}:${day}`, payload: { provider, day }, after });
        }
      const open = await db
        .selectDistinct({ provider: billDifferences.provider, day: billDifferences.day })
        .from(billDifferences)
        .where(
          and(
            isNull(billDifferences.settledAt),
            inArray(billDifferences.provider, providers),
            gte(billDifferences.day, dayOf(new Date(begins - AGAIN_DAYS * DAY_MS))),
          ),
        );
      for (const { provider, day } of open)
        await send(db, { topic: 'bill', key: `bill:${provider}:${day}:${today}`, payload: { provider, day } });
    },

    /** Compares one day; for the outbox. */
    async compare(name: string, day: string): Promise<Handled> {
      const provider = cashiers.byName(name);
      if (!provider) return 'done';
      const theirs = await provider.bill(day);
      if (theirs === 'later') return { again: 1800 };
      const lines = theirs === 'none' ? [] : theirs;
      let own = await ownOf(provider.name, day, lines);
      if (theirs === 'none' && own.some(({ expected }) => expected)) {
        const waited = (await clock(db)).getTime() - dayRange(day).to.getTime();
        if (waited < PATIENCE_MS) return { again: 3600 };
      }
      if ((await settleLost(provider, lines, own)) > 0) own = await ownOf(provider.name, day, lines);
      const differences = differ(own, lines);
      if (await record(provider.name, day, lines, differences)) {
        onAnomaly();
        log.error({ event: 'bill_difference', provider: name, day, n: differences.length }, 'a bill does not agree');
      }
      return 'done';
    },

    /** For the desk: days compared, newest first. */
    async days({ page, page_size }: { page: number; page_size: number }): Promise<DeskPage<BillDayRow>> {
      const { limit, offset } = slice({ page, page_size });
      const list = await db
        .select()
        .from(billDays)
        .orderBy(desc(billDays.day), billDays.provider)
        .limit(limit)
        .offset(offset);
      const [all] = await db.select({ n: count() }).from(billDays);
      return { total: all?.n ?? 0, list };
    },

    /** For the desk: what differs, newest first. */
    async differences(query: {
      page: number;
      page_size: number;
      state?: string | undefined;
      order_no?: string | undefined;
    }): Promise<DeskPage<BillDifferenceRow>> {
      const where = and(
        query.state === 'open' ? isNull(billDifferences.settledAt) : undefined,
        query.state === 'settled' ? isNotNull(billDifferences.settledAt) : undefined,
        query.order_no ? eq(billDifferences.orderNo, query.order_no) : undefined,
      );
      const { limit, offset } = slice(query);
      const list = await db
        .select()
        .from(billDifferences)
        .where(where)
        .orderBy(desc(billDifferences.id))
        .limit(limit)
        .offset(offset);
      const [all] = await db.select({ n: count() }).from(billDifferences).where(where);
      return { total: all?.n ?? 0, list };
    },
  };
}
