/** Security headers of every answer (security page S6, S8), cache rules, and the refusal of foreign origins. */
import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import { Fault } from './errors.ts';

/** Where Tencent's captcha comes from; let in only where it is configured. */
const CAPTCHA_HOSTS = 'https://*.captcha.qcloud.com https://*.captcha.gtimg.com';

export function contentPolicy(videoHost: string | null, hasCaptcha = false): string {
  const captcha = hasCaptcha ? ` ${CAPTCHA_HOSTS}` : '';
  return [
    "default-src 'none'",
    `script-src 'self'${captcha}`,
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob:${captcha}`,
    "font-src 'self'",
    `connect-src 'self'${captcha}`,
    "worker-src 'self'",
    `frame-src 'self'${videoHost ? ` ${videoHost}` : ''}${captcha}`,
    "media-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    'report-uri /v1/csp-report',
  ].join('; ');
}

const DATA_POLICY = "default-src 'none'; sandbox";
/** Pages whose address is a secret or carries one. */
export const SECRET_PAGES = /^\/(?:s\/|pro-analysis\/answer\/|dashboards\/share\/|oauth\/|v1\/baidu\/|v1\/downloads\/)/;
const API = /^\/(?:v1|algorithm|api)(?:\/|$)/;
const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

export function installHeaders(app: FastifyInstance, config: Config): void {
  const pagePolicy = contentPolicy(config.videoHost, config.providers.captcha.kind === 'tencent');
  const isHttps = config.publicUrl?.protocol === 'https:';

  app.addHook('onRequest', async (request) => {
    const { origin } = request.headers;
    if (!origin || !WRITES.has(request.method)) return;
    if (!isOwnOrigin(origin, config.publicUrl, request.headers.host)) throw new Fault(30092);
  });

  app.addHook('onSend', async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/';
    const type = String(reply.getHeader('content-type') ?? '');
    const isPage = type.startsWith('text/html');
    // A 304 has no type; its headers replace those the browser has stored, so a policy here would be the wrong one.
    if (reply.statusCode !== 304) reply.header('content-security-policy', isPage ? pagePolicy : DATA_POLICY);
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', SECRET_PAGES.test(path) ? 'no-referrer' : 'same-origin');
    reply.header('cross-origin-opener-policy', 'same-origin-allow-popups');
    reply.header('cross-origin-resource-policy', 'same-origin');
    if (isHttps) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
    // Over what a file of that path would have got: what is missing now may be there with the next version.
    if (reply.statusCode >= 400) reply.header('cache-control', 'no-store');
    if (API.test(path) && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
}

/** Our own pages: the public address, or without one the host the request itself was sent to. */
function isOwnOrigin(origin: string, publicUrl: URL | null, host: string | undefined): boolean {
  if (publicUrl) return origin === publicUrl.origin;
  return URL.canParse(origin) && new URL(origin).host === host;
}
