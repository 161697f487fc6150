/** Binding a phone. A number of another account is told only after a right code, and nothing is merged silently. */
import { and, eq, isNull } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import type { Actor } from '../../lib/guard.ts';
import { maskPhone } from '../../lib/log.ts';
import { checkCode, sendCode } from './codes.ts';
import type { Device } from './device.ts';
import { logIn } from './login.ts';
import type { LoginDeps } from './login.ts';
import { removePerson } from './account-deletion.ts';
import { linksOf, moveLinks } from './links.ts';
import { isEmpty } from './people.ts';
import { tell } from './notices.ts';
import { digestPhone, readPhone, sealPhone } from './phones.ts';
import type { Merged, PhoneTaken } from './schema.ts';
import type { SmsProvider } from './sms.ts';
import { demandStepUp } from './step-up.ts';
import * as store from './store.ts';
import type { UserRow } from './store.ts';
import { users } from './tables.ts';
import { giveTicket, takeTicket } from './tickets.ts';

type BindDeps = LoginDeps & { sms: SmsProvider };

export async function sendBindCode(deps: BindDeps, actor: Actor, typed: string, device: Device): Promise<string> {
  const phone = readPhone(typed);
  await demandProofOfChange(deps, actor);
  return sendCode(deps, 'bind', phone, digestPhone(deps.keys, phone), device);
}

/** A first phone needs no proof; another one is a change of the way in. */
async function demandProofOfChange(deps: BindDeps, actor: Actor): Promise<void> {
  const user = await store.findUser(deps.db, actor.userId);
  if (user?.phoneDigest) await demandStepUp(deps, actor);
}

export async function bindPhone(
  deps: BindDeps,
  actor: Actor,
  sent: { phone: string; verify_code: string; verify_key: string },
  device: Device,
): Promise<void> {
  const { db, keys } = deps;
  const phone = readPhone(sent.phone);
  const phoneDigest = digestPhone(keys, phone);
  await demandProofOfChange(deps, actor);
  const { verify_key: verifyKey, verify_code: code } = sent;
  await checkCode(deps, { purpose: 'bind', phoneDigest, verifyKey, code }, device);
  const outcome = await db.transaction(async (tx) => {
    const user = await lockPair(tx, actor.userId, phoneDigest);
    if (user.other) return { taken: user.other };
    const former = user.own.phoneSealed;
    await store.setPhone(tx, actor.userId, { digest: phoneDigest, sealed: sealPhone(keys, phone) });
    if (former && user.own.phoneDigest !== phoneDigest)
      await store.endOtherSessions(tx, actor.userId, actor.sessionId, 'phone');
    const text = `您的账号已改绑手机号${maskPhone(phone)}，如非本人操作请尽快联系客服。`;
    if (user.own.phoneDigest !== phoneDigest) await tell(tx, `phone:${actor.userId}:${verifyKey}`, former, text);
    return {};
  });
  if (outcome.taken) throw await taken(deps, actor, outcome.taken, device);
}

/** The person's row and that of the phone's other account, both locked in the order of their numbers. */
async function lockPair(tx: Tx, userId: number, phoneDigest: string): Promise<{ own: UserRow; other: UserRow | null }> {
  const holder = await store.findUserByPhone(tx, phoneDigest);
  const rows = new Map<number, UserRow>();
  for (const id of [...new Set([userId, holder?.id ?? userId])].sort((a, b) => a - b)) {
    const row = await store.lockUser(tx, id);
    if (row) rows.set(id, row);
  }
  const own = rows.get(userId);
  if (!own) throw new Error(`User ${userId} has a session and no row`);
  const other = holder && holder.id !== userId ? (rows.get(holder.id) ?? null) : null;
  return { own, other: other?.phoneDigest === phoneDigest ? other : null };
}

/** Which of the two accounts could end in the other; 30252 where that would lose something. */
async function taken(deps: BindDeps, actor: Actor, other: UserRow, device: Device): Promise<Fault> {
  const { db, people } = deps;
  const usable = !other.leavingAt && !other.isDemo && !(await store.isBanned(db, other.id));
  const own = await store.findUser(db, actor.userId);
  if (!usable || !own) return new Fault(30252);
  if (own.phoneDigest === null && (await isEmpty(people, db, own.id)))
    return offer('phone', { userId: other.id, otherId: own.id });
  if (own.phoneDigest === null && (await isEmpty(people, db, other.id)))
    return offer('this', { userId: own.id, otherId: other.id });
  return new Fault(30252);

  async function offer(keep: PhoneTaken['keep'], accounts: { userId: number; otherId: number }): Promise<Fault> {
    const ticket = await giveTicket(deps, 'merge', accounts, device);
    const data: PhoneTaken = { nickname: other.nickname, keep, ticket };
    return new Fault(30251, { n: other.nickname }, { data });
  }
}

/**
 * The clear choice, carried out: the empty account hands its ways to sign in to the other and ends. Everything is
 * looked at again, since minutes may lie between the question and the click.
 */
export async function merge(deps: BindDeps, actor: Actor, ticket: string, device: Device): Promise<Merged> {
  const survivor = await deps.db.transaction(async (tx) => {
    const { userId, otherId } = await takeTicket(tx, deps.keys, 'merge', ticket, device);
    if (otherId === null || (actor.userId !== userId && actor.userId !== otherId)) throw new Fault(30003);
    const rows = new Map<number, UserRow>();
    for (const id of [userId, otherId].sort((a, b) => a - b)) {
      const row = await store.lockUser(tx, id);
      if (row) rows.set(id, row);
    }
    const [stays, ends] = [rows.get(userId), rows.get(otherId)];
    if (!stays || !ends || stays.leavingAt || ends.leavingAt) throw new Fault(30003);
    if (!(await isEmpty(deps.people, tx, ends.id)) || !(await moveLinks(tx, ends.id, stays.id))) throw new Fault(30252);
    if (ends.phoneDigest && ends.phoneSealed) {
      if (stays.phoneDigest) throw new Fault(30252);
      await store.setPhone(tx, ends.id, null);
      await store.setPhone(tx, stays.id, { digest: ends.phoneDigest, sealed: ends.phoneSealed });
    }
    await store.endAllSessions(tx, ends.id, 'left');
    await removePerson(tx, deps.people, ends.id);
    return stays;
  });
  if (survivor.id === actor.userId) return { sign_in: null };
  const answer = await logIn(deps, device, async (tx) => {
    const user = await store.lockUser(tx, survivor.id);
    if (!user) throw new Fault(30003);
    return { user, isNew: false };
  });
  return { sign_in: answer };
}

/** Ways to sign in, for the personal center and the export. */
export async function waysOf(tx: Db, userId: number): Promise<string[]> {
  const [user] = await tx
    .select({ phone: users.phoneDigest })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.removedAt)));
  const links = await linksOf(tx, userId);
  return [...(user?.phone ? ['phone'] : []), ...links.map((link) => link.provider)];
}
