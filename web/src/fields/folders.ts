/**
 * Folders of the variable list: the user's own first, then questions, by set or by prefix (a run of three or more columns).
 * The file's order is never changed.
 */
import type { Column } from './column.ts';
import { titleOf } from './column.ts';
import { setOf } from './answer-sets.ts';
import type { OwnFolder } from './own-folders.ts';

export interface Folder {
  key: string;
  title: string;
  columns: readonly Column[];
  /** The columns are the choices of one multiple-answer question. */
  isSet: boolean;
  /** Its id where it is a multiple-answer question: it can be chosen and dragged as a whole. */
  set?: string;
  /** Its id where the user made it. */
  own?: string;
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
  const common = first.slice(0, length).replace(/[\s_\-—–（(:：、.．\d]+$/u, '');
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
  return { key: `set ${set.id}`, title, columns: members, isSet: true, set: set.id };
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

/** A folder made by hand; its variables keep the order of the file. */
function ownFolder({ id, name, columns }: OwnFolder, every: readonly Column[]): Entry {
  const members = new Set(columns);
  const inside = every.filter((column) => members.has(column.id));
  return { is: 'folder', folder: { key: `own ${id}`, title: name, columns: inside, isSet: false, own: id } };
}

export function foldersOf(
  every: readonly Column[],
  sets: readonly AnswerSetOf[] = [],
  own: readonly OwnFolder[] = [],
): Entry[] {
  const put = new Set(own.flatMap((folder) => folder.columns));
  const others = put.size === 0 ? every : every.filter((column) => !put.has(column.id));
  const { columns, heads } = withSets(others, sets);
  const entries: Entry[] = own.map((folder) => ownFolder(folder, every));
  let at = 0;
  while (at < columns.length) {
    const column = columns[at];
    if (column === undefined) break;
    const set = heads.get(column.id);
    if (set) {
      entries.push({ is: 'folder', folder: setFolder(set, others) });
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

/** The start of a variable's title that its folder says already: four items of one question are told apart by their ends. */
export function saidByFolder(title: string, folder: string): string {
  if (!title.startsWith(folder)) return '';
  const rest = title.slice(folder.length).replace(/^[\s_\-—–:：、.．]+/u, '');
  // Bare numbers say nothing by themselves.
  return /\p{L}/u.test(rest) ? title.slice(0, title.length - rest.length) : '';
}

export type Row =
  | {
      is: 'folder';
      key: string;
      title: string;
      count: number;
      open: boolean;
      isSet: boolean;
      own: string | null;
      set: string | null;
      columns: readonly Column[];
    }
  | {
      is: 'column';
      key: string;
      column: Column;
      deep: boolean;
      folder: string | null;
      /** What its folder says of its title. */
      said: string;
    };

export type Order = 'file' | 'name' | 'kind';

const KIND_ORDER = ['定量', '定类', '时间', '文本'];

/** The rows to draw. A search or another order shows all columns flat: nobody should have to open folders to find something. */
export function rowsOf(
  columns: readonly Column[],
  closed: ReadonlySet<string>,
  order: Order,
  hits: readonly Column[] | null,
  sets: readonly AnswerSetOf[] = [],
  own: readonly OwnFolder[] = [],
): Row[] {
  const flat = (list: readonly Column[]): Row[] =>
    list.map((column) => ({ is: 'column', key: column.id, column, deep: false, folder: null, said: '' }));
  if (hits !== null) return flat(hits);
  if (order === 'name')
    return flat(columns.toSorted((a, b) => titleOf(a).localeCompare(titleOf(b), 'zh-CN', { numeric: true })));
  if (order === 'kind')
    return flat(columns.toSorted((a, b) => KIND_ORDER.indexOf(a.measure) - KIND_ORDER.indexOf(b.measure)));
  return foldersOf(columns, sets, own).flatMap((entry): Row[] => {
    if (entry.is === 'column') return flat([entry.column]);
    const { key, title, isSet, own: id = null, set = null, columns: inside } = entry.folder;
    const open = !closed.has(key);
    const head: Row = { is: 'folder', key, title, count: inside.length, open, isSet, own: id, set, columns: inside };
    if (!open) return [head];
    const row = (column: Column): Row => {
      return {
        is: 'column',
        key: column.id,
        column,
        deep: true,
        folder: key,
        said: saidByFolder(titleOf(column), title),
      };
    };
    return [head, ...inside.map(row)];
  });
}

/** What can be chosen in a row: a variable, or a question with several answers. */
export function idOfRow(row: Row): string | null {
  return row.is === 'column' ? row.column.id : row.set;
}

export interface Listed {
  columns: readonly Column[];
  /** Sets as entries of the list. */
  sets: readonly Column[];
  closed: ReadonlySet<string>;
  order: Order;
  hits: readonly Column[] | null;
  folders: readonly OwnFolder[];
}

/** The rows of an analysis: as on the data page, and a question with several answers is an entry of its own. */
export function listRows({ columns, sets, closed, order, hits, folders }: Listed): Row[] {
  const questions = sets.flatMap((entry) => {
    const set = setOf(entry);
    return set === null ? [] : [{ id: set.set, name: set.name, label: null, columns: set.columns }];
  });
  const here = new Set(columns.map(({ id }) => id));
  const seen = sets.filter((entry) => setOf(entry)?.columns.some((id) => here.has(id)) === true);
  const every = order === 'file' ? columns : [...columns, ...seen];
  return rowsOf(every, closed, order, hits, questions, folders);
}
