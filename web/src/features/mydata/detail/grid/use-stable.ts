/** A function that stays the same and does what the latest drawing meant: rows and heads that got it need not be drawn again. */
import { useCallback, useLayoutEffect, useRef } from 'react';

export function useStable<A extends unknown[], R>(run: (...args: A) => R): (...args: A) => R {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  return useCallback((...args: A) => latest.current(...args), []);
}
