/** Where a visitor came from (`utm_source`): kept for two days under the key of the specification, beside it its end. */
import { readStored, STORAGE, writeStored } from './storage.ts';

const KEPT_MS = 2 * 86_400_000;
/** A clock that is set back by a little loses no source. */
const STEP_MS = 60_000;
const LENGTH = 100;
const UNTIL = 'hx_utm_until';

/** The source this visit came with: it stays in the address on every page of the visit (specification section 4). */
let sourceOfVisit: string | null = null;

export function keepSource(source: string, now = Date.now()): void {
  sourceOfVisit = source.slice(0, LENGTH);
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
  sourceOfVisit = null;
  writeStored(STORAGE.utm, null);
  writeStored(UNTIL, null);
}

/** The query with the source of this visit; null where it has one or there is none to add. */
export function queryWithSource(search: string): string | null {
  const query = new URLSearchParams(search);
  if (sourceOfVisit === null || query.has(STORAGE.utm)) return null;
  query.set(STORAGE.utm, sourceOfVisit);
  return `?${query.toString()}`;
}
