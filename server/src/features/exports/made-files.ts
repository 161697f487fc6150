/** Files made to be taken away: `files/<key>`, written by the engine, removed here after a day. Keys only, never names. */
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Fault } from '../../lib/errors.ts';

export const newFileKey = (): string => `f_${randomBytes(16).toString('hex')}`;

const KEY = /^f_[0-9a-f]{32}$/;
const GIB = 1024 ** 3;
export const KEPT_MS = 24 * 3_600_000;

export class MadeFiles {
  readonly #folder: string;

  constructor(data: string) {
    this.#folder = join(data, 'files');
  }

  async prepare(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
  }

  /** Where a file stands or is to be written. */
  path(key: string): string {
    if (!KEY.test(key)) throw new Error('Not a key of a made file');
    return join(this.#folder, key);
  }

  /** Exports stop before the disk is full, so that the database can go on. */
  async demandSpace(): Promise<void> {
    const { bavail, blocks, bsize } = await statfs(this.#folder);
    if (bavail * bsize < Math.max(GIB, blocks * bsize * 0.02)) throw new Fault(30022);
  }

  /** Null once the file is gone, or has had its day. */
  async size(key: string): Promise<number | null> {
    const found = await stat(this.path(key)).catch(() => null);
    return found && Date.now() - found.mtimeMs < KEPT_MS ? found.size : null;
  }

  open(key: string): Readable {
    return createReadStream(this.path(key));
  }

  async remove(key: string): Promise<void> {
    await rm(this.path(key), { force: true });
  }

  /** Removes what is older than a day; gives how many. */
  async sweep(): Promise<number> {
    let removed = 0;
    for (const name of await readdir(this.#folder)) {
      if (!KEY.test(name) || (await this.size(name)) !== null) continue;
      await this.remove(name);
      removed += 1;
    }
    return removed;
  }
}
