/**
 * Sends a work: one call names its files by their hashes and submits them (its arrival is what counts), then the bytes
 * follow in pieces. What stopped goes on where the server says.
 */
import type { Submission, WorkUpload } from '@hengxi/server/contest/schema';

import { ApiError } from '../../lib/api.ts';
import { sha256Of } from '../../lib/sha256.ts';
import { readUpload, sendChunk, submitWork } from './queries.ts';

export interface Progress {
  text: string;
  /** Bytes done and in all; null while nothing can be measured. */
  done: number;
  all: number;
}

export interface Chosen {
  report: File;
  support: File | null;
}

const TRIES = 5;
const PAUSE_MS = 2000;

const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && (error.fault === 'network' || error.fault === 'timeout' || error.status >= 500);
const offsetIn = (error: unknown): number | null => {
  if (!(error instanceof ApiError) || error.code !== 30501) return null;
  const { offset } = (error.data ?? {}) as { offset?: unknown };
  return typeof offset === 'number' ? offset : null;
};
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The bytes of one upload from where the server is; a line that breaks is tried again. */
export async function sendFile(
  cid: number,
  upload: WorkUpload,
  file: File,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<WorkUpload> {
  let state = upload;
  for (let failures = 0; state.state === 'open';) {
    onSent(state.offset);
    try {
      const { offset, chunk } = state;
      state = await sendChunk(cid, upload.id, offset, file.slice(offset, offset + chunk), signal);
      failures = 0;
    } catch (error) {
      const offset = offsetIn(error);
      if (offset !== null && offset !== state.offset) {
        state = { ...state, offset };
        continue;
      }
      failures += 1;
      if (!isPassing(error) || failures === TRIES || signal.aborted) throw error;
      await pause(PAUSE_MS);
      state = await readUpload(cid, upload.id).catch(() => state);
    }
  }
  onSent(file.size);
  return state;
}

interface Named {
  file: File;
  kind: 'report' | 'support';
  sha256: string;
}

async function named(chosen: Chosen, onProgress: (progress: Progress) => void): Promise<Named[]> {
  const files = [
    { file: chosen.report, kind: 'report' as const },
    ...(chosen.support ? [{ file: chosen.support, kind: 'support' as const }] : []),
  ];
  const all = files.reduce((sum, { file }) => sum + file.size, 0);
  let before = 0;
  const list: Named[] = [];
  for (const one of files) {
    const begun = before;
    const sha256 = await sha256Of(one.file, (read) => onProgress({ text: '正在计算校验和', done: begun + read, all }));
    before += one.file.size;
    list.push({ ...one, sha256 });
  }
  return list;
}

/** `request` stays the same when the same work is tried again: it is one submission. */
export async function sendWork(
  cid: number,
  chosen: Chosen,
  request: string,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Submission> {
  const files = await named(chosen, onProgress);
  const submission = await submitWork(
    cid,
    files.map(({ file, kind, sha256 }) => ({ kind, name: file.name, size: file.size, sha256 })),
    request,
  );
  await sendAll(cid, submission, files, signal, onProgress);
  return submission;
}

/** The rest of a submission whose files stopped arriving: the same files are chosen again. */
export async function resumeWork(
  cid: number,
  submission: Submission,
  chosen: Chosen,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  await sendAll(cid, submission, await named(chosen, onProgress), signal, onProgress);
}

export class OtherFile extends Error {}

async function sendAll(
  cid: number,
  submission: Submission,
  files: readonly Named[],
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  const open = submission.files.filter(({ state }) => state === 'open');
  const all = open.reduce((sum, { size }) => sum + size, 0);
  let before = 0;
  for (const upload of open) {
    const own = files.find(({ sha256 }) => sha256 === upload.sha256);
    if (!own) throw new OtherFile(`请选择提交时的同一个文件：${upload.name}`);
    const begun = before;
    await sendFile(cid, upload, own.file, signal, (sent) => onProgress({ text: '正在上传', done: begun + sent, all }));
    before += upload.size;
  }
}
