/** POST /v1/feedback/visitor: telling us something without an account; three a day of a device, after a captcha. */
import type { App, Deps } from '../../lib/deps.ts';
import { route } from '../../lib/route.ts';
import { createCaptcha, deviceOf } from '../accounts/service.ts';
import { VisitorFeedback } from './schema.ts';
import type { Feedbacks } from './service.ts';

export function visitorFeedbackRoutes(app: App, deps: Deps & { feedbacks: Feedbacks }): void {
  const { config, keys, feedbacks } = deps;
  const captcha = createCaptcha(deps);

  route(app, {
    method: 'POST',
    url: '/v1/feedback/visitor',
    access: 'visitor',
    limit: 'signin',
    summary: 'Feedback of a visitor, three a day, with the ticket of a captcha',
    body: VisitorFeedback,
    handler: async ({ body, request, reply }) => {
      const device = deviceOf(request, reply, config, keys);
      const { ticket, rand, ...said } = body;
      await feedbacks.sendFrom(device, said, () => captcha.spend({ ticket, rand }, device, request.ip));
    },
  });
}
