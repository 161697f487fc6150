/** Where one was before 企业管理: own paths only, never an enterprise page, never another site. */
import { destinationOf } from '../../lib/access.ts';
import { currentToken } from '../../lib/session.ts';
import { versionOf } from '../../lib/sign-in.ts';
import { readStored, STORAGE } from '../../lib/storage.ts';

/** Whether a stored path may be gone back to: `//x`, `/\x` and schemes lead elsewhere. */
export function isOwnPath(path: string | null): path is string {
  return path !== null && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path) && !/^\/enterprise(?:[/?#]|$)/.test(path);
}

export function returnPath(): string {
  const before = readStored(STORAGE.enterpriseBefore);
  if (isOwnPath(before)) return before;
  const token = currentToken();
  return token === null ? '/' : destinationOf(versionOf(token));
}
