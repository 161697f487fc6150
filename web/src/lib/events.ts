/** Our own counting of use, for people who agreed to it: which pages, never what is on them. No third party. */
import { useEffect } from 'react';
import { useLocation } from 'react-router';

import { addressOf, authorization } from './api.ts';
import { useSession } from './session.ts';

const MOST = 50;
const SEND_MS = 10_000;

interface Happened {
  name: string;
  path: string;
}

/** The rest of such an address is a secret or a code, which is nobody's to keep. */
const SECRET = /^(\/(?:s|pro-analysis\/answer|dashboards\/share)\/).+$/;
export const withoutCode = (path: string): string => path.replace(SECRET, '$1');

let waiting: Happened[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** Forgotten at once where consent is missing; sent in small bundles otherwise. */
export function noteEvent(name: string, path: string): void {
  if (useSession.getState().user?.config.analytics !== 1) return;
  waiting = [...waiting, { name, path: withoutCode(path) }].slice(-MOST);
  timer ??= setTimeout(flush, SEND_MS);
}

/** `keepalive`: the page may be going. A lost bundle is no loss. */
function flush(): void {
  clearTimeout(timer);
  timer = undefined;
  const events = waiting;
  waiting = [];
  if (events.length === 0 || useSession.getState().user?.config.analytics !== 1) return;
  void fetch(addressOf('/v1/events'), {
    method: 'POST',
    headers: { ...authorization(), 'content-type': 'application/json' },
    body: JSON.stringify({ events }),
    keepalive: true,
  }).catch(() => undefined);
}

export function useEvents(): void {
  const { pathname } = useLocation();
  useEffect(() => noteEvent('page', pathname), [pathname]);
  useEffect(() => {
    addEventListener('pagehide', flush);
    return () => removeEventListener('pagehide', flush);
  }, []);
}
