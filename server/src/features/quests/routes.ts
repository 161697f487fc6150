/** /v1/quests, /v1/quest-record: what there is to do, how far it is, and claiming it. */
import type { App } from '../../lib/deps.ts';
import { demandPersonal, refuseDemo } from '../../lib/guard.ts';
import { route } from '../../lib/route.ts';
import { AcceptBody, Accepted, QuestRecord, Quests as QuestList, RecordParams } from './schema.ts';
import type { Quests } from './service.ts';

export function questsRoutes(app: App, { quests }: { quests: Quests }): void {
  const { records } = quests;

  route(app, {
    method: 'GET',
    url: '/v1/quests',
    access: 'session',
    summary: 'Quests with the progress of this person; what waits from earlier periods first',
    answer: QuestList,
    handler: async ({ actor }) => {
      demandPersonal(actor);
      return records.list(actor.userId);
    },
  });

  route(app, {
    method: 'GET',
    url: '/v1/quest-record/:id',
    access: 'session',
    summary: 'One record: what counted, and when it credits itself',
    params: RecordParams,
    answer: QuestRecord,
    handler: async ({ actor, params }) => {
      demandPersonal(actor);
      return records.read(actor.userId, params.id);
    },
  });

  route(app, {
    method: 'PUT',
    url: '/v1/quest-record/:id/accept-bonus',
    access: 'session',
    summary: 'Claims a finished record; asked again, the same answer',
    params: RecordParams,
    body: AcceptBody,
    answer: Accepted,
    limit: 'claim',
    handler: async ({ actor, params }) => {
      demandPersonal(actor);
      refuseDemo(actor);
      return records.accept(actor.userId, params.id);
    },
  });
}
