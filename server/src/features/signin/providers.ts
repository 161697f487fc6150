/** What each way to sign in must be able to do, the real clients behind configuration and the sandbox ones. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Providers } from '../../lib/config-providers.ts';
import type { Keys } from '../../lib/keys.ts';
import { sameText } from '../../lib/keys.ts';
import { ProviderFault } from '../../lib/provider-http.ts';
import type { ProviderClient } from '../../lib/provider-http.ts';

/** A person as a provider has confirmed them. */
export interface Confirmed {
  subject: string;
  nickname: string | null;
  /** Where the provider keeps a picture of them. */
  avatar?: string | null;
}

/** Null: the provider says no. ProviderFault: it said nothing that can be believed. */
type Answer = Promise<Confirmed | null>;

export interface OAuthProvider {
  /** Page of the provider where the person signs in. */
  authorizeUrl(redirectUri: string, state: string): string;
  exchange(code: string, redirectUri: string): Answer;
}

export interface ResearchProvider {
  appid: string;
  /** The sign-in page. */
  url: string;
  /** Proves to the platform that this visit comes from us. */
  sign(noncestr: string, timestamp: number, href: string): string;
  verify(claim: { openid: string; noncestr: string; signature: string; nickname: string }): Answer;
}

const id = z.string().min(1).max(200);
const name = z.string().max(200).nullish();

const WechatToken = z.union([
  z.object({ access_token: z.string().min(1), openid: id, unionid: id.optional() }),
  z.object({ errcode: z.number().refine((code) => code !== 0) }),
]);
const WechatUser = z.union([
  z.object({ openid: id, nickname: name, headimgurl: z.string().max(500).nullish() }),
  z.object({ errcode: z.number() }),
]);

/** WeChat's OAuth for pages opened inside WeChat: the phone that scanned our code signs in there. */
export function createWechat(
  config: Extract<Providers['wechat'], { kind: 'open' }>,
  client: ProviderClient,
): OAuthProvider {
  const api = config.api ?? 'https://api.weixin.qq.com';
  return {
    authorizeUrl(redirectUri, state) {
      const url = new URL('https://open.weixin.qq.com/connect/oauth2/authorize');
      url.search = new URLSearchParams({
        appid: config.appid,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'snsapi_userinfo',
        state,
      }).toString();
      url.hash = 'wechat_redirect';
      return url.href;
    },
    async exchange(code) {
      const query = { appid: config.appid, secret: config.secret, code, grant_type: 'authorization_code' };
      const token = await client.ask(`${api}/sns/oauth2/access_token`, WechatToken, { query });
      if ('errcode' in token) return null;
      const { access_token, openid } = token;
      // The name is a courtesy: without it the person still is who they are.
      const user = await client
        .ask(`${api}/sns/userinfo`, WechatUser, { query: { access_token, openid, lang: 'zh_CN' } })
        .catch(() => null);
      const known = user && 'openid' in user && user.openid === openid ? user : null;
      return {
        subject: token.unionid ?? openid,
        nickname: known?.nickname ?? null,
        avatar: known?.headimgurl ?? null,
      };
    },
  };
}

const BaiduToken = z.union([
  z.object({ access_token: z.string().min(1) }),
  z.object({ error: z.string(), error_description: z.string().optional() }),
]);
const BaiduUser = z.union([
  z.object({ openid: id, username: name, portrait: z.string().max(200).nullish() }),
  z.object({ error_code: z.union([z.number(), z.string()]) }),
]);

/** Academic search signs in by Baidu's OAuth. */
export function createAcademic(
  config: Extract<Providers['academic'], { kind: 'on' }>,
  client: ProviderClient,
): OAuthProvider {
  const api = config.api ?? 'https://openapi.baidu.com';
  return {
    authorizeUrl(redirectUri, state) {
      const url = new URL('/oauth/2.0/authorize', api);
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: config.key,
        redirect_uri: redirectUri,
        scope: 'basic',
        state,
        confirm_login: '1',
      }).toString();
      return url.href;
    },
    async exchange(code, redirectUri) {
      const token = await client.ask(`${api}/oauth/2.0/token`, BaiduToken, {
        query: {
          grant_type: 'authorization_code',
          code,
          client_id: config.key,
          client_secret: config.secret,
          redirect_uri: redirectUri,
        },
      });
      if ('error' in token) return null;
      const user = await client.ask(`${api}/rest/2.0/passport/users/getInfo`, BaiduUser, {
        query: { access_token: token.access_token },
      });
      if ('error_code' in user) return null;
      const avatar = user.portrait
        ? `https://himg.bdimg.com/sys/portrait/item/${encodeURIComponent(user.portrait)}`
        : null;
      return { subject: user.openid, nickname: user.username ?? null, avatar };
    },
  };
}

const ResearchAnswer = z.union([
  z.object({ valid: z.literal(true), openid: id, nickname: name }),
  z.object({ valid: z.literal(false) }),
]);

const signatureOf = (secret: string, fields: Record<string, string | number>): string =>
  createHash('sha256')
    .update(
      [...Object.entries(fields), ['secret', secret]]
        .map(([key, value]) => `${key}=${value}`)
        .sort()
        .join('&'),
    )
    .digest('hex');

/** The research platform: asked where it can be asked, else its signature over openid and noncestr. */
export function createResearch(
  config: Extract<Providers['research'], { kind: 'on' }>,
  client: ProviderClient,
): ResearchProvider {
  const { appid, secret, verifyUrl } = config;
  return {
    appid,
    url: config.url,
    sign: (noncestr, timestamp, href) => signatureOf(secret, { appid, noncestr, timestamp, href }),
    async verify({ openid, noncestr, signature, nickname }) {
      if (!verifyUrl)
        return sameText(signature, signatureOf(secret, { openid, noncestr })) ? { subject: openid, nickname } : null;
      const proof = signatureOf(secret, { appid, openid, noncestr });
      const answer = await client.ask(verifyUrl, ResearchAnswer, {
        method: 'POST',
        json: { appid, openid, noncestr, signature: proof },
      });
      if (!answer.valid) return null;
      // An answer about somebody else is nonsense, not a person.
      if (answer.openid !== openid) throw new ProviderFault('answer about another openid');
      return { subject: openid, nickname: answer.nickname ?? nickname };
    },
  };
}

/** The sandbox's research platform: same messages, a secret made from our own keys. */
export function createSandboxResearch(
  keys: Keys,
): ResearchProvider & { answer(openid: string, noncestr: string): string } {
  const answer = (openid: string, noncestr: string): string => keys.digest('sandbox-research', `${openid} ${noncestr}`);
  return {
    appid: 'sandbox',
    url: '/sandbox/research',
    sign: (noncestr, timestamp, href) => keys.digest('sandbox-research-sign', `${noncestr} ${timestamp} ${href}`),
    answer,
    verify: async ({ openid, noncestr, signature, nickname }) =>
      sameText(signature, answer(openid, noncestr)) ? { subject: openid, nickname } : null,
  };
}

/** The sandbox's academic search: its codes carry the name that was typed, signed. */
export function createSandboxAcademic(keys: Keys): OAuthProvider & { code(who: string): string } {
  const seal = (who: string): string => keys.digest('sandbox-academic', who);
  return {
    authorizeUrl: (redirectUri, state) =>
      `/sandbox/academic?${new URLSearchParams({ client_id: 'sandbox', redirect_uri: redirectUri, state }).toString()}`,
    code: (who) => `${Buffer.from(who).toString('base64url')}.${seal(who)}`,
    async exchange(code) {
      const [body = '', mark = ''] = code.split('.');
      const who = Buffer.from(body, 'base64url').toString('utf8');
      return sameText(mark, seal(who)) ? { subject: who, nickname: who } : null;
    },
  };
}
