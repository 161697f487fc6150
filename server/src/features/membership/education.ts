/** Education checks: one pending a person; a code to a school address verifies by itself, the rest is reviewed. */
import { and, count, desc, eq, sql } from 'drizzle-orm';
import { violates } from '../../lib/db.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { DAY_MS, isRecent } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import { digits } from '../../lib/codes.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { work } from '../../lib/idempotency.ts';
import { randomCode, sameText } from '../../lib/keys.ts';
import type { Keys } from '../../lib/keys.ts';
import { slice } from '../../lib/paging.ts';
import type { Changed } from './packages.ts';
import type { createProofs } from './proofs.ts';
import type { EduAuth, EduBody, EduStatus } from './schema.ts';
import { eduChecks, eduCodes, eduDomains, sandboxMails } from './tables.ts';
import type { EduRow } from './tables.ts';

const VALID_DAYS = 365;
const REVIEW_DAYS = 3;
const CODE_MINUTES = 10;
const CODE_TRIES = 5;
const CODES_HOUR = 5;

export function createEducation(deps: {
  db: Db;
  keys: Keys;
  clock: Clock;
  proofs: ReturnType<typeof createProofs>;
  /** Only the sandbox has a letter box; without one the way by e-mail is not offered. */
  hasMail: boolean;
}) {
  const { db, keys, clock, proofs, hasMail } = deps;
  const digestOf = (verifyKey: string, code: string): string => keys.digest('edu-code', `${verifyKey}:${code}`);

  async function latest(executor: Db, userId: number): Promise<EduRow | null> {
    const [row] = await executor
      .select()
      .from(eduChecks)
      .where(eq(eduChecks.userId, userId))
      .orderBy(desc(eduChecks.id))
      .limit(1);
    return row ?? null;
  }

  /** A verification past its end reads as none. */
  const statusOf = (row: EduRow | null, now: Date): EduStatus => {
    if (!row) return null;
    return row.status === 1 && row.validTo && row.validTo <= now ? null : row.status;
  };

  async function demandDomain(executor: Db, email: string): Promise<void> {
    const host = email.split('@')[1] ?? '';
    // The domain itself or one below it: mail.tsinghua.edu.cn belongs to tsinghua.edu.cn.
    const parts = host.split('.');
    const all = parts.map((_, index) => parts.slice(index).join('.'));
    const rows = await executor
      .select({ domain: eduDomains.domain })
      .from(eduDomains)
      .where(sql`${eduDomains.domain} IN ${all}`);
    if (rows.length === 0) throw new Fault(30262);
  }

  /** Codes go out with a pause between them, and so many an hour. */
  async function demandFewCodes(tx: Tx, userId: number): Promise<void> {
    const [sent] = await tx
      .select({
        hour: sql<number>`count(*)::int`,
        minute: sql<number>`(count(*) FILTER (WHERE ${isRecent(eduCodes.sentAt, 58)}))::int`,
      })
      .from(eduCodes)
      .where(and(eq(eduCodes.userId, userId), isRecent(eduCodes.sentAt, 3600)));
    if ((sent?.minute ?? 0) > 0) throw new Fault(20011, {}, { retryAfter: 60 });
    if ((sent?.hour ?? 0) >= CODES_HOUR) throw new Fault(20011, {}, { retryAfter: 3600 });
  }

  /** Counts the try outside of the caller's transaction, which a wrong code rolls back. */
  async function checkCode(userId: number, body: EduBody): Promise<void> {
    const { verify_key: verifyKey = '', verify_code: code = '', email = '' } = body;
    const [row] = await db
      .update(eduCodes)
      .set({ tries: sql`${eduCodes.tries} + 1` })
      .where(and(eq(eduCodes.verifyKey, verifyKey), eq(eduCodes.userId, userId)))
      .returning();
    const now = await clock(db);
    const isDead =
      !row ||
      row.usedAt ||
      row.tries > CODE_TRIES ||
      row.email !== email ||
      now.getTime() - row.sentAt.getTime() > CODE_MINUTES * 60_000;
    if (isDead) throw new Fault(20012);
    if (!sameText(row.codeDigest, digestOf(verifyKey, code.trim()))) throw new Fault(20013);
  }

  async function insert(tx: Tx, userId: number, body: EduBody, now: Date): Promise<EduRow> {
    if (body.kind === 'document' && !(await proofs.keep(tx, userId, 'edu', body.proof ?? 0))) throw new Fault(30263);
    const isVerified = body.kind === 'email';
    if (isVerified) {
      const spent = await tx
        .update(eduCodes)
        .set({ usedAt: now })
        .where(and(eq(eduCodes.verifyKey, body.verify_key ?? ''), sql`${eduCodes.usedAt} IS NULL`))
        .returning({ key: eduCodes.verifyKey });
      if (spent.length === 0) throw new Fault(20012);
    }
    const [row] = await tx
      .insert(eduChecks)
      .values({
        userId,
        kind: body.kind,
        name: body.name,
        school: body.school,
        role: body.role,
        email: body.kind === 'email' ? (body.email ?? null) : null,
        chsiCode: body.kind === 'chsi' ? (body.chsi_code ?? null) : null,
        proofId: body.kind === 'document' ? (body.proof ?? null) : null,
        status: isVerified ? 1 : 0,
        validTo: isVerified ? new Date(now.getTime() + VALID_DAYS * DAY_MS) : null,
        decidedAt: isVerified ? now : null,
      })
      .returning();
    if (!row) throw new Error('INSERT gave no row');
    return row;
  }

  /** A decision of the desk on a pending check, or on a verified one that proves false. */
  async function decide(
    tx: Tx,
    id: number,
    version: number,
    set: Partial<EduRow>,
    from: (0 | 1)[],
  ): Promise<Changed<EduRow>> {
    const [before] = await tx.select().from(eduChecks).where(eq(eduChecks.id, id)).for('update');
    if (!before) throw missing();
    if (before.version !== version || !from.some((status) => status === before.status)) throw new Fault(30309);
    const [after] = await tx
      .update(eduChecks)
      .set({ ...set, version: version + 1, decidedAt: await clock(tx) })
      .where(eq(eduChecks.id, id))
      .returning();
    if (!after) throw missing();
    if (before.proofId !== null) await proofs.letGo(tx, before.proofId);
    return { before, after };
  }

  return {
    async status(executor: Db, userId: number): Promise<EduStatus> {
      const row = await latest(executor, userId);
      return statusOf(row, row ? await clock(executor) : new Date(0));
    },

    async read(userId: number): Promise<EduAuth> {
      const row = await latest(db, userId);
      const status = statusOf(row, await clock(db));
      return {
        status,
        kind: row?.kind ?? null,
        name: row?.name ?? null,
        school: row?.school ?? null,
        role: row?.role ?? null,
        email: row?.email ?? null,
        chsi_code: row?.chsiCode ?? null,
        has_proof: row?.proofId != null,
        reason: status === 2 ? (row?.reason ?? null) : null,
        valid_to: row?.validTo?.toISOString() ?? null,
        submitted_at: row?.createdAt.toISOString() ?? null,
        ways: hasMail ? ['email', 'chsi', 'document'] : ['chsi', 'document'],
        review_days: REVIEW_DAYS,
      };
    },

    /** A code to a school address. */
    async sendCode(userId: number, email: string): Promise<{ verify_key: string }> {
      if (!hasMail) throw missing();
      await demandDomain(db, email);
      const verifyKey = randomCode();
      const code = digits(6);
      await db.transaction(async (tx) => {
        // Sends of one person come one after another, so that parallel calls cannot pass the same count.
        await tx.execute(sql`SELECT 1 FROM users WHERE id = ${userId} FOR UPDATE`);
        await demandFewCodes(tx, userId);
        await tx.insert(eduCodes).values({ verifyKey, userId, email, codeDigest: digestOf(verifyKey, code) });
        await tx.insert(sandboxMails).values({
          recipient: email,
          subject: '教育认证验证码',
          text: `您的教育认证验证码是 ${code}，${CODE_MINUTES} 分钟内有效。如非本人操作，请忽略本邮件。`,
        });
      });
      return { verify_key: verifyKey };
    },

    /** A new check, or one again after a refusal or the end of the former. */
    async submit(userId: number, body: EduBody): Promise<void> {
      if (body.kind === 'email') {
        if (!hasMail) throw missing();
        await demandDomain(db, body.email ?? '');
      }
      const before = await latest(db, userId);
      if (before?.status === 0) throw new Fault(30261);
      if (body.kind === 'email') await checkCode(userId, body);
      try {
        await work(db, async (tx) => insert(tx, userId, body, await clock(tx)));
      } catch (error) {
        if (violates(error, 'edu_checks_one_pending')) throw new Fault(30261);
        throw error;
      }
    },

    /** Desk: the queue of one status, oldest first. */
    async queue(
      status: 0 | 1 | 2,
      page: { page: number; page_size: number },
    ): Promise<{ total: number; list: EduRow[] }> {
      const where = eq(eduChecks.status, status);
      const { limit, offset } = slice(page);
      const list = await db.select().from(eduChecks).where(where).orderBy(eduChecks.id).limit(limit).offset(offset);
      const [all] = await db.select({ n: count() }).from(eduChecks).where(where);
      return { total: all?.n ?? 0, list };
    },

    /** Desk. */
    async find(executor: Db, id: number): Promise<EduRow | null> {
      const [row] = await executor.select().from(eduChecks).where(eq(eduChecks.id, id));
      return row ?? null;
    },

    /** Desk. */
    approve: async (tx: Tx, id: number, version: number): Promise<Changed<EduRow>> => {
      const validTo = new Date((await clock(tx)).getTime() + VALID_DAYS * DAY_MS);
      return decide(tx, id, version, { status: 1, reason: null, validTo }, [0]);
    },

    /** Desk. Also takes a verification back whose papers proved false. */
    refuse: (tx: Tx, id: number, version: number, reason: string): Promise<Changed<EduRow>> =>
      decide(tx, id, version, { status: 2, reason, validTo: null }, [0, 1]),

    /** Letters of the sandbox, newest first. */
    async inbox(to: string | null): Promise<{ to: string; subject: string; text: string; sent_at: string }[]> {
      const rows = await db
        .select()
        .from(sandboxMails)
        .where(to ? eq(sandboxMails.recipient, to) : undefined)
        .orderBy(desc(sandboxMails.id))
        .limit(50);
      return rows.map(({ recipient, subject, text, sentAt }) => ({
        to: recipient,
        subject,
        text,
        sent_at: sentAt.toISOString(),
      }));
    },
  };
}
