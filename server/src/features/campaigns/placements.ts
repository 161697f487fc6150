/** What campaigns show: activities, banners, broadcasts, the running price campaign; and the desk's changes to them. */
import { and, asc, count, desc, eq, gt, lte, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Clock } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { slice } from '../../lib/paging.ts';
import type { Changed } from '../membership/service.ts';
import type { Ad, AdDetail, AdList, Banner, Promo } from './schema.ts';
import { advertisements, broadcasts, campaigns } from './tables.ts';
import type { AdRow, BroadcastRow } from './tables.ts';

const BROADCASTS_MAX = 5;
/** Activities that ended are shown for so long. */
const ENDED_DAYS = 90;
const ACTIVITY = 1;
const BANNER = 2;

export type AdDraft = Omit<typeof advertisements.$inferInsert, 'id' | 'version'>;
export type BroadcastDraft = Omit<typeof broadcasts.$inferInsert, 'id' | 'version'>;

const wire = (row: AdRow, now: Date): Ad => ({
  id: row.id,
  title: row.title,
  cover: row.cover,
  summary: row.summary,
  starts_at: row.startsAt.toISOString(),
  ends_at: row.endsAt.toISOString(),
  status: row.endsAt <= now ? 'ended' : row.startsAt > now ? 'planned' : 'running',
});

interface Parts {
  db: Db;
  clock: Clock;
  /** Quests and mall items of a campaign. */
  rewards: (campaignId: number) => Promise<Pick<AdDetail, 'quests' | 'items'>>;
}

export function createPlacements({ db, clock, rewards }: Parts) {
  const runs = (table: { startsAt: PgColumn; endsAt: PgColumn }, now: Date) =>
    and(lte(table.startsAt, now), gt(table.endsAt, now));

  const shown = (typ: number, now: Date) =>
    and(
      eq(advertisements.typ, typ),
      eq(advertisements.isOn, true),
      sql`${advertisements.endsAt} > ${now}::timestamptz - make_interval(days => ${ENDED_DAYS})`,
    );

  return {
    async list(typ: number, page: { page: number; page_size: number }): Promise<AdList> {
      const now = await clock(db);
      const { limit, offset } = slice(page);
      const rows = await db
        .select()
        .from(advertisements)
        .where(shown(typ, now))
        .orderBy(asc(advertisements.sort), desc(advertisements.id))
        .limit(limit)
        .offset(offset);
      const [all] = await db.select({ n: count() }).from(advertisements).where(shown(typ, now));
      return { total: all?.n ?? 0, list: rows.map((row) => wire(row, now)) };
    },

    async read(id: number): Promise<AdDetail> {
      const now = await clock(db);
      const [row] = await db
        .select()
        .from(advertisements)
        .where(and(shown(ACTIVITY, now), eq(advertisements.id, id)));
      if (!row) throw missing();
      const cta = row.url ? { text: '去看看', url: row.url } : null;
      const given = row.campaignId === null ? { quests: [], items: [] } : await rewards(row.campaignId);
      return { ...wire(row, now), body_md: row.bodyMd, ...given, cta };
    },

    /** Whether there is such a campaign, for what the desk ties to one. */
    hasCampaign: async (id: number): Promise<boolean> => (await db.$count(campaigns, eq(campaigns.id, id))) > 0,

    async banner(position: string): Promise<Banner> {
      const now = await clock(db);
      const [row] = await db
        .select()
        .from(advertisements)
        .where(
          and(
            eq(advertisements.typ, BANNER),
            eq(advertisements.isOn, true),
            eq(advertisements.position, position),
            runs(advertisements, now),
          ),
        )
        .orderBy(asc(advertisements.sort), desc(advertisements.id))
        .limit(1);
      return row
        ? {
            id: row.id,
            image: row.cover,
            alt: row.title,
            text: row.summary || row.title,
            url: row.url,
            label: row.label,
          }
        : null;
    },

    async broadcasts(): Promise<string[]> {
      const now = await clock(db);
      const rows = await db
        .select({ text: broadcasts.text })
        .from(broadcasts)
        .where(and(eq(broadcasts.isOn, true), runs(broadcasts, now)))
        .orderBy(asc(broadcasts.sort), desc(broadcasts.id))
        .limit(BROADCASTS_MAX);
      return rows.map(({ text }) => text);
    },

    async promo(): Promise<Promo> {
      const now = await clock(db);
      const [row] = await db
        .select()
        .from(campaigns)
        .where(and(eq(campaigns.kind, 'price'), eq(campaigns.state, 'running'), runs(campaigns, now)))
        .orderBy(asc(campaigns.endsAt))
        .limit(1);
      if (!row) return null;
      return {
        id: row.id,
        title: row.title,
        rules_md: row.rulesMd,
        starts_at: row.startsAt.toISOString(),
        ends_at: row.endsAt.toISOString(),
        first_ends_at: row.firstEndsAt?.toISOString() ?? null,
      };
    },

    /** Desk: everything, also what is off or over. */
    allAds: (): Promise<AdRow[]> => db.select().from(advertisements).orderBy(desc(advertisements.id)).limit(200),
    allBroadcasts: (): Promise<BroadcastRow[]> => db.select().from(broadcasts).orderBy(desc(broadcasts.id)).limit(200),

    async findAd(executor: Db, id: number): Promise<AdRow | null> {
      const [row] = await executor.select().from(advertisements).where(eq(advertisements.id, id));
      return row ?? null;
    },
    async findBroadcast(executor: Db, id: number): Promise<BroadcastRow | null> {
      const [row] = await executor.select().from(broadcasts).where(eq(broadcasts.id, id));
      return row ?? null;
    },

    /** Desk. */
    async putAd(tx: Tx, id: number | null, version: number, draft: AdDraft): Promise<Changed<AdRow>> {
      if (id === null) {
        const [after] = await tx.insert(advertisements).values(draft).returning();
        if (!after) throw new Error('INSERT gave no row');
        return { before: null, after };
      }
      const [before] = await tx.select().from(advertisements).where(eq(advertisements.id, id)).for('update');
      if (!before) throw missing();
      if (before.version !== version) throw new Fault(30309);
      const [after] = await tx
        .update(advertisements)
        .set({ ...draft, version: version + 1 })
        .where(eq(advertisements.id, id))
        .returning();
      if (!after) throw missing();
      return { before, after };
    },

    /** Desk. */
    async putBroadcast(
      tx: Tx,
      id: number | null,
      version: number,
      draft: BroadcastDraft,
    ): Promise<Changed<BroadcastRow>> {
      if (id === null) {
        const [after] = await tx.insert(broadcasts).values(draft).returning();
        if (!after) throw new Error('INSERT gave no row');
        return { before: null, after };
      }
      const [before] = await tx.select().from(broadcasts).where(eq(broadcasts.id, id)).for('update');
      if (!before) throw missing();
      if (before.version !== version) throw new Fault(30309);
      const [after] = await tx
        .update(broadcasts)
        .set({ ...draft, version: version + 1 })
        .where(eq(broadcasts.id, id))
        .returning();
      if (!after) throw missing();
      return { before, after };
    },
  };
}
