/** Ways to sign in that an account's owner adds or takes away. The last one stays; nothing is taken from another account. */
import { and, eq } from 'drizzle-orm';
import type { Db } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import type { Actor } from '../../lib/guard.ts';
import { randomCode } from '../../lib/keys.ts';
import type { Keys } from '../../lib/keys.ts';
import type { Device } from './device.ts';
import { linksOf, lockLink } from './links.ts';
import { tell } from './notices.ts';
import { isEmpty } from './people.ts';
import type { People } from './people.ts';
import type { PhoneTaken } from './schema.ts';
import * as store from './store.ts';
import { identityLinks } from './tables.ts';
import type { LinkProvider } from './tables.ts';
import { giveTicket } from './tickets.ts';

export const WAY_NAMES: Record<LinkProvider, string> = { wechat: '微信', research: '科研平台', academic: '学术搜索' };

interface LinkDeps {
  db: Db;
  keys: Keys;
  people: People;
}

/** Adds a way that its provider has confirmed; 30253 with a ticket for merging where an empty account holds it. */
export async function addLink(
  deps: LinkDeps,
  actor: Actor,
  person: { provider: LinkProvider; subjectDigest: string },
  device: Device,
): Promise<void> {
  const { provider, subjectDigest } = person;
  const name = WAY_NAMES[provider];
  const holder = await deps.db.transaction(async (tx) => {
    await lockLink(tx, provider, subjectDigest);
    const user = await store.lockUser(tx, actor.userId);
    if (!user) throw missing();
    const [held] = await tx
      .select({ userId: identityLinks.userId })
      .from(identityLinks)
      .where(and(eq(identityLinks.provider, provider), eq(identityLinks.subjectDigest, subjectDigest)));
    if (held) return held.userId;
    if ((await linksOf(tx, user.id)).some((link) => link.provider === provider)) throw new Fault(30255, { name });
    await tx.insert(identityLinks).values({ provider, subjectDigest, userId: user.id });
    const text = `您的账号已添加${name}登录方式，如非本人操作请尽快联系客服。`;
    await tell(tx, `link:${user.id}:${randomCode()}`, user.phoneSealed, text);
    return null;
  });
  if (holder !== null && holder !== actor.userId) throw await taken(deps, actor, provider, holder, device);
}

/** The account that holds the way may end in this one when it is empty and nothing of the two collides. */
async function taken(
  deps: LinkDeps,
  actor: Actor,
  provider: LinkProvider,
  holder: number,
  device: Device,
): Promise<Fault> {
  const { db, people } = deps;
  const [own, other] = [await store.findUser(db, actor.userId), await store.findUser(db, holder)];
  const facts = { name: WAY_NAMES[provider], n: other?.nickname ?? '' };
  if (!own || !other || other.leavingAt || other.isDemo || (await store.isBanned(db, other.id)))
    return new Fault(30253, facts, { data: { nickname: facts.n, keep: 'this', ticket: null } });
  const kinds = new Set((await linksOf(db, own.id)).map((link) => link.provider));
  const collides =
    (own.phoneDigest !== null && other.phoneDigest !== null) ||
    (await linksOf(db, other.id)).some((link) => kinds.has(link.provider));
  const mayMerge = !collides && (await isEmpty(people, db, other.id));
  const ticket = mayMerge ? await giveTicket(deps, 'merge', { userId: own.id, otherId: other.id }, device) : null;
  const data: Omit<PhoneTaken, 'ticket'> & { ticket: string | null } = { nickname: facts.n, keep: 'this', ticket };
  return new Fault(30253, facts, { data });
}

/** Takes a way away; 30254 where nobody could get in any more. Asked again: it is gone already. */
export async function removeLink({ db }: Pick<LinkDeps, 'db'>, actor: Actor, provider: LinkProvider): Promise<void> {
  await db.transaction(async (tx) => {
    const user = await store.lockUser(tx, actor.userId);
    if (!user) throw missing();
    const links = await linksOf(tx, user.id);
    if (!links.some((link) => link.provider === provider)) return;
    if (user.phoneDigest === null && links.length === 1) throw new Fault(30254);
    await tx.delete(identityLinks).where(and(eq(identityLinks.userId, user.id), eq(identityLinks.provider, provider)));
    const text = `您的账号已解除${WAY_NAMES[provider]}登录方式，如非本人操作请尽快联系客服。`;
    await tell(tx, `unlink:${user.id}:${randomCode()}`, user.phoneSealed, text);
  });
}
