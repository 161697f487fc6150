/** /v1/login/weixin, /v1/login/token, /v1/zw/oauth, /v1/baidu/oauth, and the pages of the sandbox's providers. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorText } from '@hengxi/contracts/http';
import { toDataURL } from 'qrcode';
import type { App, Deps } from '../../lib/deps.ts';
import { Fault, tooMany } from '../../lib/errors.ts';
import { createProviderClient } from '../../lib/provider-http.ts';
import { route } from '../../lib/route.ts';
import {
  cookieName,
  deviceOf,
  digestSubject,
  findOrCreateByLink,
  issueHandoff,
  signInByLink,
} from '../accounts/service.ts';
import type { People } from '../accounts/service.ts';
import { SignIn } from '../accounts/schema.ts';
import { copyAvatar } from './avatars.ts';
import { beginFlow, endFlow, flowOf, originOf, ownPath } from './flows.ts';
import { ACADEMIC_LINK, linkingRoutes } from './linking-routes.ts';
import { messagePage, scanPage } from './pages.ts';
import {
  createAcademic,
  createResearch,
  createSandboxAcademic,
  createSandboxResearch,
  createWechat,
} from './providers.ts';
import type { OAuthProvider, ResearchProvider } from './providers.ts';
import { acceptForms, answered, expired, show } from './replies.ts';
import { confirmResearch, signVisit, unavailable } from './research.ts';
import { sandboxRoutes } from './sandbox-routes.ts';
import {
  AcademicBack,
  AcademicBegin,
  Poll,
  PollQuery,
  ResearchLogin,
  ResearchQuery,
  ResearchSign,
  ResearchSigned,
  ScanAct,
  ScanParams,
  WechatCallback,
  WechatTicket,
} from './schema.ts';
import { TICKET_SECONDS, answerTicket, newTicket, openTicket, pollScene, recordScan } from './wechat.ts';

export type SigninDeps = Deps & { people: People };

/** A page asks every two seconds; a few more are forgiven. */
const POLLS_PER_MINUTE = 40;
/** Drawn at 168 px; twice that for fine screens. */
const QR_PX = 336;

export async function signinRoutes(app: App, deps: SigninDeps): Promise<void> {
  const { wechat, research, academic } = deps.config.providers;
  const client = () => createProviderClient();
  if (wechat.kind !== 'off') wechatRoutes(app, deps, wechat.kind === 'sandbox');
  if (wechat.kind === 'open') await phoneRoutes(app, deps, createWechat(wechat, client()));
  const sandbox = { research: createSandboxResearch(deps.keys), academic: createSandboxAcademic(deps.keys) };
  const ways = {
    wechat: wechat.kind === 'off' ? null : { path: scanPath(wechat.kind === 'sandbox') },
    research:
      research.kind === 'off' ? null : research.kind === 'on' ? createResearch(research, client()) : sandbox.research,
    academic:
      academic.kind === 'off' ? null : academic.kind === 'on' ? createAcademic(academic, client()) : sandbox.academic,
  };
  if (ways.research) researchRoutes(app, deps, ways.research);
  if (ways.academic) academicRoutes(app, deps, ways.academic);
  linkingRoutes(app, deps, ways);
  if (!deps.config.isProduction) await sandboxRoutes(app, deps, sandbox);
}

/** Where the QR code leads. */
const scanPath = (isSandbox: boolean): string => (isSandbox ? '/sandbox/wechat' : '/v1/login/weixin/scan');

function wechatRoutes(app: App, deps: SigninDeps, isSandbox: boolean): void {
  const { config, keys, limiter } = deps;

  route(app, {
    method: 'GET',
    url: '/v1/login/weixin/ticket',
    access: 'visitor',
    limit: 'ticket',
    summary: 'A QR code for signing in by WeChat, good for two minutes',
    answer: WechatTicket,
    handler: async ({ request, reply }) => {
      const { ticket, scene } = await newTicket(deps, deviceOf(request, reply, config, keys));
      const url = `${originOf(request, config)}${scanPath(isSandbox)}/${ticket}`;
      const qrcode = await toDataURL(url, { margin: 0, width: QR_PX, errorCorrectionLevel: 'M' });
      return { ticket, scene, expire_in: TICKET_SECONDS, url, qrcode };
    },
  });

  route(app, {
    method: 'GET',
    url: '/v1/login/token',
    access: 'visitor',
    limit: 'poll',
    summary: 'What has become of a QR code: 0 waiting, 1 signed in (once), 2 scanned, 3 refused, 4 expired',
    query: PollQuery,
    answer: Poll,
    handler: async ({ query, request, reply }) => {
      const wait = limiter.take(`scene ${query.scene}`, POLLS_PER_MINUTE, 60);
      if (wait > 0) throw tooMany(wait);
      const state = await pollScene(deps, query.scene);
      if (state.status !== 1) return { status: state.status };
      const device = deviceOf(request, reply, config, keys);
      const person = { provider: 'wechat', ...state.person } as const;
      const answer = await signInByLink(deps, person, query.utm_source ?? null, device, (userId) => {
        void copyAvatar(deps, 'wechat', userId, state.avatar);
      });
      request.log.info({ event: 'sign_in', way: 'wechat', warning: answer.warning });
      return { status: 1 as const, ...answer };
    },
  });
}

/** The real phone: our code leads it through WeChat's own sign-in to the page where it confirms. */
async function phoneRoutes(root: App, deps: SigninDeps, provider: OAuthProvider): Promise<void> {
  const { config, keys } = deps;
  await root.register(async (app) => {
    acceptForms(app);
    const open = { access: 'capability', limit: 'signin' } as const;
    const schema = { tags: ['login'] };

    app.get(
      '/v1/login/weixin/scan/:ticket',
      { config: open, schema: { ...schema, params: ScanParams, summary: 'Where the QR code leads a phone' } },
      async (request, reply) => {
        const { ticket } = ScanParams.parse(request.params);
        const scanned = await openTicket(deps, ticket);
        if (!scanned?.isOpen) return expired(reply, false);
        const flow = flowOf(request, reply, config);
        const state = await beginFlow(deps, 'wechat', flow, {
          returnTo: null,
          utmSource: null,
          about: ticket,
          userId: null,
        });
        return reply.redirect(provider.authorizeUrl(callbackOf(request, config), state));
      },
    );

    app.get(
      '/v1/login/weixin/callback',
      { config: open, schema: { ...schema, querystring: WechatCallback, summary: 'Return from WeChat' } },
      async (request, reply) => {
        const { code, state } = WechatCallback.parse(request.query);
        const flow = await endFlow(deps, 'wechat', state, request);
        if (!flow?.about) return expired(reply, false);
        if (!code) return show(reply, messagePage('已取消登录', '没有登录，可以关闭本页。', false));
        const person = await provider
          .exchange(code, callbackOf(request, config))
          .catch(unavailable(request, '微信'))
          .catch((error: unknown) => {
            if (error instanceof Fault) return error;
            throw error;
          });
        if (person instanceof Fault) return show(reply, messagePage('登录没有完成', person.message, false));
        if (!person) return show(reply, messagePage('登录没有完成', errorText(30007, { name: '微信' }), false));
        const subjectDigest = digestSubject(keys, 'wechat', person.subject);
        const scannedBy = { subjectDigest, nickname: person.nickname, avatar: person.avatar ?? null };
        const isMine = await recordScan(deps, flow.about, scannedBy, flow.flow);
        const scanned = isMine ? await openTicket(deps, flow.about) : null;
        if (!scanned?.isOpen) return expired(reply, false);
        return show(reply, scanPage(scanned, `/v1/login/weixin/scan/${flow.about}`, false));
      },
    );

    app.post(
      '/v1/login/weixin/scan/:ticket',
      {
        config: open,
        schema: { ...schema, params: ScanParams, body: ScanAct, summary: 'Confirms or refuses on the phone' },
      },
      async (request, reply) => {
        const { ticket } = ScanParams.parse(request.params);
        const { act } = ScanAct.parse(request.body);
        const flow = request.cookies[cookieName(config, 'hx_flow')] ?? '';
        return answered(reply, act, await answerTicket(deps, ticket, act, { flow }), false);
      },
    );
  });
}

const callbackOf = (request: FastifyRequest, config: Deps['config']): string =>
  `${originOf(request, config)}/v1/login/weixin/callback`;

function researchRoutes(app: App, deps: SigninDeps, provider: ResearchProvider): void {
  const { config, keys } = deps;

  route(app, {
    method: 'POST',
    url: '/v1/zw/oauth/sign',
    access: 'visitor',
    limit: 'signin',
    summary: 'Signs a visit to the research platform that will come back to href',
    body: ResearchSign,
    answer: ResearchSigned,
    handler: async ({ body, request, reply }) =>
      signVisit(deps, provider, {
        href: body.href,
        origin: originOf(request, config),
        flow: flowOf(request, reply, config),
      }),
  });

  route(app, {
    method: 'POST',
    url: '/v1/zw/oauth/login',
    access: 'visitor',
    limit: 'signin',
    summary: 'Signs in by an openid that the platform, or its signature, confirms',
    query: ResearchQuery,
    body: ResearchLogin,
    answer: SignIn,
    handler: async ({ body, query, request, reply }) => {
      const person = await confirmResearch(deps, provider, body, request);
      const answer = await signInByLink(deps, person, query.utm_source ?? null, deviceOf(request, reply, config, keys));
      request.log.info({ event: 'sign_in', way: 'research', warning: answer.warning });
      return answer;
    },
  });
}

function academicRoutes(app: App, deps: SigninDeps, provider: OAuthProvider): void {
  const { config, keys, db } = deps;
  const callback = (request: FastifyRequest): string => `${originOf(request, config)}/v1/baidu/oauth/callback`;
  const fail = (reply: FastifyReply, text: string) =>
    reply.redirect(`/oauth/login?${new URLSearchParams({ error_msg: text }).toString()}`);

  app.get(
    '/v1/baidu/oauth/login',
    {
      config: { access: 'visitor', limit: 'signin' },
      schema: { querystring: AcademicBegin, summary: 'Leads to the sign-in of academic search', tags: ['baidu'] },
    },
    async (request, reply) => {
      const { next, utm_source: utmSource } = AcademicBegin.parse(request.query);
      const flow = flowOf(request, reply, config);
      const facts = { returnTo: ownPath(next), utmSource: utmSource ?? null, about: null, userId: null };
      const state = await beginFlow(deps, 'academic', flow, facts);
      return reply.redirect(provider.authorizeUrl(callback(request), state));
    },
  );

  app.get(
    '/v1/baidu/oauth/callback',
    {
      config: { access: 'visitor', limit: 'signin' },
      schema: { querystring: AcademicBack, summary: 'Return from academic search', tags: ['baidu'] },
    },
    async (request, reply) => {
      const { code, state, error } = AcademicBack.parse(request.query);
      const flow = await endFlow(deps, 'academic', state, request);
      if (!flow) return fail(reply, errorText(30003));
      if (error || !code) return fail(reply, '已取消登录');
      const confirmed = await provider
        .exchange(code, callback(request))
        .catch(unavailable(request, '学术搜索'))
        .catch((fault: unknown) => {
          if (fault instanceof Fault) return fault;
          throw fault;
        });
      if (confirmed instanceof Fault) return fail(reply, confirmed.message);
      if (!confirmed) return fail(reply, errorText(30007, { name: '学术搜索' }));
      const subjectDigest = digestSubject(keys, 'academic', confirmed.subject);
      if (flow.userId !== null) {
        // The person comes back to the account that asked, which takes the way by this ticket and its own session.
        const facts = { returnTo: null, utmSource: null, about: subjectDigest, userId: flow.userId };
        const ticket = await beginFlow(deps, ACADEMIC_LINK, flow.flow, facts);
        return reply.redirect(
          `/member?${new URLSearchParams({ tab: 'account', link: 'academic', ticket }).toString()}`,
        );
      }
      const person = { provider: 'academic', subjectDigest, nickname: confirmed.nickname } as const;
      const { user, isNew } = await db.transaction((tx) => findOrCreateByLink(tx, person, flow.utmSource));
      if (isNew) void copyAvatar(deps, 'academic', user.id, confirmed.avatar ?? null);
      const token = await issueHandoff(deps, user.id, flow.flow, isNew);
      const query = new URLSearchParams({ token });
      if (flow.returnTo) query.set('next', flow.returnTo);
      return reply.redirect(`/oauth/login?${query.toString()}`);
    },
  );
}
