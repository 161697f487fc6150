/** Structured log on stderr. It never holds tokens, codes, bodies, cells, full phone numbers or addresses. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { destination, pino } from 'pino';
import type { DestinationStream } from 'pino';
import { networkOf } from './limits.ts';
import type { Metrics } from './metrics.ts';

export type Logger = FastifyBaseLogger;

export function createLog(level: string, to: DestinationStream = destination({ dest: 2, sync: false })): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: [
          'authorization',
          '*.authorization',
          'headers',
          '*.headers',
          'phone',
          '*.phone',
          'token',
          '*.token',
          'code',
          'verify_code',
          'err.query',
          'err.params',
          'err.cause.parameters',
        ],
        censor: '[hidden]',
      },
    },
    to,
  );
}

/** 138****8000 */
export const maskPhone = (phone: string): string => `${phone.slice(0, 3)}****${phone.slice(-4)}`;

/** 203.0.113.* and 2001:db8:1:* : enough to recognise one's own network, too little to follow a person. */
export function maskNetwork(address: string | undefined): string {
  const network = networkOf(address);
  return network.includes(':') ? `${network.split(':').slice(0, 3).join(':')}:*` : network.replace(/\.\d+$/, '.*');
}

/** The client's `_rid` is the request's id when it looks like one, so that a person's screen leads to the log line. */
export function requestId(request: IncomingMessage): string {
  const found = /[?&]_rid=([\w.-]{1,64})(?:&|$)/.exec(request.url ?? '');
  return found?.[1] ?? randomBytes(8).toString('hex');
}

declare module 'fastify' {
  interface FastifyReply {
    /** Records a stream that the client left; onResponse is silent about answers that were never finished. */
    recordLeft(): void;
  }
}

/** The client went away before the answer was whole; what proxies call it, never sent. */
const LEFT = 499;

export function installRequestLog(app: FastifyInstance, metrics: Metrics): void {
  const record = (request: FastifyRequest, reply: FastifyReply, status: number): void => {
    const route = request.routeOptions.url ?? 'none';
    const { elapsedTime } = reply;
    metrics.http.observe({ route, method: request.method, status }, elapsedTime / 1000);
    // Somebody signed in asked for what is not theirs or not there: many of these are somebody counting ids.
    if (request.actor && (status === 403 || status === 404)) metrics.authzDenied.inc({ kind: String(status) });
    request.log.info({
      event: 'request',
      rid: request.id,
      route: `${request.method} ${route}`,
      status,
      ms: Math.round(elapsedTime * 10) / 10,
      ...(request.actor ? { uid: request.actor.userId, sid8: request.actor.sessionId } : {}),
      net: maskNetwork(request.ip),
      ...(request.errCode ? { err_code: request.errCode } : {}),
    });
  };
  app.addHook('onResponse', async (request, reply) => record(request, reply, reply.statusCode));
  app.decorateReply('recordLeft', function recordLeft(this: FastifyReply) {
    record(this.request, this, LEFT);
  });
}
