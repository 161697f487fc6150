/** /v1/user/subscriptions, membership, editions, education checks. */
import { z } from 'zod';
import type { App } from '../../lib/deps.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { demandPersonal, refuseDemo } from '../../lib/guard.ts';
import { bytesRoute, route } from '../../lib/route.ts';
import { PROOF_BYTES } from './proofs.ts';
import {
  ComboCheck,
  EduAuth,
  EduBody,
  EduCode,
  EduCodeBody,
  GrantList,
  Limits,
  Membership as MembershipPage,
  PackageList,
  PackageQuery,
  PageQuery,
  ProofMade,
} from './schema.ts';
import type { PackageKind } from './schema.ts';
import type { Membership } from './service.ts';

const LISTS: [path: string, kind: PackageKind, summary: string][] = [
  ['', 'vip', 'Packages of membership on sale'],
  ['/edu', 'edu', 'Packages for education on sale'],
  ['/combo', 'combo', 'Packages of membership with AI points on sale'],
  ['/point', 'point', 'Packages of AI points on sale'],
];

export function membershipRoutes(app: App, { membership }: { membership: Membership }): void {
  for (const [path, kind, summary] of LISTS)
    route(app, {
      method: 'GET',
      url: `/v1/user/subscriptions${path}`,
      access: 'visitor',
      summary,
      query: PackageQuery,
      answer: PackageList,
      handler: ({ query }) => membership.packages.list(kind, query),
    });

  route(app, {
    method: 'GET',
    url: '/v1/user/subscriptions/combo/check',
    access: 'session',
    summary: 'Whether the person may buy a package of membership with AI points',
    answer: ComboCheck,
    handler: async ({ actor }) => {
      demandPersonal(actor);
      const { vip } = await membership.facts(actor.userId);
      return vip.lifetime ? { available: false, reason: new Fault(30204).message } : { available: true, reason: null };
    },
  });

  route(app, {
    method: 'GET',
    url: '/v1/editions',
    access: 'visitor',
    summary: 'Limits of the three editions',
    answer: z.array(Limits),
    handler: () => membership.editions.all(),
  });

  route(app, {
    method: 'GET',
    url: '/v1/user/membership',
    access: 'session',
    summary: 'Edition, membership, limits and what was used of them today',
    answer: MembershipPage,
    handler: ({ actor }) => membership.page(actor.owner),
  });

  route(app, {
    method: 'GET',
    url: '/v1/user/membership/grants',
    access: 'session',
    summary: 'Where the days of membership came from, newest first',
    query: PageQuery,
    answer: GrantList,
    handler: async ({ actor, query }) => {
      demandPersonal(actor);
      return membership.grants.list(actor.userId, query);
    },
  });

  eduRoutes(app, membership);
}

function eduRoutes(app: App, membership: Membership): void {
  const { education, proofs } = membership;
  const URL = '/v1/user/edu-auth';

  route(app, {
    method: 'GET',
    url: URL,
    access: 'session',
    summary: 'The education check of the person',
    answer: EduAuth,
    handler: async ({ actor }) => {
      demandPersonal(actor);
      return education.read(actor.userId);
    },
  });

  for (const method of ['POST', 'PUT'] as const)
    route(app, {
      method,
      url: URL,
      access: 'session',
      summary:
        method === 'POST' ? 'Asks for an education check' : 'Asks again after a refusal or the end of the former',
      body: EduBody,
      answer: EduAuth,
      handler: async ({ actor, body }) => {
        demandPersonal(actor);
        refuseDemo(actor);
        await education.submit(actor.userId, body);
        return education.read(actor.userId);
      },
    });

  route(app, {
    method: 'POST',
    url: `${URL}/code`,
    access: 'session',
    summary: 'Sends a code to a school address',
    body: EduCodeBody,
    answer: EduCode,
    handler: async ({ actor, body }) => {
      demandPersonal(actor);
      refuseDemo(actor);
      return education.sendCode(actor.userId, body.email);
    },
  });

  bytesRoute(app, {
    method: 'POST',
    url: `${URL}/proof`,
    access: 'session',
    summary: 'Uploads a paper (octet-stream, jpeg, png or pdf, at most 10 MB)',
    bodyLimit: PROOF_BYTES,
    answer: ProofMade,
    otherwise: () => new Fault(30263),
    handler: async ({ actor, bytes }) => {
      demandPersonal(actor);
      refuseDemo(actor);
      const { id, size, mime } = await proofs.add(actor.userId, 'edu', bytes);
      return { proof: id, size, type: mime };
    },
  });
}

/** Letters of the sandbox as JSON; outside production only. */
export function sandboxMailRoute(app: App, membership: Membership): void {
  route(app, {
    method: 'GET',
    url: '/sandbox/mail',
    access: 'sandbox',
    summary: 'Letters of the sandbox, newest first',
    query: z.object({ to: z.string().max(120).optional() }),
    handler: async ({ query }) => {
      const list = await membership.education.inbox(query.to?.trim().toLowerCase() || null);
      if (query.to && list.length === 0) throw missing();
      return { total: list.length, list };
    },
  });
}
