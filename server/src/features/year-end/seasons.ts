/** When the report of a year is open: 16 December to 31 January of Shanghai, unless the desk set it otherwise. */
import { eq, sql } from 'drizzle-orm';
import { dayOf } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import { yearSeasons } from './tables.ts';

export interface Season {
  year: number;
  opensAt: Date;
  closesAt: Date;
  isOn: boolean;
  /** 0: nobody has set it. */
  version: number;
}
export type SeasonDraft = Pick<Season, 'opensAt' | 'closesAt' | 'isOn'>;

/** The first moment of a year in Shanghai. */
export const startOf = (year: number): Date => new Date(`${year}-01-01T00:00:00+08:00`);

const usual = (year: number): Season => ({
  year,
  opensAt: new Date(`${year}-12-16T00:00:00+08:00`),
  closesAt: new Date(`${year + 1}-02-01T00:00:00+08:00`),
  isOn: true,
  version: 0,
});

export async function seasonOf(executor: Db, year: number): Promise<Season> {
  const [row] = await executor.select().from(yearSeasons).where(eq(yearSeasons.year, year));
  return row ?? usual(year);
}

export const isOpen = ({ opensAt, closesAt, isOn }: Season, now: Date): boolean =>
  isOn && now >= opensAt && now < closesAt;

/** The year whose report is open now, this one before the last; this year where none is. */
export async function seasonAt(executor: Db, now: Date): Promise<Season> {
  const year = Number(dayOf(now).slice(0, 4));
  const [present, last] = [await seasonOf(executor, year), await seasonOf(executor, year - 1)];
  return !isOpen(present, now) && isOpen(last, now) ? last : present;
}

export async function putSeason(tx: Tx, year: number, version: number, draft: SeasonDraft) {
  const before = await seasonOf(tx, year);
  if (before.version !== version) throw new Fault(30403);
  const [after] = await tx
    .insert(yearSeasons)
    .values({ year, ...draft })
    .onConflictDoUpdate({
      target: yearSeasons.year,
      set: { ...draft, version: version + 1, updatedAt: sql`now()` },
      setWhere: eq(yearSeasons.version, version),
    })
    .returning();
  if (!after) throw new Fault(30403);
  return { before, after };
}
