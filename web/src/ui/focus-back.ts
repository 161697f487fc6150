/** Where the focus goes when a dialog leaves the page together with what had the focus in it. */
import { useEffect, useState } from 'react';

/** What had the focus last, menus aside: they are gone by the time a dialog that they opened is closed. */
let last: Element | null = null;
document.addEventListener('focusin', ({ target }) => {
  if (target instanceof Element && target.closest('[role="menu"]') === null) last = target;
});

const TAKES_FOCUS = 'button:not(:disabled), input:not(:disabled), textarea, select, a[href], [tabindex="0"]';

/** From the element outwards, as far as its part of the page reaches: what is still there afterwards gets the focus. */
function chainOf(element: Element | null): HTMLElement[] {
  const chain: HTMLElement[] = [];
  for (let one = element; one instanceof HTMLElement && !one.matches('main, body, #root'); one = one.parentElement)
    chain.push(one);
  return chain;
}

function giveBack(chain: readonly HTMLElement[]): void {
  const { activeElement } = document;
  // A menu that closes holds the focus until it has faded.
  if (activeElement !== null && activeElement !== document.body && activeElement.closest('[role="menu"]') === null)
    return;
  const place = chain.find((one) => one.isConnected);
  place?.focus({ preventScroll: true });
  if (document.activeElement !== place) place?.querySelector<HTMLElement>(TAKES_FOCUS)?.focus({ preventScroll: true });
}

/** Antd gives the focus back for dialogs that close while they stay mounted; this is for those that go at once. */
export function useFocusBack(open: boolean): void {
  const [before] = useState(() => chainOf(last));
  useEffect(() => (open ? () => giveBack(before) : undefined), [open, before]);
}

/** What a menu leaves behind: the focus is where it was before, unless what was chosen has taken it. */
export function useFocusAfterMenu(open: boolean): void {
  useEffect(() => {
    if (!open) return;
    const before = chainOf(last);
    // Not in the midst of the key that chose: Enter would press the button as well, and open the menu again.
    return () => void setTimeout(() => giveBack(before));
  }, [open]);
}
