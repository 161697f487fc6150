/** What an edition may store. Until membership stands everybody has the numbers of the enterprise edition. */
const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

export const EDITION = { upload: 4 * GIB, quota: 20 * GIB, uploadsAtOnce: 3 } as const;
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
