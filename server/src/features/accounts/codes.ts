/** Phone codes: six digits, ten minutes, bound to phone, purpose and verify_key; once; dead after five wrong tries. */
import { randomInt } from 'node:crypto';
import { and, count, eq, isNull, lt, max, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { isRecent } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import { randomCode, sameText } from '../../lib/keys.ts';
import type { Keys } from '../../lib/keys.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { usePass } from './captcha.ts';
import type { Device } from './device.ts';
import type { SmsProvider } from './sms.ts';
import { smsCodes, wrongCodes } from './tables.ts';

/** Signing in (after a captcha), binding a phone, proving oneself anew before something that cannot be undone, the desk. */
export type Purpose = 'login' | 'bind' | 'step_up' | 'desk';

interface CodeDeps {
  db: Db;
  keys: Keys;
  metrics: Metrics;
  sms: SmsProvider;
}

/** Numbers of the security page, section 4.2. */
export const CODE_LIMITS = {
  pauseS: 58,
  perPhoneAndPurposeHour: 5,
  perPhoneDay: 15,
  perNetworkHour: 200,
  siteHour: 2000,
  wrongPerPhone: 10,
  wrongPerNetwork: 100,
  wrongWindowMin: 10,
  longBlockMin: 30,
  tries: 5,
  validMin: 10,
};

/** Sends a code. The answer is the same for known and unknown phones. */
export async function sendCode(
  deps: CodeDeps,
  purpose: Purpose,
  phone: string,
  phoneDigest: string,
  device: Device,
): Promise<string> {
  const code = String(randomInt(0, 1_000_000)).padStart(6, '0');
  const verifyKey = randomCode();
  await deps.db.transaction(async (tx) => {
    // Sends for one phone, and those from one network, come one after another, so that parallel calls cannot pass the
    // same count. Who has no pass holds up nobody of the network; a refusal rolls the use of the pass back.
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext(${`code ${phoneDigest}`}))`);
    if (purpose === 'login') await usePass(tx, phoneDigest, device);
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext(${`codes ${device.netDigest}`}))`);
    await refuseTooMany(tx, purpose, phoneDigest, device.netDigest, deps.metrics);
    // Spent, not ended now: an end would lie in the future again when the clock is set back.
    await tx
      .update(smsCodes)
      .set({ usedAt: sql`now()` })
      .where(and(eq(smsCodes.phoneDigest, phoneDigest), eq(smsCodes.purpose, purpose), isNull(smsCodes.usedAt)));
    await tx.insert(smsCodes).values({
      purpose,
      phoneDigest,
      verifyKey,
      codeDigest: digestCode(deps.keys, purpose, phoneDigest, verifyKey, code),
      netDigest: device.netDigest,
      endsAt: sql`now() + make_interval(mins => ${CODE_LIMITS.validMin})`,
    });
  });
  await deps.sms.sendCode(phone, code);
  deps.metrics.smsSent.inc();
  return verifyKey;
}

async function refuseTooMany(
  tx: Tx,
  purpose: Purpose,
  phoneDigest: string,
  netDigest: string,
  metrics: Metrics,
): Promise<void> {
  const sent = async (...conditions: SQL[]): Promise<number> => {
    const [row] = await tx
      .select({ n: count() })
      .from(smsCodes)
      .where(and(...conditions));
    return row?.n ?? 0;
  };
  const samePhone = eq(smsCodes.phoneDigest, phoneDigest);
  const samePurpose = eq(smsCodes.purpose, purpose);
  const since = (minutes: number) => isRecent(smsCodes.sentAt, minutes * 60);
  const refuse = (seconds: number): never => {
    metrics.rateLimited.inc({ class: 'send_code' });
    throw new Fault(20011, {}, { retryAfter: seconds });
  };
  const [last] = await tx
    .select({
      left: sql<number>`ceil(${CODE_LIMITS.pauseS} - extract(epoch from now() - ${max(smsCodes.sentAt)}))::int`,
    })
    .from(smsCodes)
    .where(and(samePhone, samePurpose, since(2)));
  if (last && last.left > 0) refuse(last.left);
  if ((await sent(samePhone, samePurpose, since(60))) >= CODE_LIMITS.perPhoneAndPurposeHour) refuse(3600);
  if ((await sent(samePhone, since(24 * 60))) >= CODE_LIMITS.perPhoneDay) refuse(24 * 3600);
  if ((await sent(eq(smsCodes.netDigest, netDigest), since(60))) >= CODE_LIMITS.perNetworkHour) refuse(3600);
  if ((await sent(since(60))) >= CODE_LIMITS.siteHour) refuse(3600);
}

/** Refuses when this phone from this network, or this network, has tried wrong codes too often. */
export async function refuseBlocked(db: Db, phoneDigest: string, netDigest: string, metrics: Metrics): Promise<void> {
  const sameNet = eq(wrongCodes.netDigest, netDigest);
  const samePair = and(sameNet, eq(wrongCodes.phoneDigest, phoneDigest));
  const { wrongWindowMin, longBlockMin, wrongPerPhone, wrongPerNetwork } = CODE_LIMITS;
  const wrong = async (condition: typeof samePair, minutes: number): Promise<number> => {
    const [row] = await db
      .select({ n: count() })
      .from(wrongCodes)
      .where(and(condition, isRecent(wrongCodes.at, minutes * 60)));
    return row?.n ?? 0;
  };
  const refuse = (minutes: number): never => {
    metrics.rateLimited.inc({ class: 'verify_code' });
    throw new Fault(20011, {}, { retryAfter: minutes * 60 });
  };
  if ((await wrong(samePair, wrongWindowMin)) >= wrongPerPhone) refuse(wrongWindowMin);
  // Who went on after a first block waits longer: twenty wrong tries reach back over both blocks.
  if (
    (await wrong(samePair, wrongWindowMin + longBlockMin)) >= 2 * wrongPerPhone &&
    (await wrong(samePair, longBlockMin)) > 0
  )
    refuse(longBlockMin);
  if ((await wrong(sameNet, wrongWindowMin)) >= wrongPerNetwork) refuse(wrongWindowMin);
}

export interface GivenCode {
  purpose: Purpose;
  phoneDigest: string;
  verifyKey: string;
  code: string;
}

/** Uses a code up. A wrong try must stay counted, so the outcome is returned and thrown after the commit. */
export async function checkCode(
  deps: Pick<CodeDeps, 'db' | 'keys' | 'metrics'>,
  given: GivenCode,
  device: Device,
): Promise<void> {
  const { purpose, phoneDigest, verifyKey, code } = given;
  await refuseBlocked(deps.db, phoneDigest, device.netDigest, deps.metrics);
  const fault = await deps.db.transaction(async (tx) => {
    const [row] = await tx
      .select({
        id: smsCodes.id,
        codeDigest: smsCodes.codeDigest,
        isDead: sql<boolean>`${smsCodes.usedAt} IS NOT NULL OR ${smsCodes.endsAt} <= now() OR ${smsCodes.tries} >= ${CODE_LIMITS.tries}`,
      })
      .from(smsCodes)
      .where(
        and(eq(smsCodes.verifyKey, verifyKey), eq(smsCodes.phoneDigest, phoneDigest), eq(smsCodes.purpose, purpose)),
      )
      .for('update');
    if (row && !row.isDead && sameText(row.codeDigest, digestCode(deps.keys, purpose, phoneDigest, verifyKey, code))) {
      await tx
        .update(smsCodes)
        .set({ usedAt: sql`now()` })
        .where(and(eq(smsCodes.id, row.id), isNull(smsCodes.usedAt)));
      return null;
    }
    await tx.insert(wrongCodes).values({ phoneDigest, netDigest: device.netDigest });
    if (!row || row.isDead) return new Fault(20012);
    await tx
      .update(smsCodes)
      .set({ tries: sql`${smsCodes.tries} + 1` })
      .where(eq(smsCodes.id, row.id));
    return new Fault(20013);
  });
  if (!fault) return;
  deps.metrics.authFailures.inc({ kind: 'code' });
  throw fault;
}

/** Codes are kept for 90 days as the record of sends, wrong tries for a day. */
export async function tidyCodes(db: Db): Promise<void> {
  await db.delete(smsCodes).where(lt(smsCodes.sentAt, sql`now() - interval '90 days'`));
  await db.delete(wrongCodes).where(lt(wrongCodes.at, sql`now() - interval '1 day'`));
}

const digestCode = (keys: Keys, purpose: Purpose, phoneDigest: string, verifyKey: string, code: string): string =>
  keys.digest('code', `${purpose} ${phoneDigest} ${verifyKey} ${code}`);
