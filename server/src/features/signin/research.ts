/** Signing in by the research platform: sign → the platform's page → its claim about a person, believed once confirmed. */
import type { FastifyRequest } from 'fastify';
import { Fault } from '../../lib/errors.ts';
import { ProviderFault } from '../../lib/provider-http.ts';
import { digestSubject } from '../accounts/service.ts';
import type { ConfirmedPerson, EnterDeps } from '../accounts/service.ts';
import { beginFlow, endFlow } from './flows.ts';
import type { ResearchProvider } from './providers.ts';
import type { ResearchLogin, ResearchSigned } from './schema.ts';

const NAME = '科研平台';

/** `href` is where the platform sends the person back to: a page of ours, or nothing is signed. */
export async function signVisit(
  deps: EnterDeps,
  provider: ResearchProvider,
  visit: { href: string; origin: string; flow: string },
  userId: number | null = null,
): Promise<ResearchSigned> {
  const { href, origin, flow } = visit;
  const back = URL.canParse(href, origin) ? new URL(href, origin) : null;
  if (!back || back.origin !== origin) throw new Fault(30090, { detail: 'href 不是本站地址' });
  const noncestr = await beginFlow(deps, 'research', flow, {
    returnTo: null,
    utmSource: null,
    about: null,
    userId,
  });
  const timestamp = Math.floor(Date.now() / 1000);
  const { appid, url } = provider;
  return { appid, noncestr, timestamp, signature: provider.sign(noncestr, timestamp, back.href), url };
}

/** Confirms the claim: begun here, by this browser, within ten minutes, once, and vouched for by the platform. */
export async function confirmResearch(
  deps: EnterDeps,
  provider: ResearchProvider,
  claim: ResearchLogin,
  request: FastifyRequest,
  userId: number | null = null,
): Promise<ConfirmedPerson> {
  const ended = await endFlow(deps, 'research', claim.noncestr, request);
  // A visit that was to add a way signs nobody in, and the other way round.
  const flow = ended?.userId === userId ? ended : null;
  const nickname = claim.username || claim.nickname;
  const person = flow ? await provider.verify({ ...claim, nickname }).catch(unavailable(request, NAME)) : null;
  if (!person) {
    deps.metrics.authFailures.inc({ kind: 'provider' });
    throw new Fault(30007, { name: NAME });
  }
  return {
    provider: 'research',
    subjectDigest: digestSubject(deps.keys, 'research', person.subject),
    nickname: person.nickname,
  };
}

/** A provider that cannot be asked is told as such; anything else that is thrown is a bug of ours. */
export const unavailable =
  (request: FastifyRequest, name: string) =>
  (error: unknown): never => {
    if (!(error instanceof ProviderFault)) throw error;
    request.log.warn({ event: 'provider', provider: name, reason: error.reason }, 'a provider did not answer');
    throw new Fault(30006, { name });
  };
