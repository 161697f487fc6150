/** What a reader changes about a report without touching a value: number format, voice, tables, hidden blocks. Kept with the report, undoable. */
import { type Reading, READING } from '@hengxi/contracts/format';
import type { TableEdit } from '@hengxi/contracts/table-text';
import { useMemo, useState } from 'react';
import { z } from 'zod';

const Edit = z.object({
  decimals: z.number().int().min(0).max(10).nullish().catch(undefined),
  p: z.enum(['short', 'zero', 'exact']).optional().catch(undefined),
  turned: z.boolean().optional().catch(undefined),
  hidden: z.array(z.string()).optional().catch(undefined),
  order: z.array(z.string()).optional().catch(undefined),
  names: z.record(z.string(), z.string()).optional().catch(undefined),
});

const Stored = z.object({
  reading: z
    .object({
      decimals: z.number().int().min(0).max(10).nullable().catch(READING.decimals),
      p: z.enum(['short', 'zero', 'exact']).catch(READING.p),
      stars: z.enum(['usual', 'economics', 'none']).catch(READING.stars),
    })
    .catch(READING),
  voice: z.enum(['student', 'paper', 'brief']).catch('paper'),
  tables: z.record(z.string(), Edit).catch({}),
  hidden: z.array(z.string()).catch([]),
  grey: z.boolean().catch(false),
  cite: z.enum(['gbt', 'apa']).catch('gbt'),
});

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

/** A stored presentation may be older than this page or written by another tool: what it does not say is the default. */
export function readPresentation(stored: unknown): Presentation {
  const read = Stored.safeParse(stored ?? {});
  if (!read.success) return PRESENTATION;
  const tables: Record<string, TableEdit> = {};
  for (const [id, edit] of Object.entries(read.data.tables)) tables[id] = clean(edit);
  return { ...read.data, tables };
}

/** An edit without the keys that say nothing. */
function clean(edit: z.infer<typeof Edit>): TableEdit {
  const { decimals, p, turned, hidden, order, names } = edit;
  return {
    ...(decimals === undefined ? {} : { decimals }),
    ...(p === undefined ? {} : { p }),
    ...(turned === undefined ? {} : { turned }),
    ...(hidden === undefined ? {} : { hidden }),
    ...(order === undefined ? {} : { order }),
    ...(names === undefined ? {} : { names }),
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
