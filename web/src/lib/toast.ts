/** One toast at a time (specification section 8). The drawing is ui/toaster.tsx; anyone may ask for one. */
import { create } from 'zustand';

export type ToastKind = 'done' | 'note' | 'warn' | 'bad';

export interface Toast {
  id: number;
  kind: ToastKind;
  text: string;
  /** null: stays until it is closed. */
  ms: number | null;
  action?: { text: string; run: () => void } | undefined;
  onClose?: (() => void) | undefined;
}

interface Toasts {
  current: Toast | null;
}

export const useToasts = create<Toasts>(() => ({ current: null }));

let last = 0;

export interface ToastOptions {
  ms?: number | null;
  action?: { text: string; run: () => void };
  onClose?: () => void;
}

function show(kind: ToastKind, text: string, options: ToastOptions): void {
  const shown = useToasts.getState().current;
  // A notice that waits to be closed (signed in elsewhere) is not pushed away by what fails after it.
  if (shown?.ms === null) return;
  last += 1;
  const ms = options.ms === undefined ? defaultTime(kind, options.action !== undefined) : options.ms;
  useToasts.setState({ current: { id: last, kind, text, ms, action: options.action, onClose: options.onClose } });
}

function defaultTime(kind: ToastKind, hasAction: boolean): number {
  if (hasAction) return 6000;
  return kind === 'warn' || kind === 'bad' ? 3000 : 2000;
}

export const toast = {
  done: (text: string, options: ToastOptions = {}) => show('done', text, options),
  note: (text: string, options: ToastOptions = {}) => show('note', text, options),
  warn: (text: string, options: ToastOptions = {}) => show('warn', text, options),
  bad: (text: string, options: ToastOptions = {}) => show('bad', text, options),
  close: (id?: number) => {
    const { current } = useToasts.getState();
    if (!current || (id !== undefined && current.id !== id)) return;
    useToasts.setState({ current: null });
    current.onClose?.();
  },
};
