/** Sessions: begun by a sign-in, checked on every call, ended by a newer one, logout, a ban or the device page. */
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../lib/config.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import type { Actor } from '../../lib/guard.ts';
import { randomCode } from '../../lib/keys.ts';
import type { Keys } from '../../lib/keys.ts';
import type { Metrics } from '../../lib/metrics.ts';
import type { Device } from './device.ts';
import type { Channel, People } from './people.ts';
import type { ChannelToken, SessionItem, SignIn } from './schema.ts';
import * as store from './store.ts';
import type { SessionRow, UserRow } from './store.ts';
import { readToken, signToken } from './tokens.ts';

/** More than this many new devices or networks within 24 hours are told as an abnormal sign-in. */
const NEW_PLACES = 3;
const PERSONAL = 'pri';

interface SessionDeps {
  db: Db;
  keys: Keys;
  config: Config;
  metrics: Metrics;
}

/** The ban as it is told: 20023 with the facts for /ban. */
export const bannedFault = (user: UserRow): Fault =>
  new Fault(20023, {}, { data: { reason: user.banReason, until: user.banUntil?.toISOString() ?? null } });

interface Offered {
  channel: Channel;
  session: SessionRow;
}

export interface Begun {
  user: UserRow;
  personal: SessionRow;
  /** One per enterprise, the last used first. */
  enterprises: Offered[];
  isVip: boolean;
  lucky: 0 | 1;
  warning: boolean;
}

/**
 * Begins a session. Somebody with one channel is signed in at once; with several, a session is offered for each and
 * becomes live when it is first used. The account's row is locked by the caller's transaction.
 */
export async function beginSessions(
  tx: Tx,
  people: People,
  user: UserRow,
  device: Device,
  isNew: boolean,
): Promise<Begun> {
  if (await store.isBanned(tx, user.id)) throw bannedFault(user);
  if (user.isDemo) {
    // Visitors of the demo account must not end one another's sessions.
    const personal = await store.insertSession(tx, { userId: user.id, platform: `demo-${randomCode()}`, ...device });
    return { user, personal, enterprises: [], isVip: false, lucky: 0, warning: false };
  }
  const channels = await people.channels(tx, user.id);
  const fresh = { userId: user.id, platform: PERSONAL, ...device };
  const personal = channels.length === 0 ? await store.insertSession(tx, fresh) : await store.insertOffer(tx, fresh);
  const enterprises = await offerEnterprises(tx, user.id, channels, device);
  const { devices, networks } = await store.countNew(tx, user.id);
  return {
    user,
    personal,
    enterprises,
    isVip: await people.isVip(tx, user.id),
    lucky: isNew ? await people.lucky(tx, user.id) : 0,
    warning: devices > NEW_PLACES || networks > NEW_PLACES,
  };
}

async function offerEnterprises(tx: Tx, userId: number, channels: Channel[], device: Device): Promise<Offered[]> {
  const offered: Offered[] = [];
  for (const channel of channels) {
    const { enterprise_id: enterpriseId } = channel;
    const platform = `co-${enterpriseId}`;
    offered.push({ channel, session: await store.insertOffer(tx, { userId, platform, enterpriseId, ...device }) });
  }
  return offered;
}

export async function signInAnswer(keys: Keys, begun: Begun): Promise<SignIn> {
  const { user, isVip } = begun;
  const companies = await Promise.all(begun.enterprises.map((offer) => companyToken(keys, user, offer)));
  return {
    token: await personalToken(keys, user, isVip, begun.personal),
    co_token: companies[0]?.token ?? null,
    tokens: companies.length > 1 ? companies : [],
    lucky: begun.lucky,
    warning: begun.warning,
  };
}

function personalToken(keys: Keys, user: UserRow, isVip: boolean, session: SessionRow): Promise<string> {
  const facts = { oid: user.id, nickname: user.nickname, avatar: avatarUrl(user), is_vip: isVip };
  return signToken(keys, { ...facts, platform: PERSONAL, enterprise_name: null }, session.id, session.endsAt);
}

async function companyToken(keys: Keys, user: UserRow, { channel, session }: Offered): Promise<ChannelToken> {
  const { platform } = session;
  const { enterprise_id, enterprise_name } = channel;
  const facts = { oid: user.id, nickname: user.nickname, avatar: avatarUrl(user), is_vip: false };
  const token = await signToken(keys, { ...facts, platform, enterprise_name }, session.id, session.endsAt);
  return { platform, enterprise_id, enterprise_name, token };
}

/** The person's other channels, each with a session that begins when it is used; for switching. */
export async function offerChannels(
  deps: Pick<SessionDeps, 'db' | 'keys'> & { people: People },
  actor: Actor,
  device: Device,
): Promise<{ user: UserRow; personal: string | null; companies: ChannelToken[]; channels: Channel[] }> {
  const { db, keys, people } = deps;
  const offered = await db.transaction(async (tx) => {
    const user = await store.lockUser(tx, actor.userId);
    if (!user) throw missing();
    const channels = user.isDemo ? [] : await people.channels(tx, user.id);
    const current = actor.owner.kind === 'enterprise' ? actor.owner.id : null;
    const others = channels.filter((channel) => channel.enterprise_id !== current);
    // Without another channel there is nothing to offer, and what another browser is being offered stays.
    if (current === null && others.length === 0) return { user, personal: null, enterprises: [], channels };
    await store.dropOffers(tx, user.id);
    const personal =
      current === null ? null : await store.insertOffer(tx, { userId: user.id, platform: PERSONAL, ...device });
    return { user, personal, enterprises: await offerEnterprises(tx, user.id, others, device), channels };
  });
  const { user, personal, enterprises, channels } = offered;
  return {
    user,
    channels,
    personal: personal ? await personalToken(keys, user, await people.isVip(db, user.id), personal) : null,
    companies: await Promise.all(enterprises.map((offer) => companyToken(keys, user, offer))),
  };
}

export const avatarUrl = (user: UserRow): string | null => (user.avatar ? `/v1/avatars/${user.avatar}.png` : null);

export function createAuthenticate(deps: SessionDeps): (request: FastifyRequest) => Promise<Actor | null> {
  return async (request) => {
    const header = request.headers.authorization?.trim();
    // An absent token and a token that is none are the same visitor; both are asked to sign in.
    const token = header?.replace(/^Bearer\s+/i, '');
    if (!token) return null;
    const claimed = await readToken(deps.keys, token);
    const state = claimed ? await store.sessionState(deps.db, claimed.sessionId) : null;
    if (!state || state.user.id !== claimed?.userId) return null;
    refuseEnded(state, deps.metrics);
    if (state.session.offeredUntil && !(await store.acceptOffer(deps.db, state.session))) throw new Fault(30089);
    if (state.isStale) await store.touchSession(deps.db, state.session.id);
    const { session, user } = state;
    const owner = session.enterpriseId
      ? ({ kind: 'enterprise', id: session.enterpriseId, member: user.id } as const)
      : ({ kind: 'user', id: user.id } as const);
    const { id: userId, isDemo } = user;
    return { userId, sessionId: session.id, owner, isDemo, fillsMissing: user.fillNanAdjusted === 1 };
  };
}

function refuseEnded(state: store.SessionState, metrics: Metrics): void {
  const { session, user } = state;
  if (state.isBanned) {
    metrics.authFailures.inc({ kind: 'banned' });
    throw bannedFault(user);
  }
  if (session.endedReason === 'replaced') {
    metrics.authFailures.inc({ kind: 'replaced' });
    throw new Fault(20021);
  }
  if (session.endedAt || !state.isLive) throw new Fault(30089);
}

export async function listSessions(db: Db, actor: Actor): Promise<{ total: number; list: SessionItem[] }> {
  const live = await store.liveSessions(db, actor.userId);
  const rows = actor.isDemo ? live.filter((row) => row.id === actor.sessionId) : live;
  const list = rows.map((row) => ({
    id: row.id,
    current: row.id === actor.sessionId,
    platform: row.platform,
    device: row.agent,
    net: row.netShown,
    signed_in_at: row.createdAt.toISOString(),
    seen_at: row.seenAt.toISOString(),
    ends_at: row.endsAt.toISOString(),
  }));
  return { total: list.length, list };
}

export async function endSession(db: Db, actor: Actor, id: number): Promise<void> {
  const ended = await store.endOneSession(db, actor.userId, id, id === actor.sessionId ? 'logout' : 'device');
  if (ended === 0) throw missing();
}

/** Bans an account: all its sessions end at once. For the operator's command; `until` null is without end. */
export async function banUser(db: Db, userId: number, reason: string, until: Date | null): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await store.lockUser(tx, userId))) throw missing();
    await store.setBan(tx, userId, { reason, until });
    await store.endAllSessions(tx, userId, 'banned');
  });
}

export async function unbanUser(db: Db, userId: number): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await store.lockUser(tx, userId))) throw missing();
    await store.setBan(tx, userId, null);
  });
}
