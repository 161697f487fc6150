/** Rate limits per node. A call with a session counts by its user only, so a class behind one address can work. */
import { isIPv4, isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics } from './metrics.ts';
import { tooMany } from './errors.ts';

export type LimitClass =
  | 'read'
  | 'write'
  | 'analysis'
  | 'draft'
  | 'upload'
  | 'chunk'
  | 'export'
  | 'signin'
  | 'ticket'
  | 'poll'
  | 'report'
  | 'purchase'
  | 'claim'
  | 'verify'
  | 'none';

interface Rule {
  seconds: number;
  user: number;
  network: number;
}

/** Numbers of the security page, section 4.2. */
export const LIMITS: Record<Exclude<LimitClass, 'none'>, Rule> = {
  read: { seconds: 60, user: 600, network: 1200 },
  write: { seconds: 60, user: 120, network: 120 },
  analysis: { seconds: 60, user: 60, network: 60 },
  draft: { seconds: 60, user: 240, network: 240 },
  upload: { seconds: 3600, user: 60, network: 60 },
  chunk: { seconds: 60, user: 1200, network: 1200 },
  export: { seconds: 60, user: 20, network: 20 },
  // Sixty people behind one address sign in within a minute, with four calls each; sends and tries are counted in the
  // database besides.
  signin: { seconds: 60, user: 600, network: 600 },
  /** QR codes, and the questions about them every two seconds (40 a minute for one code besides). */
  ticket: { seconds: 60, user: 120, network: 120 },
  poll: { seconds: 60, user: 6000, network: 6000 },
  /** What browsers tell by themselves: must not fill the log, nor use up what people may ask for. */
  report: { seconds: 60, user: 60, network: 60 },
  /** Of the mall, and of bonuses. */
  purchase: { seconds: 60, user: 10, network: 10 },
  claim: { seconds: 60, user: 30, network: 30 },
  /** Codes that are looked up by whoever holds a paper: guessing must not pay. */
  verify: { seconds: 60, user: 20, network: 20 },
};

/** Two neighbouring windows weighted by time: no burst of twice the limit at a boundary, constant memory per key. */
export class Limiter {
  readonly #windows = new Map<string, { index: number; now: number; before: number }>();
  readonly #clock: () => number;
  readonly #factor: number;
  /** `factor` stretches all limits at once; tests of other things switch them off by it. */
  constructor(clock: () => number = () => performance.now(), factor = 1) {
    this.#clock = clock;
    this.#factor = factor;
  }

  /** Counts one use; gives the seconds to wait when the limit is reached, else 0. */
  take(key: string, most: number, seconds: number): number {
    const at = this.#clock() / 1000 / seconds;
    const index = Math.floor(at);
    const share = 1 - (at - index);
    let window = this.#windows.get(key);
    if (!window || window.index < index - 1) window = { index, now: 0, before: 0 };
    else if (window.index === index - 1) window = { index, now: 0, before: window.now };
    this.#windows.set(key, window);
    if (window.now + window.before * share + 1 > most * this.#factor) return Math.max(1, seconds * share);
    window.now += 1;
    if (this.#windows.size > 50_000) this.#forget();
    return 0;
  }

  /** One use less: what was counted came to nothing. */
  giveBack(key: string): void {
    const window = this.#windows.get(key);
    if (window && window.now > 0) window.now -= 1;
  }

  #forget(): void {
    const oldest = [...this.#windows.keys()].slice(0, 25_000);
    for (const key of oldest) this.#windows.delete(key);
  }
}

/** IPv4 address or IPv6 /56: what one household or office has. A connection that is gone has no address any more. */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return 'gone';
  const plain = address.startsWith('::ffff:') && isIPv4(address.slice(7)) ? address.slice(7) : address;
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('%')[0]?.split('::') ?? [];
  const left = head.split(':').filter(Boolean);
  const right = (tail ?? '').split(':').filter(Boolean);
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right].map((group) =>
    group.padStart(4, '0'),
  );
  return `${groups.slice(0, 3).join(':')}:${(groups[3] ?? '0000').slice(0, 2)}00::/56`;
}

export function installLimits(app: FastifyInstance, limiter: Limiter, metrics: Metrics): void {
  app.addHook('onRequest', async (request) => {
    const name = classOf(request);
    if (name === 'none') return;
    const rule = LIMITS[name];
    const { actor } = request;
    const wait = actor
      ? limiter.take(`${name} user ${actor.userId}`, rule.user, rule.seconds)
      : limiter.take(`${name} net ${networkOf(request.ip)}`, rule.network, rule.seconds);
    if (wait === 0) return;
    metrics.rateLimited.inc({ class: name });
    throw tooMany(wait);
  });
}

/** Work of which only what succeeds counts towards a person's limit, besides the limit of the route. */
export async function counted<T>(
  limiter: Limiter,
  name: Exclude<LimitClass, 'none'>,
  userId: number,
  work: () => Promise<T>,
): Promise<T> {
  const { user, seconds } = LIMITS[name];
  const key = `${name} user ${userId}`;
  const wait = limiter.take(key, user, seconds);
  if (wait > 0) throw tooMany(wait);
  try {
    return await work();
  } catch (error) {
    limiter.giveBack(key);
    throw error;
  }
}

function classOf(request: FastifyRequest): LimitClass {
  const { limit, access } = request.routeOptions.config;
  if (limit) return limit;
  if (!access || access === 'machine') return 'none';
  return request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write';
}
