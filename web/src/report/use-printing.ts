/** Paper is light and shows everything: for the time of printing the page takes the light theme and opens what is folded. */
import { useEffect, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

import { useAppearance } from '../lib/appearance.ts';

let printing = false;

/** The browser lays the page out for paper right after the event: what changes must change within it. */
function watch(onChange: () => void): () => void {
  const set = (next: boolean) => (): void => {
    printing = next;
    flushSync(onChange);
  };
  const [start, end] = [set(true), set(false)];
  addEventListener('beforeprint', start);
  addEventListener('afterprint', end);
  return () => {
    removeEventListener('beforeprint', start);
    removeEventListener('afterprint', end);
  };
}

export function usePrinting(): boolean {
  return useSyncExternalStore(
    watch,
    () => printing,
    () => false,
  );
}

/** For pages: dark surroundings, charts included, turn light on paper and back again. */
export function usePrintLight(): void {
  useEffect(() => {
    let before: 'light' | 'dark' | null = null;
    const show = (shown: 'light' | 'dark'): void => {
      document.documentElement.dataset['theme'] = shown;
      flushSync(() => useAppearance.setState({ shown }));
    };
    const start = (): void => {
      const { shown } = useAppearance.getState();
      if (shown === 'light') return;
      before = shown;
      show('light');
    };
    const end = (): void => {
      if (before === null) return;
      show(before);
      before = null;
    };
    addEventListener('beforeprint', start);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', start);
      removeEventListener('afterprint', end);
    };
  }, []);
}
