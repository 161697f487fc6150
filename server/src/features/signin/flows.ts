/** Visits to providers that have begun here: `state` is good once, ten minutes, for the browser with the flow cookie. */
import { eq, lt, sql } from 'drizzle-orm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isRecent } from '../../lib/clock.ts';
import type { Config } from '../../lib/config.ts';
import type { Db } from '../../lib/db.ts';
import { randomCode, sameText } from '../../lib/keys.ts';
import type { Keys } from '../../lib/keys.ts';
import { cookieName } from '../accounts/service.ts';
import { oauthFlows } from './tables.ts';

interface FlowDeps {
  db: Db;
  keys: Keys;
  config: Config;
}

/** The cookie outlives the visit by the minute that the hand-off ticket has. */
const COOKIE_SECONDS = 11 * 60;

/** The browser's flow cookie, set when it has none. */
export function flowOf(request: FastifyRequest, reply: FastifyReply, config: Config): string {
  const name = cookieName(config, 'hx_flow');
  const sent = request.cookies[name];
  const flow = sent && /^[\w-]{22}$/.test(sent) ? sent : randomCode();
  reply.setCookie(name, flow, {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    maxAge: COOKIE_SECONDS,
    secure: config.publicUrl?.protocol === 'https:',
  });
  return flow;
}

export interface Flow {
  returnTo: string | null;
  utmSource: string | null;
  about: string | null;
  /** The account a way is added to; null where somebody signs in. */
  userId: number | null;
}

export async function beginFlow(deps: FlowDeps, provider: string, flow: string, facts: Flow): Promise<string> {
  const state = randomCode();
  await deps.db.delete(oauthFlows).where(lt(oauthFlows.createdAt, sql`now() - interval '1 hour'`));
  await deps.db.insert(oauthFlows).values({
    stateDigest: deps.keys.digest(`state ${provider}`, state),
    provider,
    flowDigest: deps.keys.digest('flow', flow),
    ...facts,
  });
  return state;
}

/** Spends the state, also when it is too old or comes back to another browser; null then. */
export async function endFlow(
  deps: FlowDeps,
  provider: string,
  state: string | undefined,
  request: FastifyRequest,
): Promise<(Flow & { flow: string }) | null> {
  const flow = request.cookies[cookieName(deps.config, 'hx_flow')];
  if (!state) return null;
  const [row] = await deps.db
    .delete(oauthFlows)
    .where(eq(oauthFlows.stateDigest, deps.keys.digest(`state ${provider}`, state)))
    .returning({
      flowDigest: oauthFlows.flowDigest,
      returnTo: oauthFlows.returnTo,
      utmSource: oauthFlows.utmSource,
      about: oauthFlows.about,
      userId: oauthFlows.userId,
      isFresh: isRecent(oauthFlows.createdAt, 600),
    });
  if (!row?.isFresh || !flow || !sameText(row.flowDigest, deps.keys.digest('flow', flow))) return null;
  const { returnTo, utmSource, about, userId } = row;
  return { flow, returnTo, utmSource, about, userId };
}

/** Only a page of our own: `//x` and `/\x` lead to other sites. */
export const ownPath = (path: string | undefined): string | null =>
  path && /^\/(?![/\\])/.test(path) && !/[\p{Cc}\\]/u.test(path) ? path : null;

/** Where this product is reached from outside: by configuration, else as this request reached it. */
export const originOf = (request: FastifyRequest, config: Config): string =>
  config.publicUrl?.origin ?? new URL(`${request.protocol}://${request.host}`).origin;
