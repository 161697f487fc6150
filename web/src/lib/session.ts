/** Who is signed in: the stored token, the user it belongs to, and what ends a session. Knows no screen. */
import type { Me } from '@hengxi/server/me/schema';
import { create } from 'zustand';

import { needsSession } from './access.ts';
import { forgetSource } from './campaign-source.ts';
import { CELL_DRAFTS, draftKeys, writeDraft } from './drafts.ts';
import { readStored, STORAGE, writeStored } from './storage.ts';

/** What `GET /v1/user` tells about the signed-in person. */
export type SessionUser = Me;

interface SessionState {
  token: string | null;
  user: SessionUser | null;
  /** Another tab put another account's token into the storage: this tab must not send with it (EE 5). */
  foreign: boolean;
}

function storedUser(): SessionUser | null {
  const text = readStored(STORAGE.user);
  if (!text) return null;
  try {
    const value: SessionUser = JSON.parse(text);
    return typeof value.id === 'number' ? value : null;
  } catch {
    return null;
  }
}

export const useSession = create<SessionState>(() => ({
  token: readStored(STORAGE.token),
  user: storedUser(),
  foreign: false,
}));

export function currentToken(): string | null {
  return useSession.getState().token;
}

export function isSignedIn(): boolean {
  return currentToken() !== null;
}

/** After a sign-in: the campaign source has done its work and the once-a-session dialog may show again (section 4). */
export function startSession(token: string, lucky: number | null): void {
  forgetSource();
  if (lucky !== null) writeStored(STORAGE.lucky, String(lucky));
  writeStored(STORAGE.systemDialog, null);
  writeStored(STORAGE.token, token);
  writeStored(STORAGE.user, null);
  useSession.setState({ token, user: null, foreign: false });
}

/** Another channel of the same person: nothing about the visit changes but who acts. */
export function switchSession(token: string): void {
  writeStored(STORAGE.token, token);
  writeStored(STORAGE.user, null);
  useSession.setState({ token, user: null, foreign: false });
}

export function rememberUser(user: SessionUser): void {
  writeStored(STORAGE.user, JSON.stringify(user));
  // A hint for the enterprise's pages, never a right; it goes with the right.
  const enterprise = user.is_enterprise_admin ? user.enterprise[0] : undefined;
  writeStored(STORAGE.enterprise, enterprise ? String(enterprise.id) : null);
  useSession.setState({ user });
}

/** Clears token and user info, as logout, 401 and 20023 ask for. */
export function endSession(): void {
  writeStored(STORAGE.enterprise, null);
  writeStored(STORAGE.enterpriseBefore, null);
  writeStored(STORAGE.token, null);
  writeStored(STORAGE.user, null);
  useSession.setState({ token: null, user: null, foreign: false });
}

/** What the browser remembers of somebody's work: gone once they log out, so that the next person sees none of it. */
const TRACES = ['hx_recent', 'hx_current', 'hx_underway', STORAGE.noticesRead] as const;

export function forgetTraces(): void {
  for (const key of TRACES) writeStored(key, null);
  for (const key of draftKeys(CELL_DRAFTS)) writeDraft(key, null);
}

/** The number in the token that names its owner; display and comparison only, never a right. */
export function ownerOf(token: string | null): string | null {
  const part = token?.split('.')[1];
  if (!part) return null;
  try {
    const text = atob(part.replaceAll('-', '+').replaceAll('_', '/'));
    const payload: { oid?: number | string; platform?: string } = JSON.parse(text);
    return payload.oid === undefined ? null : `${payload.oid}/${payload.platform ?? ''}`;
  } catch {
    return null;
  }
}

/** A sign-in in another tab: the same account continues with the new token, another account stops this tab. */
export function takeStoredToken(next: string | null): void {
  const { token } = useSession.getState();
  if (next === token) return;
  if (next === null) useSession.setState({ token: null, user: null });
  else if (token === null || ownerOf(next) === ownerOf(token)) useSession.setState({ token: next });
  else useSession.setState({ foreign: true });
}

/** Pages that need an account; a 401 anywhere else clears the session silently (decisions, Pages). */
export const isWorkspace = needsSession;

export function watchOtherTabs(): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === STORAGE.token) takeStoredToken(event.newValue);
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}
