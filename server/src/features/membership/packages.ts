/** Packages: what is on sale, at which price now, and the desk's changes to them. Orders keep their own snapshot. */
import { discountRuns, priceOf } from '@hengxi/contracts/price';
import type { Pricing } from '@hengxi/contracts/price';
import { and, asc, count, eq, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { slice } from '../../lib/paging.ts';
import type { Package, PackageKind, PackageList } from './schema.ts';
import { packages } from './tables.ts';
import type { PackageRow } from './tables.ts';

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

export function pricingOf(row: PackageRow): Pricing {
  return {
    fee: row.fee,
    discount: row.discount,
    discount_enabled: row.discountEnabled,
    discount_rate: row.discountRate,
    discount_from: iso(row.discountFrom),
    discount_to: iso(row.discountTo),
  };
}

function wire(row: PackageRow, now: Date): Package {
  const pricing = pricingOf(row);
  return {
    id: row.id,
    kind: row.kind,
    title: row.title,
    description: row.description,
    ...pricing,
    discount_description: row.discountDescription,
    discount_on: discountRuns(pricing, now),
    price: priceOf(pricing, 1, 0, now).total,
    valid_vip_days: row.validVipDays,
    lifetime: row.lifetime,
    points: row.points,
    per_user_limit: row.perUserLimit,
  };
}

/** What the desk may write of a package; `version` and `updatedAt` follow by themselves. */
export type PackageDraft = Omit<typeof packages.$inferInsert, 'id' | 'version' | 'updatedAt'>;

/** A change by the desk: the row before and after, for its log. */
export interface Changed<T> {
  before: T | null;
  after: T;
}

export function createPackages({ db, clock }: { db: Db; clock: Clock }) {
  return {
    async list(kind: PackageKind, page: { page: number; page_size: number }): Promise<PackageList> {
      const shown = and(eq(packages.kind, kind), eq(packages.onSale, true));
      const { limit, offset } = slice(page);
      const rows = await db
        .select()
        .from(packages)
        .where(shown)
        .orderBy(asc(packages.sort), asc(packages.id))
        .limit(limit)
        .offset(offset);
      const [all] = await db.select({ n: count() }).from(packages).where(shown);
      const now = await clock(db);
      return { total: all?.n ?? 0, list: rows.map((row) => wire(row, now)) };
    },

    /** A package that can be bought now; locked against a change of its price until the order stands. */
    async onSale(tx: Tx, id: number): Promise<PackageRow> {
      const [row] = await tx.select().from(packages).where(eq(packages.id, id)).for('share');
      if (!row?.onSale) throw new Fault(30205);
      return row;
    },

    async find(executor: Db, id: number): Promise<PackageRow | null> {
      const [row] = await executor.select().from(packages).where(eq(packages.id, id));
      return row ?? null;
    },

    /** Desk: all of them, also those off sale. */
    all: (): Promise<PackageRow[]> =>
      db.select().from(packages).orderBy(asc(packages.kind), asc(packages.sort), asc(packages.id)),

    /** Desk. */
    async make(tx: Tx, draft: PackageDraft): Promise<Changed<PackageRow>> {
      const [after] = await tx.insert(packages).values(draft).returning();
      if (!after) throw new Error('INSERT gave no row');
      return { before: null, after };
    },

    /** Desk. Refused (30309 is the caller's) when `version` is not the one the operator saw. */
    async change(tx: Tx, id: number, version: number, change: Partial<PackageDraft>): Promise<Changed<PackageRow>> {
      const [before] = await tx.select().from(packages).where(eq(packages.id, id)).for('update');
      if (!before) throw missing();
      if (before.version !== version) throw new Fault(30309);
      const [after] = await tx
        .update(packages)
        .set({ ...change, version: version + 1, updatedAt: sql`now()` })
        .where(eq(packages.id, id))
        .returning();
      if (!after) throw missing();
      return { before, after };
    },
  };
}
