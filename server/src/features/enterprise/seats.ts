/** Seats at an instant are the sum of the blocks that cover it; joining and returning need a free one. */
import { and, eq, gt, isNull, lte, max, min, sum } from 'drizzle-orm';
import type { Tx } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import { enterprises, members, seatBlocks } from './tables.ts';
import type { EnterpriseRow } from './tables.ts';

/** Takes one seat; the caller holds the row's lock. */
export async function takeSeat(tx: Tx, { id, seats, seatsUsed }: EnterpriseRow): Promise<void> {
  if (seatsUsed >= seats) throw new Fault(30301, { used: seatsUsed, seats });
  await tx
    .update(enterprises)
    .set({ seatsUsed: seatsUsed + 1 })
    .where(eq(enterprises.id, id));
}

/** Gives one back; the caller holds the row's lock. */
export async function freeSeat(tx: Tx, { id, seatsUsed }: EnterpriseRow): Promise<void> {
  await tx
    .update(enterprises)
    .set({ seatsUsed: seatsUsed - 1 })
    .where(eq(enterprises.id, id));
}

/** Sets seats, term and use of an enterprise to what its blocks and members say now; the caller holds the row's lock. */
export async function countSeats(tx: Tx, eid: number, now: Date): Promise<{ seats: number; endsAt: Date | null }> {
  const alive = and(eq(seatBlocks.enterpriseId, eid), isNull(seatBlocks.revokedAt));
  const [covering] = await tx
    .select({ seats: sum(seatBlocks.seats).mapWith(Number) })
    .from(seatBlocks)
    .where(and(alive, lte(seatBlocks.fromAt, now), gt(seatBlocks.toAt, now)));
  const [whole] = await tx
    .select({ first: min(seatBlocks.fromAt), last: max(seatBlocks.toAt) })
    .from(seatBlocks)
    .where(alive);
  const used = await tx.$count(members, and(eq(members.enterpriseId, eid), eq(members.state, 'active')));
  const seats = covering?.seats ?? 0;
  const endsAt = whole?.last ?? null;
  await tx
    .update(enterprises)
    .set({ seats, seatsUsed: used, startsAt: whole?.first ?? null, endsAt })
    .where(eq(enterprises.id, eid));
  return { seats, endsAt };
}
