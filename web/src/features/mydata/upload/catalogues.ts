/** SAS catalogues on their way in: sent once each, however many data sets are read with them. */
import { CATALOGUE_FORMAT, LABELLED_FORMATS } from '@hengxi/contracts/upload-formats';

import { api } from '../../../lib/api.ts';
import { faultOf, type ImportFault } from './questions.ts';
import { sendFile } from './transfer.ts';

export interface Catalogue {
  file: File;
  /** null: still on its way. */
  uploadId: number | null;
  fault: ImportFault | null;
}

const ending = ({ name }: { name: string }): string => name.split('.').at(-1)?.toLowerCase() ?? '';

export const isCatalogue = (file: { name: string }): boolean => ending(file) === CATALOGUE_FORMAT;

/** Whether a file may have its value labels in a catalogue. */
export const isLabelled = (file: { name: string }): boolean => LABELLED_FORMATS.includes(ending(file));

interface Sending {
  done: Promise<Catalogue>;
  stop: AbortController;
}

const sendings = new Map<File, Sending>();

/** Sends it, or waits for the sending under way. A failed one is sent again when it is asked for again. */
export function sendCatalogue(file: File): Promise<Catalogue> {
  const known = sendings.get(file);
  if (known) return known.done;
  const stop = new AbortController();
  const done = sendFile(file, () => undefined, stop.signal).then(
    ({ upload_id: uploadId }) => ({ file, uploadId, fault: null }),
    (error: unknown) => {
      sendings.delete(file);
      return { file, uploadId: null, fault: faultOf(error) };
    },
  );
  sendings.set(file, { done, stop });
  return done;
}

/** Nobody reads with it any more: the server forgets the bytes. */
export function forgetCatalogue(file: File): void {
  const sending = sendings.get(file);
  sendings.delete(file);
  sending?.stop.abort();
  void sending?.done.then(async ({ uploadId }) => {
    if (uploadId !== null)
      await api.delete(`/v1/user/file/uploads/${uploadId}`, { quiet: true }).catch(() => undefined);
  });
}
