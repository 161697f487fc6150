/** /v1/credits-center/account: balance and records of credits. */
import type { App, Deps } from '../../lib/deps.ts';
import { Fault } from '../../lib/errors.ts';
import type { Actor } from '../../lib/guard.ts';
import { route } from '../../lib/route.ts';
import { CreditAccount, CreditQuery, CreditRecords } from './schema.ts';
import type { Credits } from './service.ts';

/** Credits belong to the person; the enterprise takes no part. */
function demandTakesPart({ owner }: Actor): void {
  if (owner.kind !== 'user') throw new Fault(31006);
}

export function creditsRoutes(app: App, { db, credits }: Pick<Deps, 'db'> & { credits: Credits }): void {
  route(app, {
    method: 'GET',
    url: '/v1/credits-center/account',
    access: 'session',
    summary: 'Balance of credits',
    answer: CreditAccount,
    handler: async ({ actor }) => {
      demandTakesPart(actor);
      return credits.account(db, actor.userId);
    },
  });

  route(app, {
    method: 'GET',
    url: '/v1/credits-center/account/change-detail',
    access: 'session',
    summary: 'Movements of credits, newest first',
    query: CreditQuery,
    answer: CreditRecords,
    handler: async ({ actor, query }) => {
      demandTakesPart(actor);
      return credits.records(actor.userId, query);
    },
  });
}
