/** Bank transfers: an order with a remark to write on the transfer, a proof, and the desk that matches and confirms. */
import { and, eq, ne } from 'drizzle-orm';
import { yuan } from '@hengxi/contracts/price';
import { violates } from '../../lib/db.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { work } from '../../lib/idempotency.ts';
import type { Changed } from '../membership/service.ts';
import { lockBuyer, settingsOf } from './context.ts';
import type { Buyer, Context } from './context.ts';
import type { Payments } from './payments.ts';
import type { Transfer } from './schema.ts';
import { loadOrder } from './store.ts';
import { bankTransfers, orders } from './tables.ts';
import type { TransferRow } from './tables.ts';
import { serializeTransfer } from './serialize.ts';

export function createTransfers(context: Context, payments: Payments) {
  const { db, clock, membership } = context;

  async function read(buyer: Buyer, orderNo: string): Promise<Transfer> {
    const order = await loadOrder(db, buyer, orderNo);
    const [row] = await db.select().from(bankTransfers).where(eq(bankTransfers.orderNo, orderNo));
    if (!row) throw missing();
    return serializeTransfer(row, order, await settingsOf(db));
  }

  /** Locks a transfer for the desk, the buyer's orders first. */
  async function lock(tx: Tx, id: number, version: number, states: TransferRow['state'][]): Promise<TransferRow> {
    const [transfer] = await tx
      .select({ userId: orders.userId })
      .from(bankTransfers)
      .innerJoin(orders, eq(orders.orderNo, bankTransfers.orderNo))
      .where(eq(bankTransfers.id, id));
    if (!transfer) throw missing();
    await lockBuyer(tx, transfer.userId);
    const [row] = await tx.select().from(bankTransfers).where(eq(bankTransfers.id, id)).for('update');
    if (!row) throw missing();
    if (row.version !== version || !states.includes(row.state)) throw new Fault(30309);
    return row;
  }

  async function update(tx: Tx, row: TransferRow, set: Partial<TransferRow>): Promise<TransferRow> {
    const [after] = await tx
      .update(bankTransfers)
      .set({ ...set, version: row.version + 1 })
      .where(eq(bankTransfers.id, row.id))
      .returning();
    if (!after) throw missing();
    return after;
  }

  /** The amount must be equal and the reference new; any other money is sent back to the payer with a reason. */
  async function demandFits(
    executor: Db,
    row: TransferRow,
    { bankRef, amount }: { bankRef: string; amount: number },
  ): Promise<void> {
    if (amount !== row.amountFen) throw new Fault(30321, { a: yuan(row.amountFen), b: yuan(amount) });
    const [other] = await executor
      .select({ id: bankTransfers.id })
      .from(bankTransfers)
      .where(and(eq(bankTransfers.bankRef, bankRef), ne(bankTransfers.id, row.id)));
    if (other) throw new Fault(30322);
  }

  return {
    read,

    /** Desk: the same as at the confirmation, for whoever asks for it. */
    async demandFits(id: number, received: { bank_ref: string; amount: number }): Promise<void> {
      const [row] = await db.select().from(bankTransfers).where(eq(bankTransfers.id, id));
      if (!row) throw missing();
      await demandFits(db, row, { bankRef: received.bank_ref, amount: received.amount });
    },

    /** The buyer's proof of the transfer; it may be replaced until the desk looks at it. */
    async prove(buyer: Buyer, orderNo: string, sent: { payer: string; bytes: Uint8Array }): Promise<Transfer> {
      const order = await loadOrder(db, buyer, orderNo);
      if (order.state === 'paid' || order.state === 'refunded') throw new Fault(30221);
      if (order.state === 'closed') throw new Fault(30222);
      const proof = await membership.proofs.add(buyer.userId, 'transfer', sent.bytes);
      await work(db, async (tx) => {
        await lockBuyer(tx, buyer.userId);
        const [row] = await tx.select().from(bankTransfers).where(eq(bankTransfers.orderNo, orderNo)).for('update');
        if (!row) throw missing();
        if (!['waiting', 'proof', 'returned'].includes(row.state)) throw new Fault(30309);
        await membership.proofs.keep(tx, buyer.userId, 'transfer', proof.id);
        if (row.proofId !== null) await membership.proofs.letGo(tx, row.proofId);
        await update(tx, row, { state: 'proof', proofId: proof.id, payer: sent.payer, reason: null });
      });
      return read(buyer, orderNo);
    },

    /** Desk: somebody is looking for it on the statement. */
    async match(tx: Tx, id: number, version: number): Promise<Changed<TransferRow>> {
      const before = await lock(tx, id, version, ['waiting', 'proof', 'returned']);
      return { before, after: await update(tx, before, { state: 'checking' }) };
    },

    /** Desk: the money is on the account. */
    async confirm(
      tx: Tx,
      id: number,
      version: number,
      received: { bankRef: string; amount: number; by: number; approvedBy: number | null },
    ): Promise<Changed<TransferRow>> {
      const before = await lock(tx, id, version, ['waiting', 'proof', 'checking', 'returned', 'closed']);
      await demandFits(tx, before, received);
      try {
        const after = await update(tx, before, {
          state: 'confirmed',
          bankRef: received.bankRef,
          reason: null,
          confirmedBy: received.by,
          approvedBy: received.approvedBy,
        });
        const outcome = await payments.settleIn(tx, {
          provider: 'bank',
          order_no: before.orderNo,
          transaction_id: received.bankRef,
          amount: received.amount,
          paid_at: await clock(tx),
        });
        if (outcome === 'known') throw new Fault(30322);
        if (before.proofId !== null) await membership.proofs.letGo(tx, before.proofId);
        return { before, after };
      } catch (error) {
        if (violates(error, 'bank_transfers_ref')) throw new Fault(30322);
        throw error;
      }
    },

    /** Desk: does not fit; the buyer reads why and may send another proof. */
    async giveBack(tx: Tx, id: number, version: number, reason: string): Promise<Changed<TransferRow>> {
      const before = await lock(tx, id, version, ['waiting', 'proof', 'checking']);
      return { before, after: await update(tx, before, { state: 'returned', reason }) };
    },
  };
}
