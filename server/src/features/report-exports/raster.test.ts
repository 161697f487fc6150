import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { expect, test } from 'vitest';

import { plateOf } from '@hengxi/contracts/chart/plate';
import { png, tiff, withDpi } from '@hengxi/contracts/chart/raster';
import { LIGHT } from '@hengxi/contracts/chart/theme';
import { chart } from '@hengxi/contracts/testing/charts';
import { column, table } from '@hengxi/contracts/testing/reports';
import { asPng } from './writers/figures.ts';

/** Reads TIFF LZW as the specification states it: another piece of code than the one that writes. */
function unpack(bytes: Uint8Array): number[] {
  const out: number[] = [];
  let table: number[][] = [];
  let width = 9;
  let at = 0;
  let before: number[] | null = null;
  const clear = (): void => {
    table = Array.from({ length: 258 }, (_, i) => (i < 256 ? [i] : []));
    width = 9;
    before = null;
  };
  clear();
  for (;;) {
    let code = 0;
    for (let k = 0; k < width; k += 1, at += 1) code = (code << 1) | (((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    if (code === 257) return out;
    if (code === 256) {
      clear();
      continue;
    }
    const entry: number[] = table[code] ?? [...(before ?? []), (before ?? [])[0] ?? 0];
    out.push(...entry);
    if (before !== null) table.push([...before, entry[0] ?? 0]);
    before = entry;
    if (table.length === 511) width = 10;
    else if (table.length === 1023) width = 11;
    else if (table.length === 2047) width = 12;
  }
}

test('a TIFF says its size and resolution, and its pixels come back', () => {
  const [width, height] = [211, 160];
  // Enough different neighbours to fill the dictionary more than once.
  const pixels = Array.from({ length: width * height * 4 }, (_, i) => (i % 4 === 3 ? 255 : (i * i * 31 + i * 7) % 251));
  const file = tiff(pixels, width, height, 600);
  const view = new DataView(file.buffer);
  expect([...file.subarray(0, 4)]).toEqual([0x49, 0x49, 42, 0]);
  const tags = new Map<number, { count: number; value: number; place: number }>();
  const first = view.getUint32(4, true);
  for (let i = 0; i < view.getUint16(first, true); i += 1) {
    const place = first + 2 + i * 12;
    const isShort = view.getUint16(place + 2, true) === 3 && view.getUint32(place + 4, true) === 1;
    const value = isShort ? view.getUint16(place + 8, true) : view.getUint32(place + 8, true);
    tags.set(view.getUint16(place, true), { count: view.getUint32(place + 4, true), value, place });
  }
  const value = (tag: number): number => tags.get(tag)?.value ?? -1;
  expect([256, 257, 259, 262, 277, 296].map(value)).toEqual([width, height, 5, 2, 3, 2]);
  expect([282, 283].map((tag) => view.getUint32(value(tag), true) / view.getUint32(value(tag) + 4, true))).toEqual([
    600, 600,
  ]);
  const list = (tag: number): number[] => {
    const { count = 0, value: at = 0 } = tags.get(tag) ?? {};
    return count === 1 ? [at] : Array.from({ length: count }, (_, i) => view.getUint32(at + i * 4, true));
  };
  const counts = list(279);
  const back = list(273).flatMap((offset, i) => unpack(file.subarray(offset, offset + (counts[i] ?? 0))));
  expect(back).toEqual(pixels.filter((_, i) => i % 4 !== 3));
});

test('a PNG of the server has no alpha, says its resolution, and its pixels come back on white', async () => {
  const rgba = Uint8ClampedArray.from([
    255, 0, 0, 255, 0, 128, 255, 255, 10, 20, 30, 0, 0, 0, 0, 128, 1, 2, 3, 255, 9, 8, 7, 255,
  ]);
  const file = Buffer.from(png(rgba, { width: 3, height: 2, dpi: 600 }, (bytes) => deflateSync(bytes)));
  // Colour type 2 of IHDR: three channels of eight bits.
  expect([file[24], file[25]]).toEqual([8, 2]);
  const at = file.indexOf('pHYs');
  expect(file.readUInt32BE(at + 4)).toBe(23622);
  const picture = await loadImage(file);
  const canvas = createCanvas(3, 2);
  canvas.getContext('2d').drawImage(picture, 0, 0);
  const back = [...canvas.getContext('2d').getImageData(0, 0, 3, 2).data].filter((_, i) => i % 4 !== 3);
  expect(back).toEqual([255, 0, 0, 0, 128, 255, 255, 255, 255, 127, 127, 127, 1, 2, 3, 9, 8, 7]);
});

test('a PNG says its resolution once, with the sum that readers check', () => {
  const chunk = (name: string, data: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const head = Buffer.alloc(4);
    head.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body) >>> 0);
    return Buffer.concat([head, body, sum]);
  };
  const plain = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
    chunk('IHDR', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])),
    chunk('pHYs', Buffer.alloc(9)),
    chunk('IDAT', Buffer.from([0x78, 0x9c, 0x63, 0x60, 0, 0, 0, 2, 0, 1])),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  const file = Buffer.from(withDpi(plain, 300));
  expect(file.toString('latin1').match(/pHYs/g)).toHaveLength(1);
  const at = file.indexOf('pHYs');
  // 300 dots an inch are 11811 a metre.
  expect([file.readUInt32BE(at + 4), file.readUInt32BE(at + 8), file[at + 12]]).toEqual([11811, 11811, 1]);
  expect(file.readUInt32BE(at + 13)).toBe(crc32(file.subarray(at, at + 13)) >>> 0);
  expect(inflateSync(file.subarray(file.indexOf('IDAT') + 4, file.indexOf('IEND') - 8))).toHaveLength(2);
});

test('a figure of thousands of marks is drawn whole before its picture is taken', async () => {
  const names = Array.from({ length: 60 }, (_, i) => `i${i + 1}`);
  const cells = table(
    'cells',
    [column('r', 'text'), column('c', 'text'), column('v')],
    names.flatMap((r) => names.map((c) => [r, c, 1])),
  );
  const heat = chart('heat', { of: 'cells', row: 'r', column: 'c', value: 'v', text: null, mark: null });
  const plate = plateOf(heat, new Map([['cells', cells]]), { width: 500, theme: LIGHT });
  if (plate === null) throw new Error('nothing drawn');
  const picture = await loadImage(Buffer.from(await asPng({ plate, theme: LIGHT, title: '' }, 96)));
  const canvas = createCanvas(picture.width, picture.height);
  canvas.getContext('2d').drawImage(picture, 0, 0);
  // Down the middle of the picture every row is inked; what is below the middle was missing.
  const inked = [0.2, 0.4, 0.6, 0.8].map((share) => {
    const strip = canvas.getContext('2d').getImageData(250, Math.round(picture.height * share), 8, 8).data;
    return strip.some((value, i) => i % 4 === 0 && value < 200);
  });
  expect(inked).toEqual([true, true, true, true]);
  // A page of A4 takes it.
  expect(picture.height / picture.width).toBeLessThan(1.75);
});
