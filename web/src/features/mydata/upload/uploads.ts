/** All files on their way in: sending, reading, waiting for an answer. They go on while other pages are visited. */
import type { Imported, OpenUpload } from '@hengxi/server/files/schema';
import { create } from 'zustand';

import { api, ApiError } from '../../../lib/api.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { followRun, type Run } from '../../../lib/runs.ts';
import { ownerOf, useSession } from '../../../lib/session.ts';
import { toast } from '../../../lib/toast.ts';
import { faultOf, readQuestions, runFault } from './questions.ts';
import { type Catalogue, forgetCatalogue, isCatalogue, isLabelled, sendCatalogue } from './catalogues.ts';
import { rememberSettings, settingsOf, uploadIdOf } from './resume.ts';
import { sendFile } from './transfer.ts';
import { freshItem, type UploadItem } from './upload-item.ts';

export const useUploads = create<{ items: UploadItem[] }>(() => ({ items: [] }));

const files = new Map<number, File>();
const controllers = new Map<number, AbortController>();
let last = 0;

function update(id: number, change: Partial<UploadItem>): void {
  useUploads.setState(({ items }) => ({
    items: items.map((item) => (item.id === id ? { ...item, ...change } : item)),
  }));
}

function find(id: number): UploadItem | undefined {
  return useUploads.getState().items.find((item) => item.id === id);
}

/** Those of several files that become tables: catalogues go with the SAS data sets they came with. */
export function tablesOf(given: readonly File[]): readonly File[] {
  return given.some(isLabelled) ? given.filter((file) => !isCatalogue(file)) : given;
}

/** Starts sending; gives the id of the first file. */
export function addFiles(given: readonly File[]): number | null {
  const list = tablesOf(given);
  const beside = given.some(isLabelled) ? given.findLast(isCatalogue) : undefined;
  let first: number | null = null;
  for (const file of list) {
    const id = stoppedOf(file) ?? append(newItem(file));
    first ??= id;
    files.set(id, file);
    update(id, { state: 'sending', ends: null, auto: list.length > 1 });
    if (beside && isLabelled(file)) void addCatalogue(id, beside);
    void send(id, file);
  }
  return first;
}

function newItem({ name, size }: { name: string; size: number }): UploadItem {
  last += 1;
  return freshItem(last, name, size);
}

function append(item: UploadItem): number {
  useUploads.setState(({ items }) => ({ items: [...items, item] }));
  return item.id;
}

/** The row of this very file, sent in part before the page was loaded anew: dropping the file again goes on with it. */
function stoppedOf(file: File): number | null {
  const known = uploadIdOf(file);
  if (known === null) return null;
  return useUploads.getState().items.find((one) => one.state === 'stopped' && one.uploadId === known)?.id ?? null;
}

/** Sends a catalogue and reads the file with it from then on; a later one takes the place of an earlier one. */
export async function addCatalogue(id: number, file: File): Promise<void> {
  removeCatalogue(id);
  const sending = sendCatalogue(file);
  update(id, { catalogue: { file, uploadId: null, fault: null }, fault: null });
  const catalogue = await sending;
  if (find(id)?.catalogue?.file !== file) return;
  update(id, { catalogue });
}

export function removeCatalogue(id: number): void {
  const catalogue = find(id)?.catalogue;
  if (!catalogue) return;
  update(id, { catalogue: null, fault: null });
  drop(catalogue);
}

/** Its bytes go when no other file is read with them. */
function drop(catalogue: Catalogue): void {
  const isUsed = useUploads.getState().items.some((item) => item.catalogue?.file === catalogue.file);
  if (!isUsed) forgetCatalogue(catalogue.file);
}

/** The data set that belongs to a catalogue which came alone takes its place in the list. */
export function completeCatalogue(id: number, data: File): number | null {
  const catalogue = files.get(id);
  if (!catalogue) return null;
  cancelUpload(id);
  return addFiles([data, catalogue]);
}

/** One after the other: two files at a time would only make both slow. */
let line: Promise<void> = Promise.resolve();

async function send(id: number, file: File): Promise<void> {
  const controller = new AbortController();
  controllers.set(id, controller);
  const before = line;
  let leave: () => void = () => undefined;
  line = new Promise((resolve) => {
    leave = resolve;
  });
  await before;
  if (!controller.signal.aborted) await transmit(id, file, controller.signal);
  leave();
  if (find(id)?.state === 'sent' && find(id)?.auto) await startImport(id);
}

async function transmit(id: number, file: File, signal: AbortSignal): Promise<void> {
  try {
    await sendFile(
      file,
      ({ uploadId, sent, speed, waiting }) =>
        update(id, { uploadId, sent, speed, waiting, state: waiting ? 'waiting' : 'sending' }),
      signal,
    );
    update(id, { state: 'sent', sent: file.size });
  } catch (error) {
    tellFault(id, error);
  }
}

function isCancelled(error: unknown): boolean {
  return error instanceof ApiError && error.fault === 'cancelled';
}

export function changeSettings(id: number, settings: Record<string, unknown>): void {
  update(id, { settings, fault: null });
  const uploadId = find(id)?.uploadId ?? null;
  if (uploadId !== null) rememberSettings(uploadId, settings);
}

export function setPassword(id: number, password: string): void {
  update(id, { password, fault: null });
}

export function answerQuestions(id: number, answers: Record<string, string>): Promise<void> {
  // What was answered before counts still: later questions may follow from how the columns were read.
  update(id, { answers: { ...find(id)?.answers, ...answers } });
  return startImport(id);
}

/** Refused for what the file is: the same bytes would be refused again. */
const LASTING = new Set(['30503', '30504', '30506', '30508']);

/** It failed on the way, and sending it once more may help: the line is back, room was made, the edition is another. */
export function canResend({ state, sent, size, fault }: UploadItem): boolean {
  return state === 'failed' && sent < size && !LASTING.has(fault?.code ?? '');
}

/** Sends the whole file again after it failed on the way. */
export function retrySending(id: number): void {
  const file = files.get(id);
  if (!file) return;
  update(id, { state: 'sending', fault: null });
  void send(id, file);
}

/** Reads the uploaded file into a table. Called again with answers, other settings or a password when it could not. */
export async function startImport(id: number): Promise<void> {
  const item = find(id);
  if (!item || item.uploadId === null) return;
  if (item.state === 'sending' || item.state === 'waiting') {
    update(id, { auto: true });
    return;
  }
  const catalogue = await readyCatalogue(id, item);
  if (catalogue === 'failed' || !find(id)) return;
  update(id, { state: 'importing', fault: null, questions: [], step: '正在读取' });
  const controller = new AbortController();
  controllers.set(id, controller);
  try {
    const body = {
      settings: item.settings,
      answers: item.answers,
      ...(item.password ? { password: item.password } : {}),
      ...(catalogue === null ? {} : { catalogue }),
    };
    const path = `/v1/user/file/uploads/${item.uploadId}/import`;
    const run = await api.post<Run<unknown>>(path, body, { signal: controller.signal, quiet: true });
    update(id, { runId: run.run_id });
    await follow(id, run.run_id, controller.signal);
  } catch (error) {
    tellFault(id, error);
  }
}

async function follow(id: number, runId: number, signal: AbortSignal): Promise<void> {
  const ended = await followRun<unknown>(runId, (change) => tellStep(id, change), signal);
  await finish(id, ended);
}

function tellFault(id: number, error: unknown): void {
  if (isCancelled(error)) return;
  // The row says it too, but the person may be on another page.
  if (error instanceof ApiError && error.status >= 500) toast.warn(error.message);
  update(id, { state: 'failed', fault: faultOf(error) });
}

/** The import waits for its labels; without them it would have to be done again. */
async function readyCatalogue(id: number, { catalogue }: UploadItem): Promise<number | null | 'failed'> {
  if (!catalogue) return null;
  if (catalogue.uploadId === null && !catalogue.fault)
    update(id, { state: 'importing', fault: null, questions: [], step: '等待值标签目录上传' });
  const { uploadId, fault } = await sendCatalogue(catalogue.file);
  if (!fault) return uploadId;
  update(id, { state: 'failed', fault, step: '' });
  return 'failed';
}

function tellStep(id: number, change: Partial<Run<unknown>>): void {
  if (change.position) update(id, { step: `排队中，前面还有 ${change.position} 个任务` });
  else if (change.progress?.text) update(id, { step: change.progress.text });
}

async function finish(id: number, run: Run<unknown>): Promise<void> {
  if (run.state === 'asking') {
    update(id, { state: 'asking', questions: readQuestions(run.result), step: '' });
    return;
  }
  // Ended elsewhere, on another page: what was sent is still there.
  if (run.state === 'cancelled') {
    update(id, { state: 'sent', runId: null, step: '' });
    return;
  }
  if (run.state !== 'done' || !isImported(run.result)) {
    update(id, { state: 'failed', fault: runFault(run), step: '' });
    return;
  }
  update(id, { state: 'done', result: run.result, step: '' });
  const name = find(id)?.name ?? '';
  await queryClient.invalidateQueries({ queryKey: ['files'] });
  forget(id);
  toast.done(`已导入“${name}”`);
}

export function isImported(value: unknown): value is Imported {
  return typeof value === 'object' && value !== null && 'vid' in value && typeof value.vid === 'number';
}

/** Stops whatever is going on and takes the file off the list; the server forgets the bytes. */
export function cancelUpload(id: number): void {
  const item = find(id);
  controllers.get(id)?.abort();
  if (item) void discard(item);
  forget(id);
}

/** The import first: without its bytes it could only fail. */
async function discard({ runId, uploadId }: UploadItem): Promise<void> {
  const gone = (path: string) => api.delete(path, { quiet: true }).catch(() => undefined);
  if (runId !== null) await gone(`/v1/runs/${runId}`);
  if (uploadId !== null) await gone(`/v1/user/file/uploads/${uploadId}`);
}

function forget(id: number): void {
  const { catalogue, uploadId } = find(id) ?? {};
  if (typeof uploadId === 'number') left.add(uploadId);
  files.delete(id);
  controllers.delete(id);
  useUploads.setState(({ items }) => ({ items: items.filter((item) => item.id !== id) }));
  if (catalogue) drop(catalogue);
}

/** Uploads that had a row here and have none any more: an answer given before that must not bring them back. */
const left = new Set<number>();

/** Whether an upload has a row here, belongs to one, or is one whose number is not known yet. */
function isHere({ upload_id: uploadId, name, size }: OpenUpload): boolean {
  return useUploads.getState().items.some((item) => {
    const { catalogue } = item;
    if (item.uploadId === uploadId || catalogue?.uploadId === uploadId) return true;
    return item.uploadId === null && item.name === name && item.size === size;
  });
}

/** What the server holds of the person: rows for what this page does not know of, and the state of the rows that came so. */
export function resumeOpenUploads(list: readonly OpenUpload[]): void {
  const there = new Map(list.map((upload) => [upload.upload_id, upload]));
  for (const item of useUploads.getState().items) {
    if (item.ends === null || item.uploadId === null) continue;
    const upload = there.get(item.uploadId);
    if (upload) stand(item, upload);
    else if (item.state === 'sent' || item.state === 'stopped') {
      // Imported or removed on another page.
      forget(item.id);
      void queryClient.invalidateQueries({ queryKey: ['files'] });
    }
  }
  for (const upload of list) if (!isHere(upload) && !left.has(upload.upload_id) && !isCatalogue(upload)) admit(upload);
}

function admit(upload: OpenUpload): void {
  const { upload_id: uploadId, name, size } = upload;
  const item = { ...newItem({ name, size }), uploadId, settings: settingsOf(uploadId), ends: upload.ends_at };
  append({ ...item, state: 'stopped', sent: upload.offset });
  stand(item, upload);
}

/** Where a found upload stands. An import under way is followed to its end. */
function stand({ id }: UploadItem, upload: OpenUpload): void {
  const item = find(id);
  if (!item || (item.state !== 'stopped' && item.state !== 'sent')) return;
  update(id, {
    sent: upload.offset,
    ends: upload.ends_at,
    state: upload.complete ? 'sent' : 'stopped',
    step: upload.offset > item.sent ? '正在另一个窗口上传' : '',
  });
  if (upload.run_id === null) return;
  const controller = new AbortController();
  controllers.set(id, controller);
  update(id, { state: 'importing', runId: upload.run_id, step: '正在读取', fault: null, questions: [] });
  follow(id, upload.run_id, controller.signal).catch((error: unknown) => tellFault(id, error));
}

/** Goes on with a stopped upload by the file it came from; false where that is another file. */
export function resumeUpload(id: number, file: File): boolean {
  const item = find(id);
  if (!item || file.name !== item.name || file.size !== item.size) return false;
  if (stoppedOf(file) !== id) {
    // Changed since, or sent from another device: a mixture of two files would be worse than sending it again.
    toast.note('不能确定文件没有改过，已从头上传');
    cancelUpload(id);
  }
  addFiles([file]);
  return true;
}

/** Another person, or the same one in another channel: what was on its way in is not theirs. */
useSession.subscribe((now, before) => {
  if (ownerOf(now.token) === ownerOf(before.token)) return;
  for (const controller of controllers.values()) controller.abort();
  for (const { id } of useUploads.getState().items) forget(id);
  // Whoever comes back finds what lies on the server again.
  left.clear();
});

/** Leaving the site would stop these. */
export function hasOpenUploads(): boolean {
  return useUploads.getState().items.some((item) => item.state === 'sending' || item.state === 'waiting');
}
