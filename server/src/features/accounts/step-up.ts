/** Step-up: before what cannot be undone the person proves anew who they are; good for ten minutes of this session. */
import { and, eq, sql } from 'drizzle-orm';
import { isRecent } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import type { Actor } from '../../lib/guard.ts';
import type { Keys } from '../../lib/keys.ts';
import { maskPhone } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { checkCode, sendCode } from './codes.ts';
import type { Device } from './device.ts';
import { digestPhone, openPhone } from './phones.ts';
import type { SmsProvider } from './sms.ts';
import { findUser } from './store.ts';
import { sessions, users } from './tables.ts';

const PROOF_SECONDS = 600;

/** Refuses with 30002 without a fresh proof. An account without a phone proves itself by signing in again. */
export async function demandStepUp({ db, keys }: { db: Db; keys: Keys }, actor: Actor): Promise<void> {
  const [row] = await db
    .select({
      sealed: users.phoneSealed,
      isProved: isRecent(sessions.provedAt, PROOF_SECONDS),
      isNew: isRecent(sessions.createdAt, PROOF_SECONDS),
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, actor.sessionId), eq(sessions.userId, actor.userId)));
  if (row && (row.isProved || (row.sealed === null && row.isNew))) return;
  const phone = row?.sealed ? maskPhone(openPhone(keys, row.sealed)) : null;
  throw new Fault(30002, {}, { data: { phone } });
}

async function recordStepUp(db: Db, actor: Actor): Promise<void> {
  await db
    .update(sessions)
    .set({ provedAt: sql`now()` })
    .where(eq(sessions.id, actor.sessionId));
}

interface ProofDeps {
  db: Db;
  keys: Keys;
  metrics: Metrics;
  sms: SmsProvider;
}

/** The person's own number; 20010 without one. */
export async function ownPhone({ db, keys }: Pick<ProofDeps, 'db' | 'keys'>, userId: number): Promise<string> {
  const user = await findUser(db, userId);
  if (!user?.phoneSealed) throw new Fault(20010);
  return openPhone(keys, user.phoneSealed);
}

/** A fresh code to the person's own phone: before what cannot be undone, or at the door of the operator's desk. */
export async function sendProof(
  deps: ProofDeps,
  purpose: 'step_up' | 'desk',
  userId: number,
  device: Device,
): Promise<string> {
  const phone = await ownPhone(deps, userId);
  return sendCode(deps, purpose, phone, digestPhone(deps.keys, phone), device);
}

/** Uses the code up and remembers the proof for ten minutes of this session. */
export async function prove(
  deps: Omit<ProofDeps, 'sms'>,
  purpose: 'step_up' | 'desk',
  actor: Actor,
  given: { verify_key: string; verify_code: string },
  device: Device,
): Promise<void> {
  const phoneDigest = digestPhone(deps.keys, await ownPhone(deps, actor.userId));
  await checkCode(deps, { purpose, phoneDigest, verifyKey: given.verify_key, code: given.verify_code }, device);
  await recordStepUp(deps.db, actor);
}
