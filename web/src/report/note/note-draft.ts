/** Notes somebody is writing and has not saved, for each block of a report and person: a reload or another page loses none. */
import { type DraftKey, readDraft, writeDraft } from '../../lib/drafts.ts';
import { currentToken, ownerOf } from '../../lib/session.ts';

/** `report`: which report, as the page knows it; null where none is kept, such as a preview. */
const keyOf = (report: string, block: string): DraftKey =>
  `hx_draft:note:${report}:${block}:${ownerOf(currentToken()) ?? ''}`;

export function readNoteDraft(report: string | null, block: string): string | null {
  const value = report === null ? null : readDraft(keyOf(report, block));
  return typeof value === 'string' ? value : null;
}

export function writeNoteDraft(report: string | null, block: string, text: string | null): void {
  if (report !== null) writeDraft(keyOf(report, block), text);
}
