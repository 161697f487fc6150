/** Settings of a step that are not applied yet, for each version and person: a reload or another page does not lose them. */
import type { Form } from '../../../fields/form.ts';
import { isRecord } from '../../../fields/form.ts';
import { type DraftKey, readDraft, writeDraft } from '../../../lib/drafts.ts';
import { currentToken, ownerOf } from '../../../lib/session.ts';

export interface StepPlace {
  vid: number;
  path: string;
  /** The step that is changed; null for a new one. */
  step: number | null;
  /** See visitOf. */
  visit: string;
}

/**
 * The same after a reload. The first page of every tab has one key in the browser's history, so the address counts too,
 * however it is written: a reload may write / as %2F.
 */
export const visitOf = ({ key, search }: { key: string; search: string }): string =>
  `${key}?${new URLSearchParams(search).toString()}`;

const keyOf = ({ vid, path, step }: StepPlace): DraftKey =>
  `hx_draft:step:${vid}:${path}:${step ?? ''}:${ownerOf(currentToken()) ?? ''}`;

/** `handed`: the visit came with settings of its own, which only a reload of that very visit may replace. */
export function readStepDraft(place: StepPlace, handed: boolean): Form | null {
  const value = readDraft(keyOf(place));
  if (!isRecord(value) || !isRecord(value['form'])) return null;
  return handed && value['visit'] !== place.visit ? null : value['form'];
}

export const writeStepDraft = (place: StepPlace, form: Form | null): void =>
  writeDraft(keyOf(place), form === null ? null : { form, visit: place.visit });
