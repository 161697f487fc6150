import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { requireDiskSpace, filesBelow, pack, readArchive, unpack } from './archive.ts';
import { headOf, isPlainPath, paddingOf, tarEnd } from './tar.ts';

let base = '';
let file = '';
beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), 'hengxi-archive-'));
  mkdirSync(join(base, 'in/tables'), { recursive: true });
  writeFileSync(join(base, 'in/tables/t_1'), '表'.repeat(1000));
  writeFileSync(join(base, 'rows'), '{"migrations":[]}\n');
  file = join(base, 'b.tar.gz');
  await pack(file, join(base, 'rows'), await filesBelow(join(base, 'in')), new Date(0));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

interface Piece {
  path: string;
  text: string;
  /** Changes the head, whose checksum is made right again. */
  twist?: (head: Buffer) => void;
}

function archiveOf(pieces: Piece[], end = tarEnd()): string {
  const parts = pieces.flatMap(({ path, text, twist }) => {
    const head = headOf({ path: 'x', size: Buffer.byteLength(text) });
    head.fill(0, 0, 100);
    head.write(path, 0);
    twist?.(head);
    head.fill(' ', 148, 156);
    head.write(
      `${[...head]
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    );
    return [head, Buffer.from(text), paddingOf(Buffer.byteLength(text))];
  });
  const made = join(base, 'made.tar.gz');
  writeFileSync(made, gzipSync(Buffer.concat([...parts, end])));
  return made;
}

const manifest = (files: number, bytes: number): Piece => ({
  path: 'manifest.json',
  text: JSON.stringify({ format: 'hengxi-backup', version: 1, made_at: '', files, bytes }),
});
const DATABASE: Piece = { path: 'database.ndjson', text: '{}\n' };
async function refusal(pieces: Piece[], end?: Buffer): Promise<string> {
  rmSync(join(base, 'out'), { recursive: true, force: true });
  return unpack(archiveOf(pieces, end), join(base, 'out')).then(
    () => 'taken',
    (error: unknown) => (error instanceof Error ? error.message : ''),
  );
}

test('what was packed is unpacked, and any tar can read it', async () => {
  const told = await unpack(file, join(base, 'out'));
  expect(told).toMatchObject({ files: 2, bytes: 3018 });
  expect(readFileSync(join(base, 'out/data/tables/t_1'), 'utf8')).toBe('表'.repeat(1000));
  expect(readFileSync(join(base, 'out/database.ndjson'), 'utf8')).toBe('{"migrations":[]}\n');
  await expect(requireDiskSpace(base, { ...told, bytes: Number.MAX_SAFE_INTEGER })).rejects.toThrow('磁盘空间不足');
});

describe('an archive is refused', () => {
  test.each(['../out', '/etc/passwd', 'data/../../x', 'data/.ssh', 'data//x', 'data/a\\b', 'data/a\u202Eb', 'data/.'])(
    'with the path %j',
    async (path) => {
      expect(isPlainPath(path)).toBe(false);
      expect(await refusal([manifest(2, 4), DATABASE, { path, text: 'x' }])).toContain('不该有的内容');
      expect(readdirSync(base).sort()).toEqual(['b.tar.gz', 'in', 'made.tar.gz', 'out', 'rows']);
    },
  );

  test.each(['1', '2', '5', 'L'])('with an entry of kind %s, which is no plain file', async (kind) => {
    const twist = (head: Buffer): void => void head.write(kind, 156);
    expect(await refusal([manifest(2, 4), DATABASE, { path: 'data/x', text: 'x', twist }])).toContain('不该有的内容');
  });

  test('with more than its manifest says, however small it is packed', async () => {
    expect(await refusal([manifest(2, 100), DATABASE, { path: 'data/x', text: '0'.repeat(10_000_000) }])).toContain(
      '多于清单',
    );
    expect(await refusal([manifest(1, 4), DATABASE, { path: 'data/x', text: 'x' }])).toContain('多于清单');
    expect(
      await refusal([manifest(3, 5), DATABASE, { path: 'data/x', text: 'x' }, { path: 'data/x', text: 'x' }]),
    ).toContain('不该有');
  });

  test('without a manifest, a database, or an end', async () => {
    expect(await refusal([DATABASE])).toBe('这不是衡析的备份文件');
    expect(await refusal([{ ...manifest(1, 3), text: '{"format":"other"}' }])).toContain('这不是衡析的备份文件');
    expect(await refusal([manifest(1, 1), { path: 'data/x', text: 'x' }, { path: 'checksums.txt', text: '' }])).toBe(
      '备份文件不完整',
    );
    expect(await refusal([manifest(1, 3), DATABASE])).toBe('备份文件不完整');
    expect(await refusal([manifest(1, 3), DATABASE], Buffer.alloc(0))).toContain('不完整');
  });

  test('whose checksums are not those of its files', async () => {
    const wrong = { path: 'checksums.txt', text: `${'0'.repeat(64)}  database.ndjson\n` };
    expect(await refusal([manifest(1, 3), DATABASE, wrong])).toBe('备份文件已损坏：校验和不符');
  });

  test('wherever one byte of it is another, or the rest of it is missing', async () => {
    const plain = gunzipSync(readFileSync(file));
    const damaged = join(base, 'damaged.tar.gz');
    const faultOf = async (bytes: Buffer): Promise<string> => {
      writeFileSync(damaged, bytes);
      return readArchive(damaged).then(
        () => 'taken',
        (error: unknown) => (error instanceof Error ? error.constructor.name : ''),
      );
    };
    // Every part of it: heads, manifest, rows, bytes of a file, checksums.
    const places = [0, 124, 150, 156, 540, 1030, 1540, 2060, 2600, 5700, plain.length - 1100];
    // Filling between files carries nothing.
    for (const at of places.filter((at) => plain[at] !== 0)) {
      const changed = Buffer.from(plain);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(`${at} ${await faultOf(gzipSync(changed))}`).toBe(`${at} ArchiveFault`);
    }
    for (const length of [1, 600, 3000, plain.length - 1100])
      expect(await faultOf(gzipSync(plain.subarray(0, length)))).toBe('ArchiveFault');
    expect(await faultOf(readFileSync(file).subarray(0, 300))).toBe('ArchiveFault');
    expect(await faultOf(Buffer.from('not an archive'))).toBe('ArchiveFault');
  });
});
