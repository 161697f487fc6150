/** Those who want to work with us: taken after a captcha, three a day, shown at the desk, forgotten after two years. */
import { randomInt } from 'node:crypto';
import { and, arrayOverlaps, count, desc, eq, lt, sql } from 'drizzle-orm';
import { compactDay, databaseClock, isRecent } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import type { Keys } from '../../lib/keys.ts';
import { slice } from '../../lib/paging.ts';
import type { CooperationBody, LeadState } from './schema.ts';
import { leads } from './tables.ts';
import type { LeadRow } from './tables.ts';

/** Of one device and of one contact; of one network, where a whole office may sit. */
const A_DAY = { own: 3, network: 30 };
const KEPT_YEARS = 2;
/** Without 0, O, 1, I, L, U: it may be read out over the telephone. */
const SIGNS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

export type Cooperation = ReturnType<typeof createCooperation>;
type Sent = Omit<CooperationBody, 'ticket' | 'rand' | 'consent'>;

/** C261127-K3Q7: the day in Shanghai and four random signs, so that numbers tell nobody how many there are. */
const numberOf = (now: Date): string =>
  `C${compactDay(now).slice(2)}-${Array.from({ length: 4 }, () => SIGNS[randomInt(SIGNS.length)]).join('')}`;

export function createCooperation({ db, keys, clock = databaseClock }: { db: Db; keys: Keys; clock?: Clock }) {
  const digest = (contact: string): string => keys.digest('cooperation', contact.toLowerCase());

  async function demandRoom(tx: Tx, device: { deviceId: string; netDigest: string }, contacts: string[]) {
    const [sent] = await tx
      .select({
        device: count(sql`CASE WHEN ${leads.deviceId} = ${device.deviceId} THEN 1 END`),
        network: count(sql`CASE WHEN ${leads.netDigest} = ${device.netDigest} THEN 1 END`),
        contact: count(sql`CASE WHEN ${arrayOverlaps(leads.contacts, contacts)} THEN 1 END`),
      })
      .from(leads)
      .where(isRecent(leads.createdAt, 86_400));
    if (sent && (Math.max(sent.device, sent.contact) >= A_DAY.own || sent.network >= A_DAY.network))
      throw new Fault(31521);
  }

  async function insert(tx: Tx, values: Omit<typeof leads.$inferInsert, 'number'>): Promise<string> {
    const now = await clock(tx);
    // 810,000 numbers a day: a clash is rare, and then another one is drawn.
    for (let tries = 0; tries < 5; tries += 1) {
      const [row] = await tx
        .insert(leads)
        .values({ ...values, number: numberOf(now) })
        .onConflictDoNothing({ target: leads.number })
        .returning({ number: leads.number });
      if (row) return row.number;
    }
    throw new Error('No number was free');
  }

  return {
    /** `pass` is asked for last, so that a refused form does not use a captcha up. The same request is the same lead. */
    async send(
      device: { deviceId: string; netDigest: string },
      body: Sent,
      pass: () => Promise<void>,
    ): Promise<{ number: string }> {
      const { name, company, topic, text, source, request_id: requestId, phone = null, mail = null } = body;
      const same = and(eq(leads.deviceId, device.deviceId), eq(leads.requestId, requestId));
      const [again] = await db.select({ number: leads.number }).from(leads).where(same);
      if (again) return again;
      if (phone === null && mail === null) throw new Fault(31522);
      const contacts = [phone, mail].filter((contact) => contact !== null).map(digest);
      await pass();
      return db.transaction(async (tx) => {
        // All come one after the other: they are few, and none may pass the same count.
        await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('cooperation'))`);
        const [twin] = await tx.select({ number: leads.number }).from(leads).where(same);
        if (twin) return twin;
        await demandRoom(tx, device, contacts);
        const { deviceId, netDigest } = device;
        const values = { name, company, phone, mail, topic, text, source: source || null, requestId, contacts };
        return { number: await insert(tx, { ...values, deviceId, netDigest }) };
      });
    },

    find: async (executor: Db, id: number): Promise<LeadRow | null> =>
      (await executor.select().from(leads).where(eq(leads.id, id)))[0] ?? null,

    /** For the desk: newest first, of one state. */
    async queue(state: LeadState | undefined, page: { page: number; page_size: number }) {
      const wanted = state === undefined ? undefined : eq(leads.state, state);
      const { limit, offset } = slice(page);
      const list = await db.select().from(leads).where(wanted).orderBy(desc(leads.id)).limit(limit).offset(offset);
      return { total: await db.$count(leads, wanted), list };
    },

    /** At the desk: a state, and what was agreed. */
    async decide(
      tx: Tx,
      id: number,
      version: number,
      to: { state: LeadState; note: string },
    ): Promise<{ before: LeadRow; after: LeadRow }> {
      const [before] = await tx.select().from(leads).where(eq(leads.id, id)).for('update');
      if (!before) throw missing();
      if (before.version !== version) throw new Fault(30403);
      const [after] = await tx
        .update(leads)
        .set({ ...to, version: version + 1 })
        .where(eq(leads.id, id))
        .returning();
      if (!after) throw missing();
      return { before, after };
    },

    async tidy(): Promise<void> {
      await db.delete(leads).where(lt(leads.createdAt, sql`now() - make_interval(years => ${KEPT_YEARS})`));
    },
  };
}
