/** Files of compared texts: `plagdet/<key>`, written here and by the engine. Texts and reports are packed. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { Fault, isFull } from '../../lib/errors.ts';

const unpack = promisify(gunzip);
const pack = promisify(gzip);
const KEY = /^p_[0-9a-f]{32}$/;
const GIB = 1024 ** 3;
/** A text of 200,000 characters with all its marks is far below. */
const UNPACKED_MOST = 256 * 1024 * 1024;

export const newShelfKey = (): string => `p_${randomBytes(16).toString('hex')}`;

export class Shelf {
  readonly #folder: string;

  constructor(data: string) {
    this.#folder = join(data, 'plagdet');
  }

  #path(key: string): string {
    if (!KEY.test(key)) throw new Error('Not a key of a compared text');
    return join(this.#folder, key);
  }

  /** Whole or not at all. */
  async put(bytes: Uint8Array): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const { bavail, blocks, bsize } = await statfs(this.#folder);
    if (bavail * bsize - bytes.length < Math.max(GIB, blocks * bsize * 0.02)) throw new Fault(30022);
    const key = newShelfKey();
    const part = `${this.#path(key)}.part`;
    try {
      await writeFile(part, bytes, { mode: 0o600 });
      await rename(part, this.#path(key));
    } catch (error) {
      await rm(part, { force: true });
      throw isFull(error) ? new Fault(30022) : error;
    }
    return key;
  }

  async putJson(value: unknown): Promise<string> {
    return this.put(await pack(JSON.stringify(value)));
  }

  /** Null where it is gone. */
  async text(key: string): Promise<string | null> {
    const bytes = await readFile(this.#path(key)).catch(() => null);
    return bytes && (await unpack(bytes, { maxOutputLength: UNPACKED_MOST })).toString('utf8');
  }

  async remove(...keys: (string | null)[]): Promise<void> {
    for (const key of keys) if (key) await rm(this.#path(key), { force: true, recursive: true });
  }

  /** Removes what no row names any more, once it is old enough that nobody is about to name it. */
  async sweep(known: ReadonlySet<string>, olderThanMs: number): Promise<number> {
    let removed = 0;
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const key = name.replace(/\.part$/, '');
      if (!KEY.test(key) || (key === name && known.has(key))) continue;
      const found = await stat(join(this.#folder, name)).catch(() => null);
      if (!found || Date.now() - found.mtimeMs < olderThanMs) continue;
      await rm(join(this.#folder, name), { force: true, recursive: true });
      removed += 1;
    }
    return removed;
  }
}
