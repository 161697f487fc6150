/** What one owner holds, as files of an archive; and a way to end it all. Each feature tells about its own. */
import type { Readable } from 'node:stream';
import type { Owner } from './guard.ts';

export interface OwnerFile {
  /** Path inside the archive, without what file systems refuse. */
  path: string;
  content: Uint8Array | (() => Readable);
}

export type Exporter = (owner: Owner) => AsyncIterable<OwnerFile>;

export const json = (path: string, value: unknown): OwnerFile => ({
  path,
  content: new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`),
});

/** A name of a person's own as part of a path. */
export const pathPart = (name: string): string =>
  Array.from(name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '_').replace(/^\.+/, '_'))
    .slice(0, 80)
    .join('')
    .trim() || '_';
