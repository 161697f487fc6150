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
import type { SessionItem, SignIn } from './schema.ts';
import * as store from './store.ts';
import type { SessionRow, UserRow } from './store.ts';
import { readToken, signToken } from './tokens.ts';

/** More than this many new devices or networks within 24 hours are told as an abnormal sign-in. */
const NEW_PLACES = 3;

interface SessionDeps {
  db: Db;
  keys: Keys;
  config: Config;
  metrics: Metrics;
}

/** The ban as it is told: 20023 with the facts for /ban. */
export const bannedFault = (user: UserRow): Fault =>
  new Fault(20023, {}, { data: { reason: user.banReason, until: user.banUntil?.toISOString() ?? null } });

/** Begins a session on the personal channel. The account's row is locked by the caller's transaction. */
export async function beginSession(
  tx: Tx,
  user: UserRow,
  device: Device,
): Promise<{ session: SessionRow; warning: boolean }> {
  if (await store.isBanned(tx, user.id)) throw bannedFault(user);
  if (user.isDemo) {
    // Visitors of the demo account must not end one another's sessions.
    const session = await store.insertSession(tx, { userId: user.id, platform: `demo-${randomCode()}`, ...device });
    return { session, warning: false };
  }
  const session = await store.insertSession(tx, { userId: user.id, platform: 'pri', ...device });
  const { devices, networks } = await store.countNew(tx, user.id);
  return { session, warning: devices > NEW_PLACES || networks > NEW_PLACES };
}

export async function signInAnswer(keys: Keys, user: UserRow, session: SessionRow, warning: boolean): Promise<SignIn> {
  const payload = {
    oid: user.id,
    nickname: user.nickname,
    avatar: avatarUrl(user),
    is_vip: false,
    platform: session.enterpriseId ? session.platform : 'pri',
    enterprise_name: null,
  };
  const token = await signToken(keys, payload, session.id, session.endsAt);
  return { token, co_token: null, tokens: [], lucky: 0, warning };
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
    if (state.isStale) await store.touchSession(deps.db, state.session.id);
    const { session, user } = state;
    const owner = session.enterpriseId
      ? ({ kind: 'enterprise', id: session.enterpriseId } as const)
      : ({ kind: 'user', id: user.id } as const);
    return { userId: user.id, sessionId: session.id, owner, isDemo: user.isDemo };
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
  if (session.endedAt || !state.isLive) throw new Fault(30091);
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
