/** /v1/captcha, /v1/login, sessions, settings of one's account, the hand-off and the sandbox inbox. */
import { z } from 'zod';
import type { App, Deps } from '../../lib/deps.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { refuseDemo } from '../../lib/guard.ts';
import { route } from '../../lib/route.ts';
import { bindingRoutes } from './binding-routes.ts';
import { answerPuzzle, givePass, newPuzzle } from './captcha.ts';
import { sendCode, refuseBlocked } from './codes.ts';
import { cookieName, deviceOf } from './device.ts';
import { restore } from './login.ts';
import { inboxPage } from './inbox-page.ts';
import type { People } from './people.ts';
import { digestPhone, readPhone } from './phones.ts';
import {
  AccountTicket,
  CaptchaPass,
  CaptchaTicket,
  Handoff,
  LoginQuery,
  PhoneLogin,
  ProfileChange,
  SandboxSmsQuery,
  SendCode,
  SentCode,
  SessionId,
  SessionItem,
  SignIn,
  Site,
  SliderAnswer,
  SliderPuzzle,
  UserConfig,
  UserConfigChange,
} from './schema.ts';
import { endSession, listSessions } from './sessions.ts';
import { captchaDeps, changeConfig, changeProfile, redeemHandoff, signInByPhone, signInDemo } from './service.ts';
import { createSms } from './sms.ts';
import type { SmsProvider } from './sms.ts';
import * as store from './store.ts';

export function accountsRoutes(app: App, deps: Deps & { people: People }): void {
  const sms = createSms(deps);
  captchaRoutes(app, deps);
  phoneRoutes(app, { ...deps, sms });
  sessionRoutes(app, deps);
  settingRoutes(app, deps);
  bindingRoutes(app, { ...deps, sms });
  if (sms.inbox) inboxRoute(app, sms.inbox);
}

function captchaRoutes(app: App, deps: Deps): void {
  const { config, keys } = deps;
  const captcha = captchaDeps(deps);

  route(app, {
    method: 'GET',
    url: '/v1/captcha/slider',
    access: 'visitor',
    limit: 'signin',
    summary: 'A new slider puzzle',
    answer: SliderPuzzle,
    handler: async ({ request, reply }) => {
      deviceOf(request, reply, config, keys);
      return newPuzzle(deps.db);
    },
  });

  route(app, {
    method: 'POST',
    url: '/v1/captcha/slider',
    access: 'visitor',
    limit: 'signin',
    summary: 'Answers a puzzle once; gives the ticket for sending a code',
    body: SliderAnswer,
    answer: CaptchaTicket,
    handler: async ({ body, request, reply }) => answerPuzzle(captcha, body, deviceOf(request, reply, config, keys)),
  });

  route(app, {
    method: 'POST',
    url: '/v1/login/phone/captcha',
    access: 'visitor',
    limit: 'signin',
    summary: 'Pass for one code to this phone from this device, good for two minutes',
    body: CaptchaPass,
    handler: async ({ body, request, reply }) => {
      const digest = digestPhone(keys, readPhone(body.phone));
      await givePass(captcha, digest, body, deviceOf(request, reply, config, keys), request.ip);
    },
  });
}

function phoneRoutes(app: App, deps: Deps & { people: People; sms: SmsProvider }): void {
  const { config, keys, db, metrics } = deps;
  const { providers } = config;

  route(app, {
    method: 'POST',
    url: '/v1/login/phone/verify-code',
    access: 'visitor',
    limit: 'signin',
    summary: 'Sends a sign-in code; needs a pass',
    body: SendCode,
    answer: SentCode,
    handler: async ({ body, request, reply }) => {
      const phone = readPhone(body.phone);
      const device = deviceOf(request, reply, config, keys);
      const digest = digestPhone(keys, phone);
      await refuseBlocked(db, digest, device.netDigest, metrics);
      return { verify_key: await sendCode(deps, 'login', phone, digest, device) };
    },
  });

  route(app, {
    method: 'POST',
    url: '/v1/login/phone',
    access: 'visitor',
    limit: 'signin',
    summary: 'Signs in with a code; a new phone becomes a new account',
    query: LoginQuery,
    body: PhoneLogin,
    answer: SignIn,
    handler: async ({ body, query, request, reply }) => {
      const device = deviceOf(request, reply, config, keys);
      const answer = await signInByPhone(deps, body, query.utm_source ?? null, device);
      request.log.info({ event: 'sign_in', way: 'phone', warning: answer.warning });
      return answer;
    },
  });

  route(app, {
    method: 'POST',
    url: '/v1/login/demo',
    access: 'visitor',
    limit: 'signin',
    summary: 'Signs in to the marked demo account; sandbox only',
    answer: SignIn,
    handler: async ({ request, reply }) => signInDemo(deps, deviceOf(request, reply, config, keys)),
  });

  route(app, {
    method: 'POST',
    url: '/v1/login/restore',
    access: 'visitor',
    limit: 'signin',
    summary: 'Takes the wish to leave back (ticket of 30008) and signs in',
    body: AccountTicket,
    answer: SignIn,
    handler: async ({ body, request, reply }) => restore(deps, body.ticket, deviceOf(request, reply, config, keys)),
  });

  route(app, {
    method: 'GET',
    url: '/v1/site',
    access: 'visitor',
    summary: 'What the pages may show to visitors',
    answer: Site,
    handler: async () => ({
      sandbox: !config.isProduction,
      wechat: providers.wechat.kind !== 'off',
      research: providers.research.kind !== 'off',
      academic: providers.academic.kind !== 'off',
      captcha_app: providers.captcha.kind === 'tencent' ? providers.captcha.app : null,
      demo: !config.isProduction && (await store.findDemo(db)) !== null,
      embedded: config.databaseUrl === null,
      company: config.company,
    }),
  });

  route(app, {
    method: 'POST',
    url: '/api/oauth/authorize',
    access: 'visitor',
    summary: 'Exchanges the hand-off ticket in the query of /oauth/login for a sign-in',
    query: Handoff,
    answer: SignIn,
    handler: async ({ query, request, reply }) => {
      const ticket = query.ticket ?? query.token;
      if (!ticket) throw new Fault(30003);
      const flow = request.cookies[cookieName(config, 'hx_flow')];
      return redeemHandoff(deps, ticket, flow, deviceOf(request, reply, config, keys));
    },
  });
}

function sessionRoutes(app: App, { db }: Deps): void {
  route(app, {
    method: 'POST',
    url: '/v1/user/logout',
    access: 'session',
    summary: 'Ends this session',
    handler: async ({ actor }) => endSession(db, actor, actor.sessionId),
  });

  route(app, {
    method: 'GET',
    url: '/v1/user/sessions',
    access: 'session',
    summary: 'Devices that are signed in',
    answer: z.object({ total: z.number(), list: z.array(SessionItem) }),
    handler: async ({ actor }) => listSessions(db, actor),
  });

  route(app, {
    method: 'DELETE',
    url: '/v1/user/sessions',
    access: 'session',
    summary: 'Ends all other sessions',
    answer: z.object({ ended: z.number() }),
    handler: async ({ actor }) => {
      refuseDemo(actor);
      return { ended: await store.endOtherSessions(db, actor.userId, actor.sessionId, 'device') };
    },
  });

  route(app, {
    method: 'DELETE',
    url: '/v1/user/sessions/:id',
    access: 'session',
    summary: 'Ends one session',
    params: SessionId,
    handler: async ({ actor, params }) => {
      if (params.id !== actor.sessionId) refuseDemo(actor);
      await endSession(db, actor, params.id);
    },
  });
}

function settingRoutes(app: App, { db }: Deps): void {
  route(app, {
    method: 'PATCH',
    url: '/v1/user',
    access: 'session',
    summary: 'Changes nickname or picture',
    body: ProfileChange,
    handler: async ({ actor, body }) => {
      refuseDemo(actor);
      await changeProfile(db, actor.userId, body);
    },
  });

  route(app, {
    method: 'POST',
    url: '/v1/user/config',
    access: 'session',
    summary:
      'Changes settings; fill_nan_adjusted: 0 drops incomplete rows, 1 fills them; analytics: consent, 0 at first',
    body: UserConfigChange,
    answer: UserConfig,
    handler: async ({ actor, body }) => {
      return changeConfig(db, actor.userId, body);
    },
  });

  route(app, {
    method: 'GET',
    url: '/v1/avatars/:file',
    access: 'capability',
    summary: 'A picture of a person, by its unguessable name',
    params: z.object({ file: z.string().regex(/^[0-9a-f]{32}\.png$/) }),
    handler: async ({ params, reply }) => {
      const png = await store.findAvatar(db, params.file.slice(0, 32));
      if (!png) throw missing();
      return reply
        .type('image/png')
        .header('cache-control', 'private, max-age=31536000, immutable')
        .send(Buffer.from(png));
    },
  });
}

function inboxRoute(app: App, inbox: NonNullable<ReturnType<typeof createSms>['inbox']>): void {
  app.get(
    '/sandbox/sms',
    {
      config: { access: 'sandbox' },
      schema: { querystring: SandboxSmsQuery, summary: 'Messages of the sandbox, newest first', tags: ['sandbox'] },
    },
    async (request, reply) => {
      const { phone } = SandboxSmsQuery.parse(request.query);
      const messages = await inbox(phone?.trim() || null);
      const wantsPage = (request.headers.accept ?? '').includes('text/html');
      reply.header('cache-control', 'no-store').header('vary', 'accept');
      return wantsPage
        ? reply.type('text/html; charset=utf-8').send(inboxPage(messages, phone ?? ''))
        : reply.send({ status_code: 1, data: { total: messages.length, list: messages } });
    },
  );
}
