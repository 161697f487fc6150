/** Undo and redo as data: every moment is the whole of what the user set, so nothing has to be played backwards. */
import type { Form } from './form.ts';
import { same } from './form.ts';

export interface Work {
  /** The data version: a change of type makes a new one, and undoing it returns to the old. */
  vid: number;
  form: Form;
}

export interface HistoryEntry extends Work {
  /** What was done to get here: 加入“年龄”. */
  text: string;
  at: number;
  /** Changes with the same tag in quick succession are one step (typing, dragging a slider). */
  tag: string | null;
}

export interface History {
  past: readonly HistoryEntry[];
  now: HistoryEntry;
  future: readonly HistoryEntry[];
}

const DEPTH = 200;
const TOGETHER_MS = 1000;

export function begin(work: Work, at = 0): History {
  return { past: [], now: { ...work, text: '打开分析', at, tag: null }, future: [] };
}

export function commit(history: History, work: Work, text: string, at: number, tag: string | null = null): History {
  const { now } = history;
  if (now.vid === work.vid && same(now.form, work.form)) return history;
  const next: HistoryEntry = { ...work, text, at, tag };
  const together = tag !== null && now.tag === tag && at - now.at < TOGETHER_MS;
  if (together) return { ...history, now: next, future: [] };
  return { past: [...history.past, now].slice(-DEPTH), now: next, future: [] };
}

export function undo(history: History): History {
  const last = history.past.at(-1);
  if (last === undefined) return history;
  return { past: history.past.slice(0, -1), now: last, future: [history.now, ...history.future] };
}

export function redo(history: History): History {
  const [next, ...rest] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.now], now: next, future: rest };
}

/** What the buttons say: the step that would be taken back, or made again. */
export function undoText(history: History): string | null {
  return history.past.length === 0 ? null : history.now.text;
}

export function redoText(history: History): string | null {
  return history.future[0]?.text ?? null;
}
