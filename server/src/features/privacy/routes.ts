/** /v1/user/export and /v1/events. The archive itself is fetched by POST /v1/downloads {kind: "account", id}. */
import type { App } from '../../lib/deps.ts';
import { refuseDemo } from '../../lib/guard.ts';
import { route } from '../../lib/route.ts';
import { AccountExport, Events, EventsKept } from './schema.ts';
import type { Privacy } from './service.ts';

export function privacyRoutes(app: App, { privacy }: { privacy: Privacy }): void {
  route(app, {
    method: 'POST',
    url: '/v1/user/export',
    access: 'session',
    limit: 'export',
    summary: 'Begins an archive of everything the account holds, kept for a day. Needs step-up',
    answer: AccountExport,
    handler: async ({ actor }) => {
      refuseDemo(actor);
      return privacy.begin(actor);
    },
  });

  route(app, {
    method: 'GET',
    url: '/v1/user/export',
    access: 'session',
    summary: 'The last archive, or null',
    answer: AccountExport.nullable(),
    handler: async ({ actor }) => privacy.read(actor.owner),
  });

  route(app, {
    method: 'POST',
    url: '/v1/events',
    access: 'session',
    summary: 'Our own counting of use; kept only of people who agreed to it',
    body: Events,
    answer: EventsKept,
    handler: async ({ actor, body }) => ({ kept: await privacy.note(actor, body.events) }),
  });
}
