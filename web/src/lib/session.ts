/** Who is signed in: the stored token, the user it belongs to, and what ends a session. Knows no screen. */
import type { Me } from '@hengxi/server/me/schema';
import { create } from 'zustand';

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
  writeStored(STORAGE.utm, null);
  if (lucky !== null) writeStored(STORAGE.lucky, String(lucky));
  writeStored(STORAGE.systemDialog, null);
  writeStored(STORAGE.token, token);
  writeStored(STORAGE.user, null);
  useSession.setState({ token, user: null, foreign: false });
}

export function rememberUser(user: SessionUser): void {
  writeStored(STORAGE.user, JSON.stringify(user));
  useSession.setState({ user });
}

/** Clears token and user info, as logout, 401 and 20023 ask for. */
export function endSession(): void {
  writeStored(STORAGE.token, null);
  writeStored(STORAGE.user, null);
  useSession.setState({ token: null, user: null, foreign: false });
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
export function isWorkspace(pathname: string): boolean {
  return /^\/(index|mydata|dataprocessing|analysis|member)(\/|$)/.test(pathname);
}

export function watchOtherTabs(): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === STORAGE.token) takeStoredToken(event.newValue);
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}
