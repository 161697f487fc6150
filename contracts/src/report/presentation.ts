/** What a reader changes about a report without touching a value: number format, voice, tables, hidden blocks. Kept with the report, undoable. */
import { type FigureEdit, type FigureStyle, readFigure, STYLE_KEYS } from '../chart/figure-edit.ts';
import { type Reading, READING } from '../format.ts';
import type { TableEdit } from '../table-text.ts';
import { type TableStyle, TABLE_STYLES } from './table-style.ts';

export interface Presentation {
  reading: Reading;
  voice: 'student' | 'paper' | 'brief';
  tables: Record<string, TableEdit>;
  /** Of tables that have none of their own. */
  style: TableStyle;
  /** By the key of the block; charts of a panel by the panel's key, a slash and their id. */
  figures: Record<string, FigureEdit>;
  /** 套用到全部图. */
  allFigures: FigureStyle;
  /** What the reader wrote below a block, by its key; sections have the keys of `SECTION_NOTES`. Goes out with exports and shares. */
  notes: Record<string, string>;
  /** Ids of blocks not shown. */
  hidden: string[];
  /** 灰度印刷 for the charts. */
  grey: boolean;
  cite: 'gbt' | 'apa';
  /** Results that remedies added beside this one: reports of their own in the same project. For the owner's eyes only. */
  beside: ComparedReport[];
}

export interface ComparedReport {
  rid: number;
  /** What was done otherwise: 改用 HC3 标准误 */
  title: string;
}

export const PRESENTATION: Presentation = {
  reading: READING,
  voice: 'paper',
  tables: {},
  style: 'three',
  figures: {},
  allFigures: {},
  notes: {},
  hidden: [],
  grey: false,
  cite: 'gbt',
  beside: [],
};

type Stored = Readonly<Record<string, unknown>>;

function isStored(value: unknown): value is Stored {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function oneOf<T extends string>(value: unknown, words: readonly T[], otherwise: T): T {
  return words.find((word) => word === value) ?? otherwise;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((t: unknown): t is string => typeof t === 'string') : [];
}

function places(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 10 ? value : null;
}

const P_FORMS = ['short', 'zero', 'exact'] as const;

/** A stored presentation may be older than this page or written by another tool: what it does not say is the default. */
export function readPresentation(stored: unknown): Presentation {
  const all = isStored(stored) ? stored : {};
  const reading = isStored(all['reading']) ? all['reading'] : {};
  const tables = isStored(all['tables']) ? all['tables'] : {};
  return {
    reading: {
      decimals: places(reading['decimals']),
      p: oneOf(reading['p'], P_FORMS, READING.p),
      stars: oneOf(reading['stars'], ['usual', 'economics', 'none'], READING.stars),
    },
    voice: oneOf(all['voice'], ['student', 'paper', 'brief'], PRESENTATION.voice),
    tables: Object.fromEntries(Object.entries(tables).map(([id, edit]) => [id, isStored(edit) ? readEdit(edit) : {}])),
    style: oneOf(all['style'], TABLE_STYLES, PRESENTATION.style),
    figures: entriesOf(all['figures'], readFigure),
    allFigures: styleOf(readFigure(all['allFigures'])),
    notes: entriesOf(all['notes'], (note) => (typeof note === 'string' ? note.slice(0, NOTE_MOST) : '')),
    hidden: texts(all['hidden']),
    grey: all['grey'] === true,
    cite: oneOf(all['cite'], ['gbt', 'apa'], PRESENTATION.cite),
    beside: Array.isArray(all['beside']) ? all['beside'].flatMap(readComparisons) : [],
  };
}

function readComparisons(stored: unknown): ComparedReport[] {
  if (!isStored(stored)) return [];
  const { rid, title } = stored;
  return typeof rid === 'number' && typeof title === 'string' ? [{ rid, title }] : [];
}

export const NOTE_MOST = 2000;

function entriesOf<T>(stored: unknown, read: (value: unknown) => T): Record<string, T> {
  return isStored(stored) ? Object.fromEntries(Object.entries(stored).map(([id, value]) => [id, read(value)])) : {};
}

/** The part of an edit that can hold for all figures. */
export function styleOf(edit: FigureEdit): FigureStyle {
  return Object.fromEntries(STYLE_KEYS.flatMap((key) => (edit[key] === undefined ? [] : [[key, edit[key]]])));
}

/** Everything that holds for a figure: its own edit over what holds for all, and grey print where nothing else is said. */
export function figureOf(presentation: Presentation, id: string): FigureEdit {
  const { figures, allFigures, grey } = presentation;
  return editOver({ ...(grey ? { palette: 'grey' as const } : {}), ...allFigures }, figures[id]);
}

/** What a figure says itself over what it follows, which is all figures or its panel. */
export function editOver(followed: FigureEdit, own: FigureEdit = {}): FigureEdit {
  const { asPage, ...edit } = { ...followed, ...own };
  if (asPage === true && own.size === undefined) delete edit.size;
  return edit;
}

/** `undefined` takes a word out of the edit; an empty edit leaves nothing behind. */
export function withFigure(
  presentation: Presentation,
  id: string,
  edit: { [K in keyof FigureEdit]?: FigureEdit[K] | undefined },
): Presentation {
  const own = Object.entries({ ...presentation.figures[id], ...edit }).filter(([, value]) => value !== undefined);
  const others = Object.entries(presentation.figures).filter(([key]) => key !== id);
  const all = own.length === 0 ? others : [...others, [id, Object.fromEntries(own)] as const];
  return { ...presentation, figures: Object.fromEntries(all) };
}

/** What a figure shows in colours, letters and size holds for all from now on; what others said of these is dropped. */
export function withAllFigures(presentation: Presentation, id: string): Presentation {
  const style = styleOf(figureOf(presentation, id));
  // A figure that says nothing more is not one that was edited.
  const own = Object.entries(presentation.figures).flatMap(
    ([key, { palette: _p, pt: _t, size: _s, asPage: _a, letters: _l, ...rest }]) =>
      Object.keys(rest).length === 0 ? [] : [[key, rest] as const],
  );
  return { ...presentation, grey: false, figures: Object.fromEntries(own), allFigures: style };
}

/** 灰度印刷 for every figure, or colours again. */
export function withGrey(presentation: Presentation, grey: boolean): Presentation {
  const plain = <T extends FigureStyle>({ palette: _palette, ...rest }: T): Omit<T, 'palette'> => rest;
  const figures = Object.fromEntries(Object.entries(presentation.figures).map(([key, edit]) => [key, plain(edit)]));
  return { ...presentation, grey, figures, allFigures: plain(presentation.allFigures) };
}

export function withNote(presentation: Presentation, id: string, note: string): Presentation {
  const { [id]: _, ...others } = presentation.notes;
  return { ...presentation, notes: note.trim() === '' ? others : { ...others, [id]: note.trim() } };
}

/** Keys of the notes of whole sections. */
export const SECTION_NOTES = { lead: '@lead', checks: '@checks', texts: '@texts', sample: '@sample' } as const;
export type NotedSection = keyof typeof SECTION_NOTES;

/** The style a table is shown in. */
export function tableStyle(presentation: Presentation, id: string): TableStyle {
  return presentation.tables[id]?.style ?? presentation.style;
}

/** Only what the edit says and what makes sense. */
function readEdit(edit: Stored): TableEdit {
  const p = P_FORMS.find((form) => form === edit['p']);
  const decimals = places(edit['decimals']);
  const style = TABLE_STYLES.find((known) => known === edit['style']);
  const rows = isStored(edit['rows']) ? edit['rows'] : null;
  const names = isStored(edit['names']) ? Object.entries(edit['names']) : [];
  return {
    ...(decimals !== null || edit['decimals'] === null ? { decimals } : {}),
    ...(p === undefined ? {} : { p }),
    ...(typeof edit['turned'] === 'boolean' ? { turned: edit['turned'] } : {}),
    ...(Array.isArray(edit['hidden']) ? { hidden: texts(edit['hidden']) } : {}),
    ...(Array.isArray(edit['order']) ? { order: texts(edit['order']) } : {}),
    ...(names.length > 0 ? { names: pairsOf(names) } : {}),
    ...(style === undefined ? {} : { style }),
    ...(rows === null
      ? {}
      : {
          rows: {
            hidden: texts(rows['hidden']),
            order: texts(rows['order']),
            names: pairsOf(isStored(rows['names']) ? Object.entries(rows['names']) : []),
          },
        }),
  };
}

function pairsOf(entries: readonly [string, unknown][]): Record<string, string> {
  return Object.fromEntries(entries.filter((n): n is [string, string] => typeof n[1] === 'string'));
}

export function withTable(presentation: Presentation, id: string, edit: TableEdit): Presentation {
  return { ...presentation, tables: { ...presentation.tables, [id]: { ...presentation.tables[id], ...edit } } };
}

export function withHidden(presentation: Presentation, id: string): Presentation {
  return { ...presentation, hidden: [...presentation.hidden.filter((h) => h !== id), id] };
}

export function isEdited(edit: TableEdit | undefined): boolean {
  return (
    edit !== undefined &&
    Object.values(edit).some(
      (v) =>
        v !== undefined &&
        v !== null &&
        v !== false &&
        !(Array.isArray(v) && v.length === 0) &&
        !(typeof v === 'object' && !Array.isArray(v) && Object.keys(v).length === 0),
    )
  );
}
