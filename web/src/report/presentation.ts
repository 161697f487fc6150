/** What a reader changes about a report without touching a value: number format, voice, tables, hidden blocks. Kept with the report, undoable. */
import { type Reading, READING } from '@hengxi/contracts/format';
import type { TableEdit } from '@hengxi/contracts/table-text';
import { useMemo, useRef, useState } from 'react';
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

export const PRESENTATION: Presentation = { reading: READING, voice: 'paper', tables: {}, hidden: [], grey: false, cite: 'gbt' };

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
  undo: () => void;
  redo: () => void;
  canUndo: boolean;
  canRedo: boolean;
}

const DEPTH = 100;

/** The presentation given by the page, or one of its own where the page keeps none; with undo either way. */
export function usePresentation(given: Presentation | undefined, onChange: ((next: Presentation) => void) | undefined): PresentationHand {
  const [own, setOwn] = useState(PRESENTATION);
  const [steps, setSteps] = useState<{ past: Presentation[]; future: Presentation[] }>({ past: [], future: [] });
  const value = given ?? own;
  const latest = useRef(value);
  latest.current = value;
  const tell = useRef(onChange);
  tell.current = onChange;
  return useMemo(() => {
    const set = (next: Presentation): void => {
      setOwn(next);
      tell.current?.(next);
    };
    return {
      value,
      canUndo: steps.past.length > 0,
      canRedo: steps.future.length > 0,
      change: (next) => {
        setSteps(({ past }) => ({ past: [...past, latest.current].slice(-DEPTH), future: [] }));
        set(next);
      },
      undo: () => {
        const back = steps.past.at(-1);
        if (back === undefined) return;
        setSteps(({ past, future }) => ({ past: past.slice(0, -1), future: [latest.current, ...future] }));
        set(back);
      },
      redo: () => {
        const next = steps.future[0];
        if (next === undefined) return;
        setSteps(({ past, future }) => ({ past: [...past, latest.current], future: future.slice(1) }));
        set(next);
      },
    };
  }, [value, steps]);
}

export function withTable(presentation: Presentation, id: string, edit: TableEdit): Presentation {
  return { ...presentation, tables: { ...presentation.tables, [id]: { ...presentation.tables[id], ...edit } } };
}

export function isEdited(edit: TableEdit | undefined): boolean {
  return edit !== undefined && Object.values(edit).some((v) => v !== undefined && v !== null && v !== false && !(Array.isArray(v) && v.length === 0) && !(typeof v === 'object' && !Array.isArray(v) && Object.keys(v).length === 0));
}
