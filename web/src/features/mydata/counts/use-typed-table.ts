/** The table being typed with its past: what was entered survives closing the dialog and a reload, until it is used. */
import { useEffect, useReducer } from 'react';

import { CELL_DRAFTS, type DraftKey, readDraft, writeDraft } from '../../../lib/drafts.ts';
import { currentToken, ownerOf } from '../../../lib/session.ts';
import { begin, readTable, type TypedTable } from './typed-table.ts';

interface Past {
  past: readonly TypedTable[];
  now: TypedTable;
  future: readonly TypedTable[];
  /** Changes of one cell in a row are one step. */
  tag: string | null;
}

type Act = { do: 'set'; table: TypedTable; tag: string | null } | { do: 'undo' } | { do: 'redo' } | { do: 'clear' };

const DEPTH = 200;

export function reduce(state: Past, act: Act): Past {
  const { past, now, future } = state;
  switch (act.do) {
    case 'set': {
      if (act.table === now) return state;
      const together = act.tag !== null && act.tag === state.tag;
      return { past: together ? past : [...past, now].slice(-DEPTH), now: act.table, future: [], tag: act.tag };
    }
    case 'undo': {
      const last = past.at(-1);
      return last ? { past: past.slice(0, -1), now: last, future: [now, ...future], tag: null } : state;
    }
    case 'redo': {
      const [next, ...rest] = future;
      return next ? { past: [...past, now], now: next, future: rest, tag: null } : state;
    }
    case 'clear':
      return { past: [...past, now].slice(-DEPTH), now: begin(), future: [], tag: null };
  }
}

const draftKey = (): DraftKey => `${CELL_DRAFTS}${ownerOf(currentToken()) ?? ''}:counts`;

const start = (): Past => ({ past: [], now: readTable(readDraft(draftKey())) ?? begin(), future: [], tag: null });

export function useTypedTable() {
  const [state, act] = useReducer(reduce, null, start);
  const { past, now, future } = state;
  useEffect(() => {
    if (past.length > 0) writeDraft(draftKey(), now);
  }, [past.length, now]);
  return {
    table: now,
    set: (table: TypedTable, tag: string | null = null) => act({ do: 'set', table, tag }),
    undo: past.length > 0 ? () => act({ do: 'undo' }) : null,
    redo: future.length > 0 ? () => act({ do: 'redo' }) : null,
    clear: () => act({ do: 'clear' }),
    /** It has become data. */
    forget: () => writeDraft(draftKey(), null),
  };
}
