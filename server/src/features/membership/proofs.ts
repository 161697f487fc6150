/** Papers that a person sends for a check: pictures drawn anew, pdf files as they are; encrypted, removed in time. */
import { and, eq, lte, sql } from 'drizzle-orm';
import { isRecent } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, tooMany } from '../../lib/errors.ts';
import type { Keys } from '../../lib/keys.ts';
import { isPdf, redraw } from '../../lib/pictures.ts';
import { proofs } from './tables.ts';
import type { ProofRow } from './tables.ts';

export const PROOF_BYTES = 10 * 1024 * 1024;
/** Removed so long after the decision. */
const KEPT_DAYS = 30;
/** An upload that no form followed. */
const LOOSE_DAYS = 1;
const LOOSE_MAX = 10;

export type Purpose = ProofRow['purpose'];

export function createProofs({ db, keys }: { db: Db; keys: Keys }) {
  const bound = (userId: number): string => `proof ${userId}`;

  return {
    /** Stores a paper; forgotten within a day unless a form names it (`keep`). */
    async add(userId: number, purpose: Purpose, sent: Uint8Array): Promise<ProofRow> {
      const bytes = Buffer.from(sent);
      const pdf = isPdf(bytes);
      const body = pdf ? bytes : await redraw(bytes);
      if (!body || bytes.length > PROOF_BYTES) throw new Fault(30263);
      const [loose] = await db
        .select({ n: sql<number>`count(*)::int` })
        .from(proofs)
        .where(and(eq(proofs.userId, userId), isRecent(proofs.createdAt, 86_400)));
      if ((loose?.n ?? 0) >= LOOSE_MAX) throw tooMany(3600);
      const [row] = await db
        .insert(proofs)
        .values({
          userId,
          purpose,
          mime: pdf ? 'application/pdf' : 'image/jpeg',
          size: body.length,
          sealed: new Uint8Array(Buffer.from(keys.seal(bound(userId), body.toString('base64')), 'base64')),
          deleteAfter: sql`now() + make_interval(days => ${LOOSE_DAYS})`,
        })
        .returning();
      if (!row) throw new Error('INSERT gave no row');
      return row;
    },

    /** The form that names it has been taken: it stays until the decision. False for a foreign or absent one. */
    async keep(tx: Tx, userId: number, purpose: Purpose, id: number): Promise<boolean> {
      const rows = await tx
        .update(proofs)
        .set({ deleteAfter: null })
        .where(and(eq(proofs.id, id), eq(proofs.userId, userId), eq(proofs.purpose, purpose)))
        .returning({ id: proofs.id });
      return rows.length > 0;
    },

    /** The decision has been made. */
    async letGo(tx: Tx, id: number): Promise<void> {
      await tx
        .update(proofs)
        .set({ deleteAfter: sql`now() + make_interval(days => ${KEPT_DAYS})` })
        .where(eq(proofs.id, id));
    },

    /** For reviewers. */
    async open(id: number): Promise<{ mime: ProofRow['mime']; bytes: Buffer } | null> {
      const [row] = await db.select().from(proofs).where(eq(proofs.id, id));
      if (!row) return null;
      const text = keys.open(bound(row.userId), Buffer.from(row.sealed).toString('base64'));
      return { mime: row.mime, bytes: Buffer.from(text, 'base64') };
    },

    async tidy(): Promise<void> {
      await db.delete(proofs).where(lte(proofs.deleteAfter, sql`now()`));
    },
  };
}
