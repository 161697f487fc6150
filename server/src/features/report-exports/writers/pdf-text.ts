/**
 * Copied and searched text of a PDF. Fonts draw 入 and the radical ⼊ with one glyph, and browsers name the glyph by the
 * radical, the lower number of the two: what is copied looks right and is found by nobody. Here the maps from glyphs to
 * text (ToUnicode, ISO 32000 9.10.3) are written again with the characters people type.
 */
import { deflateSync, inflateSync } from 'node:zlib';

/** Radicals of the supplement (U+2E80) with the character that shares their glyph; the Kangxi ones (U+2F00) are in NFKC. */
const SAME_GLYPH =
  '⺂乛⺃乚⺅亻⺉刂⺎兀⺏尣⺐尢⺒巳⺓幺⺔彑⺕彐⺖忄⺘扌⺙攵⺛旡⺞歺⺟母⺠民⺡氵⺣灬⺤爫⺦丬⺨犭⺫罒⺭礻⺯糹⺰纟⺱罓⺲罒⺹耂⺺肀⺾艹⻁虎⻂衤⻃覀⻅见⻆角⻈讠⻉贝⻋车⻌辶⻐钅⻑長⻒镸⻓长⻔门⻖阝⻘青⻙韦⻚页⻛风⻜飞⻝食⻟飠⻠饣⻢马⻣骨⻤鬼⻥鱼⻦鸟⻧卤⻨麦⻩黄⻪黾⻫斉⻬齐⻮齿⻯竜⻰龙⻱龜⻲亀⻳龟';

const TYPED = new Map<string, string>();
const letters = Array.from(SAME_GLYPH);
for (let i = 0; i + 1 < letters.length; i += 2) TYPED.set(letters[i] ?? '', letters[i + 1] ?? '');

/** A text as it is typed. */
export function typed(text: string): string {
  return text.replace(/[\u2E80-\u2FDF]/gu, (c) => TYPED.get(c) ?? c.normalize('NFKC'));
}

const latin = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');

/** The same file with every map corrected; a file of another make than browsers' comes back as it is. */
export function withTypedText(pdf: Uint8Array): Uint8Array {
  const text = latin(pdf);
  const start = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)?.[1] ?? NaN);
  const table = /^xref\s+0 (\d+)\s+/.exec(text.slice(start));
  const trailer = text.slice(start).indexOf('trailer');
  if (!table || trailer < 0) return pdf;
  const first = start + table[0].length;
  const count = Number(table[1]);
  const entries = Array.from({ length: count }, (_, n) => {
    const entry = text.slice(first + n * 20, first + n * 20 + 20);
    return { n, at: Number(entry.slice(0, 10)), used: entry[17] === 'n', entry };
  });
  const used = entries.filter((e) => e.used).sort((a, b) => a.at - b.at);
  const parts: Buffer[] = [bytesOf(text.slice(0, used[0]?.at ?? 0))];
  const places = new Map<number, number>();
  let at = parts[0]?.length ?? 0;
  used.forEach((entry, i) => {
    const part = corrected(text.slice(entry.at, used[i + 1]?.at ?? start));
    places.set(entry.n, at);
    parts.push(part);
    at += part.length;
  });
  const lines = entries.map(({ n, entry }) => {
    const place = places.get(n);
    return place === undefined ? entry : `${String(place).padStart(10, '0')}${entry.slice(10)}`;
  });
  const end = text.slice(start + trailer).replace(/startxref\s+\d+/, `startxref\n${at}`);
  return new Uint8Array(Buffer.concat([...parts, bytesOf(`xref\n0 ${count}\n${lines.join('')}${end}`)]));
}

function corrected(object: string): Buffer {
  const stream = /^([\s\S]*?)stream\r?\n/.exec(object);
  const length = Number(/\/Length (\d+)\b(?! 0 R)/.exec(stream?.[1] ?? '')?.[1] ?? NaN);
  if (!stream || Number.isNaN(length) || !stream[1]?.includes('/FlateDecode')) return bytesOf(object);
  const from = stream[0].length;
  const map = latin(inflateSync(bytesOf(object.slice(from, from + length))));
  if (!map.includes('begincmap')) return bytesOf(object);
  const packed = latin(deflateSync(bytesOf(remapped(map))));
  const head = stream[0].replace(/\/Length \d+/, `/Length ${packed.length}`);
  return bytesOf(head + packed + object.slice(from + length));
}

const HEX = '<([0-9A-Fa-f]+)>\\s*';

/** All entries one by one: neighbours in a range are none once they are corrected. */
function remapped(map: string): string {
  const mappings: [string, string][] = [];
  for (const [, block = ''] of map.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, code = '', to = ''] of block.matchAll(new RegExp(HEX + HEX, 'g'))) mappings.push([code, letter(to)]);
  for (const [, block = ''] of map.matchAll(/beginbfrange([\s\S]*?)endbfrange/g))
    for (const [, low = '', high = '', to = ''] of block.matchAll(new RegExp(HEX + HEX + HEX, 'g')))
      for (let k = 0; k <= Number.parseInt(high, 16) - Number.parseInt(low, 16); k += 1)
        mappings.push([hex(Number.parseInt(low, 16) + k, low.length), next(letter(to), k)]);
  const blocks: string[] = [];
  for (let i = 0; i < mappings.length; i += 100) {
    const some = mappings.slice(i, i + 100).map(([code, said]) => `<${code}> <${utf16(typed(said))}>`);
    blocks.push(`${some.length} beginbfchar\n${some.join('\n')}\nendbfchar\n`);
  }
  const rest = map.replace(/\d+ beginbf(char|range)[\s\S]*?endbf\1\s*/g, '');
  return rest.replace(/endcmap/, `${blocks.join('')}endcmap`);
}

const hex = (n: number, width: number): string => n.toString(16).toUpperCase().padStart(width, '0');

function letter(utf: string): string {
  return String.fromCharCode(...(utf.match(/.{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16)));
}

/** The k-th after a letter; the last one of several moves on. */
function next(text: string, k: number): string {
  const list = Array.from(text);
  const last = list.pop()?.codePointAt(0) ?? 0;
  return list.join('') + String.fromCodePoint(last + k);
}

function utf16(text: string): string {
  return Array.from({ length: text.length }, (_, i) => hex(text.charCodeAt(i), 4)).join('');
}
