/** Where the focus goes when a dialog leaves the page together with what had the focus in it. */
import { type RefObject, useEffect, useState } from 'react';

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
  if (document.activeElement === place) return;
  const inside = place?.querySelector<HTMLElement>('[data-rests]') ?? place?.querySelector<HTMLElement>(TAKES_FOCUS);
  inside?.focus({ preventScroll: true });
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

/** Where whoever goes on by keys goes on in a part of the page, if there is such a place: a box that takes variables. */
export const RESTS = { 'data-rests': '' };

/**
 * What is pressed may leave the page with what it does: 改为定类 with the warning that offers it. The keys go on beside it
 * then, not at the top of the page. For the parts of a page in which that happens.
 */
export function useFocusStays(root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const place = root.current;
    if (place === null) return;
    let held: HTMLElement[] = [];
    const hold = ({ target }: FocusEvent): void => void (held = target instanceof Element ? chainOf(target) : []);
    // Who points elsewhere has left by himself.
    const letGo = (): void => void (held = []);
    const watch = new MutationObserver(() => {
      if (held[0]?.isConnected !== false) return;
      const before = held;
      held = [];
      giveBack(before);
    });
    watch.observe(place, { childList: true, subtree: true });
    place.addEventListener('focusin', hold);
    document.addEventListener('pointerdown', letGo, true);
    return () => {
      watch.disconnect();
      place.removeEventListener('focusin', hold);
      document.removeEventListener('pointerdown', letGo, true);
    };
  }, [root]);
}
