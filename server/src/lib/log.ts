/** Structured log on stderr. It never holds tokens, codes, bodies, cells, full phone numbers or addresses. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
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
        paths: ['authorization', '*.authorization', 'headers', '*.headers', 'phone', '*.phone', 'token', '*.token', 'code', 'verify_code', 'err.query', 'err.params', 'err.cause.parameters'],
        censor: '[hidden]',
      },
    },
    to,
  );
}

/** 138****8000 */
export const maskPhone = (phone: string): string => `${phone.slice(0, 3)}****${phone.slice(-4)}`;

/** 203.0.113.* and 2001:db8:1:* : enough to recognise one's own network, too little to follow a person. */
export function maskNetwork(address: string): string {
  const network = networkOf(address);
  return network.includes(':') ? `${network.split(':').slice(0, 3).join(':')}:*` : network.replace(/\.\d+$/, '.*');
}

/** The client's `_rid` is the request's id when it looks like one, so that a person's screen leads to the log line. */
export function requestId(request: IncomingMessage): string {
  const found = /[?&]_rid=([\w.-]{1,64})(?:&|$)/.exec(request.url ?? '');
  return found?.[1] ?? randomBytes(8).toString('hex');
}

export function installRequestLog(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    // Somebody signed in asked for what is not theirs or not there: many of these are somebody counting ids.
    if (request.actor && (reply.statusCode === 403 || reply.statusCode === 404)) metrics.authzDenied.inc({ kind: String(reply.statusCode) });
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    metrics.http.observe({ route, method: request.method, status: reply.statusCode }, reply.elapsedTime / 1000);
    request.log.info({
      event: 'request',
      rid: request.id,
      route: `${request.method} ${route}`,
      status: reply.statusCode,
      ms,
      ...(request.actor ? { uid: request.actor.userId, sid8: request.actor.sessionId } : {}),
      net: maskNetwork(request.ip),
      ...(request.errCode ? { err_code: request.errCode } : {}),
    });
  });
}
