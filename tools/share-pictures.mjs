// Pictures of the pages written at the build, for links that are shared: 1200 × 630, the whole title, one sentence.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { ROOT } from './setup.mjs';

export const WIDTH = 1200;
export const HEIGHT = 630;
const LEFT = 88;
const MEASURE = WIDTH - 2 * LEFT;
const [INK, GREY, BLUE, BRONZE, PAPER] = ['#1d232b', '#4c545e', '#1f5582', '#c58a3c', '#f5f4f0'];
/** Line breaks do not stand before these. */
const CLOSING = '，。、；：！？）》”’)%';

/** The Chinese fonts that come with the server (report-exports); null where they are not installed. */
async function own_fonts() {
  const require = createRequire(join(ROOT, 'server/package.json'));
  const { createCanvas, GlobalFonts } = require('@napi-rs/canvas');
  for (const [name, file] of [
    ['noto-sans-sc', 'NotoSansSC_400Regular'],
    ['noto-serif-sc', 'NotoSerifSC_700Bold'],
  ]) {
    let folder;
    try {
      folder = dirname(require.resolve(`@expo-google-fonts/${name}/package.json`));
    } catch {
      return null;
    }
    const path = join(folder, file.split('_')[1], `${file}.ttf`);
    if (!existsSync(path)) return null;
    GlobalFonts.registerFromPath(path, name);
  }
  return createCanvas;
}

/** Words in lines of at most this width; Latin words stay whole. */
export function lines_of(text, width, measure) {
  const lines = [''];
  for (const piece of text.match(/[A-Za-z\d'’.+-]+|\s+|./gu) ?? []) {
    const line = lines.at(-1) ?? '';
    if (measure(line + piece) <= width || line === '' || CLOSING.includes(piece))
      lines[lines.length - 1] = line + piece;
    else lines.push(piece.trimStart());
  }
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}

function steelyard(ink) {
  const y = (x) => 470 - ((x - LEFT) / MEASURE) * 60;
  ink.strokeStyle = BLUE;
  ink.lineCap = 'round';
  const stroke = (x, from, to, width) => {
    ink.lineWidth = width;
    ink.beginPath();
    ink.moveTo(x, from);
    ink.lineTo(x, to);
    ink.stroke();
  };
  ink.lineWidth = 5;
  ink.beginPath();
  ink.moveTo(LEFT, y(LEFT));
  ink.lineTo(WIDTH - LEFT, y(WIDTH - LEFT));
  ink.stroke();
  for (let mark = 1; mark < 24; mark += 1) {
    const x = LEFT + (MEASURE * mark) / 24;
    stroke(x, y(x) - 4, y(x) - (mark % 6 === 0 ? 20 : 11), 2);
  }
  const at = WIDTH - LEFT - 120;
  stroke(at, y(at), y(at) + 50, 3);
  ink.fillStyle = BRONZE;
  ink.beginPath();
  ink.arc(at, y(at) + 72, 24, 0, 2 * Math.PI);
  ink.fill();
}

const chunk = (kind, content) => {
  const body = Buffer.concat([Buffer.from(kind), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
};

/** PNG with a palette: a third of the bytes, for pictures of few colours. Nearby colours become one. */
export function indexed_png(pixels, width, height) {
  for (const shift of [3, 4, 5]) {
    const places = new Map();
    const palette = [];
    const rows = Buffer.alloc((width + 1) * height);
    let last = -1;
    let place;
    for (let at = 0; at < width * height; at += 1) {
      const [red, green, blue] = [pixels[4 * at], pixels[4 * at + 1], pixels[4 * at + 2]];
      const key = ((red >> shift) << 16) | ((green >> shift) << 8) | (blue >> shift);
      // Most pixels are like the one before.
      if (key !== last) place = places.get(key);
      last = key;
      if (place === undefined) {
        place = places.size;
        places.set(key, place);
        palette.push(red, green, blue);
      }
      rows[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = place;
    }
    if (places.size > 256) continue;
    const head = Buffer.alloc(13);
    head.writeUInt32BE(width, 0);
    head.writeUInt32BE(height, 4);
    // Eight bits, a palette.
    head.set([8, 3, 0, 0, 0], 8);
    const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const parts = [chunk('IHDR', head), chunk('PLTE', Buffer.from(palette)), chunk('IDAT', deflateSync(rows))];
    return Buffer.concat([signature, ...parts, chunk('IEND', Buffer.alloc(0))]);
  }
  throw new Error('a picture of more than 256 colours');
}

/** How a page is drawn: { title, sentence, foot } → PNG. Null where the fonts are not there. */
export async function painter() {
  const create = await own_fonts();
  if (create === null) return null;
  return ({ title, sentence, foot }) => {
    const canvas = create(WIDTH, HEIGHT);
    const ink = canvas.getContext('2d');
    const measure = (text) => ink.measureText(text).width;
    ink.fillStyle = PAPER;
    ink.fillRect(0, 0, WIDTH, HEIGHT);
    ink.fillStyle = BLUE;
    ink.font = '34px noto-serif-sc';
    ink.fillText('衡析', LEFT, 104);
    // The title is never cut: it becomes smaller until it stands in two lines.
    let size = 76;
    let lines;
    do {
      size -= 4;
      ink.font = `${size}px noto-serif-sc`;
      lines = lines_of(title, MEASURE, measure);
    } while (size > 28 && (lines.length > (size > 56 ? 1 : 2) || lines.some((line) => measure(line) > MEASURE)));
    ink.fillStyle = INK;
    lines.forEach((line, at) => ink.fillText(line, LEFT, 196 + at * size * 1.3));
    ink.font = '32px noto-sans-sc';
    ink.fillStyle = GREY;
    const below = 196 + lines.length * size * 1.3;
    const said = lines_of(sentence, MEASURE, measure);
    const room = lines.length > 1 ? 1 : 2;
    // A sentence that is too long is left out rather than cut.
    if (said.length <= room) said.forEach((line, at) => ink.fillText(line, LEFT, below + at * 46));
    steelyard(ink);
    ink.fillStyle = GREY;
    ink.font = '28px noto-sans-sc';
    ink.fillText(foot, LEFT, 574);
    return indexed_png(ink.getImageData(0, 0, WIDTH, HEIGHT).data, WIDTH, HEIGHT);
  };
}

const CACHE = join(ROOT, '.cache', 'share-pictures');
const MOST = 60_000;

/** Writes the picture of each page, { name, title, sentence, foot }, into a folder; false where there are no fonts to draw with. */
export async function write_pictures(folder, pages) {
  const paint = await painter();
  if (paint === null) return false;
  const self = readFileSync(join(ROOT, 'tools/share-pictures.mjs'));
  mkdirSync(folder, { recursive: true });
  mkdirSync(CACHE, { recursive: true });
  for (const { name, ...page } of pages) {
    const kept = join(CACHE, `${createHash('sha256').update(self).update(JSON.stringify(page)).digest('hex')}.png`);
    if (!existsSync(kept)) writeFileSync(kept, paint(page));
    const png = readFileSync(kept);
    if (png.length > MOST) throw new Error(`the picture of ${name} has ${png.length} bytes`);
    writeFileSync(join(folder, `${name}.png`), png);
  }
  return true;
}
