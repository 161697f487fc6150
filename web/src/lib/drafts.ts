/**
 * What somebody is in the middle of, kept by this browser so that a reload loses nothing: forms of analyses, filters,
 * settings of steps, notes on reports, unsaved cells.
 */
import { readStored, type StorageKey, writeStored } from './storage.ts';

export type DraftKey = `hx_draft:${string}`;

/** Unsaved cells hold what stands in the data: they do not outlive a log-out. */
export const CELL_DRAFTS = 'hx_draft:cells:' as const;

const INDEX: StorageKey = 'hx_drafts';
const KEPT = 60;

function parse(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isKey = (value: unknown): value is DraftKey => typeof value === 'string' && value.startsWith('hx_draft:');

export const readDraft = (key: DraftKey): unknown => parse(readStored(key));

/** Keys of the drafts that begin so, the newest first. */
export function draftKeys(prefix: DraftKey): DraftKey[] {
  const index = parse(readStored(INDEX));
  return (Array.isArray(index) ? index : []).filter(isKey).filter((key) => key.startsWith(prefix));
}

/** The oldest drafts make room: the storage of a browser is small and shared. null forgets one. */
export function writeDraft(key: DraftKey, value: unknown): void {
  const others = draftKeys('hx_draft:').filter((one) => one !== key);
  writeStored(key, value === null ? null : JSON.stringify(value));
  const keys = value === null ? others : [key, ...others];
  for (const old of keys.slice(KEPT)) writeStored(old, null);
  writeStored(INDEX, JSON.stringify(keys.slice(0, KEPT)));
}
