/** One file on its way in, as the list and the page of the import show it. */
import type { Imported } from '@hengxi/server/files/schema';

import type { Catalogue } from './catalogues.ts';
import type { ImportFault, Question } from './questions.ts';
import type { Waiting } from './transfer.ts';

/** `stopped`: part of it arrived before the page was loaded anew; the file must be chosen again to go on. */
export type UploadState = 'stopped' | 'sending' | 'waiting' | 'sent' | 'importing' | 'asking' | 'done' | 'failed';

export interface UploadItem {
  id: number;
  name: string;
  size: number;
  state: UploadState;
  sent: number;
  speed: number | null;
  waiting: Waiting | null;
  uploadId: number | null;
  /** Not sent from this page: when the server removes it, unless somebody goes on with it. */
  ends: string | null;
  /** The import under way, or the last one. */
  runId: number | null;
  /** Import as soon as the file is whole; single files wait for a look at the preview. */
  auto: boolean;
  settings: Record<string, unknown>;
  answers: Record<string, string>;
  password: string;
  /** The value labels of a SAS data set, in a file of their own. */
  catalogue: Catalogue | null;
  questions: Question[];
  fault: ImportFault | null;
  /** What the import is doing, in words. */
  step: string;
  result: Imported | null;
}

/** A row of the list before anything is known of it but its name and size. */
export function freshItem(id: number, name: string, size: number): UploadItem {
  return {
    id,
    name,
    size,
    state: 'sending',
    sent: 0,
    speed: null,
    waiting: null,
    uploadId: null,
    ends: null,
    runId: null,
    auto: false,
    settings: {},
    answers: {},
    password: '',
    catalogue: null,
    questions: [],
    fault: null,
    step: '',
    result: null,
  };
}
