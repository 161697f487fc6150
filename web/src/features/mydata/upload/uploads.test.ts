import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { addFiles, cancelUpload, startImport, useUploads } from './uploads.ts';

const upload = (received: number) => ({ upload_id: 5, name: 'a.csv', size: 3, received, complete: received === 3 });
const ok = (data: unknown) => new Response(JSON.stringify({ status_code: 1, data }));

let calls: string[];
beforeEach(() => {
  calls = [];
  localStorage.clear();
  vi.stubGlobal('fetch', async (address: string, { method = 'GET', signal }: RequestInit) => {
    const path = address.split('?')[0] ?? '';
    calls.push(`${method} ${path}`);
    if (path.endsWith('/import')) return ok({ run_id: 8, state: 'running' });
    // The import goes on until somebody ends it.
    if (path.endsWith('/events')) {
      await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
    }
    return ok(method === 'POST' ? upload(0) : upload(3));
  });
});
afterEach(() => {
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
