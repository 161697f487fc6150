/** What jsdom lacks and the components need; how long a test waits for what it expects. */
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

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

afterEach(() => cleanup());
