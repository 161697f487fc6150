/** The mall: items, buying with credits, giving back. */
import { databaseClock } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import type { Credits } from '../credits/service.ts';
import { createMallDesk } from './desk.ts';
import { createFulfilment } from './fulfilment.ts';
import type { FulfilmentDependencies } from './fulfilment.ts';
import { createItems } from './items.ts';
import { createPurchases } from './purchases.ts';

export type { ItemChange, ItemDraft } from './desk.ts';
export type { CouponMaker, MethodFacts } from './fulfilment.ts';
export type { ItemRow, OrderRow } from './tables.ts';

export type Mall = ReturnType<typeof createMall>;

export function createMall(deps: FulfilmentDependencies & { db: Db; clock?: Clock; credits: Credits }) {
  const { db, credits, membership, hasLockedMethods, clock = databaseClock } = deps;
  const giving = createFulfilment(deps);
  return {
    items: createItems({ db, clock, credits, membership, hasLockedMethods }),
    purchases: createPurchases({ db, clock, credits, giving, membership }),
    desk: createMallDesk({ db }),
  };
}
