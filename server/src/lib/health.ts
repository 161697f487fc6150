/** /health/live, /health/ready and /metrics: what machines ask. */
import { statfs } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ping } from './db.ts';
import type { Deps } from './deps.ts';
import { Fault } from './errors.ts';
import { sameText } from './keys.ts';

/** Below this share or size the disk is full for us (security page 5.5). */
const DISK_FLOOR = { bytes: 1024 ** 3, share: 0.02 };
const TOY_AGE_S = 60;

export interface Readiness {
  /** Set while the server is stopping. */
  isStopping: boolean;
  /** The demo account's content: `ok`, or why it could not be made. The product serves without it. */
  sample?: string;
}

export function installHealth(app: FastifyInstance, deps: Deps, readiness: Readiness): void {
  app.get('/health/live', { config: { access: 'machine' }, schema: { hide: true } }, async () => ({ ok: true }));

  app.get('/health/ready', { config: { access: 'machine' }, schema: { hide: true } }, async (_request, reply) => {
    const checks = {
      database: await within(500, () => ping(deps.db)),
      engine: await within(2500, () => checkEngine(deps)),
      disk: await within(500, () => checkDisk(deps.config.data)),
      running: readiness.isStopping ? 'stopping' : 'ok',
    };
    const isReady = Object.values(checks).every((answer) => answer === 'ok');
    const { sample } = readiness;
    return reply.code(isReady ? 200 : 503).send({ ok: isReady, ...checks, ...(sample ? { sample } : {}) });
  });

  app.get('/metrics', { config: { access: 'machine' }, schema: { hide: true } }, async (request, reply) => {
    if (!mayReadMetrics(request, deps.config.metricsToken)) throw new Fault(30093);
    return reply.type(deps.metrics.registry.contentType).send(await deps.metrics.registry.metrics());
  });
}

async function checkEngine(deps: Deps): Promise<void> {
  const health = await deps.engine.health();
  if (!health.ok) throw new Error('engine is not well');
  if (!deps.engine.isConnected) throw new Error('no event stream');
  const age = toyAge(health.toy_at);
  if (age > TOY_AGE_S) throw new Error('no worker answered within a minute');
}

/** `toy_at` is a time (ISO text or seconds since 1970); an engine that does not tell is believed. */
function toyAge(at: unknown): number {
  if (typeof at === 'string') return (Date.now() - Date.parse(at)) / 1000;
  return typeof at === 'number' ? Date.now() / 1000 - at : 0;
}

/** Throws when the disk is full for us. */
export async function checkDisk(folder: string): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(folder);
  const floor = Math.min(Math.max(DISK_FLOOR.bytes, blocks * bsize * DISK_FLOOR.share), blocks * bsize);
  if (bavail * bsize < floor) throw new Error('disk is full');
}

async function within(ms: number, check: () => Promise<void>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new Error('no answer')), ms)));
    await Promise.race([check(), late]);
    return 'ok';
  } catch (error) {
    return error instanceof Error ? error.message : 'failed';
  } finally {
    clearTimeout(timer);
  }
}

function mayReadMetrics(request: FastifyRequest, token: string | null): boolean {
  const given = request.headers.authorization?.replace(/^Bearer\s+/i, '');
  if (token && given) return sameText(given, token);
  const address = request.socket.remoteAddress ?? '';
  const plain = address.replace(/^::ffff:/, '');
  // Behind a proxy on the same machine every address is loopback; then only the token counts.
  if (request.headers['x-forwarded-for']) return false;
  return isIP(plain) !== 0 && (plain.startsWith('127.') || plain === '::1');
}
