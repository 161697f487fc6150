/**
 * Uploaded bytes on disk: `uploads/<key>.part` while they arrive, renamed to `uploads/<key>` when whole. Keys only, never
 * names. Works of a contest lie in a folder of their own.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, mkdir, open, readFile, readdir, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Fault, isFull } from './errors.ts';

export const newUploadKey = (): string => `u_${randomBytes(16).toString('hex')}`;
export const newTableKey = (): string => `t_${randomBytes(16).toString('hex')}`;

const GIB = 1024 ** 3;
const KEY = /^[ut]_[0-9a-f]{32}$/;

export class Blobs {
  readonly #folder: string;
  readonly #tables: string;
  /** Running checksums of uploads that arrive in one go; others are read once more at the end. */
  readonly #hashes = new Map<string, { hash: Hash; at: number }>();

  constructor(data: string, folder = 'uploads') {
    this.#folder = join(data, folder);
    this.#tables = join(data, 'tables');
  }

  async prepare(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
  }

  #path(key: string): string {
    if (!KEY.test(key)) throw new Error('Not a key of a stored file');
    return join(key.startsWith('u_') ? this.#folder : this.#tables, key);
  }

  /** The bytes of a whole upload. */
  open(key: string): Readable {
    return createReadStream(this.#path(key));
  }

  pathOf(key: string): string {
    return this.#path(key);
  }

  /** A whole file at once; for those that are bounded. */
  read(key: string): Promise<Buffer> {
    return readFile(this.#path(key));
  }

  /** Whole uploads never change: a copy shares their bytes on disk. */
  async copy(key: string, to: string): Promise<void> {
    await link(this.#path(key), this.#path(to));
  }

  /** Uploads stop before the disk is full, so that the database can go on. */
  async demandSpace(bytes: number): Promise<void> {
    const { bavail, blocks, bsize } = await statfs(this.#folder);
    const reserve = Math.max(GIB, blocks * bsize * 0.02);
    if (bavail * bsize - bytes < reserve) throw new Fault(30022);
  }

  /** Writes a chunk at its place and on to the disk. */
  async write(key: string, offset: number, bytes: Uint8Array): Promise<void> {
    const part = `${this.#path(key)}.part`;
    // A server that ended between naming the file and saying so has the whole file under its final name.
    if (offset > 0) await rename(this.#path(key), part).catch(() => undefined);
    try {
      const handle = await open(part, offset === 0 ? 'w' : 'r+', 0o600);
      try {
        await handle.write(bytes, 0, bytes.length, offset);
        await handle.datasync();
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (isFull(error)) throw new Fault(30022);
      throw error;
    }
    this.#addToHash(key, offset, bytes);
  }

  #addToHash(key: string, offset: number, bytes: Uint8Array): void {
    const running = offset === 0 ? { hash: createHash('sha256'), at: 0 } : this.#hashes.get(key);
    if (!running || running.at !== offset) {
      this.#hashes.delete(key);
      return;
    }
    running.hash.update(bytes);
    running.at += bytes.length;
    this.#hashes.set(key, running);
  }

  /** SHA-256 of the part, whose length must be `size`. */
  async checksum(key: string, size: number): Promise<string> {
    const running = this.#hashes.get(key);
    this.#hashes.delete(key);
    if (running?.at === size) return running.hash.digest('hex');
    const hash = createHash('sha256');
    for await (const piece of createReadStream(`${this.#path(key)}.part`)) hash.update(Buffer.from(piece));
    return hash.digest('hex');
  }

  /** From here on the file has its final name, also after a power cut. */
  async seal(key: string): Promise<void> {
    await rename(`${this.#path(key)}.part`, this.#path(key));
    const folder = await open(this.#folder, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  async remove(key: string): Promise<void> {
    this.#hashes.delete(key);
    await rm(this.#path(key), { force: true, recursive: key.startsWith('t_') });
    if (key.startsWith('u_')) await rm(`${this.#path(key)}.part`, { force: true });
  }

  /** Keys of all files there, whole or in part. */
  async keys(): Promise<string[]> {
    const names = await readdir(this.#folder);
    return [...new Set(names.map((name) => name.replace(/\.part$/, '')))].filter((key) => KEY.test(key));
  }

  /** Parts on disk that no open upload knows: left by an upload that was removed while the server was down. */
  async removeStrayParts(known: readonly string[]): Promise<void> {
    const names = await readdir(this.#folder);
    const open = new Set(known);
    for (const name of names) {
      const key = name.endsWith('.part') ? name.slice(0, -5) : null;
      if (key && KEY.test(key) && !open.has(key)) await rm(join(this.#folder, name), { force: true });
    }
  }
}
