/** A dialog whose code does not load must not take the page with it: a notice instead, and everything else stays. */
import { Component, type ReactNode } from 'react';

import { isChunkError, tellChunkFailed } from '../lib/chunk.ts';

export class ChunkBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(error: unknown): { failed: boolean } {
    if (!isChunkError(error)) throw error;
    return { failed: true };
  }

  override componentDidCatch(): void {
    tellChunkFailed();
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}
