/** Pictures of providers are copied to our own store once, for a new account: no page ever loads anything from elsewhere. */
import type { Db } from '../../lib/db.ts';
import type { Logger } from '../../lib/log.ts';
import { setAvatar } from '../accounts/service.ts';
import type { LinkProvider } from '../accounts/service.ts';

/** Only where these providers keep their pictures; an address elsewhere is not asked for. */
const HOSTS: Partial<Record<LinkProvider, RegExp>> = {
  wechat: /^(?:thirdwx|wx)\.qlogo\.cn$/,
  academic: /^himg\.(?:bdimg|baidu)\.com$/,
};
const BYTES_MAX = 512 * 1024;
const SECONDS = 5;

export type FetchPicture = (url: URL) => Promise<{ type: string; bytes: Uint8Array } | null>;

/** Nothing depends on a picture: whatever goes wrong, the account stays as it is. */
export async function copyAvatar(
  deps: { db: Db; log: Logger; fetchPicture?: FetchPicture },
  provider: LinkProvider,
  userId: number,
  address: string | null,
): Promise<void> {
  const url = address !== null && URL.canParse(address) ? new URL(address) : null;
  if (!url || !HOSTS[provider]?.test(url.hostname) || url.port !== '') return;
  // They also hand out plain http addresses of the same pictures.
  url.protocol = 'https:';
  try {
    const picture = await (deps.fetchPicture ?? fetchPicture)(url);
    const type = picture ? /^image\/(?:png|jpeg|webp)$/.exec(picture.type)?.[0] : null;
    if (!picture || !type) return;
    await setAvatar(deps.db, userId, `data:${type};base64,${Buffer.from(picture.bytes).toString('base64')}`);
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'unknown';
    deps.log.info({ event: 'avatar', provider, reason }, 'a picture was not copied');
  }
}

async function fetchPicture(url: URL): ReturnType<FetchPicture> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(SECONDS * 1000) });
  if (!response.ok || !response.body) return null;
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body) {
    size += part.length;
    if (size > BYTES_MAX) return null;
    parts.push(part);
  }
  const type = (response.headers.get('content-type') ?? '').split(';')[0]?.trim() ?? '';
  return { type, bytes: new Uint8Array(Buffer.concat(parts)) };
}
