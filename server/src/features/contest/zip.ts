/** What supporting material is by its bytes: a zip whose entries are bounded, opened to see that they are what they state. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { createInflateRaw } from 'node:zlib';
import { CONTEST_LIMITS, MIB } from './schema.ts';

const END_BYTES = 22 + 65_535;
const NOTHING = '压缩包里没有文件';

export class ZipFault extends Error {}
const broken = (): ZipFault => new ZipFault('无法读取这个压缩包，请重新打包为 zip（不加密、不分卷）');

interface Entry {
  name: string;
  method: number;
  packed: number;
  size: number;
  at: number;
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  if (bytesRead !== length) throw broken();
  return buffer;
}

/** The list of contents, at the end of the file. */
async function contentsOf(file: FileHandle, size: number, most: number): Promise<Entry[]> {
  const length = Math.min(size, END_BYTES);
  const tail = await bytesAt(file, size - length, length);
  const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0 || end + 22 > tail.length) throw broken();
  const count = tail.readUInt16LE(end + 10);
  const listed = tail.readUInt32LE(end + 12);
  const from = tail.readUInt32LE(end + 16);
  if (count > most) throw new ZipFault(`压缩包最多 ${most} 个文件，这个有 ${count} 个`);
  // 0xFFFFFFFF: sizes stand elsewhere, which only files beyond 4 GB need.
  if (from + listed > size) throw broken();
  const list = await bytesAt(file, from, listed);
  const entries: Entry[] = [];
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > list.length || list.readUInt32LE(at) !== 0x02014b50) throw broken();
    const flags = list.readUInt16LE(at + 8);
    if ((flags & 1) !== 0) throw new ZipFault('压缩包设有密码，请去掉密码后再上传');
    const [name, extra, comment] = [28, 30, 32].map((offset) => list.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    entries.push({
      name: list.toString((flags & 0x800) === 0 ? 'latin1' : 'utf8', at + 46, at + 46 + name),
      method: list.readUInt16LE(at + 10),
      packed: list.readUInt32LE(at + 20),
      size: list.readUInt32LE(at + 24),
      at: list.readUInt32LE(at + 42),
    });
    at += 46 + name + extra + comment;
  }
  return entries;
}

/** Bytes that come out of an entry; stops once there are more than `most`. */
async function unpackedSize(path: string, from: number, length: number, most: number): Promise<number> {
  const inflate = createInflateRaw();
  const source = createReadStream(path, { start: from, end: from + length - 1 });
  source.on('error', (error) => inflate.destroy(error));
  let size = 0;
  try {
    for await (const piece of source.pipe(inflate)) {
      size += (piece as Buffer).length;
      if (size > most) break;
    }
  } catch {
    throw broken();
  } finally {
    source.destroy();
    inflate.destroy();
  }
  return size;
}

const leadsOut = (name: string): boolean => /^[/\\]|^[A-Za-z]:/.test(name) || name.split(/[/\\]/).includes('..');

/** Throws a ZipFault with the reason in words. */
export async function checkZip(
  path: string,
  size: number,
  { unpacked, entries: most }: { unpacked: number; entries: number } = CONTEST_LIMITS.support,
): Promise<void> {
  const file = await open(path, 'r');
  try {
    if (size < 22 || (await bytesAt(file, 0, 4)).toString('latin1') !== 'PK\x03\x04')
      throw new ZipFault('支撑材料不是 zip 文件');
    const entries = await contentsOf(file, size, most);
    if (entries.length === 0) throw new ZipFault(NOTHING);
    const tooMuch = (): ZipFault => new ZipFault(`支撑材料解压后超过 ${unpacked / MIB} MB`);
    if (entries.reduce((all, entry) => all + entry.size, 0) > unpacked) throw tooMuch();
    let left = unpacked;
    for (const entry of entries) {
      if (leadsOut(entry.name)) throw new ZipFault('压缩包里有指向上级目录的文件名，请重新打包');
      if (entry.method !== 0 && entry.method !== 8) throw broken();
      if (entry.method === 0 || entry.packed === 0) {
        left -= entry.packed;
      } else {
        const head = await bytesAt(file, entry.at, 30);
        if (head.readUInt32LE(0) !== 0x04034b50) throw broken();
        const from = entry.at + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
        left -= await unpackedSize(path, from, entry.packed, left);
      }
      if (left < 0) throw tooMuch();
    }
  } finally {
    await file.close();
  }
}
