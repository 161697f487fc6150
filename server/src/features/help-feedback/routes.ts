/** POST /v1/help/feedback: whether a help page helped, without an account. */
import { deviceOf } from '../accounts/service.ts';
import type { App, Deps } from '../../lib/deps.ts';
import { route } from '../../lib/route.ts';
import { HelpFeedbackBody, HelpFeedbackTaken } from './schema.ts';
import type { HelpFeedback } from './service.ts';

/** A text of at most 300 characters. */
const BODY_BYTES = 8 * 1024;

export function helpFeedbackRoutes(app: App, deps: Deps & { helpFeedback: HelpFeedback }): void {
  const { config, keys, helpFeedback } = deps;
  route(app, {
    method: 'POST',
    url: '/v1/help/feedback',
    access: 'visitor',
    limit: 'signin',
    summary: 'Whether a help page helped, and why not: ten a day of one network',
    body: HelpFeedbackBody,
    bodyLimit: BODY_BYTES,
    answer: HelpFeedbackTaken,
    handler: async ({ body, request, reply }) => {
      await helpFeedback.take(deviceOf(request, reply, config, keys).netDigest, body);
      return { taken: true as const };
    },
  });
}
