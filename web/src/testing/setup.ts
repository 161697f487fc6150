/** What jsdom lacks and the components need; how long a test waits for what it expects; what every test leaves behind. */
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

import { useToasts } from '../lib/toast.ts';
import { PATIENCE } from './eventually.ts';

configure({ asyncUtilTimeout: PATIENCE });

class ResizeObserverStub implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

globalThis.ResizeObserver ??= ResizeObserverStub;

if (typeof window !== 'undefined') {
  window.matchMedia ??= (query: string): MediaQueryList => ({
    matches: false,
    media: query,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    dispatchEvent: () => false,
  });
  Element.prototype.scrollIntoView ??= () => undefined;
}

afterEach(() => {
  cleanup();
  // The modules are shared by all files: what one test was told is no news to the next.
  useToasts.setState({ current: null });
});
