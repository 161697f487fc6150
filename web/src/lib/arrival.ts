/** What an address may bring along (specification section 4, navigation query): a hand-off ticket, an error, a campaign. */
import type { SignIn } from '@hengxi/server/accounts/schema';

import { api } from './api.ts';
import { startSession } from './session.ts';
import { STORAGE, writeStored } from './storage.ts';
import { toast } from './toast.ts';

const ERROR_MS = 4000;
const ERROR_LENGTH = 100;

/** Cleans the address at once; gives the page to go to after a successful hand-off, else null. */
export async function arrive(): Promise<string | null> {
  const url = new URL(location.href);
  const source = url.searchParams.get('utm_source');
  if (source) writeStored(STORAGE.utm, source.slice(0, ERROR_LENGTH));
  const ticket = take(url, 'token');
  const message = take(url, 'error_msg');
  // Providers other than the phone come later; an openId that nobody can check is dropped and the visit goes on.
  const openId = take(url, 'openId');
  if (ticket || message || openId) history.replaceState(null, '', url);
  if (message) toast.warn(message.slice(0, ERROR_LENGTH), { ms: ERROR_MS });
  return ticket ? handOff(ticket) : null;
}

function take(url: URL, name: string): string | null {
  const value = url.searchParams.get(name);
  url.searchParams.delete(name);
  return value;
}

async function handOff(ticket: string): Promise<string | null> {
  try {
    const answer = await api.post<SignIn>('/api/oauth/authorize', undefined, { query: { ticket } });
    if (!answer.token) return null;
    startSession(answer.token, answer.lucky);
    return '/analysis/index';
  } catch {
    // The reason has been shown; the visitor stays where he is.
    return null;
  }
}
