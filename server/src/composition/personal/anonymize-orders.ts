/** Orders, invoices and ledgers stay after somebody has left, without the person: what the law keeps is the amount. */
import { and, eq, inArray } from 'drizzle-orm';
import { friendInvitations, friendLinks } from '../../features/campaigns/tables.ts';
import { eduChecks, eduCodes, proofs } from '../../features/membership/tables.ts';
import { couponMisses, invoices, orders, payments } from '../../features/orders/tables.ts';
import type { Tx } from '../../lib/db.ts';

export async function forgetMoney(tx: Tx, userId: number): Promise<void> {
  await tx.update(invoices).set({ email: '' }).where(eq(invoices.userId, userId));
  await tx
    .update(invoices)
    .set({ title: '已注销用户' })
    .where(and(eq(invoices.userId, userId), eq(invoices.kind, 'person')));
  // By whom it was paid is nobody's any more.
  const own = tx.select({ no: orders.orderNo }).from(orders).where(eq(orders.userId, userId));
  await tx.update(payments).set({ payerDigest: null }).where(inArray(payments.orderNo, own));
  await tx.delete(eduCodes).where(eq(eduCodes.userId, userId));
  await tx.delete(eduChecks).where(eq(eduChecks.userId, userId));
  await tx.delete(proofs).where(and(eq(proofs.userId, userId), eq(proofs.purpose, 'edu')));
  await tx.delete(couponMisses).where(eq(couponMisses.userId, userId));
  await tx.delete(friendLinks).where(eq(friendLinks.userId, userId));
  await tx.update(friendInvitations).set({ deviceId: '' }).where(eq(friendInvitations.invitee, userId));
}
