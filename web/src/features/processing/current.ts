/** The version worked on last, shared with the other pages through the browser's storage. */
import { readStored, writeStored } from '../../lib/storage.ts';

const KEY = 'hx_current';

export function readCurrent(): number | null {
  const vid = Number(readStored(KEY));
  return Number.isInteger(vid) && vid > 0 ? vid : null;
}

export function writeCurrent(vid: number | null): void {
  writeStored(KEY, vid === null ? null : String(vid));
}
