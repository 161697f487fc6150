/** /v1/contest/judge: the papers of a judge, without names. */
import type { App } from '../../lib/deps.ts';
import { route } from '../../lib/route.ts';
import { attach, contestant } from './routes.ts';
import { AssignmentParams, Assignments, ConflictBody, ReviewBody } from './schema.ts';
import type { Contests } from './service.ts';
import { z } from 'zod';

const AT = '/v1/contest/judge/assignments';

export function judgeRoutes(app: App, { contests }: { contests: Contests }): void {
  const { judging } = contests;

  route(app, {
    method: 'GET',
    url: AT,
    access: 'session',
    summary: 'Papers to score, by season, newest first; empty for whoever is no judge',
    answer: z.array(Assignments),
    handler: async ({ actor }) => judging.list(contestant(actor)),
  });

  route(app, {
    method: 'GET',
    url: `${AT}/:assignment/report`,
    access: 'session',
    summary: 'The report without its metadata',
    params: AssignmentParams,
    handler: async ({ actor, params, reply }) => {
      const file = await judging.report(contestant(actor), params.assignment);
      await attach(reply, file.name, 'application/pdf').send(file.bytes);
    },
  });

  route(app, {
    method: 'PUT',
    url: `${AT}/:assignment`,
    access: 'session',
    summary: 'Points of the five parts and a comment; locked they stand',
    params: AssignmentParams,
    body: ReviewBody,
    handler: async ({ actor, params, body }) => judging.save(contestant(actor), params.assignment, body),
  });

  route(app, {
    method: 'POST',
    url: `${AT}/:assignment/conflict`,
    access: 'session',
    summary: 'The judge knows the authors: somebody else reads it',
    params: AssignmentParams,
    body: ConflictBody,
    handler: async ({ actor, params, body }) => judging.declare(contestant(actor), params.assignment, body.reason),
  });
}
