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
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  const place = chain.find((one) => one.isConnected);
  place?.focus({ preventScroll: true });
  if (document.activeElement !== place) place?.querySelector<HTMLElement>(TAKES_FOCUS)?.focus({ preventScroll: true });
}

/** Antd gives the focus back for dialogs that close while they stay mounted; this is for those that go at once. */
export function useFocusBack(open: boolean): void {
  const [before] = useState(() => chainOf(last));
  useEffect(() => (open ? () => giveBack(before) : undefined), [open, before]);
}
