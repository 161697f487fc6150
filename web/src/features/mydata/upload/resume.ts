/** Remembers unfinished uploads by what the browser knows of a file, so that dropping it again goes on where it stopped. */
import type { Upload } from '@hengxi/server/files/schema';

import { api } from '../../../lib/api.ts';
import { readStored, STORAGE, writeStored } from '../../../lib/storage.ts';

const MOST = 20;

type Known = Record<string, number>;

function keyOf(file: File): string {
  return `${file.name}|${file.size}|${file.lastModified}`;
}

function known(): Known {
  try {
    const value: Known = JSON.parse(readStored(STORAGE.uploads) ?? '{}');
    return value;
  } catch {
    return {};
  }
}

function store(entries: [string, number][]): void {
  writeStored(STORAGE.uploads, JSON.stringify(Object.fromEntries(entries.slice(-MOST))));
}

export function rememberUpload(file: File, uploadId: number): void {
  store([...Object.entries(known()), [keyOf(file), uploadId]]);
}

export function forgetUpload(file: File): void {
  const key = keyOf(file);
  store(Object.entries(known()).filter(([name]) => name !== key));
}

/** The unfinished upload of this very file, if the server still has it. */
export async function knownUpload(file: File, signal: AbortSignal): Promise<Upload | null> {
  const id = known()[keyOf(file)];
  if (id === undefined) return null;
  try {
    const upload = await api.get<Upload>(`/v1/user/file/uploads/${id}`, { signal, quiet: true });
    if (!upload.complete && upload.size === file.size) return upload;
  } catch {
    // Gone meanwhile, or another account's: begin anew.
  }
  forgetUpload(file);
  return null;
}
