/** Calls of the operator's desk. For everybody who is no operator none of them exists. */
import type { FastifyRequest } from 'fastify';
import type { App, Deps } from '../../lib/deps.ts';
import { Fault, missing, tooMany } from '../../lib/errors.ts';
import { logAct } from '../../lib/act-log.ts';
import { maskNetwork, maskPhone } from '../../lib/log.ts';
import { route } from '../../lib/route.ts';
import { cookieName, deviceOf, findUser, openPhone, prove, sendProof } from '../accounts/service.ts';
import type { SmsProvider } from '../accounts/service.ts';
import { IDLE_MINUTES, netsOf, SESSION_HOURS } from './access.ts';
import type { Operator } from './access.ts';
import {
  ActBody,
  ActDone,
  CodeSent,
  Customer,
  CustomerParams,
  EnterBody,
  ExportBody,
  Exported,
  ExportedFile,
  ListParams,
  ListQuery,
  OpsList,
  OpsMe,
  Proof,
  ProofParams,
  RefuseBody,
  RequestParams,
} from './schema.ts';
import type { Ops } from './service.ts';

declare module 'fastify' {
  interface FastifyRequest {
    operator: Operator | null;
    /** End of the desk's session; null at the door. */
    deskUntil: Date | null;
  }
}

/** An invoice of 5 MB as base64, and its form. */
const ACT_BYTES = 8 * 1024 * 1024;
const TIDY_MS = 600_000;
const DOOR = new Set(['/v1/ops/me', '/v1/ops/session/code', '/v1/ops/session']);

export function opsRoutes(app: App, deps: Deps & { ops: Ops; sms: SmsProvider }): void {
  const { config, db, keys, limiter, ops } = deps;
  const cookie = cookieName(config, 'hx_ops');
  const isNear = netsOf(config.ops.nets);

  app.decorateRequest('operator', null);
  app.decorateRequest('deskUntil', null);
  // Files of lists leave nothing behind once their day is over.
  const tidy = (): void =>
    void ops.exports
      .tidy()
      .catch((error: unknown) => deps.log.warn({ event: 'desk_tidy', err: error }, 'will be tried again'));
  let timer: NodeJS.Timeout | null = null;
  app.addHook('onReady', async () => {
    tidy();
    timer = setInterval(tidy, TIDY_MS).unref();
  });
  app.addHook('onClose', async () => {
    if (timer) clearInterval(timer);
  });
  // Before anything of the request is read: what is wrong with it is told to operators only.
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.access !== 'operator') return;
    const { actor } = request;
    if (!actor || !isNear(request.ip)) throw missing();
    const roles = await ops.access.rolesOf(actor);
    const session = await ops.access.session(actor, request.cookies[cookie]);
    request.operator = { userId: actor.userId, roles, net: maskNetwork(request.ip), rid: request.id, actor };
    request.deskUntil = session?.endsAt ?? null;
    if (!session && !DOOR.has(request.routeOptions.url ?? '')) throw new Fault(30404);
  });
  const operatorOf = ({ operator }: FastifyRequest): Operator => {
    if (!operator) throw missing();
    return operator;
  };

  async function me(request: FastifyRequest, until: Date | null): Promise<OpsMe> {
    const operator = operatorOf(request);
    const user = await findUser(db, operator.userId);
    return {
      nickname: user?.nickname ?? '',
      phone: user?.phoneSealed ? maskPhone(openPhone(keys, user.phoneSealed)) : null,
      roles: [...operator.roles],
      entered: until ? { ends_at: until.toISOString(), idle_minutes: IDLE_MINUTES } : null,
      single_operator: config.ops.isSingle,
      single_warning: config.ops.isSingle && config.isProduction,
      lists: until ? ops.lists.seenBy(operator) : [],
    };
  }

  route(app, {
    method: 'GET',
    url: '/v1/ops/me',
    access: 'operator',
    summary: 'Who is at the desk, with which roles; `entered` null until the code has been given',
    answer: OpsMe,
    handler: async ({ request }) => me(request, request.deskUntil),
  });

  route(app, {
    method: 'POST',
    url: '/v1/ops/session/code',
    access: 'operator',
    summary: "Sends the code of the second factor to the operator's phone",
    answer: CodeSent,
    handler: async ({ actor, request, reply }) => {
      const wait = limiter.take(`desk code ${actor.userId}`, 10, 3600);
      if (wait > 0) throw new Fault(20011, {}, { retryAfter: Math.ceil(wait) });
      return { verify_key: await sendProof(deps, 'desk', actor.userId, deviceOf(request, reply, config, keys)) };
    },
  });

  route(app, {
    method: 'POST',
    url: '/v1/ops/session',
    access: 'operator',
    summary: 'Enters the desk by the code: eight hours, half an hour idle, one at a time',
    body: EnterBody,
    answer: OpsMe,
    handler: async ({ actor, body, request, reply }) => {
      const wait = limiter.take(`desk try ${actor.userId}`, 10, 600);
      if (wait > 0) throw tooMany(wait);
      await prove(deps, 'desk', actor, body, deviceOf(request, reply, config, keys));
      const operator = operatorOf(request);
      const secret = await ops.access.begin(actor, operator.net);
      reply.setCookie(cookie, secret, {
        httpOnly: true,
        sameSite: 'strict',
        path: '/',
        maxAge: SESSION_HOURS * 3600,
        secure: config.publicUrl?.protocol === 'https:',
      });
      await db.transaction((tx) =>
        logAct(tx, {
          scope: 'ops',
          actor: operator.userId,
          role: operator.roles.join('、'),
          act: 'desk.enter',
          kind: 'operator',
          target: operator.userId,
          net: operator.net,
          rid: operator.rid,
        }),
      );
      const begun = await ops.access.session(actor, secret);
      return me(request, begun?.endsAt ?? null);
    },
  });

  route(app, {
    method: 'DELETE',
    url: '/v1/ops/session',
    access: 'operator',
    summary: 'Leaves the desk',
    handler: async ({ actor, reply }) => {
      await ops.access.end(actor);
      reply.clearCookie(cookie, { path: '/' });
    },
  });

  route(app, {
    method: 'GET',
    url: '/v1/ops/:list',
    access: 'operator',
    summary: 'A list of the desk: its columns, filters, acts, and a page of rows',
    params: ListParams,
    query: ListQuery,
    answer: OpsList,
    handler: async ({ params, query, request }) => ops.lists.read(params.list, query, operatorOf(request)),
  });

  route(app, {
    method: 'GET',
    url: '/v1/ops/customers/:id',
    access: 'operator',
    summary: 'All of one customer: those lists that the operator may see; looking at it is logged',
    params: CustomerParams,
    answer: Customer,
    handler: async ({ params, request }) => ops.customer(params.id, operatorOf(request)),
  });

  route(app, {
    method: 'POST',
    url: '/v1/ops/acts',
    access: 'operator',
    summary: 'The one door for every change: done at once, or a request for a second operator',
    bodyLimit: ACT_BYTES,
    body: ActBody,
    answer: ActDone,
    handler: async ({ body, request }) => ops.desk.act(body, operatorOf(request)),
  });

  route(app, {
    method: 'POST',
    url: '/v1/ops/requests/:id/approve',
    access: 'operator',
    summary: 'Approves a request of another operator and carries it out, on the version that was asked about',
    params: RequestParams,
    answer: ActDone,
    handler: async ({ params, request }) => ops.desk.approve(params.id, operatorOf(request)),
  });

  route(app, {
    method: 'POST',
    url: '/v1/ops/requests/:id/refuse',
    access: 'operator',
    summary: 'Refuses a request, or withdraws the own one',
    params: RequestParams,
    body: RefuseBody,
    answer: ActDone,
    handler: async ({ params, body, request }) => ops.desk.refuse(params.id, body.reason, operatorOf(request)),
  });

  route(app, {
    method: 'GET',
    url: '/v1/ops/proofs/:list/:id',
    access: 'operator',
    summary: 'The paper of an education check, a bank transfer or a contract; looking at it is logged',
    params: ProofParams,
    answer: Proof,
    handler: async ({ params, request }) => ops.proof(params.list, params.id, operatorOf(request)),
  });

  route(app, {
    method: 'POST',
    url: '/v1/ops/export',
    access: 'operator',
    summary: 'A list as csv (UTF-8 with BOM, phones masked), kept for 24 hours',
    limit: 'export',
    body: ExportBody,
    answer: Exported,
    handler: async ({ body, request }) => ops.exports.make(body, operatorOf(request)),
  });

  route(app, {
    method: 'GET',
    url: '/v1/ops/exports/:id',
    access: 'operator',
    summary: 'The text of an own csv',
    params: RequestParams,
    answer: ExportedFile,
    handler: async ({ params, request }) => ops.exports.open(params.id, operatorOf(request)),
  });
}
