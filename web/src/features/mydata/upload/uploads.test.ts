import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { addCatalogue, addFiles, cancelUpload, removeCatalogue, startImport, useUploads } from './uploads.ts';

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
