/** The operator's desk, put together: access, acts, lists, requests, exports. */
import { databaseClock } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import { missing } from '../../lib/errors.ts';
import { createAccess, maySee } from './access.ts';
import type { Operator } from './access.ts';
import { allActs } from './acts/index.ts';
import type { Context } from './context.ts';
import { createDesk } from './desk.ts';
import { createExports } from './export.ts';
import { createLists } from './lists/index.ts';
import type { Proof } from './schema.ts';

export type { EnterpriseShown } from './context.ts';
export { listOperators, setOperator } from './staff.ts';
export type Ops = ReturnType<typeof createOps>;

export function createOps(given: Omit<Context, 'clock'> & { clock?: Clock | undefined; isSingle: boolean }) {
  const context: Context = { ...given, clock: given.clock ?? databaseClock };
  const { db, membership, orders } = context;
  const acts = allActs(context);
  const desk = createDesk(context, acts, given.isSingle);
  const lists = createLists(context, acts, desk);

  async function proofOf(list: 'edu' | 'transfers', id: number): Promise<number | null> {
    const row = list === 'edu' ? await membership.education.find(db, id) : await orders.desk.transfer(db, id);
    return row?.proofId ?? null;
  }

  return {
    acts,
    access: createAccess(context),
    desk,
    lists,
    exports: createExports(context, lists, desk),

    /** A paper that came with a check or a transfer; looking at it is written down. */
    async proof(list: 'edu' | 'transfers', id: number, operator: Operator): Promise<Proof> {
      if (!maySee(operator, list)) throw missing();
      const proofId = await proofOf(list, id);
      const found = proofId === null ? null : await membership.proofs.open(proofId);
      if (!found) throw missing();
      await desk.seen(operator, list === 'edu' ? 'edu' : 'transfer', id);
      return { mime: found.mime, base64: found.bytes.toString('base64') };
    },
  };
}
