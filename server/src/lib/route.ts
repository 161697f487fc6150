/**
 * How a feature states an endpoint. The handler gets checked values and returns plain data; the envelope, the
 * documentation and the right to call it follow from the statement.
 *
 *   route(app, { method: 'GET', url: '/v1/things/:id', access: 'session', params: ThingId, answer: Thing,
 *                handler: ({ params, actor }) => service.read(actor.owner, params.id) });
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ZodType } from 'zod';
import type { Access, Actor } from './guard.ts';
import { claimed } from './idempotency.ts';
import type { LimitClass } from './limits.ts';

type Out<S> = S extends ZodType ? z.output<S> : undefined;

interface Call<A extends Access, P, Q, B> {
  params: Out<P>;
  query: Out<Q>;
  body: Out<B>;
  /** Present exactly on routes with access `session` and `operator`. */
  actor: A extends 'session' | 'operator' ? Actor : null;
  request: FastifyRequest;
  reply: FastifyReply;
}

interface Statement<A extends Access, P, Q, B, D> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  access: A;
  summary: string;
  params?: P;
  query?: Q;
  /** Use z.strictObject: unknown keys are refused. */
  body?: B;
  /** Shape of `data` in the answer; for documentation and for the types of the handler. */
  answer?: ZodType<unknown, D>;
  /** Class of the rate limit; default by method. */
  limit?: LimitClass;
  bodyLimit?: number;
  handler: (call: Call<A, P, Q, B>) => Promise<NoInfer<D>>;
}

export function route<
  A extends Access,
  P extends ZodType | undefined = undefined,
  Q extends ZodType | undefined = undefined,
  B extends ZodType | undefined = undefined,
  D = unknown,
>(app: FastifyInstance, statement: Statement<A, P, Q, B, D>): void {
  const { method, url, access, summary, params, query, body, answer, limit, bodyLimit, handler } = statement;
  app.route({
    method,
    url,
    config: { access, ...(limit ? { limit } : {}) },
    ...(bodyLimit ? { bodyLimit } : {}),
    schema: {
      summary,
      tags: [url.split('/')[2] ?? 'site'],
      ...(params ? { params } : {}),
      ...(query ? { querystring: query } : {}),
      ...(body ? { body } : {}),
      response: { 200: z.object({ status_code: z.literal(1), data: answer ?? z.null() }) },
    },
    handler: async (request, reply) => {
      const { actor } = request;
      const call: unknown = { params: request.params, query: request.query, body: request.body, actor, request, reply };
      // The one cast: the schemas have replaced the raw values by their outputs and the guard has put the actor
      // there, which the framework's types cannot express for a generic statement.
      const data: unknown = await claimed(request, () => handler(call as Call<A, P, Q, B>));
      // A handler that answered itself: its reply is thenable, so what arrives here is not the reply but its end.
      if (reply.sent || reply.raw.headersSent) {
        // The client went away in the middle of a stream: nothing can be sent any more.
        if (!reply.sent) {
          reply.recordLeft();
          reply.hijack();
        }
        return reply;
      }
      return { status_code: 1, data: data ?? null };
    },
  });
}

type BytesCall<A extends Access, P, Q> = Call<A, P, Q, undefined> & { bytes: Buffer };
interface BytesStatement<A extends Access, P, Q, D> extends Omit<Statement<A, P, Q, undefined, D>, 'body' | 'handler'> {
  bodyLimit: number;
  /** What is said where something else than bytes was sent. */
  otherwise: () => Error;
  handler: (call: BytesCall<A, P, Q>) => Promise<NoInfer<D>>;
}

/** A route that takes raw bytes (octet-stream); their parser is not seen outside its scope. */
export function bytesRoute<
  A extends Access,
  P extends ZodType | undefined = undefined,
  Q extends ZodType | undefined = undefined,
  D = unknown,
>(app: FastifyInstance, { otherwise, handler, ...statement }: BytesStatement<A, P, Q, D>): void {
  const { bodyLimit } = statement;
  void app.register(async (scope) => {
    scope.addContentTypeParser('application/octet-stream', { parseAs: 'buffer', bodyLimit }, (_, body, done) => {
      done(null, body);
    });
    route<A, P, Q, undefined, D>(scope, {
      ...statement,
      handler: async (call) => {
        const bytes: unknown = call.request.body;
        if (!Buffer.isBuffer(bytes)) throw otherwise();
        return handler({ ...call, bytes });
      },
    });
  });
}
