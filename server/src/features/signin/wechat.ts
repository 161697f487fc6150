/** The QR code: shown on one screen, scanned and confirmed on a phone, redeemed once by the screen that shows it. */
import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import { hasBegun } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { randomCode } from '../../lib/keys.ts';
import type { Keys } from '../../lib/keys.ts';
import type { Device } from '../accounts/service.ts';
import { wechatTickets } from './tables.ts';

export const TICKET_SECONDS = 120;
/** A confirmation in the last second must reach a screen that asks every two. */
const GRACE_SECONDS = 10;

interface TicketDeps {
  db: Db;
  keys: Keys;
}

const digestTicket = (keys: Keys, ticket: string): string => keys.digest('wechat-ticket', ticket);
const digestScene = (keys: Keys, scene: string): string => keys.digest('wechat-scene', scene);

/** `userId`: the account that WeChat is to be added to; null where somebody signs in. */
export async function newTicket(
  { db, keys }: TicketDeps,
  device: Device,
  userId: number | null = null,
): Promise<{ ticket: string; scene: string }> {
  const [ticket, scene] = [randomCode(), randomCode()];
  await db.delete(wechatTickets).where(lt(wechatTickets.createdAt, sql`now() - interval '1 hour'`));
  await db.insert(wechatTickets).values({
    ticketDigest: digestTicket(keys, ticket),
    sceneDigest: digestScene(keys, scene),
    agent: device.agent,
    netShown: device.netShown,
    userId,
    endsAt: sql`now() + make_interval(secs => ${TICKET_SECONDS})`,
  });
  return { ticket, scene };
}

export interface Scanned {
  agent: string;
  net: string;
  at: Date;
  state: 'waiting' | 'scanned' | 'confirmed' | 'refused' | 'used';
  isOpen: boolean;
  /** Name of the account that WeChat is to be added to; null where somebody signs in. */
  addsTo: string | null;
}

/** What the scan page shows; opening it tells the screen that somebody scanned. Null: no such code, or too old. */
export async function openTicket({ db, keys }: TicketDeps, ticket: string): Promise<Scanned | null> {
  const digest = digestTicket(keys, ticket);
  await db
    .update(wechatTickets)
    .set({ state: 'scanned' })
    .where(and(eq(wechatTickets.ticketDigest, digest), eq(wechatTickets.state, 'waiting'), isFresh));
  const [row] = await db
    .select({
      agent: wechatTickets.agent,
      net: wechatTickets.netShown,
      at: wechatTickets.createdAt,
      state: wechatTickets.state,
      isFresh: sql<boolean>`${isFresh}`,
      addsTo: sql<string | null>`(SELECT nickname FROM users WHERE users.id = ${wechatTickets.userId})`,
    })
    .from(wechatTickets)
    .where(eq(wechatTickets.ticketDigest, digest));
  if (!row) return null;
  const { isFresh: fresh, ...scanned } = row;
  return { ...scanned, isOpen: fresh && (row.state === 'waiting' || row.state === 'scanned') };
}

const isFresh = sql`(${wechatTickets.endsAt} > now() AND ${hasBegun(wechatTickets.createdAt)})`;
const isOpen = and(inArray(wechatTickets.state, ['waiting', 'scanned']), isFresh);

/** Notes who scanned, and on which phone: only that phone may confirm. */
export async function recordScan(
  { db, keys }: TicketDeps,
  ticket: string,
  person: { subjectDigest: string; nickname: string | null; avatar: string | null },
  flow: string,
): Promise<boolean> {
  const rows = await db
    .update(wechatTickets)
    .set({ ...person, state: 'scanned', phoneDigest: keys.digest('flow', flow) })
    .where(and(eq(wechatTickets.ticketDigest, digestTicket(keys, ticket)), isOpen))
    .returning({ state: wechatTickets.state });
  return rows.length > 0;
}

/** 确认 or 取消, once; tells what it was about. `person`: the sandbox, where it is said who scans. */
export async function answerTicket(
  { db, keys }: TicketDeps,
  ticket: string,
  act: 'confirm' | 'refuse',
  by: { flow: string } | { person: { subjectDigest: string; nickname: string } },
): Promise<'sign_in' | 'link' | null> {
  const mine =
    'flow' in by
      ? eq(wechatTickets.phoneDigest, keys.digest('flow', by.flow))
      : sql`${wechatTickets.phoneDigest} IS NULL`;
  const rows = await db
    .update(wechatTickets)
    .set({ state: act === 'confirm' ? 'confirmed' : 'refused', ...('person' in by ? by.person : {}) })
    .where(and(eq(wechatTickets.ticketDigest, digestTicket(keys, ticket)), isOpen, mine))
    .returning({ userId: wechatTickets.userId });
  const [row] = rows;
  return row ? (row.userId === null ? 'sign_in' : 'link') : null;
}

export type PollState =
  | { status: 0 | 2 | 3 | 4 }
  | { status: 1; person: { subjectDigest: string; nickname: string | null }; avatar: string | null };

/** What has become of the code. A confirmation is handed out once; everything unknown looks expired. */
export async function pollScene(
  { db, keys }: TicketDeps,
  scene: string,
  userId: number | null = null,
): Promise<PollState> {
  const mine = and(
    eq(wechatTickets.sceneDigest, digestScene(keys, scene)),
    sql`${wechatTickets.userId} IS NOT DISTINCT FROM ${userId}`,
  );
  const [confirmed] = await db
    .update(wechatTickets)
    .set({ state: 'used' })
    .where(
      and(
        mine,
        eq(wechatTickets.state, 'confirmed'),
        sql`${wechatTickets.endsAt} > now() - make_interval(secs => ${GRACE_SECONDS})`,
      ),
    )
    .returning({
      subjectDigest: wechatTickets.subjectDigest,
      nickname: wechatTickets.nickname,
      avatar: wechatTickets.avatar,
    });
  if (confirmed?.subjectDigest) {
    const { subjectDigest, nickname, avatar } = confirmed;
    return { status: 1, person: { subjectDigest, nickname }, avatar };
  }
  const [row] = await db
    .select({ state: wechatTickets.state, isFresh: sql<boolean>`${isFresh}` })
    .from(wechatTickets)
    .where(mine);
  if (row?.state === 'refused') return { status: 3 };
  if (!row?.isFresh) return { status: 4 };
  if (row.state === 'waiting') return { status: 0 };
  return { status: row.state === 'scanned' ? 2 : 4 };
}
