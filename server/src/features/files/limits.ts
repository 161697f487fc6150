/** What may be uploaded and stored: by the edition of the owner, and for everybody together. */
import type { Db } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import type { Owner } from '../../lib/guard.ts';
import { EDITION_TEXT, needsUpgrade } from '../membership/service.ts';
import type { Membership } from '../membership/service.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** Of one owner, whatever the edition. */
export const UPLOADS_AT_ONCE_EACH = 3;
/** Of all owners together. */
export const UPLOADS_AT_ONCE = 20;
export const CHUNK = 8 * MIB;

export const extensionOf = (name: string): string => /\.([^./\\]{1,10})$/.exec(name.trim())?.[1]?.toLowerCase() ?? '';

/** The name of the table a file becomes: without folders and ending. */
export function titleOf(name: string): string {
  const bare = name.replace(/^.*[/\\]/, '').trim();
  return bare.replace(/\.[^.]{1,10}$/, '').trim() || bare || '未命名数据';
}

export function bytesText(bytes: number): string {
  if (bytes >= GIB) return `${Math.round((bytes / GIB) * 10) / 10} GB`;
  if (bytes >= MIB) return `${Math.round((bytes / MIB) * 10) / 10} MB`;
  return `${Math.max(1, Math.round(bytes / 1024))} KB`;
}

type Editions = Membership['editions'];

/** Refuses an upload that the owner's edition has no room for, and says which edition has. */
export async function requireStorage(
  db: Db,
  editions: Editions,
  owner: Owner,
  asked: { size: number; used: number; usedByMember: number; files: number },
): Promise<void> {
  const limits = await editions.limitsOf(db, owner);
  const { edition, upload_bytes: most, storage_bytes: quota, files, member_bytes: share = null } = limits;
  const title = EDITION_TEXT[edition];
  const { size } = asked;
  if (size > most) {
    const lifts = await editions.lifting(edition, 'upload_bytes', size);
    if (!lifts) throw new Fault(30503, { size: bytesText(size), limit: bytesText(most) });
    const text = `文件 ${bytesText(size)}，超过${title}单个文件上限 ${bytesText(most)}，升级${EDITION_TEXT[lifts]}后可上传`;
    throw needsUpgrade(text, { limit: 'upload_bytes', max: most, asked: size, lifts });
  }
  const stored = asked.used + size;
  if (quota !== null && stored > quota) {
    const lifts = await editions.lifting(edition, 'storage_bytes', stored);
    if (!lifts) throw new Fault(30035, { used: bytesText(asked.used), quota: bytesText(quota) });
    const text = `存储空间不足（已用 ${bytesText(asked.used)}，${title}共 ${bytesText(quota)}），请清理不用的数据，或升级${EDITION_TEXT[lifts]}`;
    throw needsUpgrade(text, { limit: 'storage_bytes', max: quota, asked: stored, lifts });
  }
  if (share !== null && asked.usedByMember + size > share)
    throw new Fault(30316, { used: bytesText(asked.usedByMember), limit: bytesText(share) });
  if (files !== null && asked.files >= files) {
    const lifts = (await editions.lifting(edition, 'files', asked.files + 1)) ?? 'enterprise';
    const text = `数据文件已有 ${asked.files} 份，${title}最多 ${files} 份，请清理不用的数据，或升级${EDITION_TEXT[lifts]}`;
    throw needsUpgrade(text, { limit: 'files', max: files, asked: asked.files + 1, lifts });
  }
}
