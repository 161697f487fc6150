/**
 * Pixels as files that say their resolution: PNG with a pHYs chunk, and baseline TIFF with LZW strips.
 * PNG: W3C PNG specification 3, 11.3.4.3; TIFF: TIFF 6.0, sections 3, 4, 13 (LZW), 6 (RGB).
 */
const INCH = 0.0254;

const CRC = Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

function crc(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (const b of bytes) c = (CRC[(c ^ b) & 255] ?? 0) ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

function chunkOf(name: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(data.length + 12);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length);
  chunk.set(
    Array.from(name, (c) => c.charCodeAt(0)),
    4,
  );
  chunk.set(data, 8);
  view.setUint32(data.length + 8, crc(chunk.subarray(4, data.length + 8)));
  return chunk;
}

function resolution(dpi: number): Uint8Array {
  const data = new Uint8Array(9);
  const view = new DataView(data.buffer);
  view.setUint32(0, Math.round(dpi / INCH));
  view.setUint32(4, Math.round(dpi / INCH));
  data[8] = 1;
  return chunkOf('pHYs', data);
}

const PNG_MARK = [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10];

/**
 * RGBA pixels on white as an RGB PNG without alpha, which printers ask for. Lines are written unfiltered: drawings of flat
 * colours pack best so, and in a third of the time canvases take.
 */
export function png(
  rgba: ArrayLike<number>,
  { width, height, dpi }: { width: number; height: number; dpi: number },
  deflate: (bytes: Uint8Array) => Uint8Array,
): Uint8Array<ArrayBuffer> {
  const head = new Uint8Array(13);
  const view = new DataView(head.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  head.set([8, 2], 8);
  const long = width * 3;
  const lines = new Uint8Array(height * (long + 1));
  for (let y = 0; y < height; y += 1) opaque(rgba, y * width, width, lines, y * (long + 1) + 1);
  return joined([
    Uint8Array.from(PNG_MARK),
    chunkOf('IHDR', head),
    resolution(dpi),
    chunkOf('IDAT', deflate(lines)),
    chunkOf('IEND', new Uint8Array()),
  ]);
}

/** The same PNG, saying how many dots an inch has. */
export function withDpi(png: Uint8Array, dpi: number): Uint8Array<ArrayBuffer> {
  const chunk = resolution(dpi);
  const chunks = chunksOf(png).filter(({ name }) => name !== 'pHYs');
  const parts = [
    png.subarray(0, 8),
    ...chunks.flatMap(({ name, bytes }) => (name === 'IHDR' ? [bytes, chunk] : [bytes])),
  ];
  return joined(parts);
}

function chunksOf(png: Uint8Array): { name: string; bytes: Uint8Array }[] {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const chunks: { name: string; bytes: Uint8Array }[] = [];
  for (let at = 8; at + 12 <= png.length;) {
    const size = view.getUint32(at) + 12;
    const name = String.fromCharCode(...png.subarray(at + 4, at + 8));
    chunks.push({ name, bytes: png.subarray(at, at + size) });
    at += size;
  }
  return chunks;
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((n, part) => n + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const STRIP_BYTES = 64 * 1024;

/** RGBA pixels on white as an RGB TIFF. */
export function tiff(rgba: ArrayLike<number>, width: number, height: number, dpi: number): Uint8Array<ArrayBuffer> {
  const rows = Math.max(1, Math.floor(STRIP_BYTES / (width * 3)));
  const strips: Uint8Array[] = [];
  const known = new Dictionary();
  for (let from = 0; from < height; from += rows) {
    const to = Math.min(height, from + rows);
    strips.push(lzw(rgb(rgba, width, from, to), known));
  }
  const entries = 13;
  const extra = 8 + 2 + entries * 12 + 4;
  const [bits, resolution, offsets] = [extra, extra + 6, extra + 6 + 16];
  const counts = offsets + strips.length * 4;
  const data = counts + strips.length * 4;
  const head = new Uint8Array(data);
  const view = new DataView(head.buffer);
  const short = (at: number, v: number): void => view.setUint16(at, v, true);
  const long = (at: number, v: number): void => view.setUint32(at, v, true);
  head.set([0x49, 0x49, 42, 0, 8, 0, 0, 0]);
  short(8, entries);
  let at = 10;
  const entry = (tag: number, type: 3 | 4 | 5, count: number, value: number): void => {
    short(at, tag);
    short(at + 2, type);
    long(at + 4, count);
    if (type === 3 && count === 1) short(at + 8, value);
    else long(at + 8, value);
    at += 12;
  };
  const listed = (from: number): number => (strips.length === 1 ? view.getUint32(from, true) : from);
  strips.reduce((place, strip, i) => {
    long(offsets + i * 4, place);
    long(counts + i * 4, strip.length);
    return place + strip.length;
  }, data);
  for (const k of [0, 1, 2]) short(bits + k * 2, 8);
  for (const k of [0, 1]) {
    long(resolution + k * 8, dpi);
    long(resolution + k * 8 + 4, 1);
  }
  entry(256, 4, 1, width);
  entry(257, 4, 1, height);
  entry(258, 3, 3, bits);
  entry(259, 3, 1, 5);
  entry(262, 3, 1, 2);
  entry(273, 4, strips.length, listed(offsets));
  entry(277, 3, 1, 3);
  entry(278, 4, 1, rows);
  entry(279, 4, strips.length, listed(counts));
  entry(282, 5, 1, resolution);
  entry(283, 5, 1, resolution + 8);
  entry(284, 3, 1, 1);
  entry(296, 3, 1, 2);
  return joined([head, ...strips]);
}

function rgb(rgba: ArrayLike<number>, width: number, from: number, to: number): Uint8Array {
  const out = new Uint8Array((to - from) * width * 3);
  opaque(rgba, from * width, (to - from) * width, out, 0);
  return out;
}

/** So many pixels from one on, laid on white. A picture has millions, nearly all of them opaque. */
function opaque(rgba: ArrayLike<number>, from: number, count: number, out: Uint8Array, at: number): void {
  let o = at;
  for (let i = from * 4; i < (from + count) * 4; i += 4) {
    const alpha = rgba[i + 3] ?? 255;
    for (let k = i; k < i + 3; k += 1) {
      const value = rgba[k] ?? 0;
      out[o++] = alpha === 255 ? value : Math.round((value * alpha) / 255 + 255 - alpha);
    }
  }
}

const CLEAR = 256;
const END = 257;

/** Strings seen so far, known by the code of all but their last byte, and that byte; entries of a past age do not count. */
class Dictionary {
  readonly #entries = new Int32Array(4096 * 256);
  #age = 0;
  next = 258;

  clear(): void {
    this.#age += 1;
    this.next = 258;
  }

  /** The code of a string, or −1 after the string has been entered. */
  find(key: number): number {
    const entry = this.#entries[key] ?? 0;
    if (entry >> 12 === this.#age) return entry & 4095;
    this.#entries[key] = (this.#age << 12) | this.next++;
    return -1;
  }
}

/** LZW of TIFF: codes of 9 to 12 bits, most significant first, growing as soon as entry 511, 1023, 2047 is made. */
export function lzw(bytes: Uint8Array, known = new Dictionary()): Uint8Array {
  const out = new Uint8Array(Math.ceil(bytes.length * 1.6) + 16);
  let size = 0;
  let hold = 0;
  let held = 0;
  let width = 9;
  const put = (code: number): void => {
    hold = (hold << width) | code;
    held += width;
    while (held >= 8) {
      held -= 8;
      out[size++] = (hold >> held) & 255;
    }
    hold &= (1 << held) - 1;
  };
  const grow = (): void => {
    if (known.next === 512 || known.next === 1024 || known.next === 2048) width += 1;
  };
  known.clear();
  put(CLEAR);
  let prefix = -1;
  for (const b of bytes) {
    const code = prefix < 0 ? b : known.find(prefix * 256 + b);
    if (code >= 0) {
      prefix = code;
      continue;
    }
    put(prefix);
    grow();
    if (known.next === 4094) {
      put(CLEAR);
      known.clear();
      width = 9;
    }
    prefix = b;
  }
  if (prefix >= 0) {
    put(prefix);
    known.next += 1;
    grow();
  }
  put(END);
  if (held > 0) out[size++] = (hold << (8 - held)) & 255;
  return out.subarray(0, size);
}
