/** Everything one owner has here: reports for an archive, shares ended, and all of it moved out for good. */
import { and, asc, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { json, pathPart } from '../../lib/owner-data.ts';
import type { OwnerFile } from '../../lib/owner-data.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { owned } from '../../lib/guard.ts';
import type { Owner } from '../../lib/guard.ts';
import { documents, pins, reports, revs, shares } from './tables.ts';

/** Every revision of every report; the documents one at a time, since they can be large. */
export async function* exportReports(db: Db, owner: Owner): AsyncGenerator<OwnerFile> {
  const list = await db
    .select()
    .from(reports)
    .where(owned(reports, owner, gt(reports.rev, 0)))
    .orderBy(asc(reports.rid));
  for (const report of list) {
    const { ownerKind: _kind, ownerId: _id, ...facts } = report;
    const folder = `reports/${report.rid}-${pathPart(report.title)}`;
    const history = await db.select().from(revs).where(eq(revs.rid, report.rid)).orderBy(asc(revs.rev));
    yield json(`${folder}/report.json`, { ...facts, history: history.map(({ documentId: _document, ...rev }) => rev) });
    for (const { rev, documentId } of history) {
      const [row] = await db.select({ text: documents.document }).from(documents).where(eq(documents.id, documentId));
      if (row) yield { path: `${folder}/rev-${rev}.json`, content: new TextEncoder().encode(row.text) };
    }
  }
}

export async function endSharesOf(tx: Tx, owner: Owner): Promise<void> {
  const mine = tx.select({ rid: reports.rid }).from(reports).where(owned(reports, owner));
  await tx
    .update(shares)
    .set({ endedAt: sql`now()` })
    .where(and(inArray(shares.rid, mine), isNull(shares.endedAt)));
}

/** As if thrown away a month ago: the sweeper removes them for good. */
export async function expireReports(tx: Tx, owner: Owner): Promise<void> {
  await endSharesOf(tx, owner);
  if (owner.kind === 'user') await tx.delete(pins).where(eq(pins.userId, owner.id));
  await tx
    .update(reports)
    .set({ deletedAt: sql`now() - interval '31 days'`, title: '已注销', note: '', fileName: null })
    .where(owned(reports, owner));
}
