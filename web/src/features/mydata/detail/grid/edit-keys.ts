/** What a key means while cells may be edited. */

/** closed: a cell is only active; typing: arrows end the entry; editing (F2, double click): arrows move the caret. */
export type EditMode = 'closed' | 'typing' | 'editing';

export type EditAct =
  | { act: 'open' | 'clear' | 'undo' | 'redo' | 'cancel' }
  | { act: 'commit'; down: number; right: number }
  | { act: 'step'; right: number };

interface Key {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
}

const ARROWS: Record<string, readonly [number, number]> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

/** null: not a key of editing; moving about and the field itself have their turn. */
export function editAct({ key, ctrlKey, metaKey, shiftKey }: Key, mode: EditMode): EditAct | null {
  const control = ctrlKey || metaKey;
  const back = shiftKey ? -1 : 1;
  if (mode === 'closed') {
    if (control && key.toLowerCase() === 'z') return { act: shiftKey ? 'redo' : 'undo' };
    if (control && key.toLowerCase() === 'y') return { act: 'redo' };
    if (control) return null;
    if (key === 'F2' || key === 'Enter') return { act: 'open' };
    if (key === 'Delete' || key === 'Backspace') return { act: 'clear' };
    return key === 'Tab' ? { act: 'step', right: back } : null;
  }
  if (key === 'Escape') return { act: 'cancel' };
  if (key === 'Enter') return { act: 'commit', down: back, right: 0 };
  if (key === 'Tab') return { act: 'commit', down: 0, right: back };
  const arrow = mode === 'typing' && !control && !shiftKey ? ARROWS[key] : undefined;
  return arrow ? { act: 'commit', down: arrow[0], right: arrow[1] } : null;
}
