/** Pictures from outside are drawn anew: nothing of the sent file is kept but its look. */
import { createCanvas, loadImage } from '@napi-rs/canvas';

const PIXELS_MAX = 25_000_000;
/** Sharp enough to read a card. */
const SIDE_MAX = 2400;
const PNG = 0x89504e47;

/** Declared size of a png or jpeg, read before anything is decoded; null when it is neither. */
export function pictureSize(bytes: Buffer): { width: number; height: number } | null {
  if (bytes.length < 32) return null;
  if (bytes.readUInt32BE(0) === PNG) return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (bytes.readUInt16BE(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    // Frame headers SOF0 … SOF15 without DHT, JPG, DAC.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** A jpeg drawn anew, without metadata; null for what is no picture of an acceptable size. */
export async function redraw(bytes: Buffer): Promise<Buffer | null> {
  const size = pictureSize(bytes);
  if (!size || size.width * size.height === 0 || size.width * size.height > PIXELS_MAX) return null;
  const image = await loadImage(bytes).catch(() => null);
  if (!image || image.width === 0) return null;
  const scale = Math.min(1, SIDE_MAX / Math.max(image.width, image.height));
  const canvas = createCanvas(
    Math.max(1, Math.round(image.width * scale)),
    Math.max(1, Math.round(image.height * scale)),
  );
  const context = canvas.getContext('2d');
  // A jpeg has no transparency.
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toBuffer('image/jpeg', 85);
}

/** Pictures of our own making, one below the other, as one; for whoever looks at them. */
export async function stack(pictures: readonly Buffer[]): Promise<Buffer> {
  const images = await Promise.all(pictures.map((bytes) => loadImage(bytes)));
  const gap = 16;
  const width = Math.max(...images.map((image) => image.width));
  const height = images.reduce((sum, image) => sum + image.height + gap, -gap);
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = '#808080';
  context.fillRect(0, 0, width, height);
  let top = 0;
  for (const image of images) {
    context.drawImage(image, 0, top);
    top += image.height + gap;
  }
  return canvas.toBuffer('image/jpeg', 85);
}

/** By content, not by name. */
export const isPdf = (bytes: Buffer): boolean =>
  bytes.subarray(0, 5).toString('latin1') === '%PDF-' && bytes.subarray(-2048).includes('%%EOF');

/** By content, not by name; null for what is neither. */
export const pictureType = (bytes: Buffer): 'image/png' | 'image/jpeg' | null =>
  pictureSize(bytes) === null ? null : bytes.readUInt32BE(0) === PNG ? 'image/png' : 'image/jpeg';

/** Below it (0 black, 1 white) a point counts as drawn. */
const DARK = 0.7;

/**
 * What of a picture is drawn: rows of 1 and 0 from the top, `side` cells along its longer side. A cell is drawn where it
 * is dark; of a picture with a transparent ground where it is opaque. null for what is no picture.
 */
export async function drawnShape(bytes: Buffer, side: number): Promise<string[] | null> {
  const image = await loadImage(bytes).catch(() => null);
  if (!image || image.width === 0) return null;
  const scale = side / Math.max(image.width, image.height);
  const [width, height] = [image.width, image.height].map((length) => Math.max(1, Math.round(length * scale)));
  const canvas = createCanvas(width ?? 1, height ?? 1);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  const points = Array.from({ length: canvas.width * canvas.height }, (_, i) => ({
    light: (0.299 * (data[4 * i] ?? 0) + 0.587 * (data[4 * i + 1] ?? 0) + 0.114 * (data[4 * i + 2] ?? 0)) / 255,
    opaque: (data[4 * i + 3] ?? 0) >= 128,
  }));
  const isCut = points.some(({ opaque }) => !opaque);
  const marks = points.map(({ light, opaque }) => (opaque && (isCut || light < DARK) ? '1' : '0'));
  return Array.from({ length: canvas.height }, (_, y) =>
    marks.slice(y * canvas.width, (y + 1) * canvas.width).join(''),
  );
}
