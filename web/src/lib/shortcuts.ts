/** Keyboard shortcuts: never while an IME composes, single letters never while typing, and all of them can be switched off. */
import { useEffect, useRef } from 'react';
import { create } from 'zustand';

import { readStored, STORAGE, writeStored } from './storage.ts';

export const useShortcutsOn = create<{ on: boolean }>(() => ({ on: readStored(STORAGE.shortcuts) !== 'off' }));

export function switchShortcuts(on: boolean): void {
  writeStored(STORAGE.shortcuts, on ? null : 'off');
  useShortcutsOn.setState({ on });
}

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  if (target instanceof HTMLInputElement) return !/^(checkbox|radio|button|range|submit)$/.test(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** `Ctrl+Alt+L`, `?`, `/`: Ctrl also answers to the Mac's command key. */
export function matchesKeys(event: KeyboardEvent, keys: string): boolean {
  const parts = keys.split('+');
  const key = parts.pop() ?? '';
  const wants = (name: string) => parts.includes(name);
  if ((event.ctrlKey || event.metaKey) !== wants('Ctrl') || event.altKey !== wants('Alt')) return false;
  // Shift is part of what a sign like ? is typed with, so it only counts where letters and named keys are meant.
  if (/^([A-Za-z0-9]|\w{2,})$/.test(key) && event.shiftKey !== wants('Shift')) return false;
  return event.key.toLowerCase() === key.toLowerCase() || (wants('Alt') && event.code === `Key${key.toUpperCase()}`);
}

/** Calls `run` when the keys are pressed anywhere on the page. */
export function useShortcut(keys: string, run: (event: KeyboardEvent) => void, enabled = true): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (!enabled) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.isComposing || event.defaultPrevented || !useShortcutsOn.getState().on) return;
      const bare = !/Ctrl|Alt/.test(keys);
      if (bare && isTyping(event.target)) return;
      if (!matchesKeys(event, keys)) return;
      event.preventDefault();
      latest.current(event);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [keys, enabled]);
}
