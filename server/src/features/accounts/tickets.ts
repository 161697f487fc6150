/** Promises that one more click redeems (restore, merge): once, ten minutes, for the browser they were given to. */
import { and, eq, lt, sql } from 'drizzle-orm';
import { isRecent } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import { randomCode } from '../../lib/keys.ts';
import type { Keys } from '../../lib/keys.ts';
import type { Device } from './device.ts';
import { accountTickets } from './tables.ts';

type Kind = 'restore' | 'merge';

export async function giveTicket(
  { db, keys }: { db: Db; keys: Keys },
  kind: Kind,
  accounts: { userId: number; otherId?: number },
  device: Device,
): Promise<string> {
  const ticket = randomCode();
  await db.delete(accountTickets).where(lt(accountTickets.createdAt, sql`now() - interval '1 hour'`));
  await db.insert(accountTickets).values({
    ticketDigest: keys.digest('account-ticket', ticket),
    kind,
    userId: accounts.userId,
    otherId: accounts.otherId ?? null,
    deviceId: device.deviceId,
  });
  return ticket;
}

/** Spends the ticket, also when it is too old or held by another browser. */
export async function takeTicket(
  tx: Tx,
  keys: Keys,
  kind: Kind,
  ticket: string,
  device: Device,
): Promise<{ userId: number; otherId: number | null }> {
  const [row] = await tx
    .delete(accountTickets)
    .where(and(eq(accountTickets.ticketDigest, keys.digest('account-ticket', ticket)), eq(accountTickets.kind, kind)))
    .returning({
      userId: accountTickets.userId,
      otherId: accountTickets.otherId,
      deviceId: accountTickets.deviceId,
      isFresh: isRecent(accountTickets.createdAt, 600),
    });
  if (!row?.isFresh || row.deviceId !== device.deviceId) throw new Fault(30003);
  return row;
}
