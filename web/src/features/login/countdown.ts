/** Counts down to a moment: a background tab that was paused shows the right number when it comes back, and a clock that is set shows no other. */
import { useCallback, useEffect, useState } from 'react';

export function secondsLeft(until: number, now: number): number {
  return Math.max(0, Math.ceil((until - now) / 1000));
}

export function useCountdown(seconds: number): { left: number; start: () => void } {
  const [until, setUntil] = useState(0);
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (until === 0) return;
    const tick = () => {
      const next = secondsLeft(until, performance.now());
      setLeft(next);
      if (next === 0) setUntil(0);
    };
    tick();
    const timer = setInterval(tick, 250);
    return () => clearInterval(timer);
  }, [until]);
  const start = useCallback(() => setUntil(performance.now() + seconds * 1000), [seconds]);
  return { left, start };
}
