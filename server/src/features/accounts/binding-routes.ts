/** Binding a phone, proving oneself anew, leaving. */
import { z } from 'zod';
import type { App, Deps } from '../../lib/deps.ts';
import { Fault, tooMany } from '../../lib/errors.ts';
import { refuseDemo } from '../../lib/guard.ts';
import { route } from '../../lib/route.ts';
import { bindPhone, merge, sendBindCode } from './binding.ts';
import { refuseBlocked } from './codes.ts';
import { deviceOf } from './device.ts';
import { requestDeletion } from './account-deletion.ts';
import type { People } from './people.ts';
import { digestPhone, readPhone } from './phones.ts';
import { AccountTicket, BindPhone, Merged, SendCode, SentCode, StepUp } from './schema.ts';
import type { SmsProvider } from './sms.ts';
import { demandStepUp, ownPhone, prove, sendProof } from './step-up.ts';

/** No captcha stands before these sends, so one account must not be able to write to many phones. */
const SENDS_PER_HOUR = 10;

export function bindingRoutes(app: App, deps: Deps & { people: People; sms: SmsProvider }): void {
  const { config, keys, db, limiter, metrics } = deps;
  const countSend = (userId: number): void => {
    const wait = limiter.take(`code user ${userId}`, SENDS_PER_HOUR, 3600);
    if (wait > 0) throw new Fault(20011, {}, { retryAfter: Math.ceil(wait) });
  };
  const countTry = (userId: number): void => {
    const wait = limiter.take(`try user ${userId}`, 10, 600);
    if (wait > 0) throw tooMany(wait);
  };

  route(app, {
    method: 'POST',
    url: '/v1/user/mobile/verify',
    access: 'session',
    summary: 'Sends a code to a phone that is to be bound; another phone than before needs step-up',
    body: SendCode,
    answer: SentCode,
    handler: async ({ actor, body, request, reply }) => {
      refuseDemo(actor);
      const device = deviceOf(request, reply, config, keys);
      await refuseBlocked(db, digestPhone(keys, readPhone(body.phone)), device.netDigest, metrics);
      countSend(actor.userId);
      return { verify_key: await sendBindCode(deps, actor, body.phone, device) };
    },
  });

  route(app, {
    method: 'POST',
    url: '/v1/user/mobile/bind',
    access: 'session',
    summary: 'Binds the phone; 30251 with a ticket for merging an empty account, 30252 where both have data',
    body: BindPhone,
    handler: async ({ actor, body, request, reply }) => {
      refuseDemo(actor);
      await bindPhone(deps, actor, body, deviceOf(request, reply, config, keys));
    },
  });

  route(app, {
    method: 'POST',
    url: '/v1/user/mobile/merge',
    access: 'session',
    summary: 'Ends the empty one of two accounts in the other (ticket of 30251); sign_in when that is the other one',
    body: AccountTicket,
    answer: Merged,
    handler: async ({ actor, body, request, reply }) => {
      refuseDemo(actor);
      return merge(deps, actor, body.ticket, deviceOf(request, reply, config, keys));
    },
  });

  route(app, {
    method: 'POST',
    url: '/v1/user/step-up/code',
    access: 'session',
    summary: 'Sends a code to the bound phone, for a step-up',
    answer: SentCode,
    handler: async ({ actor, request, reply }) => {
      refuseDemo(actor);
      await ownPhone(deps, actor.userId);
      const device = deviceOf(request, reply, config, keys);
      countSend(actor.userId);
      return { verify_key: await sendProof(deps, 'step_up', actor.userId, device) };
    },
  });

  route(app, {
    method: 'POST',
    url: '/v1/user/step-up',
    access: 'session',
    summary: 'Proves the person anew by a code; good for ten minutes of this session',
    body: StepUp,
    handler: async ({ actor, body, request, reply }) => {
      refuseDemo(actor);
      countTry(actor.userId);
      await prove(deps, 'step_up', actor, body, deviceOf(request, reply, config, keys));
    },
  });

  route(app, {
    method: 'DELETE',
    url: '/v1/user/me',
    access: 'session',
    summary: 'Leaves: ends all sessions and shares at once; seven days to come back, then removal. Needs step-up',
    answer: z.object({ until: z.string() }),
    handler: async ({ actor }) => {
      refuseDemo(actor);
      await demandStepUp(deps, actor);
      const until = await requestDeletion(deps, actor);
      for (const end of deps.people.afterLeave) await end(actor.userId);
      return { until: until.toISOString() };
    },
  });
}
