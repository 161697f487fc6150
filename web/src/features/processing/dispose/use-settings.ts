/** The settings of the step with their undo: every change is a moment, typing in one field a single one. */
import type { Declaration } from '@hengxi/contracts/contract';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';

import type { Form } from '../../../fields/form.ts';
import { begin, commit, redo, redoText, undo, undoText } from '../../../fields/history.ts';
import type { NamedMove } from './undo-buttons.tsx';

export interface Settings {
  form: Form;
  commit: (form: Form, key?: string) => void;
  moves: { undo: NamedMove | null; redo: NamedMove | null };
}

/** What was not applied on an earlier visit, and where it is kept. */
export interface Kept {
  draft: Form | null;
  /** null: nothing differs from the start. */
  keep: (form: Form | null) => void;
}

const NOTHING_KEPT: Kept = { draft: null, keep: () => undefined };

export function useSettings(
  { fields }: Declaration,
  vid: number,
  start: Form,
  { draft, keep }: Kept = NOTHING_KEPT,
): Settings {
  const [history, setHistory] = useState(() => {
    const fresh = begin({ vid, form: start });
    return draft === null ? fresh : commit(fresh, { vid, form: draft }, '恢复未应用的设置', Date.now(), null);
  });
  const first = useRef(history);
  const latestKeep = useRef(keep);
  useEffect(() => {
    latestKeep.current = keep;
  });
  useEffect(() => {
    if (history !== first.current) latestKeep.current(history.past.length === 0 ? null : history.now.form);
  }, [history]);
  const titles = useMemo(() => new Map<string, string>(fields.map(({ key, title }) => [key, title])), [fields]);
  const change = useCallback(
    (form: Form, key?: string): void => {
      const title = key === undefined ? undefined : titles.get(key);
      const text = key === '_filter' ? '修改筛选' : title === undefined ? '修改设置' : `修改“${title}”`;
      const at = Date.now();
      setHistory((old) => commit(old, { vid, form }, text, at, key ?? null));
    },
    [titles, vid],
  );
  const undone = undoText(history);
  const redone = redoText(history);
  return {
    form: history.now.form,
    commit: change,
    moves: {
      undo: undone === null ? null : { text: undone, run: () => setHistory(undo) },
      redo: redone === null ? null : { text: redone, run: () => setHistory(redo) },
    },
  };
}
