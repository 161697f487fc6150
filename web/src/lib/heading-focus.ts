/** Where the keys go on after a way to another page: at its heading, instead of at the top of the document. */
import { useEffect, useRef } from 'react';

const ACTS = ['keydown', 'pointerdown', 'wheel'] as const;

/**
 * What was pressed has left with its page, and the new one may still be loading: its heading gets the focus when it is
 * there, unless something has it already or the person has gone on by then.
 */
export function useHeadingFocus(pathname: string): void {
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return undefined;
    before.current = pathname;
    // Led on by the address that was opened: nobody has pressed anything yet.
    const { userActivation } = navigator as { userActivation?: UserActivation };
    if (userActivation && !userActivation.hasBeenActive) return undefined;
    const stop = (): void => {
      observer.disconnect();
      for (const act of ACTS) removeEventListener(act, stop, true);
    };
    const seek = (): void => {
      const heading = document.querySelector('h1');
      if (document.activeElement !== document.body || !(heading instanceof HTMLElement)) return;
      stop();
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(seek);
    observer.observe(document.body, { childList: true, subtree: true });
    for (const act of ACTS) addEventListener(act, stop, true);
    seek();
    return stop;
  }, [pathname]);
}
