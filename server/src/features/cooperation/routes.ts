/** POST /v1/cooperation: the form of /business-cooperation, without an account, after a captcha. */
import type { App, Deps } from '../../lib/deps.ts';
import { route } from '../../lib/route.ts';
import { createCaptcha, deviceOf } from '../accounts/service.ts';
import { CooperationBody, CooperationTaken } from './schema.ts';
import type { Cooperation } from './service.ts';

/** A form of at most 700 characters. */
const BODY_BYTES = 16 * 1024;

export function cooperationRoutes(app: App, deps: Deps & { cooperation: Cooperation }): void {
  const { config, keys, cooperation } = deps;
  const captcha = createCaptcha(deps);

  route(app, {
    method: 'POST',
    url: '/v1/cooperation',
    access: 'visitor',
    limit: 'signin',
    summary: 'Somebody wants to work with us: three a day, with the ticket of a captcha',
    body: CooperationBody,
    bodyLimit: BODY_BYTES,
    answer: CooperationTaken,
    handler: async ({ body, request, reply }) => {
      const device = deviceOf(request, reply, config, keys);
      const { ticket, rand, consent: _, ...sent } = body;
      return cooperation.send(device, sent, () => captcha.spend({ ticket, rand }, device, request.ip));
    },
  });
}
