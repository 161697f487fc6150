/** Adding a further way to sign in to one's own account, and taking one away: the same codes and visits as a sign-in. */
import { toDataURL } from 'qrcode';
import type { App } from '../../lib/deps.ts';
import { Fault, tooMany } from '../../lib/errors.ts';
import { refuseDemo } from '../../lib/guard.ts';
import { route } from '../../lib/route.ts';
import { addLink, demandStepUp, deviceOf, removeLink } from '../accounts/service.ts';
import { beginFlow, endFlow, flowOf, originOf } from './flows.ts';
import type { OAuthProvider, ResearchProvider } from './providers.ts';
import { confirmResearch, signVisit } from './research.ts';
import type { SigninDeps } from './routes.ts';
import {
  AcademicLink,
  AcademicVisit,
  LinkParams,
  LinkState,
  ResearchLogin,
  ResearchSign,
  ResearchSigned,
  SceneQuery,
  WechatTicket,
} from './schema.ts';
import { TICKET_SECONDS, newTicket, pollScene } from './wechat.ts';

/** What the callback of academic search leaves for the page that comes back to us. */
export const ACADEMIC_LINK = 'academic-link';

interface Ways {
  wechat: { path: string } | null;
  research: ResearchProvider | null;
  academic: OAuthProvider | null;
}

const BASE = '/v1/user/links';
const QR_PX = 336;
const POLLS_PER_MINUTE = 40;

export function linkingRoutes(app: App, deps: SigninDeps, ways: Ways): void {
  const { config, keys, limiter } = deps;

  if (ways.wechat) {
    const { path } = ways.wechat;
    route(app, {
      method: 'POST',
      url: `${BASE}/wechat`,
      access: 'session',
      summary: 'A QR code that adds WeChat to this account; needs step-up',
      answer: WechatTicket,
      handler: async ({ actor, request, reply }) => {
        refuseDemo(actor);
        await demandStepUp(deps, actor);
        const { ticket, scene } = await newTicket(deps, deviceOf(request, reply, config, keys), actor.userId);
        const url = `${originOf(request, config)}${path}/${ticket}`;
        const qrcode = await toDataURL(url, { margin: 0, width: QR_PX, errorCorrectionLevel: 'M' });
        return { ticket, scene, expire_in: TICKET_SECONDS, url, qrcode };
      },
    });

    route(app, {
      method: 'GET',
      url: `${BASE}/wechat`,
      access: 'session',
      summary: 'What has become of that code: 0 waiting, 1 added (once), 2 scanned, 3 refused, 4 expired',
      query: SceneQuery,
      answer: LinkState,
      handler: async ({ actor, query, request, reply }) => {
        const wait = limiter.take(`scene ${query.scene}`, POLLS_PER_MINUTE, 60);
        if (wait > 0) throw tooMany(wait);
        const state = await pollScene(deps, query.scene, actor.userId);
        if (state.status !== 1) return { status: state.status };
        const { subjectDigest } = state.person;
        await addLink(deps, actor, { provider: 'wechat', subjectDigest }, deviceOf(request, reply, config, keys));
        return { status: 1 as const };
      },
    });
  }

  if (ways.research) {
    const { research } = ways;
    route(app, {
      method: 'POST',
      url: `${BASE}/research`,
      access: 'session',
      summary: 'Signs a visit to the research platform that adds it to this account; needs step-up',
      body: ResearchSign,
      answer: ResearchSigned,
      handler: async ({ actor, body, request, reply }) => {
        refuseDemo(actor);
        await demandStepUp(deps, actor);
        const visit = { href: body.href, origin: originOf(request, config), flow: flowOf(request, reply, config) };
        return signVisit(deps, research, visit, actor.userId);
      },
    });

    route(app, {
      method: 'PUT',
      url: `${BASE}/research`,
      access: 'session',
      summary: 'Adds the research platform by the claim that came back, once it is confirmed',
      body: ResearchLogin,
      handler: async ({ actor, body, request, reply }) => {
        const person = await confirmResearch(deps, research, body, request, actor.userId);
        await addLink(deps, actor, person, deviceOf(request, reply, config, keys));
      },
    });
  }

  if (ways.academic) {
    const { academic } = ways;
    route(app, {
      method: 'POST',
      url: `${BASE}/academic`,
      access: 'session',
      summary: 'Where to sign in to academic search to add it to this account; needs step-up',
      answer: AcademicVisit,
      handler: async ({ actor, request, reply }) => {
        refuseDemo(actor);
        await demandStepUp(deps, actor);
        const facts = { returnTo: null, utmSource: null, about: null, userId: actor.userId };
        const state = await beginFlow(deps, 'academic', flowOf(request, reply, config), facts);
        return { url: academic.authorizeUrl(`${originOf(request, config)}/v1/baidu/oauth/callback`, state) };
      },
    });

    route(app, {
      method: 'PUT',
      url: `${BASE}/academic`,
      access: 'session',
      summary: 'Adds academic search by the ticket that came back with the visit',
      body: AcademicLink,
      handler: async ({ actor, body, request, reply }) => {
        const flow = await endFlow(deps, ACADEMIC_LINK, body.ticket, request);
        if (!flow?.about || flow.userId !== actor.userId) throw new Fault(30003);
        const person = { provider: 'academic', subjectDigest: flow.about } as const;
        await addLink(deps, actor, person, deviceOf(request, reply, config, keys));
      },
    });
  }

  route(app, {
    method: 'DELETE',
    url: `${BASE}/:provider`,
    access: 'session',
    summary: 'Takes a way to sign in away, never the last one; needs step-up',
    params: LinkParams,
    handler: async ({ actor, params }) => {
      refuseDemo(actor);
      await demandStepUp(deps, actor);
      await removeLink(deps, actor, params.provider);
    },
  });
}
