/** Puts the table of access.ts in front of every route, and keeps the present page when the next one does not load. */
import { ERRORS } from '@hengxi/contracts/http';
import type { Me } from '@hengxi/server/me/schema';
import { redirect, redirectDocument, type LoaderFunctionArgs, type RouteObject } from 'react-router';

import { type Identity, type Who, whoMay } from './access.ts';
import { ApiError } from './api.ts';
import { chunk, isChunkError, tellChunkFailed } from './chunk.ts';
import { meQuery } from './me.ts';
import { queryClient } from './query-client.ts';
import { currentToken } from './session.ts';
import { versionOf } from './sign-in.ts';
import { toast } from './toast.ts';

/** Every path must stand in the table: a page nobody thought about does not start. */
export function guarded(routes: readonly RouteObject[]): RouteObject[] {
  return routes.map((route) => {
    const who = route.path === undefined ? 'visitor' : whoMay(route.path);
    if (who === null) throw new Error(`${route.path ?? ''} has no entry in lib/access.ts`);
    const shared = {
      ...route,
      ...(who === 'visitor' ? {} : { loader: before(who, route.loader) }),
      ...keptLazy(route),
    };
    if (route.index) return { ...shared, index: true, children: undefined };
    return { ...shared, index: false, ...(route.children ? { children: guarded(route.children) } : {}) };
  });
}

function before(who: Who, own: RouteObject['loader']) {
  return async (args: LoaderFunctionArgs, context?: unknown): Promise<unknown> => {
    const refused = await refuse(who, args.request);
    if (refused) return refused;
    return typeof own === 'function' ? own(args, context) : null;
  };
}

/** Where somebody goes who may not open the page; null when they may. */
export async function refuse(who: Who, request: Request): Promise<Response | null> {
  if (who === 'visitor') return null;
  const token = currentToken();
  if (token === null) return toSignIn(request);
  if (who === 'session') return null;
  if (who !== 'admin') {
    const possible: readonly Identity[] = versionOf(token) === 2 ? [2] : [1, 3];
    if (possible.every((identity) => who.includes(identity))) return null;
    if (!possible.some((identity) => who.includes(identity))) return elsewhere(who);
  }
  const me = await whoIsThere();
  if (!me) return currentToken() === null ? toSignIn(request) : null;
  if (who === 'admin') {
    // The server decides about this enterprise; for people who manage none there is no such page.
    if (me.is_enterprise_admin) return null;
    throw new Response(null, { status: 404 });
  }
  return who.includes(me.identity) ? null : elsewhere(who);
}

/** What belongs to persons is found in the personal version; what belongs to enterprises is told of where they are compared. */
function elsewhere(who: readonly Identity[]): Response {
  if (who.includes(2)) return redirect('/enterprise-compare');
  toast.note(ERRORS[30201].text);
  return redirect('/member?tab=account');
}

/** A visitor gets the sign-in dialog on the home page and is brought back afterwards. */
function toSignIn(request: Request): Response {
  const url = new URL(request.url);
  return redirect(`/?login=1&next=${encodeURIComponent(url.pathname + url.search)}`);
}

async function whoIsThere(): Promise<Me | null> {
  try {
    return await queryClient.ensureQueryData(meQuery);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** Set once the first page stands: from then on there is something to lose. */
let standing = false;
export const pageStands = (): void => {
  standing = true;
};

/** For pages the server has: the browser goes there. On arrival there is none, or this code would not run. */
export function leaveForPage({ request }: LoaderFunctionArgs): Response {
  if (!standing) throw new Response(null, { status: 404 });
  const { pathname, search } = new URL(request.url);
  return redirectDocument(pathname + search);
}

/** Code that does not load leaves the present page, and what was entered on it, where it is. */
function keptLazy({ lazy }: RouteObject): Pick<RouteObject, 'lazy'> {
  if (typeof lazy !== 'function') return {};
  return {
    lazy: () =>
      chunk(lazy).catch((error: unknown) => {
        if (!standing || !isChunkError(error)) throw error;
        tellChunkFailed();
        // The navigation stays open and is given up by the next one.
        return new Promise<never>(() => undefined);
      }),
  };
}
