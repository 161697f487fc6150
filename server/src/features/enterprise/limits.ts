/** What holds for every enterprise: room for a seat, runs at once, trials. One row, changed at the desk without code. */
import { eq } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import { enterpriseLimits } from './tables.ts';
import type { EnterpriseLimitsRow, EnterpriseRow } from './tables.ts';

export type LimitsChange = Partial<Omit<EnterpriseLimitsRow, 'id' | 'version'>>;

export const DEFAULTS: EnterpriseLimitsRow = {
  id: 1,
  seatBytes: 20_000_000_000,
  memberRuns: 2,
  memberWaiting: 20,
  seatRuns: 4,
  runsMax: 40,
  trialDays: 14,
  trialSeats: 5,
  trialReview: false,
  version: 1,
};

export async function readLimits(executor: Db): Promise<EnterpriseLimitsRow> {
  const [row] = await executor.select().from(enterpriseLimits);
  return row ?? DEFAULTS;
}

/** 30309 when somebody else has changed them meanwhile. */
export async function changeLimits(
  tx: Tx,
  version: number,
  change: LimitsChange,
): Promise<{ before: EnterpriseLimitsRow; after: EnterpriseLimitsRow }> {
  await tx.insert(enterpriseLimits).values(DEFAULTS).onConflictDoNothing();
  const [before] = await tx.select().from(enterpriseLimits).for('update');
  if (before?.version !== version) throw new Fault(30309);
  const after = { ...before, ...change, version: version + 1 };
  await tx.update(enterpriseLimits).set(after).where(eq(enterpriseLimits.id, before.id));
  return { before, after };
}

/** Bytes of files an enterprise may hold: what the desk has set, else so many for each seat. */
export const storageOf = ({ storageBytes, seats }: EnterpriseRow, { seatBytes }: EnterpriseLimitsRow): number =>
  storageBytes ?? seatBytes * Math.max(1, seats);

/** Runs at once and waiting: of the enterprise, and of one member. */
export const runsOf = ({ seats }: EnterpriseRow, limits: EnterpriseLimitsRow) => ({
  owner: Math.min(limits.runsMax, limits.seatRuns * Math.max(1, seats)),
  member: limits.memberRuns,
  waiting: limits.memberWaiting,
});
