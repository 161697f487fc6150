/**
 * The tar format, as much of it as a backup needs: plain files with short names. Whoever has lost this program can still
 * open a backup with any other. Reading is strict: what a backup of ours never holds is not tolerated.
 */

const BLOCK = 512;
const NAME = 100;
const PREFIX = 155;
/** Twelve octal digits less the closing space. */
const SIZE_MOST = 8 ** 11 - 1;

/** Something is wrong with an archive; said to the operator. */
export class ArchiveFault extends Error {}

/** Names of a backup lead nowhere but down: no roots, no parents, nothing hidden, no links, nothing that cannot be seen. */
const SEGMENT = /^[\p{L}\p{N}_][\p{L}\p{N}\p{M}_.,:;=@+~() -]*$/u;
const DEPTH_MOST = 8;
export function isPlainPath(path: string): boolean {
  const parts = path.split('/');
  return (
    Buffer.byteLength(path) <= NAME + PREFIX && parts.length <= DEPTH_MOST && parts.every((part) => SEGMENT.test(part))
  );
}

export interface Entry {
  path: string;
  size: number;
}

/** What stands before the bytes of a file. */
export function headOf({ path, size }: Entry): Buffer {
  if (!isPlainPath(path)) throw new ArchiveFault(`备份里放不下这样的文件名：${JSON.stringify(path)}`);
  if (size > SIZE_MOST) throw new ArchiveFault(`文件超过 8 GB，备份里放不下：${path}`);
  const head = Buffer.alloc(BLOCK);
  const [prefix, name] = splitPath(path);
  head.write(name, 0);
  head.write('0000600\0', 100);
  head.write('0000000\0', 108);
  head.write('0000000\0', 116);
  head.write(`${size.toString(8).padStart(11, '0')} `, 124);
  head.write('00000000000 ', 136);
  head.write('0', 156);
  head.write('ustar\u000000', 257);
  head.write(prefix, 345);
  head.write(`${checksumOf(head).toString(8).padStart(6, '0')}\0 `, 148);
  return head;
}

/** Files end at whole blocks; two empty ones end the archive. */
export const paddingOf = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
export const tarEnd = (): Buffer => Buffer.alloc(2 * BLOCK);

function splitPath(path: string): [string, string] {
  if (Buffer.byteLength(path) <= NAME) return ['', path];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
    if (Buffer.byteLength(name) <= NAME && Buffer.byteLength(prefix) <= PREFIX) return [prefix, name];
  }
  throw new ArchiveFault(`文件名太长，备份里放不下：${path}`);
}

/** Its own place counts as eight spaces. */
function checksumOf(head: Buffer): number {
  let sum = 8 * 32;
  for (let i = 0; i < BLOCK; i += 1) if (i < 148 || i >= 156) sum += head[i] ?? 0;
  return sum;
}

/** Calls `take` with every file in turn; what it leaves unread is passed over. */
export async function readTar(
  source: AsyncIterable<Buffer>,
  take: (entry: Entry, bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const input = new Input(source);
  for (;;) {
    const head = await input.exactly(BLOCK);
    if (head.every((byte) => byte === 0)) return;
    const entry = entryOf(head);
    const body = input.through(entry.size);
    await take(entry, body);
    while (!(await body.next()).done);
    await input.exactly(paddingOf(entry.size).length);
  }
}

function entryOf(head: Buffer): Entry {
  const text = (at: number, length: number): string => head.toString('utf8', at, at + length).replace(/\0.*$/s, '');
  const octal = (at: number, length: number): number => {
    const digits = text(at, length).trim();
    if (!/^[0-7]+$/.test(digits)) throw new ArchiveFault('备份文件已损坏：文件头不完整');
    return Number.parseInt(digits, 8);
  };
  if (octal(148, 8) !== checksumOf(head)) throw new ArchiveFault('备份文件已损坏：文件头的校验和不符');
  const prefix = text(345, PREFIX);
  const path = prefix ? `${prefix}/${text(0, NAME)}` : text(0, NAME);
  const kind = text(156, 1);
  if (kind !== '0' || !isPlainPath(path))
    throw new ArchiveFault(`备份里有不该有的内容，已拒绝：${JSON.stringify(path)}`);
  return { path, size: octal(124, 12) };
}

/** Bytes in the portions that are asked for. */
class Input {
  readonly #source: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async #more(): Promise<Buffer> {
    const { done, value } = await this.#source.next();
    if (done) throw new ArchiveFault('备份文件不完整：后面的内容缺失');
    return value;
  }

  async exactly(size: number): Promise<Buffer> {
    while (this.#held.length < size) this.#held = Buffer.concat([this.#held, await this.#more()]);
    const taken = this.#held.subarray(0, size);
    this.#held = this.#held.subarray(size);
    return taken;
  }

  async *through(size: number): AsyncGenerator<Buffer, void, undefined> {
    let left = size;
    while (left > 0) {
      if (this.#held.length === 0) this.#held = await this.#more();
      const taken = this.#held.subarray(0, left);
      this.#held = this.#held.subarray(taken.length);
      left -= taken.length;
      yield taken;
    }
  }
}
