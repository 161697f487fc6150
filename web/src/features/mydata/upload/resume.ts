/** Remembers unfinished uploads by what the browser knows of a file, so that dropping it again goes on where it stopped. */
import type { Upload } from '@hengxi/server/files/schema';

import { api } from '../../../lib/api.ts';
import { readStored, STORAGE, writeStored } from '../../../lib/storage.ts';

const MOST = 20;
const SETTINGS = 'hx_upload_settings';

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

/** The unfinished upload of this very file, as far as this browser knows. */
export const uploadIdOf = (file: File): number | null => known()[keyOf(file)] ?? null;

type KnownSettings = Record<string, Record<string, unknown>>;

function knownSettings(): KnownSettings {
  try {
    const value: KnownSettings = JSON.parse(readStored(SETTINGS) ?? '{}');
    return value;
  } catch {
    return {};
  }
}

/** How an upload is to be read, so that it is asked once only, also when the page is loaded anew before the import. */
export function rememberSettings(uploadId: number, settings: Record<string, unknown>): void {
  const others = Object.entries(knownSettings()).filter(([id]) => id !== String(uploadId));
  writeStored(SETTINGS, JSON.stringify(Object.fromEntries([...others, [uploadId, settings]].slice(-MOST))));
}

export const settingsOf = (uploadId: number): Record<string, unknown> => knownSettings()[uploadId] ?? {};

/** The unfinished upload of this very file, if the server still has it. */
export async function knownUpload(file: File, signal: AbortSignal): Promise<Upload | null> {
  const id = uploadIdOf(file);
  if (id === null) return null;
  try {
    const upload = await api.get<Upload>(`/v1/user/file/uploads/${id}`, { signal, quiet: true });
    if (!upload.complete && upload.size === file.size) return upload;
  } catch {
    // Gone meanwhile, or another account's: begin anew.
  }
  forgetUpload(file);
  return null;
}
