/** What this device remembers of analyses: drafts, last assignments, favourites, recent methods, widths of the panes. */
import { create } from 'zustand';

import type { Form } from '../../fields/form.ts';
import { isRecord } from '../../fields/form.ts';
import { type DraftKey, readDraft as readKept, writeDraft as writeKept } from '../../lib/drafts.ts';
import type { StorageKey } from '../../lib/storage.ts';
import { readStored, writeStored } from '../../lib/storage.ts';
import type { Underway } from './operation/run-control.ts';

function read(key: StorageKey): unknown {
  const text = readStored(key);
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

export interface LocalDraft {
  form: Form;
  vid: number;
  /** ISO time of the last change. */
  at: string;
}

export interface DraftPlace {
  fid: number;
  path: string;
  report_id: number | null;
}

/** A report has its own draft; without one, a method's last settings on a file are both draft and remembered assignment. */
function draftKey({ fid, path, report_id }: DraftPlace): DraftKey {
  return report_id === null ? `hx_draft:${fid}:${path}` : `hx_draft:r${report_id}`;
}

export function readDraft(place: DraftPlace): LocalDraft | null {
  const value = readKept(draftKey(place));
  if (!isRecord(value) || !isRecord(value['form'])) return null;
  const { form, vid, at } = value;
  return typeof vid === 'number' && typeof at === 'string' ? { form, vid, at } : null;
}

export const writeDraft = (place: DraftPlace, draft: LocalDraft | null): void => writeKept(draftKey(place), draft);

const FAVOURITES: StorageKey = 'hx_favourites';
const RECENT: StorageKey = 'hx_recent';
const RECENT_KEPT = 8;

export const useFavourites = create<{ paths: readonly string[] }>(() => ({ paths: strings(read(FAVOURITES)) }));

export function toggleFavourite(path: string): void {
  const { paths } = useFavourites.getState();
  const next = paths.includes(path) ? paths.filter((one) => one !== path) : [...paths, path];
  writeStored(FAVOURITES, JSON.stringify(next));
  useFavourites.setState({ paths: next });
}

export function readRecent(): string[] {
  return strings(read(RECENT));
}

export function noteRecent(path: string): void {
  const next = [path, ...readRecent().filter((one) => one !== path)].slice(0, RECENT_KEPT);
  writeStored(RECENT, JSON.stringify(next));
}

export interface PaneWidths {
  variables: number | null;
  settings: number | null;
  variablesFolded: boolean;
  settingsFolded: boolean;
}

const PANES: StorageKey = 'hx_panes';

export function readPanes(): PaneWidths {
  const value = read(PANES);
  const stored = isRecord(value) ? value : {};
  const width = (one: unknown): number | null => (typeof one === 'number' ? one : null);
  return {
    variables: width(stored['variables']),
    settings: width(stored['settings']),
    variablesFolded: stored['variablesFolded'] === true,
    settingsFolded: stored['settingsFolded'] === true,
  };
}

export function writePanes(panes: PaneWidths): void {
  writeStored(PANES, JSON.stringify(panes));
}

const AUTO: StorageKey = 'hx_auto_run';

export function readAutoRun(): boolean {
  return readStored(AUTO) !== 'off';
}

export function writeAutoRun(on: boolean): void {
  writeStored(AUTO, on ? null : 'off');
}

const UNDERWAY: StorageKey = 'hx_underway';

/** The run sent last from this device and not yet ended: a reloaded page follows it on. */
export function readUnderway(): Underway | null {
  const value = read(UNDERWAY);
  if (!isRecord(value)) return null;
  const { run_id, key, project_id, report_id } = value;
  return typeof run_id === 'number' &&
    typeof key === 'string' &&
    typeof project_id === 'number' &&
    typeof report_id === 'number'
    ? { run_id, key, project_id, report_id }
    : null;
}

export function writeUnderway(run: Underway | null): void {
  writeStored(UNDERWAY, run === null ? null : JSON.stringify(run));
}
