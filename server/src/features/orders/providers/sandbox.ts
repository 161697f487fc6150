/** The built-in provider: its cashier page stands in for an app. Same facts, HMAC instead of certificates. Never in production. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { and, eq, gte, lt } from 'drizzle-orm';
import { z } from 'zod';
import { dayRange } from '../../../lib/clock.ts';
import { digits } from '../../../lib/codes.ts';
import type { Db } from '../../../lib/db.ts';
import { sandboxRefunds, sandboxTrades } from '../tables.ts';
import { BadSignature } from './provider.ts';
import type { PaidFact, PaymentProvider } from './provider.ts';

export const SIGNATURE_HEADER = 'x-sandbox-signature';
const AGE_SECONDS = 300;

const Notice = z.strictObject({
  timestamp: z.number().int(),
  order_no: z.string(),
  transaction_id: z.string(),
  amount: z.number().int(),
  paid_at: z.string(),
  payer: z.string().max(64).optional(),
});

/** What is no JSON is nothing, and fits no shape. */
function parsed(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    return null;
  }
}

export interface Sandbox extends PaymentProvider {
  /** What the cashier sends when somebody pays: the bytes and their signature. */
  pay(
    order: { order_no: string; amount: number; payer?: string | undefined },
    now: Date,
  ): Promise<{ raw: Buffer; headers: Record<string, string> }>;
}

export function createSandbox(deps: { db: Db; secret: string; origin: () => string; now?: () => number }): Sandbox {
  const { db, secret, origin, now = Date.now } = deps;
  const sign = (raw: Buffer): Buffer => createHmac('sha256', secret).update(raw).digest();
  const factOf = (row: typeof sandboxTrades.$inferSelect): PaidFact => ({
    provider: 'sandbox',
    order_no: row.orderNo,
    transaction_id: row.transactionId,
    amount: row.amount,
    paid_at: row.paidAt,
    ...(row.payer ? { payer: row.payer } : {}),
  });

  async function tradeOf(orderNo: string): Promise<PaidFact | null> {
    const [row] = await db.select().from(sandboxTrades).where(eq(sandboxTrades.orderNo, orderNo)).limit(1);
    return row ? factOf(row) : null;
  }

  return {
    name: 'sandbox',
    open: async ({ order_no: orderNo }) => ({ code_url: `${origin()}/sandbox/cashier/${orderNo}` }),
    query: async (orderNo) => (await tradeOf(orderNo)) ?? 'unpaid',
    close: async (orderNo) => ((await tradeOf(orderNo)) ? 'paid' : 'closed'),
    refund: async ({ order_no: orderNo, refund_no: refundNo, amount }) => {
      await db.insert(sandboxRefunds).values({ refundNo, orderNo, amount }).onConflictDoNothing();
      return 'done';
    },
    bill: async (day) => {
      const { from, to } = dayRange(day);
      const trades = await db
        .select()
        .from(sandboxTrades)
        .where(and(gte(sandboxTrades.paidAt, from), lt(sandboxTrades.paidAt, to)));
      const backs = await db
        .select()
        .from(sandboxRefunds)
        .where(and(gte(sandboxRefunds.doneAt, from), lt(sandboxRefunds.doneAt, to)));
      return [
        ...trades.map(({ transactionId, orderNo, amount }) => ({
          kind: 'payment' as const,
          reference: transactionId,
          order_no: orderNo,
          amount,
        })),
        ...backs.map(({ refundNo, orderNo, amount }) => ({
          kind: 'refund' as const,
          reference: refundNo,
          order_no: orderNo,
          amount,
        })),
      ];
    },
    readNotice: async (raw, headers) => {
      const given = Buffer.from(String(headers[SIGNATURE_HEADER] ?? ''), 'hex');
      const right = sign(raw);
      if (given.length !== right.length || !timingSafeEqual(given, right)) throw new BadSignature('signature');
      const read = Notice.safeParse(parsed(raw));
      if (!read.success) throw new BadSignature('shape');
      const notice = read.data;
      if (Math.abs(now() / 1000 - notice.timestamp) > AGE_SECONDS) throw new BadSignature('age');
      const { order_no: orderNo, transaction_id: transactionId, amount, paid_at: paidAt, payer } = notice;
      return {
        provider: 'sandbox',
        order_no: orderNo,
        transaction_id: transactionId,
        amount,
        paid_at: new Date(paidAt),
        ...(payer ? { payer } : {}),
      };
    },
    answer: (ok) => ({
      status: ok ? 200 : 400,
      type: 'application/json; charset=utf-8',
      body: JSON.stringify({ code: ok ? 'SUCCESS' : 'FAIL' }),
    }),
    pay: async ({ order_no: orderNo, amount, payer }, at) => {
      const transactionId = `SB${digits(20)}`;
      await db.insert(sandboxTrades).values({ transactionId, orderNo, amount, paidAt: at, payer: payer ?? null });
      const notice = {
        timestamp: Math.floor(now() / 1000),
        order_no: orderNo,
        transaction_id: transactionId,
        amount,
        paid_at: at.toISOString(),
        ...(payer ? { payer } : {}),
      };
      const raw = Buffer.from(JSON.stringify(notice));
      return { raw, headers: { [SIGNATURE_HEADER]: sign(raw).toString('hex') } };
    },
  };
}
