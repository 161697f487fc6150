/** What an address may bring along (specification section 4, navigation query): hand-off, claim, error, campaign. */
import type { SignIn } from '@hengxi/server/accounts/schema';

import { api } from './api.ts';
import { keepSource, sourceNow } from './campaign-source.ts';
import { addFromAddress } from './linking.ts';
import { receive, useSignIn } from './sign-in.ts';
import { toast } from './toast.ts';

const ERROR_MS = 4000;
const ERROR_LENGTH = 100;

/** Cleans the address at once, before any request leaves; `utm_source` stays in it. */
export async function applyUrlParameters(): Promise<void> {
  const url = new URL(location.href);
  const source = url.searchParams.get('utm_source');
  if (source) keepSource(source);
  const token = take(url, 'token');
  const message = take(url, 'error_msg');
  const openId = take(url, 'openId');
  const claim = {
    nickname: take(url, 'nickName') ?? '',
    noncestr: take(url, 'noncestr') ?? '',
    signature: take(url, 'signature') ?? '',
  };
  // A visit to a platform that was to add it to the account that is signed in.
  const link = take(url, 'link');
  const linkTicket = take(url, 'ticket');
  if (url.href !== location.href) history.replaceState(history.state, '', url);
  if (message) toast.warn(message.slice(0, ERROR_LENGTH), { ms: ERROR_MS });
  if (link === 'academic' && linkTicket) await addFromAddress('academic', { ticket: linkTicket });
  else if (link === 'research' && openId) await addFromAddress('research', { openid: openId, username: '', ...claim });
  else if (token) await takeToken(token);
  else if (openId) await research({ openid: openId, ...claim });
}

function take(url: URL, name: string): string | null {
  const value = url.searchParams.get(name);
  url.searchParams.delete(name);
  return value;
}

/** A hand-off ticket is exchanged; a whole token could sign a visitor into a foreign account and is asked about first. */
async function takeToken(token: string): Promise<void> {
  if (token.split('.').length === 3) {
    useSignIn.setState({ claimed: token });
    return;
  }
  await exchange(api.post<SignIn>('/api/oauth/authorize', undefined, { query: { token } }));
}

/** A claim nobody confirms is dropped without a word and the visit goes on. */
async function research(claim: {
  openid: string;
  nickname: string;
  noncestr: string;
  signature: string;
}): Promise<void> {
  await exchange(
    api.post<SignIn>(
      '/v1/zw/oauth/login',
      { ...claim, username: '' },
      { query: { v: 1, utm_source: sourceNow() }, quiet: true },
    ),
  );
}

async function exchange(answer: Promise<SignIn>): Promise<void> {
  useSignIn.setState({ exchanging: true });
  try {
    receive(await answer);
  } catch {
    // What there is to say has been said; the visitor stays where he is.
  }
  useSignIn.setState({ exchanging: false });
}
