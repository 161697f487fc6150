/** From a puzzle to the right to send one code: puzzle → ticket → pass, each used once. */
import { and, count, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { isRecent } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import { randomCode } from '../../lib/keys.ts';
import type { Keys } from '../../lib/keys.ts';
import type { Logger } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import type { Device } from './device.ts';
import type { CaptchaTicket, SliderAnswer, SliderPuzzle } from './schema.ts';
import { HEIGHT, PIECE, WIDTH, drawPuzzle, isHumanDrag } from './slider.ts';
import { captchaPasses, captchaPuzzles, captchaTickets } from './tables.ts';
import type { TicketCheck } from './tencent-captcha.ts';

export interface CaptchaDeps {
  db: Db;
  keys: Keys;
  log: Logger;
  metrics: Metrics;
  /** The ticket `sandbox` passes; never in production. */
  acceptsSandbox: boolean;
  /** Asks the provider whose captcha is configured; null for our own slider. */
  checkTicket: TicketCheck | null;
}

/** Submitted when the puzzle could not be loaded [specification 5]. */
const FALLBACK = /^trerror_1001(?:_|$)/;
const FALLBACKS_PER_HOUR = { device: 3, network: 20 };
const fresh = (
  column: typeof captchaPuzzles.createdAt | typeof captchaTickets.createdAt | typeof captchaPasses.createdAt,
) => isRecent(column, 120);

export async function newPuzzle(db: Db): Promise<SliderPuzzle> {
  const { background, piece, x, y } = drawPuzzle();
  const id = randomCode();
  await db.delete(captchaPuzzles).where(lt(captchaPuzzles.createdAt, sql`now() - interval '10 minutes'`));
  await db.insert(captchaPuzzles).values({ id, x });
  return { id, background, piece, width: WIDTH, height: HEIGHT, piece_size: PIECE, y };
}

/** A puzzle is gone after one answer, right or wrong. */
export async function answerPuzzle(
  { db, keys, metrics }: CaptchaDeps,
  answer: SliderAnswer,
  device: Device,
): Promise<CaptchaTicket> {
  const [puzzle] = await db
    .delete(captchaPuzzles)
    .where(and(eq(captchaPuzzles.id, answer.id), fresh(captchaPuzzles.createdAt)))
    .returning({ x: captchaPuzzles.x });
  if (!puzzle || !isHumanDrag(answer, puzzle.x)) {
    metrics.authFailures.inc({ kind: 'captcha' });
    throw new Fault(30203);
  }
  const issued = { ticket: randomCode(), rand: randomCode().slice(0, 8) };
  await db.delete(captchaTickets).where(lt(captchaTickets.createdAt, sql`now() - interval '10 minutes'`));
  await db.insert(captchaTickets).values({ ticketDigest: digestTicket(keys, issued), deviceId: device.deviceId });
  return issued;
}

/** Takes a ticket that was earned on this device, once; what could not be loaded passes nothing here. */
export async function spendTicket(
  deps: CaptchaDeps,
  sent: CaptchaTicket,
  device: Device,
  address: string,
): Promise<void> {
  if (sent.ticket === 'sandbox' && deps.acceptsSandbox) return;
  if (deps.checkTicket) {
    if (await deps.checkTicket(sent.ticket, sent.rand, address)) return;
    deps.metrics.authFailures.inc({ kind: 'captcha' });
    throw new Fault(30203);
  }
  const spent = await deps.db
    .delete(captchaTickets)
    .where(
      and(
        eq(captchaTickets.ticketDigest, digestTicket(deps.keys, sent)),
        eq(captchaTickets.deviceId, device.deviceId),
        fresh(captchaTickets.createdAt),
      ),
    )
    .returning({ ticket: captchaTickets.ticketDigest });
  if (spent.length === 0) throw new Fault(30203);
}

/** Exchanges a ticket for a pass of this phone and device, good for one send within two minutes. */
export async function givePass(
  deps: CaptchaDeps,
  phoneDigest: string,
  sent: CaptchaTicket,
  device: Device,
  address: string,
): Promise<void> {
  const pass = { phoneDigest, netDigest: device.netDigest };
  if (FALLBACK.test(sent.ticket)) {
    await deps.db.transaction(async (tx) => {
      await countFallback(tx, deps, device);
      await tx.insert(captchaPasses).values({ ...pass, kind: 'fallback', deviceId: device.deviceId });
    });
  } else if (sent.ticket === 'sandbox' && deps.acceptsSandbox) {
    // Scripts hold no cookies: any device may use it.
    await deps.db.insert(captchaPasses).values({ ...pass, kind: 'sandbox', deviceId: null });
  } else {
    await spendTicket(deps, sent, device, address);
    await deps.db.insert(captchaPasses).values({ ...pass, kind: 'slider', deviceId: device.deviceId });
  }
}

/** Uses a pass up; without one the send is refused. Runs in the transaction of the send. */
export async function usePass(tx: Tx, phoneDigest: string, device: Device): Promise<void> {
  const [pass] = await tx
    .select({ id: captchaPasses.id })
    .from(captchaPasses)
    .where(
      and(
        eq(captchaPasses.phoneDigest, phoneDigest),
        isNull(captchaPasses.usedAt),
        fresh(captchaPasses.createdAt),
        or(isNull(captchaPasses.deviceId), eq(captchaPasses.deviceId, device.deviceId)),
      ),
    )
    .limit(1)
    .for('update');
  if (!pass) throw new Fault(30203);
  await tx
    .update(captchaPasses)
    .set({ usedAt: sql`now()` })
    .where(eq(captchaPasses.id, pass.id));
}

async function countFallback(tx: Tx, { log, metrics }: CaptchaDeps, device: Device): Promise<void> {
  // Parallel calls from one network come one after another, so that they cannot pass the same count.
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext(${`fallback ${device.netDigest}`}))`);
  const isFallback = eq(captchaPasses.kind, 'fallback');
  const [counts] = await tx
    .select({
      device: count(sql`CASE WHEN ${isFallback} AND ${captchaPasses.deviceId} = ${device.deviceId} THEN 1 END`),
      network: count(sql`CASE WHEN ${isFallback} AND ${captchaPasses.netDigest} = ${device.netDigest} THEN 1 END`),
      fallbacks: count(sql`CASE WHEN ${isFallback} THEN 1 END`),
      all: count(),
    })
    .from(captchaPasses)
    .where(isRecent(captchaPasses.createdAt, 3600));
  if (!counts) return;
  if (counts.device >= FALLBACKS_PER_HOUR.device || counts.network >= FALLBACKS_PER_HOUR.network) {
    metrics.rateLimited.inc({ class: 'captcha_fallback' });
    throw new Fault(20011, {}, { retryAfter: 3600 });
  }
  metrics.captchaFallback.inc();
  if (counts.all >= 40 && counts.fallbacks / counts.all > 0.05)
    log.warn(
      { event: 'captcha_fallback', fallbacks: counts.fallbacks, all: counts.all },
      'too many sends pass by the fallback',
    );
}

export async function tidyPasses(db: Db): Promise<void> {
  await db.delete(captchaPasses).where(lt(captchaPasses.createdAt, sql`now() - interval '1 day'`));
}

const digestTicket = (keys: Keys, { ticket, rand }: CaptchaTicket): string =>
  keys.digest('captcha', `${ticket} ${rand}`);
