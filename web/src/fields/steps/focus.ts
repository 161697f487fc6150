/** A step that was moved or switched keeps the focus, and what follows a deleted one gets it, although the list is drawn anew with the version that was made. */
let wanted: number | null = null;

export function focusNext(number: number): void {
  wanted = number;
}

/** True once for the step that is to have the focus. */
export function takesFocus(number: number): boolean {
  if (wanted !== number) return false;
  wanted = null;
  return true;
}
