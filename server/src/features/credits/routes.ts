/** /v1/credits-center: balance, movements, objections. Only of the person: an enterprise takes no part. */
import type { App } from '../../lib/deps.ts';
import { demandPersonal, refuseDemo } from '../../lib/guard.ts';
import { route } from '../../lib/route.ts';
import { Appeal, AppealBody, Appeals, ChangeQuery, CreditAccount, CreditChanges } from './schema.ts';
import type { Credits } from './service.ts';

interface Parts {
  credits: Credits;
  /** Whether a reward of this person is held or void; absent and foreign ones are missing. */
  demandObjectionable: (userId: number, recordId: number) => Promise<void>;
}

export function creditsRoutes(app: App, { credits, demandObjectionable }: Parts): void {
  route(app, {
    method: 'GET',
    url: '/v1/credits-center/account',
    access: 'session',
    summary: 'Balance of credits, what is expiring, why the account is held',
    answer: CreditAccount,
    handler: async ({ actor }) => {
      demandPersonal(actor);
      return credits.account(actor.userId);
    },
  });

  route(app, {
    method: 'GET',
    url: '/v1/credits-center/account/change-detail',
    access: 'session',
    summary: 'Movements of credits, newest first',
    query: ChangeQuery,
    answer: CreditChanges,
    handler: async ({ actor, query }) => {
      demandPersonal(actor);
      return credits.changes(actor.userId, query);
    },
  });

  route(app, {
    method: 'GET',
    url: '/v1/credits-center/appeals',
    access: 'session',
    summary: "The person's newest objections with their answers",
    answer: Appeals,
    handler: async ({ actor }) => {
      demandPersonal(actor);
      return credits.appeals.list(actor.userId);
    },
  });

  route(app, {
    method: 'POST',
    url: '/v1/credits-center/appeals',
    access: 'session',
    summary: 'Objects to a reward that is held or void, or to an account that is held',
    body: AppealBody,
    answer: Appeal,
    handler: async ({ actor, body }) => {
      demandPersonal(actor);
      refuseDemo(actor);
      if (body.record_id !== undefined) await demandObjectionable(actor.userId, body.record_id);
      return credits.appeals.make(actor.userId, body);
    },
  });
}
