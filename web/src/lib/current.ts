/** The version worked on last, remembered by this device: what a page without an address of its own offers. */
import { readStored, writeStored } from './storage.ts';

const KEY = 'hx_current';

export function readCurrentVid(): number | null {
  const vid = Number(readStored(KEY));
  return Number.isInteger(vid) && vid > 0 ? vid : null;
}

export function writeCurrentVid(vid: number | null): void {
  writeStored(KEY, vid === null ? null : String(vid));
}
