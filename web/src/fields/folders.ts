/** Folders of the variable list by question prefix: a run of three or more columns of one question. The file's order is never changed. */
import type { Column } from './column.ts';
import { titleOf } from './column.ts';

export interface Folder {
  key: string;
  title: string;
  columns: readonly Column[];
  /** The columns are the choices of one multiple-answer question. */
  isSet: boolean;
}

/** A multiple-answer question, as a version carries it. */
export interface AnswerSetOf {
  id: string;
  name: string;
  label: string | null;
  columns: readonly string[];
}

export type Entry = { is: 'column'; column: Column } | { is: 'folder'; folder: Folder };

const LEAST = 3;

/** Q9 of Q9_1, 9 of 9、运动（跑步）, 压力量表 of 压力量表_01. Null where the name names no question. */
export function prefixOf(name: string): string | null {
  const numbered = /^([Qq]\d{1,4})(?=[_.\-（(:：、\s])/u.exec(name) ?? /^(\d{1,4})[、.．_（(]/u.exec(name);
  if (numbered?.[1] !== undefined) return numbered[1].toUpperCase();
  // The digits are a number of their own: x10 is the tenth x, not the first of x1.
  const stem = /^(.{1,29}?[^\d])(?:\d{1,3}|[（(][^()（）]{1,40}[)）])$/u.exec(name);
  const words = stem?.[1]?.replace(/[_\-.\s]+$/u, '') ?? '';
  return words.length >= 2 ? words : null;
}

/** What the names of a folder's columns have in common, without the loose ends. */
function commonTitle(prefix: string, columns: readonly Column[]): string {
  const [first = '', ...rest] = columns.map((column) => column.label ?? column.name);
  let length = first.length;
  for (const name of rest) while (length > 0 && !name.startsWith(first.slice(0, length))) length -= 1;
  const common = first.slice(0, length).replace(/[\s_\-（(:：、.．\d]+$/u, '');
  return common.length >= prefix.length ? common : prefix;
}

/** The columns from `at` on that belong to the same question. */
function runFrom(
  columns: readonly Column[],
  at: number,
  prefix: string,
  stops: ReadonlyMap<string, unknown>,
): Column[] {
  const rest = columns.slice(at);
  const end = rest.findIndex((column) => stops.has(column.id) || prefixOf(column.name) !== prefix);
  return end < 0 ? rest : rest.slice(0, end);
}

/** Where a question stands: at the first of its columns; the others are not listed again. */
function setFolder(set: AnswerSetOf, columns: readonly Column[]): Folder {
  const members = columns.filter((column) => set.columns.includes(column.id));
  const title = set.label === null || set.label === '' ? set.name : set.label;
  return { key: `set ${set.id}`, title, columns: members, isSet: true };
}

/** Every column once: of the columns of a question only the first stays, and leads to the question. */
function withSets(every: readonly Column[], sets: readonly AnswerSetOf[]) {
  const setOf = new Map(sets.toReversed().flatMap((set) => set.columns.map((id): [string, AnswerSetOf] => [id, set])));
  const heads = new Map<string, AnswerSetOf>();
  const seen = new Set<string>();
  const columns = every.filter((column) => {
    const set = setOf.get(column.id);
    if (!set) return true;
    if (seen.has(set.id)) return false;
    seen.add(set.id);
    heads.set(column.id, set);
    return true;
  });
  return { columns, heads };
}

export function foldersOf(every: readonly Column[], sets: readonly AnswerSetOf[] = []): Entry[] {
  const { columns, heads } = withSets(every, sets);
  const entries: Entry[] = [];
  let at = 0;
  while (at < columns.length) {
    const column = columns[at];
    if (column === undefined) break;
    const set = heads.get(column.id);
    if (set) {
      entries.push({ is: 'folder', folder: setFolder(set, every) });
      at += 1;
      continue;
    }
    const prefix = prefixOf(column.name);
    const run = prefix === null ? [column] : runFrom(columns, at, prefix, heads);
    if (prefix !== null && run.length >= LEAST) {
      entries.push({
        is: 'folder',
        folder: { key: `${prefix}@${column.id}`, title: commonTitle(prefix, run), columns: run, isSet: false },
      });
      at += run.length;
    } else {
      entries.push({ is: 'column', column });
      at += 1;
    }
  }
  return entries;
}

export type Row =
  | { is: 'folder'; key: string; title: string; count: number; open: boolean; isSet: boolean }
  | { is: 'column'; key: string; column: Column; deep: boolean };

export type Order = 'file' | 'name' | 'kind';

const KIND_ORDER = ['定量', '定类', '时间', '文本'];

/** The rows to draw. A search or another order shows all columns flat: nobody should have to open folders to find something. */
export function rowsOf(
  columns: readonly Column[],
  closed: ReadonlySet<string>,
  order: Order,
  hits: readonly Column[] | null,
  sets: readonly AnswerSetOf[] = [],
): Row[] {
  const flat = (list: readonly Column[]): Row[] =>
    list.map((column) => ({ is: 'column', key: column.id, column, deep: false }));
  if (hits !== null) return flat(hits);
  if (order === 'name')
    return flat(columns.toSorted((a, b) => titleOf(a).localeCompare(titleOf(b), 'zh-CN', { numeric: true })));
  if (order === 'kind')
    return flat(columns.toSorted((a, b) => KIND_ORDER.indexOf(a.measure) - KIND_ORDER.indexOf(b.measure)));
  return foldersOf(columns, sets).flatMap((entry): Row[] => {
    if (entry.is === 'column') return [{ is: 'column', key: entry.column.id, column: entry.column, deep: false }];
    const { folder } = entry;
    const open = !closed.has(folder.key);
    const { key, title, isSet } = folder;
    const head: Row = { is: 'folder', key, title, count: folder.columns.length, open, isSet };
    if (!open) return [head];
    return [head, ...folder.columns.map((column): Row => ({ is: 'column', key: column.id, column, deep: true }))];
  });
}
