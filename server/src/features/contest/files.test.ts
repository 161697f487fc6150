import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePdf, makeZip } from '../../testing/contest.ts';
import { readPdf, withoutMetadata } from './pdf.ts';
import { checkZip } from './zip.ts';

describe('a report', () => {
  it.each([
    ['in the open', false],
    ['in a compressed stream', true],
  ])('with its objects %s tells its pages', (_, packed) => {
    expect(readPdf(makePdf(7, { packed })).pages).toBe(7);
  });

  it.each([false, true])('loses its author in the copy for judges, and no page (packed: %s)', (packed) => {
    const whole = makePdf(5, { author: 'Zhang San', packed, mark: 'text' });
    const copy = withoutMetadata(readPdf(whole));
    const text = copy.toString('latin1');
    expect(text).not.toContain('Zhang San');
    expect(text).toContain('(text)');
    expect(readPdf(copy).pages).toBe(5);
    // The table of offsets points at the objects.
    const [, start] = /startxref\n(\d+)/.exec(text) ?? [];
    const lines = text.slice(Number(start)).split('\n').slice(2);
    const offset = Number(lines[1]?.slice(0, 10));
    expect(text.slice(offset, offset + 7)).toBe('1 0 obj');
  });

  it('saved by adding: the later object counts', () => {
    const added =
      '2 0 obj\n<< /Type /Pages /Kids [4 0 R] /Count 1 >>\nendobj\ntrailer\n<< /Root 1 0 R >>\nstartxref\n0\n%%EOF\n';
    expect(readPdf(Buffer.concat([makePdf(5), Buffer.from(added)])).pages).toBe(1);
  });

  it('counts the pages themselves, whatever it claims', () => {
    const text = makePdf(50).toString('latin1').replace('/Count 50', '/Count 5');
    expect(readPdf(Buffer.from(text, 'latin1')).pages).toBe(50);
  });

  it.each([
    ['a picture', Buffer.from('\x89PNG\r\n'), '报告不是 PDF 文件'],
    ['half a file', makePdf(3).subarray(0, 120), '无法读取这份 PDF'],
    [
      'a locked file',
      Buffer.from(makePdf(1).toString('latin1').replace('/Root', '/Encrypt 9 0 R /Root'), 'latin1'),
      '密码',
    ],
    [
      'no pages',
      Buffer.from(
        '%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 1 0 R >>\nendobj\ntrailer\n<< /Root 1 0 R >>\nstartxref\n',
      ),
      '无法读取',
    ],
  ])('%s is refused in words', (_, bytes, words) => {
    expect(() => readPdf(bytes)).toThrow(words);
  });
});

describe('supporting material', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'hengxi-zip-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const check = (bytes: Buffer): Promise<void> => {
    const path = join(folder, 'x.zip');
    writeFileSync(path, bytes);
    return checkZip(path, bytes.length, { unpacked: 8 * 1024 * 1024, entries: 20 });
  };

  it('is a zip whose contents come out', async () => {
    await expect(check(makeZip())).resolves.toBeUndefined();
  });

  it('that states less than comes out is a bomb', async () => {
    // Pieces of 1 MB of zeros; the list of contents states one byte each.
    const piece = new Uint8Array(1024 * 1024);
    const bytes = Buffer.from(zipSync(Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`${n}.bin`, piece]))));
    for (
      let from = bytes.indexOf('PK\x01\x02', 0, 'latin1');
      from >= 0;
      from = bytes.indexOf('PK\x01\x02', from + 4, 'latin1')
    )
      bytes.writeUInt32LE(1, from + 24);
    await expect(check(bytes)).rejects.toThrow('解压后超过 8 MB');
  });

  it('that states too much is not even opened', async () => {
    const bytes = makeZip();
    bytes.writeUInt32LE(0xf0000000, bytes.indexOf('PK\x01\x02', 0, 'latin1') + 24);
    await expect(check(bytes)).rejects.toThrow('解压后超过 8 MB');
  });

  it.each([
    ['no zip', Buffer.from('%PDF-1.4 something longer than a header'), '不是 zip'],
    ['half a zip', makeZip().subarray(0, 60), '无法读取'],
    ['a way out', Buffer.from(zipSync({ '../../etc/passwd': new Uint8Array([1]) })), '上级目录'],
    [
      'too many',
      Buffer.from(zipSync(Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`${n}`, new Uint8Array(0)])))),
      '最多 20 个文件',
    ],
  ])('%s is refused in words', async (_, bytes, words) => {
    await expect(check(bytes)).rejects.toThrow(words);
  });

  it('with a password is refused', async () => {
    const bytes = makeZip();
    bytes.writeUInt16LE(1, bytes.indexOf('PK\x01\x02', 0, 'latin1') + 8);
    await expect(check(bytes)).rejects.toThrow('密码');
  });
});
