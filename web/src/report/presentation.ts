/** What a reader changes about a report without touching a value: number format, voice, tables, hidden blocks. Kept with the report, undoable. */
import { type Reading, READING } from '@hengxi/contracts/format';
import type { TableEdit } from '@hengxi/contracts/table-text';
import { useMemo, useState } from 'react';

export interface Presentation {
  reading: Reading;
  voice: 'student' | 'paper' | 'brief';
  tables: Record<string, TableEdit>;
  /** Ids of blocks not shown. */
  hidden: string[];
  /** 灰度印刷 for the charts. */
  grey: boolean;
  cite: 'gbt' | 'apa';
}

export const PRESENTATION: Presentation = {
  reading: READING,
  voice: 'paper',
  tables: {},
  hidden: [],
  grey: false,
  cite: 'gbt',
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
    hidden: texts(all['hidden']),
    grey: all['grey'] === true,
    cite: oneOf(all['cite'], ['gbt', 'apa'], PRESENTATION.cite),
  };
}

/** Only what the edit says and what makes sense. */
function readEdit(edit: Stored): TableEdit {
  const p = P_FORMS.find((form) => form === edit['p']);
  const decimals = places(edit['decimals']);
  const names = isStored(edit['names']) ? Object.entries(edit['names']) : [];
  return {
    ...(decimals !== null || edit['decimals'] === null ? { decimals } : {}),
    ...(p === undefined ? {} : { p }),
    ...(typeof edit['turned'] === 'boolean' ? { turned: edit['turned'] } : {}),
    ...(Array.isArray(edit['hidden']) ? { hidden: texts(edit['hidden']) } : {}),
    ...(Array.isArray(edit['order']) ? { order: texts(edit['order']) } : {}),
    ...(names.length > 0
      ? { names: Object.fromEntries(names.filter((n): n is [string, string] => typeof n[1] === 'string')) }
      : {}),
  };
}

export interface PresentationHand {
  value: Presentation;
  change: (next: Presentation) => void;
  undo: () => unknown;
  redo: () => unknown;
  canUndo: boolean;
  canRedo: boolean;
}

const DEPTH = 100;

interface Steps {
  past: Presentation[];
  future: Presentation[];
}

/** The presentation given by the page, or one of its own where the page keeps none; with undo either way. */
export function usePresentation(
  given: Presentation | undefined,
  onChange: ((next: Presentation) => void) | undefined,
): PresentationHand {
  const [own, setOwn] = useState(PRESENTATION);
  const [steps, setSteps] = useState<Steps>({ past: [], future: [] });
  const value = given ?? own;
  return useMemo(() => {
    const go = (next: Presentation, left: Steps): void => {
      setSteps(left);
      setOwn(next);
      onChange?.(next);
    };
    const { past, future } = steps;
    const [back, next] = [past.at(-1), future[0]];
    return {
      value,
      canUndo: back !== undefined,
      canRedo: next !== undefined,
      change: (to) => go(to, { past: [...past, value].slice(-DEPTH), future: [] }),
      undo: () => back !== undefined && go(back, { past: past.slice(0, -1), future: [value, ...future] }),
      redo: () => next !== undefined && go(next, { past: [...past, value], future: future.slice(1) }),
    };
  }, [value, steps, onChange]);
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
