import { vi } from 'vitest';

/** How long a test waits for something to come true, in ms: far more than it takes, so that a busy machine fails nothing. */
export const PATIENCE = 20_000;

/** Waits until a check passes; with fake timers it moves them on. */
export const eventually = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: PATIENCE });
