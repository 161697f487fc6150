import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { useSession } from '../../../lib/session.ts';
import { rememberUpload } from './resume.ts';
import {
  addCatalogue,
  addFiles,
  answerQuestions,
  cancelUpload,
  changeSettings,
  removeCatalogue,
  resumeUpload,
  startImport,
  resumeOpenUploads,
  useUploads,
} from './uploads.ts';

const upload = (received: number) => ({ upload_id: 5, name: 'a.csv', size: 3, received, complete: received === 3 });
const ok = (data: unknown) => new Response(JSON.stringify({ status_code: 1, data }));

let calls: string[];
let imports: unknown[];
beforeEach(() => {
  calls = [];
  localStorage.clear();
  imports = [];
  vi.stubGlobal('fetch', async (address: string, { method = 'GET', signal, body }: RequestInit) => {
    const path = address.split('?')[0] ?? '';
    calls.push(`${method} ${path}`);
    if (path.endsWith('/import')) imports.push(JSON.parse(typeof body === 'string' ? body : ''));
    if (path === '/v1/user/file/uploads' && typeof body === 'string' && body.includes('sas7bcat'))
      return ok({ ...upload(0), upload_id: 6 });
    if (method === 'PUT' && path.endsWith('/6')) return ok({ ...upload(3), upload_id: 6 });
    if (path.endsWith('/import')) return ok({ run_id: 8, state: 'running' });
    // The import goes on until somebody ends it.
    if (path.endsWith('/events')) {
      await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
    }
    return ok(method === 'POST' ? upload(0) : upload(3));
  });
});
afterEach(() => {
  // What is still being sent would go on among the calls of other files' tests.
  for (const { id } of useUploads.getState().items) cancelUpload(id);
  vi.unstubAllGlobals();
  useUploads.setState({ items: [] });
  localStorage.clear();
});

it('an import that is cancelled ends on the server too, before its bytes go', async () => {
  const id = addFiles([new File(['a\n1'], 'a.csv')]) ?? 0;
  await vi.waitFor(() => expect(useUploads.getState().items[0]?.state).toBe('sent'));
  const reading = startImport(id);
  await vi.waitFor(() => expect(calls.at(-1)).toBe('GET /v1/runs/8/events'));
  cancelUpload(id);
  await reading;
  await vi.waitFor(() => expect(calls.slice(-2)).toEqual(['DELETE /v1/runs/8', 'DELETE /v1/user/file/uploads/5']));
  expect(useUploads.getState().items).toEqual([]);
});

it('answers given earlier go out with later ones: a second round of questions follows from the first', async () => {
  const id = addFiles([new File(['a\n1'], 'a.csv')]) ?? 0;
  await vi.waitFor(() => expect(useUploads.getState().items[0]?.state).toBe('sent'));
  void answerQuestions(id, { c1: 'percent' });
  await vi.waitFor(() => expect(imports).toHaveLength(1));
  void answerQuestions(id, { joined_c2: 'split' });
  await vi.waitFor(() => expect(imports).toHaveLength(2));
  expect(imports[1]).toMatchObject({ answers: { c1: 'percent', joined_c2: 'split' } });
});

const DATA = new File(['abc'], '调查.SAS7BDAT');
const LABELS = new File(['xyz'], 'formats.sas7bcat');

it('a catalogue goes with the data set it came with: one row, and the import names both', async () => {
  const id = addFiles([LABELS, DATA]) ?? 0;
  expect(useUploads.getState().items).toMatchObject([{ name: DATA.name, auto: false, catalogue: { file: LABELS } }]);
  await vi.waitFor(() => expect(useUploads.getState().items[0]?.catalogue?.uploadId).toBe(6));
  await vi.waitFor(() => expect(useUploads.getState().items[0]?.state).toBe('sent'));
  void startImport(id);
  await vi.waitFor(() => expect(imports).toMatchObject([{ catalogue: 6 }]));
  cancelUpload(id);
  // Nobody else reads with it: its bytes go as well.
  await vi.waitFor(() => expect(calls).toContain('DELETE /v1/user/file/uploads/6'));
});

it('a catalogue may come later and be taken away again', async () => {
  const id = addFiles([DATA]) ?? 0;
  await vi.waitFor(() => expect(useUploads.getState().items[0]?.state).toBe('sent'));
  await addCatalogue(id, LABELS);
  expect(useUploads.getState().items[0]?.catalogue).toMatchObject({ uploadId: 6, fault: null });
  removeCatalogue(id);
  expect(useUploads.getState().items[0]?.catalogue).toBeNull();
  void startImport(id);
  await vi.waitFor(() => expect(imports).toEqual([expect.not.objectContaining({ catalogue: 6 })]));
  cancelUpload(id);
});

it('one catalogue serves several data sets and is sent once; alone it is a file like any other', async () => {
  addFiles([new File(['abc'], 'a.sas7bdat'), LABELS, new File(['abc'], 'b.xpt'), new File(['abc'], 'c.csv')]);
  await vi.waitFor(() => expect(imports).toHaveLength(3));
  expect(imports).toMatchObject([{ catalogue: 6 }, { catalogue: 6 }, {}]);
  expect(imports[2]).not.toHaveProperty('catalogue');
  for (const { id } of useUploads.getState().items) cancelUpload(id);
  addFiles([LABELS]);
  expect(useUploads.getState().items).toMatchObject([{ name: LABELS.name, catalogue: null }]);
});

const found = (parts: object) => ({
  upload_id: 40,
  name: 'a.csv',
  size: 3,
  offset: 3,
  chunk: 9,
  complete: true,
  sha256: null,
  run_id: null,
  ends_at: '2026-11-23T10:00:00Z',
  ...parts,
});
const rows = () => useUploads.getState().items;

it('what was sent and not imported is found again with its settings, until it is gone elsewhere', () => {
  resumeOpenUploads([found({ upload_id: 41 }), found({ upload_id: 42, name: 'f.sas7bcat' })]);
  expect(rows()).toMatchObject([{ name: 'a.csv', state: 'sent', uploadId: 41, sent: 3, settings: {} }]);
  changeSettings(rows()[0]?.id ?? 0, { header_row: 2 });
  // The page is loaded anew.
  useUploads.setState({ items: [] });
  resumeOpenUploads([found({ upload_id: 41 })]);
  expect(rows()).toMatchObject([{ uploadId: 41, settings: { header_row: 2 } }]);
  resumeOpenUploads([]);
  expect(rows()).toEqual([]);
  // An answer given before it went does not bring it back.
  resumeOpenUploads([found({ upload_id: 41 })]);
  expect(rows()).toEqual([]);
});

it('an import under way is followed on; what this page sends itself gets no second row', async () => {
  resumeOpenUploads([found({ upload_id: 43, run_id: 8 })]);
  await vi.waitFor(() => expect(calls).toEqual(['GET /v1/runs/8/events']));
  expect(rows()).toMatchObject([{ state: 'importing', runId: 8 }]);
  const id = addFiles([new File(['abc'], 'b.csv')]) ?? 0;
  resumeOpenUploads([found({ upload_id: 43, run_id: 8 }), found({ upload_id: 50, name: 'b.csv' })]);
  expect(rows().map(({ name }) => name)).toEqual(['a.csv', 'b.csv']);
  await vi.waitFor(() => expect(rows().find((one) => one.id === id)?.state).toBe('sent'));
});

it('an upload stopped on the way goes on in its row when the same file is chosen, and with no other one', async () => {
  const file = new File(['abc'], 'a.csv', { lastModified: 7 });
  rememberUpload(file, 44);
  resumeOpenUploads([found({ upload_id: 44, offset: 1, complete: false })]);
  const [row] = rows();
  expect(row).toMatchObject({ state: 'stopped', sent: 1, step: '' });
  resumeOpenUploads([found({ upload_id: 44, offset: 2, complete: false })]);
  expect(rows()).toMatchObject([{ state: 'stopped', sent: 2, step: '正在另一个窗口上传' }]);
  expect(resumeUpload(row?.id ?? 0, new File(['abcd'], 'a.csv'))).toBe(false);
  expect(rows()).toMatchObject([{ state: 'stopped' }]);
  expect(resumeUpload(row?.id ?? 0, file)).toBe(true);
  expect(rows()).toMatchObject([{ id: row?.id, state: 'sending', ends: null }]);
  await vi.waitFor(() => expect(calls).toContain('GET /v1/user/file/uploads/44'));
  expect(calls).not.toContain('DELETE /v1/user/file/uploads/44');
});

it('a file changed since its upload stopped is sent from its beginning', async () => {
  rememberUpload(new File(['abc'], 'a.csv', { lastModified: 7 }), 45);
  resumeOpenUploads([found({ upload_id: 45, offset: 1, complete: false })]);
  const [row] = rows();
  expect(resumeUpload(row?.id ?? 0, new File(['abC'], 'a.csv', { lastModified: 8 }))).toBe(true);
  await vi.waitFor(() => expect(calls).toContain('DELETE /v1/user/file/uploads/45'));
  await vi.waitFor(() => expect(calls).toContain('POST /v1/user/file/uploads'));
  expect(rows()).toMatchObject([{ name: 'a.csv', ends: null }]);
});

it('nothing of one person is left in the list of the next; who comes back finds it again', () => {
  resumeOpenUploads([found({ upload_id: 46 })]);
  const { token } = useSession.getState();
  useSession.setState({ token: `x.${btoa(JSON.stringify({ oid: 9, platform: 'pri' }))}.y` });
  expect(rows()).toEqual([]);
  useSession.setState({ token });
  resumeOpenUploads([found({ upload_id: 46 })]);
  expect(rows()).toMatchObject([{ uploadId: 46 }]);
});
