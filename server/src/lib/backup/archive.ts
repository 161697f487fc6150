/** One file with everything: `manifest.json`, `database.ndjson`, `data/…`, and at the end `checksums.txt` for sha256sum. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import { ArchiveFault, headOf, isPlainPath, paddingOf, readTar, tarEnd } from './tar.ts';
import type { Entry } from './tar.ts';

const MANIFEST = 'manifest.json';
const CHECKSUMS = 'checksums.txt';
export const DATABASE = 'database.ndjson';
const DATA = 'data/';

/** Tables are compressed already; the rest shrinks well at once. */
const LEVEL = 1;
const MANIFEST_MOST = 64 * 1024;
/** What one file may cost in the list of checksums: a digest, two spaces, a name, the end of the line. */
const CHECKSUM_MOST = 64 + 2 + 256 + 1;
const FILES_MOST = 10_000_000;

const Manifest = z.object({
  format: z.literal('hengxi-backup'),
  version: z.literal(1),
  made_at: z.string(),
  /** Files of the archive but this one and the checksums, and their bytes together. */
  files: z.number().int().min(1).max(FILES_MOST),
  bytes: z.number().int().min(0),
});
export type Manifest = z.infer<typeof Manifest>;

/** A file to be packed, with as many of its bytes as it has now. */
interface Packed extends Entry {
  from: string;
}

/** Every plain file below a folder, in order of paths. What is hidden is work under way. */
export async function filesBelow(folder: string, path = ''): Promise<Packed[]> {
  const packed: Packed[] = [];
  const entries = await readdir(join(folder, path), { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const below = path ? `${path}/${entry.name}` : entry.name;
    const from = join(folder, below);
    if (entry.isDirectory()) packed.push(...(await filesBelow(folder, below)));
    else if (entry.isFile()) packed.push({ path: `${DATA}${below}`, from, size: (await stat(from)).size });
  }
  return packed;
}

/** Writes the archive beside its place and moves it there when it is whole and on the disk. */
export async function pack(target: string, database: string, files: Packed[], madeAt: Date): Promise<Manifest> {
  const all: Packed[] = [{ path: DATABASE, from: database, size: (await stat(database)).size }, ...files];
  const bytes = all.reduce((sum, { size }) => sum + size, 0);
  const manifest: Manifest = {
    format: 'hengxi-backup',
    version: 1,
    made_at: madeAt.toISOString(),
    files: all.length,
    bytes,
  };
  const part = `${target}.part`;
  const handle = await open(part, 'wx', 0o600);
  try {
    await pipeline(Readable.from(packed(manifest, all)), createGzip({ level: LEVEL }), async (source) => {
      for await (const bytes of source as AsyncIterable<Buffer>) await handle.writeFile(bytes);
    });
    await handle.sync();
    await handle.close();
    await rename(part, target);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(part, { force: true });
    throw error;
  }
  return manifest;
}

async function* packed(manifest: Manifest, files: Packed[]): AsyncGenerator<Buffer> {
  const sums: string[] = [];
  const told = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  yield* [headOf({ path: MANIFEST, size: told.length }), told, paddingOf(told.length)];
  for (const file of files) {
    yield headOf(file);
    const hash = createHash('sha256');
    let size = 0;
    // An upload may grow meanwhile: what counts is what it had.
    const source = file.size > 0 ? createReadStream(file.from, { end: file.size - 1 }) : [];
    for await (const bytes of source as AsyncIterable<Buffer>) {
      hash.update(bytes);
      size += bytes.length;
      yield bytes;
    }
    if (size !== file.size) throw new ArchiveFault(`备份时文件变短了：${file.path}`);
    yield paddingOf(size);
    sums.push(`${hash.digest('hex')}  ${file.path}\n`);
  }
  const list = Buffer.from(sums.join(''));
  yield* [headOf({ path: CHECKSUMS, size: list.length }), list, paddingOf(list.length), tarEnd()];
}

export interface Checked extends Manifest {
  /** SHA-256 of the database's lines. */
  database: string;
}

/** What is done with a file of an archive while it is read. */
type Take = (path: string, bytes: AsyncIterable<Buffer>) => Promise<void>;

/**
 * Reads a whole archive against its own manifest and checksums. `take` gets each file's bytes before it is known that they
 * are right: nothing may be used until this has returned.
 */
export async function readArchive(file: string, take: Take = (_path, bytes) => drained(bytes)): Promise<Checked> {
  let manifest: Manifest | null = null;
  let list: Buffer | null = null;
  const sums = new Map<string, string>();
  let left = 0;
  const source = createReadStream(file);
  const plain = createGunzip();
  source.on('error', (error) => plain.destroy(error));
  source.pipe(plain);
  try {
    await readTar(plain, async ({ path, size }, bytes) => {
      if (list) throw new ArchiveFault('备份文件已损坏：结尾之后还有内容');
      if (!manifest) {
        if (path !== MANIFEST || size > MANIFEST_MOST) throw new ArchiveFault('这不是衡析的备份文件');
        manifest = readManifest(await wholeOf(bytes));
        left = manifest.bytes;
        return;
      }
      if (path === CHECKSUMS) {
        if (size > manifest.files * CHECKSUM_MOST) throw new ArchiveFault('备份文件已损坏：校验和清单过长');
        list = await wholeOf(bytes);
        return;
      }
      left -= size;
      if (left < 0 || sums.size >= manifest.files) throw new ArchiveFault('备份文件已损坏：内容多于清单所写');
      if (sums.has(path) || (path !== DATABASE && !path.startsWith(DATA)))
        throw new ArchiveFault(`备份里有不该有的内容，已拒绝：${JSON.stringify(path)}`);
      const hash = createHash('sha256');
      await take(path, hashed(bytes, hash));
      sums.set(path, hash.digest('hex'));
    });
  } catch (error) {
    throw isBroken(error) ? new ArchiveFault('备份文件已损坏：无法解压') : error;
  } finally {
    source.destroy();
    plain.destroy();
  }
  return checked(manifest, list, sums, left);
}

function checked(manifest: Manifest | null, list: Buffer | null, sums: Map<string, string>, left: number): Checked {
  const expected = [...sums].map(([path, sum]) => `${sum}  ${path}\n`).join('');
  const database = sums.get(DATABASE);
  if (!manifest || !list || left !== 0 || sums.size !== manifest.files || database === undefined)
    throw new ArchiveFault('备份文件不完整');
  if (list.toString('utf8') !== expected) throw new ArchiveFault('备份文件已损坏：校验和不符');
  return { ...manifest, database };
}

function readManifest(bytes: Buffer): Manifest {
  try {
    return Manifest.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    throw new ArchiveFault('这不是衡析的备份文件，或来自更新的版本');
  }
}

const isBroken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_');

async function* hashed(bytes: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const part of bytes) {
    hash.update(part);
    yield part;
  }
}

async function drained(bytes: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of bytes);
}

async function wholeOf(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts);
}

/** Unpacks into an empty folder: `database.ndjson` beside `data/`. Links cannot be in an archive, nor in a folder that was just made. */
export async function unpack(file: string, folder: string): Promise<Checked> {
  await mkdir(join(folder, DATA), { recursive: true, mode: 0o700 });
  const checked = await readArchive(file, async (path, bytes) => {
    if (!isPlainPath(path)) throw new ArchiveFault('备份里有不该有的内容，已拒绝');
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const handle: FileHandle = await open(target, 'wx', 0o600);
    try {
      for await (const part of bytes) await handle.writeFile(part);
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
  return checked;
}

/** Room for what an archive says it holds, and some more for the database. */
export async function requireDiskSpace(folder: string, { bytes }: Manifest): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < bytes * 1.1)
    throw new ArchiveFault(`磁盘空间不足：恢复需要 ${Math.ceil((bytes * 1.1) / 1024 ** 2)} MB`);
}
