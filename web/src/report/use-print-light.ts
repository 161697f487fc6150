/** Paper is light and shows everything: for the time of printing the page takes the light theme, charts included, and opens what is folded. */
import { useEffect } from 'react';
import { flushSync } from 'react-dom';

import { useAppearance } from '../lib/appearance.ts';

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
