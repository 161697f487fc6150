/** The presentation of an open report, with undo either way. */
import { PRESENTATION, type Presentation } from '@hengxi/contracts/report/presentation';
import { useMemo, useState } from 'react';

export interface PresentationActions {
  value: Presentation;
  change: (next: Presentation) => void;
  undo: () => unknown;
  redo: () => unknown;
  canUndo: boolean;
  canRedo: boolean;
}

const DEPTH = 100;

interface Steps {
  past: Presentation[];
  future: Presentation[];
}

/** The presentation given by the page, or one of its own where the page keeps none; with undo either way. */
export function usePresentation(
  given: Presentation | undefined,
  onChange: ((next: Presentation) => void) | undefined,
): PresentationActions {
  const [own, setOwn] = useState(PRESENTATION);
  const [steps, setSteps] = useState<Steps>({ past: [], future: [] });
  const value = given ?? own;
  return useMemo(() => {
    const go = (next: Presentation, left: Steps): void => {
      setSteps(left);
      setOwn(next);
      onChange?.(next);
    };
    const { past, future } = steps;
    const [back, next] = [past.at(-1), future[0]];
    return {
      value,
      canUndo: back !== undefined,
      canRedo: next !== undefined,
      change: (to) => go(to, { past: [...past, value].slice(-DEPTH), future: [] }),
      undo: () => back !== undefined && go(back, { past: past.slice(0, -1), future: [value, ...future] }),
      redo: () => next !== undefined && go(next, { past: [...past, value], future: future.slice(1) }),
    };
  }, [value, steps, onChange]);
}
