/** A formula as people write it, with names, and as it travels, with ids: `` `身高` / 100 `` ↔ `{c4} / 100`. */
import type { Column } from '../column.ts';

type Named = Pick<Column, 'id' | 'name'> & Partial<Pick<Column, 'label'>>;

/** A part of the text with what it is on the wire. */
export interface Piece {
  text: string;
  wire: string;
}

/** Text in quotes, a name in backticks (a backtick of its own doubled), an id, a word, or signs between. */
const WORD = /["“”„＂][^"“”„＂]*["“”„＂]?|`(?:[^`]|``)*`?|\{[^}]*\}?|[\p{L}_][\p{L}\p{N}_.$#@]*|[^"“”„＂`{\p{L}_]+/gu;
/** Words of the grammar; a column of such a name is written in backticks. */
const GRAMMAR = new Set(['and', 'or', 'not', 'in', '且', '并且', '或', '或者', '非', '属于']);
const JOINT = /^(?:并且|或者|且|或|非)/u;

export const quotedName = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

/** Lists show labels, so people write them too: a label counts where one column has it and no column is named so. */
function idsOf(columns: readonly Named[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  const shared = new Set<string>();
  for (const { id, label } of columns) {
    if (!label) continue;
    if (ids.has(label)) shared.add(label);
    ids.set(label, id);
  }
  for (const label of shared) ids.delete(label);
  for (const { id, name } of columns) ids.set(name, id);
  return ids;
}

/** Names stand in backticks, or bare where they are one word and no word of the grammar, no function with its bracket. */
export function piecesOf(text: string, columns: readonly Named[]): Piece[] {
  const ids = idsOf(columns);
  const parts = text.match(WORD) ?? [];
  return parts.flatMap((part, at): Piece[] => {
    const isQuoted = part.length > 2 && part.startsWith('`') && part.endsWith('`');
    if (isQuoted) {
      const id = ids.get(part.slice(1, -1).replaceAll('``', '`'));
      return [{ text: part, wire: id === undefined ? part : `{${id}}` }];
    }
    const isCall = /^\s*[(（]/u.test(parts[at + 1] ?? '');
    if (isCall || GRAMMAR.has(part.toLowerCase())) return [{ text: part, wire: part }];
    const id = ids.get(part);
    if (id !== undefined) return [{ text: part, wire: `{${id}}` }];
    // 且体重 without a blank between.
    const joint = JOINT.exec(part)?.[0] ?? '';
    const rest = joint === '' ? undefined : ids.get(part.slice(joint.length));
    if (rest === undefined) return [{ text: part, wire: part }];
    return [
      { text: joint, wire: joint },
      { text: part.slice(joint.length), wire: `{${rest}}` },
    ];
  });
}

export function toWire(text: string, columns: readonly Named[]): string {
  return piecesOf(text, columns)
    .map((piece) => piece.wire)
    .join('');
}

/** Columns that are gone keep their id: the engine says so at its place. What stands in quotes is text, not a column. */
export function toText(wire: string, known: ReadonlyMap<string, Named>): string {
  return wire.replaceAll(/["“”„＂][^"“”„＂]*["“”„＂]|\{(c\d+)\}/gu, (whole, id: string | undefined) => {
    const name = id === undefined ? undefined : known.get(id)?.name;
    return name === undefined ? whole : quotedName(name);
  });
}

export interface Marked {
  before: string;
  token: string;
  after: string;
}

/** The token at a place of the wire, in the text people see. */
export function markAt(text: string, columns: readonly Named[], at: number): Marked {
  let [wire, place] = [0, 0];
  for (const piece of piecesOf(text, columns)) {
    if (at < wire + piece.wire.length) {
      const isName = piece.wire !== piece.text;
      const from = isName ? place : place + (at - wire);
      const length = isName || /^[\p{L}"`{_]/u.test(piece.text) ? piece.text.length : 1;
      const end = isName || length === 1 ? from + length : place + piece.text.length;
      return { before: text.slice(0, from), token: text.slice(from, end), after: text.slice(end) };
    }
    wire += piece.wire.length;
    place += piece.text.length;
  }
  return { before: text, token: ' ', after: '' };
}

/** What is being typed before the caret: the beginning of a name or of a function. Null inside of quotes or after nothing. */
export function typedBefore(text: string, caret: number): { from: number; query: string } | null {
  const before = text.slice(0, caret);
  if ((before.match(/["“”„＂]/gu) ?? []).length % 2 === 1) return null;
  const open = (before.match(/`/gu) ?? []).length % 2 === 1 ? before.lastIndexOf('`') : -1;
  if (open >= 0) return { from: open, query: before.slice(open + 1) };
  const word = /[\p{L}_][\p{L}\p{N}_.]*$/u.exec(before)?.[0] ?? '';
  return word === '' ? null : { from: caret - word.length, query: word };
}
