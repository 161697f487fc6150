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
import type { Customer, Proof } from './schema.ts';

export { listOperators, setOperator } from './staff.ts';
export type Ops = ReturnType<typeof createOps>;

export function createOps(given: Omit<Context, 'clock'> & { clock?: Clock | undefined; isSingle: boolean }) {
  const context: Context = { ...given, clock: given.clock ?? databaseClock };
  const { db, membership, orders } = context;
  const acts = allActs(context);
  const desk = createDesk(context, acts, given.isSingle);
  const lists = createLists(context, acts, desk);

  const papers = {
    edu: { kind: 'edu', find: membership.education.find },
    transfers: { kind: 'transfer', find: orders.desk.transfer },
    contracts: { kind: 'contract', find: context.enterprises.contracts.find },
  } as const;

  return {
    acts,
    access: createAccess(context),
    desk,
    lists,
    exports: createExports(context, lists, desk),

    /** All of one customer, on one page; looking at it is written down. */
    async customer(id: number, operator: Operator): Promise<Customer> {
      const customer = await lists.customer(id, operator);
      if (customer === null) throw missing();
      await desk.seen(operator, 'user', id, 'customer.view');
      return customer;
    },

    /** A paper that came with a check, a transfer or a contract, or pictures of a feedback; looking at it is written down. */
    async proof(list: keyof typeof papers | 'feedback', id: number, operator: Operator): Promise<Proof> {
      if (!maySee(operator, list)) throw missing();
      if (list === 'feedback') {
        const picture = await context.feedbacks.pictures(id);
        if (!picture) throw missing();
        await desk.seen(operator, 'feedback', id);
        return { mime: 'image/jpeg', base64: picture.toString('base64') };
      }
      const { kind, find } = papers[list];
      const proofId = (await find(db, id))?.proofId ?? null;
      const opened = proofId === null ? null : await membership.proofs.open(proofId);
      if (!opened) throw missing();
      await desk.seen(operator, kind, id);
      return { mime: opened.mime, base64: opened.bytes.toString('base64') };
    },
  };
}
