/** The filter somebody is writing and has not applied, for each version and person: a reload does not lose it. */
import type { FilterType } from '@hengxi/server/files/schema';

import { type Condition, readCondition } from '../../../fields/condition/condition.ts';
import { isRecord } from '../../../fields/form.ts';
import { type DraftKey, readDraft, writeDraft } from '../../../lib/drafts.ts';
import { currentToken, ownerOf } from '../../../lib/session.ts';

export interface FilterDraft {
  formula: string;
  kind: FilterType;
  /** Also what is not finished; null where it is written as text. */
  rows: Condition | null;
}

const keyOf = (vid: number): DraftKey => `hx_draft:filter:${vid}:${ownerOf(currentToken()) ?? ''}`;

export function readFilterDraft(vid: number): FilterDraft | null {
  const value = readDraft(keyOf(vid));
  if (!isRecord(value)) return null;
  const { formula, kind, rows } = value;
  if (typeof formula !== 'string' || (kind !== 'keep' && kind !== 'drop')) return null;
  return { formula, kind, rows: readCondition(rows) };
}

export const writeFilterDraft = (vid: number, draft: FilterDraft | null): void => writeDraft(keyOf(vid), draft);
