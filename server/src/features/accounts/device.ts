/** What is known of a browser: a random number in a cookie, its network, and its name in words. No fingerprint. */
import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../lib/config.ts';
import type { Keys } from '../../lib/keys.ts';
import { networkOf } from '../../lib/limits.ts';
import { maskNetwork } from '../../lib/log.ts';

export interface Device {
  /** Digest of the cookie: the table gives nobody a cookie to present. */
  deviceId: string;
  netDigest: string;
  netShown: string;
  agent: string;
}

const DAYS = 400;

/** `__Host-` needs https; plain-http networks must work too. */
export const cookieName = (config: Config, name: string): string =>
  config.publicUrl?.protocol === 'https:' ? `__Host-${name}` : name;

export function deviceOf(request: FastifyRequest, reply: FastifyReply, config: Config, keys: Keys): Device {
  const name = cookieName(config, 'hx_device');
  const sent = request.cookies[name];
  const id = sent && /^[\w-]{22}$/.test(sent) ? sent : randomBytes(16).toString('base64url');
  reply.setCookie(name, id, {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    maxAge: DAYS * 24 * 3600,
    secure: config.publicUrl?.protocol === 'https:',
  });
  return {
    deviceId: keys.digest('device', id).slice(0, 32),
    netDigest: keys.digest('net', networkOf(request.ip)).slice(0, 32),
    netShown: maskNetwork(request.ip),
    agent: describeAgent(request.headers['user-agent'] ?? ''),
  };
}

/** Digests of the machine itself: whoever comes from there came through something that hides the network. */
export const ownNetworks = (keys: Keys): string[] =>
  ['127.0.0.1', '::1'].map((address) => keys.digest('net', networkOf(address)).slice(0, 32));

const BROWSERS: [RegExp, string][] = [
  [/MicroMessenger/, '微信'],
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/Firefox\/|FxiOS/, 'Firefox'],
  [/Chrome\/|CriOS/, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/HarmonyOS/, 'HarmonyOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
];

/** Browser and system in words: Chrome · Windows. */
export function describeAgent(agent: string): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(agent))?.[1] ?? '其他程序';
  const system = SYSTEMS.find(([pattern]) => pattern.test(agent))?.[1];
  return system ? `${browser} · ${system}` : browser;
}
