/** Whether a media query holds now; the component is drawn anew when that changes. */
import { useEffect, useState } from 'react';

export function useMedia(query: string): boolean {
  const [holds, setHolds] = useState(() => window.matchMedia(query).matches);
  useEffect(() => {
    const media = window.matchMedia(query);
    const changed = (): void => setHolds(media.matches);
    changed();
    media.addEventListener('change', changed);
    return () => media.removeEventListener('change', changed);
  }, [query]);
  return holds;
}

/** A phone: little room and a finger. A desktop page zoomed to 200 % has little room too, but a mouse: its panes are stacked. */
export const PHONE = '(max-width: 767px) and (pointer: coarse), (max-width: 479px)';
export const STACKED = '(max-width: 767px)';

export const usePhone = (): boolean => useMedia(PHONE);
export const useStacked = (): boolean => useMedia(STACKED);
