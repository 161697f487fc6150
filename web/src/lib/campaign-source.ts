/** Where a visitor came from (`utm_source`): kept for two days under the key of the specification, beside it its end. */
import { readStored, STORAGE, writeStored } from './storage.ts';

const KEPT_MS = 2 * 86_400_000;
/** A clock that is set back by a little loses no source. */
const STEP_MS = 60_000;
const LENGTH = 100;
const UNTIL = 'hx_utm_until';

export function keepSource(source: string, now = Date.now()): void {
  writeStored(STORAGE.utm, source.slice(0, LENGTH));
  writeStored(UNTIL, String(now + KEPT_MS));
}

export function sourceNow(now = Date.now()): string | null {
  const source = readStored(STORAGE.utm);
  if (source === null) return null;
  const until = Number(readStored(UNTIL));
  // Without an end, or with one much further away than two days (a clock that jumped), the source is not believed.
  if (until > now && until <= now + KEPT_MS + STEP_MS) return source;
  forgetSource();
  return null;
}

export function forgetSource(): void {
  writeStored(STORAGE.utm, null);
  writeStored(UNTIL, null);
}
