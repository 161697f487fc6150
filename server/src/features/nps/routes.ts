/** /v1/statistics/nps: whether to ask, and what was answered. */
import type { FastifyRequest } from 'fastify';
import type { App } from '../../lib/deps.ts';
import { refuseDemo } from '../../lib/guard.ts';
import { route } from '../../lib/route.ts';
import { AnswerBody, Popup, PopupQuery } from './schema.ts';
import type { Nps } from './service.ts';

const HANDHELD = /Mobile|Android|iPhone|iPad|HarmonyOS/i;
const isDesktop = ({ headers }: FastifyRequest): boolean =>
  headers['sec-ch-ua-mobile'] !== '?1' && !HANDHELD.test(headers['user-agent'] ?? '');

export function npsRoutes(app: App, { nps }: { nps: Nps }): void {
  route(app, {
    method: 'GET',
    url: '/v1/statistics/nps/popup',
    access: 'session',
    summary: 'Whether to ask now how likely one recommends the product; it counts as shown',
    query: PopupQuery,
    answer: Popup,
    handler: async ({ actor, query, request }) => nps.popup(actor, query.open_ms, isDesktop(request)),
  });

  route(app, {
    method: 'POST',
    url: '/v1/statistics/nps/answers',
    access: 'session',
    summary: 'What became of the question: an answer, 以后再说, closed, or never again; once for each token',
    body: AnswerBody,
    handler: async ({ actor, body }) => {
      refuseDemo(actor);
      await nps.answer(actor, body);
    },
  });
}
