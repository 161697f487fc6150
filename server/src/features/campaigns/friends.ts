/**
 * Friend invitations. The first link wins. A friend counts once a phone is bound and data of their own analysed within
 * 14 days; then both get days of membership, the inviter at most 60 a year. The same device or payer is looked at first.
 */
import { and, count, desc, eq, gt, sql } from 'drizzle-orm';
import { DAY_MS } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import { violates } from '../../lib/db.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { missing } from '../../lib/errors.ts';
import { shortCode } from '../../lib/codes.ts';
import { happened } from '../../lib/product-events.ts';
import type { Changed, Membership } from '../membership/service.ts';
import type { createClaims } from './claims.ts';
import type { Invitation } from './schema.ts';
import { friendInvitations, friendLinks } from './tables.ts';
import type { FriendInvitation } from './tables.ts';

/** How the link is carried through sign-in: the campaign source that pages keep for two days anyway. */
export const SOURCE_PREFIX = 'inv-';
const QUALIFY_DAYS = 14;
const YEAR_DAYS_MAX = 60;
const DAYS_DEFAULT = 3;
const RECORDS = 100;

/** What accounts know of a person; handed in by app.ts. */
export interface PersonFacts {
  hasPhone: boolean;
  utmSource: string | null;
  devices: string[];
  /** Digests of who paid for the person's orders. */
  payers: string[];
}

const share = (one: readonly string[], other: readonly string[]): boolean => one.some((value) => other.includes(value));

interface Parts {
  db: Db;
  clock: Clock;
  membership: Membership;
  claims: ReturnType<typeof createClaims>;
  people: Faces;
}

/** What campaigns ask accounts. */
export interface Faces {
  facts: (executor: Db, userId: number) => Promise<PersonFacts | null>;
  /** Shortened names: 用户K3****. */
  masked: (executor: Db, userIds: number[]) => Promise<Map<number, string>>;
}

export function createFriends({ db, clock, membership, claims, people }: Parts) {
  async function codeOf(userId: number): Promise<string> {
    const find = async (): Promise<string | null> => {
      const [row] = await db.select({ code: friendLinks.code }).from(friendLinks).where(eq(friendLinks.userId, userId));
      return row?.code ?? null;
    };
    const known = await find();
    if (known) return known;
    for (let tries = 0; tries < 5; tries += 1)
      try {
        await db
          .insert(friendLinks)
          .values({ userId, code: shortCode(10) })
          .onConflictDoNothing({ target: friendLinks.userId });
        break;
      } catch (error) {
        if (!violates(error, 'friend_links_code_key')) throw error;
      }
    const made = await find();
    if (!made) throw new Error('No code could be made');
    return made;
  }

  async function daysThisYear(executor: Db, inviter: number): Promise<number> {
    const [row] = await executor
      .select({ n: sql<number>`coalesce(sum(${friendInvitations.days}), 0)::int` })
      .from(friendInvitations)
      .where(
        and(eq(friendInvitations.inviter, inviter), sql`${friendInvitations.rewardedAt} > now() - interval '365 days'`),
      );
    return row?.n ?? 0;
  }

  /** Pays both sides under the lock of the inviter's link, so that the year's limit holds. */
  async function reward(tx: Tx, row: FriendInvitation, now: Date): Promise<number> {
    const campaign = await claims.running(tx, 'invite');
    const each = campaign?.gift.vip_days ?? DAYS_DEFAULT;
    await tx.select().from(friendLinks).where(eq(friendLinks.userId, row.inviter)).for('update');
    const days = Math.max(0, Math.min(each, YEAR_DAYS_MAX - (await daysThisYear(tx, row.inviter))));
    const { grants } = membership;
    await grants.grant(tx, {
      userId: row.invitee,
      source: 'invite',
      ref: `friend:${row.invitee}`,
      days: each,
      lifetime: false,
    });
    if (days > 0)
      await grants.grant(tx, {
        userId: row.inviter,
        source: 'invite',
        ref: `inviter:${row.invitee}`,
        days,
        lifetime: false,
      });
    await tx
      .update(friendInvitations)
      .set({ state: 'rewarded', days, rewardedAt: now, reason: null })
      .where(eq(friendInvitations.invitee, row.invitee));
    if (campaign) await claims.takeBudget(tx, campaign.id, now);
    await happened(tx, { kind: 'user', id: row.inviter }, { kind: 'invite_qualified', subject: row.invitee });
    return days;
  }

  return {
    /** Of a new account: remembers who invited it. */
    async link(tx: Tx, userId: number): Promise<void> {
      const facts = await people.facts(tx, userId);
      if (!facts?.utmSource?.startsWith(SOURCE_PREFIX)) return;
      const code = facts.utmSource.slice(SOURCE_PREFIX.length).toUpperCase();
      const [link] = await tx.select().from(friendLinks).where(eq(friendLinks.code, code));
      if (!link || link.userId === userId) return;
      await tx
        .insert(friendInvitations)
        .values({ invitee: userId, inviter: link.userId, deviceId: facts.devices[0] ?? '' })
        .onConflictDoNothing();
    },

    /** An analysis of one's own data was done. Cheap for everybody who was not invited: one look-up by key. */
    async analysed(tx: Tx, userId: number): Promise<void> {
      const [row] = await tx
        .select()
        .from(friendInvitations)
        .where(and(eq(friendInvitations.invitee, userId), eq(friendInvitations.state, 'open')))
        .for('update');
      if (!row) return;
      const now = await clock(tx);
      if (now.getTime() - row.linkedAt.getTime() > QUALIFY_DAYS * DAY_MS) {
        await tx
          .update(friendInvitations)
          .set({ state: 'void', reason: '超过 14 天' })
          .where(eq(friendInvitations.invitee, userId));
        return;
      }
      if (!(await claims.running(tx, 'invite'))) return;
      const friend = await people.facts(tx, userId);
      const inviter = await people.facts(tx, row.inviter);
      if (!friend?.hasPhone || !inviter) return;
      const same = share(friend.devices, inviter.devices)
        ? '同一设备'
        : share(friend.payers, inviter.payers)
          ? '同一付款人'
          : null;
      if (same)
        await tx
          .update(friendInvitations)
          .set({ state: 'held', reason: same })
          .where(eq(friendInvitations.invitee, userId));
      else await reward(tx, row, now);
    },

    async page(userId: number, origin: string): Promise<Invitation> {
      const mine = eq(friendInvitations.inviter, userId);
      const rows = await db
        .select()
        .from(friendInvitations)
        .where(mine)
        .orderBy(desc(friendInvitations.invitee))
        .limit(RECORDS);
      const [all] = await db
        .select({ n: count(), days: sql<number>`coalesce(sum(${friendInvitations.days}), 0)::int` })
        .from(friendInvitations)
        .where(mine);
      const campaign = await claims.running(db, 'invite');
      const names = await people.masked(
        db,
        rows.map(({ invitee }) => invitee),
      );
      const records = rows.map(({ invitee, state, days, linkedAt }) => ({
        masked: names.get(invitee) ?? '已注销用户',
        state,
        days,
        at: linkedAt.toISOString(),
      }));
      return {
        invitation_link: `${origin}/?utm_source=${SOURCE_PREFIX}${await codeOf(userId)}`,
        invite_count: all?.n ?? 0,
        ticket: { total_days: all?.days ?? 0 },
        records,
        running: campaign !== null,
        rules_md: campaign?.rulesMd ?? '',
      };
    },

    /** Desk: decides on an invitation that is held. */
    async decide(tx: Tx, invitee: number, isGood: boolean, reason: string): Promise<Changed<FriendInvitation>> {
      const [before] = await tx
        .select()
        .from(friendInvitations)
        .where(and(eq(friendInvitations.invitee, invitee), eq(friendInvitations.state, 'held')))
        .for('update');
      if (!before) throw missing();
      if (isGood) await reward(tx, before, await clock(tx));
      else
        await tx.update(friendInvitations).set({ state: 'void', reason }).where(eq(friendInvitations.invitee, invitee));
      const [after] = await tx.select().from(friendInvitations).where(eq(friendInvitations.invitee, invitee));
      if (!after) throw missing();
      return { before, after };
    },

    /** Sign-ups by one inviter's link in the last day; many are looked at by the desk. */
    async recent(inviter: number): Promise<number> {
      const [row] = await db
        .select({ n: count() })
        .from(friendInvitations)
        .where(
          and(eq(friendInvitations.inviter, inviter), gt(friendInvitations.linkedAt, sql`now() - interval '1 day'`)),
        );
      return row?.n ?? 0;
    },
  };
}
