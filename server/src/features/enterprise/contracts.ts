/** The contract beside an order of seats: a draft from our template, the signed copy of the owner, archived by the desk. */
import { and, desc, eq } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { slice } from '../../lib/paging.ts';
import type { Membership } from '../membership/service.ts';
import { enter, enterLocked } from './access.ts';
import { note } from './context.ts';
import type { Context } from './context.ts';
import type { Contract } from './schema.ts';
import { contracts, enterprises } from './tables.ts';
import type { ContractRow } from './tables.ts';

/** What contract-template.ts writes. */
export const TEMPLATE_VERSION = '2026-11';

const wire = (row: ContractRow): Contract => ({
  id: row.id,
  order_no: row.orderNo,
  state: row.state,
  template_version: row.templateVersion,
  signed_at: row.signedAt?.toISOString() ?? null,
  archived_at: row.archivedAt?.toISOString() ?? null,
  created_at: row.createdAt.toISOString(),
});

/** With every order of seats. */
export const draftContract = async (tx: Tx, enterpriseId: number, orderNo: string): Promise<void> =>
  void (await tx.insert(contracts).values({ enterpriseId, orderNo, templateVersion: TEMPLATE_VERSION }));

export function createContracts({ db, clock }: Context, { proofs }: Pick<Membership, 'proofs'>) {
  const rowOf = async (executor: Db, id: number): Promise<ContractRow | null> =>
    (await executor.select().from(contracts).where(eq(contracts.id, id)))[0] ?? null;

  return {
    async list(
      userId: number,
      eid: number,
      page: { page: number; page_size: number },
    ): Promise<{ total: number; list: Contract[] }> {
      await enter(db, userId, eid, 'admin');
      const where = eq(contracts.enterpriseId, eid);
      const { limit, offset } = slice(page);
      const rows = await db
        .select()
        .from(contracts)
        .where(where)
        .orderBy(desc(contracts.id))
        .limit(limit)
        .offset(offset);
      return { total: await db.$count(contracts, where), list: rows.map(wire) };
    },

    /** The signed copy, by the owner; may be replaced until it is archived. */
    async sign(userId: number, eid: number, id: number, bytes: Uint8Array): Promise<Contract> {
      await enter(db, userId, eid, 'owner');
      const paper = await proofs.add(userId, 'contract', bytes);
      return db.transaction(async (tx) => {
        const place = await enterLocked(tx, userId, eid, 'owner');
        const [row] = await tx
          .select()
          .from(contracts)
          .where(and(eq(contracts.id, id), eq(contracts.enterpriseId, eid)))
          .for('update');
        if (!row) throw missing();
        if (row.state === 'archived') throw new Fault(30309);
        await proofs.keep(tx, userId, 'contract', paper.id);
        if (row.proofId !== null) await proofs.letGo(tx, row.proofId);
        const [signed] = await tx
          .update(contracts)
          .set({ state: 'signed', proofId: paper.id, signedAt: await clock(tx), version: row.version + 1 })
          .where(eq(contracts.id, id))
          .returning();
        if (!signed) throw missing();
        await note(tx, place, { act: 'contract.sign', kind: 'contract', target: row.orderNo });
        return wire(signed);
      });
    },

    find: rowOf,

    /** For the desk, newest first. */
    async all(query: { page: number; page_size: number; state?: ContractRow['state'] | undefined }) {
      const where = query.state === undefined ? undefined : eq(contracts.state, query.state);
      const { limit, offset } = slice(query);
      const list = await db
        .select({ row: contracts, name: enterprises.name })
        .from(contracts)
        .innerJoin(enterprises, eq(enterprises.id, contracts.enterpriseId))
        .where(where)
        .orderBy(desc(contracts.id))
        .limit(limit)
        .offset(offset);
      return { total: await db.$count(contracts, where), list };
    },

    /** By the desk, which holds the signed copy against the order. */
    async archive(tx: Tx, id: number, version: number): Promise<{ before: ContractRow; after: ContractRow }> {
      const [before] = await tx.select().from(contracts).where(eq(contracts.id, id)).for('update');
      if (before?.version !== version || before.state !== 'signed') throw new Fault(30309);
      const [after] = await tx
        .update(contracts)
        .set({ state: 'archived', archivedAt: await clock(tx), version: version + 1 })
        .where(eq(contracts.id, id))
        .returning();
      if (!after) throw missing();
      return { before, after };
    },
  };
}
