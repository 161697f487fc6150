/** What readers say of help pages: taken without an account, ten a day of one network, shown at the desk, kept two years. */
import { and, count, desc, eq, lt, sql } from 'drizzle-orm';
import { isRecent } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { missing, tooMany } from '../../lib/errors.ts';
import { slice } from '../../lib/paging.ts';
import type { HelpFeedbackBody } from './schema.ts';
import { helpFeedback } from './tables.ts';

const A_DAY = 10;
const DAY_SECONDS = 86_400;
const KEPT_YEARS = 2;

export type HelpFeedback = ReturnType<typeof createHelpFeedback>;

export function createHelpFeedback({ db, isPage }: { db: Db; isPage: (slug: string) => boolean }) {
  return {
    async take(netDigest: string, body: HelpFeedbackBody): Promise<void> {
      if (!isPage(body.slug)) throw missing();
      await db.transaction(async (tx) => {
        // One network's come one after the other, so that none passes the same count.
        await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext(${`help-feedback ${netDigest}`}))`);
        const ofToday = and(eq(helpFeedback.netDigest, netDigest), isRecent(helpFeedback.createdAt, DAY_SECONDS));
        if ((await tx.$count(helpFeedback, ofToday)) >= A_DAY) throw tooMany(DAY_SECONDS);
        await tx.insert(helpFeedback).values({ ...body, version: String(body.version), netDigest });
      });
    },

    /** For the desk: newest first, of one verdict; beside each how its page fared in all. */
    async queue(verdict: 'yes' | 'no' | undefined, page: { page: number; page_size: number }) {
      const wanted = verdict === undefined ? undefined : eq(helpFeedback.verdict, verdict);
      const { limit, offset } = slice(page);
      const list = await db
        .select()
        .from(helpFeedback)
        .where(wanted)
        .orderBy(desc(helpFeedback.id))
        .limit(limit)
        .offset(offset);
      const shares = await db
        .select({
          slug: helpFeedback.slug,
          all: count(),
          yes: count(sql`CASE WHEN ${helpFeedback.verdict} = 'yes' THEN 1 END`),
        })
        .from(helpFeedback)
        .groupBy(helpFeedback.slug);
      const bySlug = new Map(shares.map(({ slug, ...share }) => [slug, share]));
      const total = await db.$count(helpFeedback, wanted);
      return { total, list: list.map((row) => ({ ...row, share: bySlug.get(row.slug) ?? { all: 0, yes: 0 } })) };
    },

    async tidy(): Promise<void> {
      await db
        .delete(helpFeedback)
        .where(lt(helpFeedback.createdAt, sql`now() - make_interval(years => ${KEPT_YEARS})`));
    },
  };
}
