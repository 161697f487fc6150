/**
 * What a report is by its bytes: a PDF that can be read, how many pages it has, and a copy of it without its metadata for
 * the judges. Objects are found by walking over the file, so that a damaged table of offsets does no harm; of the streams
 * only those that hold objects are opened, with a bound.
 */
import { inflateSync } from 'node:zlib';

/** Opened object streams of one file, all together. */
const UNPACKED_MOST = 128 * 1024 * 1024;
const OBJECTS_MOST = 500_000;

export class PdfFault extends Error {}

interface PdfObject {
  number: number;
  /** Its value as text: a dictionary, an array, a number. */
  value: string;
  /** Where its stream lies in the file. */
  stream: { from: number; to: number } | null;
}

export interface Pdf {
  pages: number;
  objects: ReadonlyMap<number, PdfObject>;
  root: string;
  /** Number of the object that tells author, program and times. */
  info: number | null;
  bytes: Buffer;
}

const HEAD = /(\d{1,10})[ \t\r\n\f\0]+(\d{1,5})[ \t\r\n\f\0]+obj\b/g;

/** The end of a string in brackets, which may hold brackets of its own. */
function stringEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '\\') at += 1;
    else if (sign === '(') depth += 1;
    else if (sign === ')' && (depth -= 1) === 0) return at + 1;
  }
  throw new PdfFault('an open string');
}

/** The end of the value of an object: before `stream` or `endobj`. */
function valueEnd(text: string, from: number): number {
  for (let at = from; at < text.length;) {
    const sign = text[at];
    if (sign === '(') at = stringEnd(text, at);
    else if (sign === '%') {
      while (at < text.length && text[at] !== '\n' && text[at] !== '\r') at += 1;
    } else if (sign === 'e' && text.startsWith('endobj', at)) return at;
    else if (sign === 's' && text.startsWith('stream', at)) return at;
    else if (sign === '/') {
      at += 1;
      while (at < text.length && !/[\s()<>[\]{}/%]/.test(text[at] ?? '')) at += 1;
    } else at += 1;
  }
  throw new PdfFault('an open object');
}

function streamAt(text: string, dictionary: string, keyword: number): { from: number; to: number; next: number } {
  let from = keyword + 'stream'.length;
  if (text[from] === '\r') from += 1;
  if (text[from] === '\n') from += 1;
  const stated = Number(/\/Length[ \t\r\n\f\0]+(\d{1,10})(?![ \t\r\n\f\0]+\d+[ \t\r\n\f\0]+R)/.exec(dictionary)?.[1]);
  const after = from + stated;
  const isStated = Number.isFinite(stated) && /^[ \t\r\n\f\0]*endstream/.test(text.slice(after, after + 16));
  const to = isStated ? after : text.indexOf('endstream', from);
  if (to < 0) throw new PdfFault('an open stream');
  return { from, to, next: text.indexOf('endstream', to) + 'endstream'.length };
}

const reference = (key: string, text: string): string | null =>
  new RegExp(`/${key}[ \\t\\r\\n\\f\\0]*(\\d{1,10}[ \\t\\r\\n\\f\\0]+\\d{1,5}[ \\t\\r\\n\\f\\0]+R)`).exec(text)?.[1] ??
  null;
const isOfType = (type: string, text: string): boolean =>
  new RegExp(`/Type[ \\t\\r\\n\\f\\0]*/${type}(?![A-Za-z])`).test(text);
const numberOf = (ref: string | null): number | null => (ref === null ? null : Number.parseInt(ref, 10));

/** Objects inside an object stream. */
function packed(
  bytes: Buffer,
  { value, stream }: PdfObject,
  room: number,
): { texts: [number, string][]; size: number } {
  if (!stream) return { texts: [], size: 0 };
  const raw = bytes.subarray(stream.from, stream.to);
  const plain = /\/Filter/.test(value) ? inflateSync(raw, { maxOutputLength: room }) : raw;
  const text = plain.toString('latin1');
  const count = Number(/\/N[ \t\r\n\f\0]+(\d+)/.exec(value)?.[1]);
  const first = Number(/\/First[ \t\r\n\f\0]+(\d+)/.exec(value)?.[1]);
  if (!Number.isInteger(count) || !Number.isInteger(first) || count > OBJECTS_MOST) throw new PdfFault('object stream');
  const head = text.slice(0, first).trim().split(/\s+/).map(Number);
  const texts = Array.from({ length: count }, (_, at): [number, string] => {
    const [number = 0, offset = 0] = head.slice(2 * at, 2 * at + 2);
    const next = at + 1 < count ? first + (head[2 * at + 3] ?? 0) : text.length;
    return [number, text.slice(first + offset, next)];
  });
  return { texts, size: plain.length };
}

/** Pages below a node of the tree; what refers to itself is counted once. */
function pagesBelow(objects: ReadonlyMap<number, PdfObject>, root: number): number {
  const seen = new Set<number>();
  const open = [root];
  let pages = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const value = objects.get(at)?.value ?? '';
    let kids = /\/Kids[ \t\r\n\f\0]*\[([^\]]*)\]/.exec(value)?.[1];
    const elsewhere = kids === undefined ? numberOf(reference('Kids', value)) : null;
    if (elsewhere !== null) kids = objects.get(elsewhere)?.value;
    if (kids === undefined) pages += isOfType('Page', value) ? 1 : 0;
    else for (const [, kid] of kids.matchAll(/(\d+)\s+\d+\s+R/g)) open.push(Number(kid));
  }
  return pages;
}

/** Reads a PDF; throws a PdfFault with the reason in words. */
export function readPdf(bytes: Buffer): Pdf {
  try {
    return read(bytes);
  } catch (error) {
    if (error instanceof PdfFault && /[\u4e00-\u9fff]/.test(error.message)) throw error;
    throw new PdfFault('无法读取这份 PDF，请用 Word 或浏览器重新导出后再上传');
  }
}

function read(bytes: Buffer): Pdf {
  const text = bytes.toString('latin1');
  if (!text.slice(0, 1024).includes('%PDF-')) throw new PdfFault('报告不是 PDF 文件');
  const objects = new Map<number, PdfObject>();
  const outer = [...text.matchAll(/trailer[ \t\r\n\f\0]*<<([\s\S]*?)>>[ \t\r\n\f\0]*startxref/g)].map(
    (found) => found[1] ?? '',
  );
  HEAD.lastIndex = 0;
  for (let head = HEAD.exec(text); head; head = HEAD.exec(text)) {
    const from = HEAD.lastIndex;
    const end = valueEnd(text, from);
    const value = text.slice(from, end).trim();
    const number = Number(head[1]);
    const stream = text.startsWith('stream', end) ? streamAt(text, value, end) : null;
    HEAD.lastIndex = stream ? stream.next : end;
    if (isOfType('XRef', value)) outer.push(value);
    objects.set(number, { number, value, stream: stream && { from: stream.from, to: stream.to } });
    if (objects.size > OBJECTS_MOST) throw new PdfFault('too many objects');
  }
  if (outer.some((value) => /\/Encrypt\b/.test(value))) throw new PdfFault('PDF 设有密码或权限限制，请解除后再上传');
  let room = UNPACKED_MOST;
  for (const object of [...objects.values()].filter(({ value }) => isOfType('ObjStm', value))) {
    const { texts, size } = packed(bytes, object, room);
    room -= size;
    // What stands in the open is newer: programs that save by adding write it so.
    for (const [number, value] of texts) if (!objects.has(number)) objects.set(number, { number, value, stream: null });
  }
  const root = outer.map((value) => reference('Root', value)).findLast((ref) => ref !== null) ?? null;
  const info = numberOf(outer.map((value) => reference('Info', value)).findLast((ref) => ref !== null) ?? null);
  const catalogue = objects.get(numberOf(root) ?? -1)?.value;
  const tree = catalogue === undefined ? null : numberOf(reference('Pages', catalogue));
  if (root === null || tree === null) throw new PdfFault('no tree of pages');
  const pages = pagesBelow(objects, tree);
  if (pages === 0) throw new PdfFault('no pages');
  return { pages, objects, root, info, bytes };
}

/** Names of people and programs that stand beside the pages. */
const dropped = ({ value }: PdfObject): boolean =>
  isOfType('XRef', value) || isOfType('ObjStm', value) || isOfType('Metadata', value);

/** The same pages without author, program, times and the rest that a program writes beside them. */
export function withoutMetadata({ objects, root, info, bytes }: Pdf): Buffer {
  const pieces: Buffer[] = [Buffer.from('%PDF-1.7\n%\xE2\xE3\xCF\xD3\n', 'latin1')];
  let length = pieces[0]?.length ?? 0;
  const add = (piece: Buffer): void => {
    pieces.push(piece);
    length += piece.length;
  };
  const offsets = new Map<number, number>();
  for (const object of objects.values()) {
    if (object.number === info || dropped(object)) continue;
    offsets.set(object.number, length);
    // Private data of programs (their own copies of text and names) goes, too.
    const value = object.value.replace(/\/PieceInfo[ \t\r\n\f\0]*\d+[ \t\r\n\f\0]+\d+[ \t\r\n\f\0]+R/g, '');
    add(Buffer.from(`${object.number} 0 obj\n${value}\n`, 'latin1'));
    if (object.stream) {
      add(Buffer.from('stream\n'));
      add(bytes.subarray(object.stream.from, object.stream.to));
      add(Buffer.from('\nendstream\n'));
    }
    add(Buffer.from('endobj\n'));
  }
  const size = Math.max(...offsets.keys()) + 1;
  const start = length;
  const line = (number: number): string => {
    const offset = offsets.get(number);
    return offset === undefined ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`;
  };
  add(Buffer.from(`xref\n0 ${size}\n${Array.from({ length: size }, (_, number) => line(number)).join('')}`));
  add(
    Buffer.from(`trailer\n<< /Size ${size} /Root ${root.replace(/\s\d+\s/, ' 0 ')} >>\nstartxref\n${start}\n%%EOF\n`),
  );
  return Buffer.concat(pieces);
}
