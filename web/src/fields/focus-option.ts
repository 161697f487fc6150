/** Brings the reader to the option that a remedy of a report has set: in sight, focused, marked until the focus leaves it. */
import { type RefObject, useEffect } from 'react';

/** Fields a remedy has set, made anew for each remedy: the same one twice leads there twice. */
export interface OptionTarget {
  keys: readonly string[];
}

function placeOf(form: HTMLElement, key: string): HTMLElement | null {
  const places = [...form.querySelectorAll<HTMLElement>('[data-field], [data-box]')];
  return places.find(({ dataset }) => dataset['field'] === key || dataset['box'] === key) ?? null;
}

function controlOf(place: HTMLElement): HTMLElement | null {
  const inside = place.querySelector<HTMLElement>('[data-control]') ?? place;
  return (
    inside.querySelector<HTMLElement>('input:checked:enabled') ??
    inside.querySelector<HTMLElement>('[tabindex="0"], input:enabled, textarea:enabled, button:enabled')
  );
}

/** `key`: the first of the fields sought that is on screen. */
export function useFocusOption(
  form: RefObject<HTMLElement | null>,
  sought: OptionTarget | null,
  key: string | null,
): void {
  useEffect(() => {
    const place = sought === null || key === null || form.current === null ? null : placeOf(form.current, key);
    if (place === null) return undefined;
    const leave = (event: FocusEvent): void => {
      if (!(event.relatedTarget instanceof Node && place.contains(event.relatedTarget)))
        delete place.dataset['arrived'];
    };
    place.scrollIntoView({ block: 'center' });
    controlOf(place)?.focus({ preventScroll: true });
    place.dataset['arrived'] = '';
    place.addEventListener('focusout', leave);
    return () => {
      place.removeEventListener('focusout', leave);
      delete place.dataset['arrived'];
    };
  }, [form, sought, key]);
}
