/** Accounts at providers: whose they are, and a new account for who comes for the first time. */
import { and, eq, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import type { Keys } from '../../lib/keys.ts';
import { newNickname } from './nicknames.ts';
import * as store from './store.ts';
import type { UserRow } from './store.ts';
import { identityLinks } from './tables.ts';
import type { LinkProvider } from './tables.ts';

/** What a provider has confirmed: its own number for the person, digested at once, and a name to greet by. */
export interface ConfirmedPerson {
  provider: LinkProvider;
  subjectDigest: string;
  nickname: string | null;
}

export const digestSubject = (keys: Keys, provider: LinkProvider, subject: string): string =>
  keys.digest(`link ${provider}`, subject);

/** One account of a provider is looked at by one transaction after another; taken before any row. */
export const lockLink = async (tx: Tx, provider: LinkProvider, subjectDigest: string): Promise<void> => {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext(${`link ${provider} ${subjectDigest}`}))`);
};

/** Two first sign-ins of one person at the same moment give one account. */
export async function findOrCreateByLink(
  tx: Tx,
  person: ConfirmedPerson,
  utmSource: string | null,
): Promise<{ user: UserRow; isNew: boolean }> {
  const { provider, subjectDigest } = person;
  await lockLink(tx, provider, subjectDigest);
  const [link] = await tx
    .select({ userId: identityLinks.userId })
    .from(identityLinks)
    .where(and(eq(identityLinks.provider, provider), eq(identityLinks.subjectDigest, subjectDigest)));
  if (link) {
    const user = await store.lockUser(tx, link.userId);
    if (!user) throw new Error(`Link to user ${link.userId} without a row`);
    return { user, isNew: false };
  }
  const user = await store.insertUser(tx, nicknameFrom(person.nickname), utmSource);
  await tx.insert(identityLinks).values({ provider, subjectDigest, userId: user.id });
  return { user, isNew: true };
}

/** The ways a person can sign in by, beside the phone. */
export async function linksOf(db: Db, userId: number): Promise<{ provider: LinkProvider; linkedAt: Date }[]> {
  return db
    .select({ provider: identityLinks.provider, linkedAt: identityLinks.linkedAt })
    .from(identityLinks)
    .where(eq(identityLinks.userId, userId));
}

/** Hands all ways of one account to another; false when the other has one of the kind already. */
export async function moveLinks(tx: Tx, from: number, to: number): Promise<boolean> {
  const theirs = new Set((await linksOf(tx, to)).map((link) => link.provider));
  if ((await linksOf(tx, from)).some((link) => theirs.has(link.provider))) return false;
  await tx.update(identityLinks).set({ userId: to }).where(eq(identityLinks.userId, from));
  return true;
}

/** The provider's name, cut to what a nickname may be; a made one where it gave nothing readable. */
function nicknameFrom(name: string | null): string {
  const clean = (name ?? '').replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').trim();
  return Array.from(clean).slice(0, 20).join('').trim() || newNickname();
}
