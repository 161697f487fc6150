import type { Submission, WorkUpload } from '@hengxi/server/contest/schema';
import { beforeEach, expect, it, vi } from 'vitest';

import { ApiError } from '../../lib/api.ts';
import { readUpload, sendChunk, submitWork } from './queries.ts';
import { OtherFile, type Progress, resumeWork, sendWork } from './send-work.ts';

vi.mock('./queries.ts', () => ({
  readUpload: vi.fn<typeof readUpload>(),
  sendChunk: vi.fn<typeof sendChunk>(),
  submitWork: vi.fn<typeof submitWork>(),
}));

const CHUNK = 4;
const file = (text: string, name: string) => new File([text], name);
const upload = (id: number, size: number, more: Partial<WorkUpload> = {}): WorkUpload => ({
  id,
  kind: 'report',
  name: '报告.pdf',
  size,
  offset: 0,
  chunk: CHUNK,
  sha256: '',
  state: 'open',
  reason: null,
  pages: null,
  ...more,
});
const submission = (files: WorkUpload[]): Submission => ({
  no: 1,
  receipt: 'HX26-0001-01',
  state: 'waiting',
  reason: null,
  arrived_at: '2026-12-20T09:58:03Z',
  completed_at: null,
  in_grace: false,
  counts: false,
  files,
});
const fault = (code: number, data: unknown = null) => new ApiError('refused', '', 409, code, [], data);
const broken = () => new ApiError('network', '', 0, 0, [], null);

/** A server that keeps what arrives, and refuses an offset that is not its own. */
let kept = '';
let calls: string[] = [];
beforeEach(() => {
  vi.resetAllMocks();
  kept = '';
  calls = [];
  vi.mocked(submitWork).mockImplementation(async (_, files) => {
    calls.push(`submit ${files.map(({ kind, size }) => `${kind} ${size}`).join(', ')}`);
    return submission(files.map(({ kind, size, sha256 }, at) => upload(at + 1, size, { kind, sha256 })));
  });
  vi.mocked(sendChunk).mockImplementation(async (_, id, offset, bytes) => {
    if (offset !== kept.length) throw fault(30501, { offset: kept.length });
    kept += await bytes.text();
    calls.push(`bytes ${offset}`);
    return upload(id, 10, { offset: kept.length, state: kept.length === 10 ? 'complete' : 'open' });
  });
});

const never = new AbortController().signal;
const quiet = (): void => undefined;
const chosen = { report: file('0123456789', '报告.pdf'), support: null };

it('the work is called in before its bytes go, and nothing is measured wrong', async () => {
  const told: Progress[] = [];
  await sendWork(1, chosen, 'request', never, (progress) => told.push(progress));
  expect(calls).toEqual(['submit report 10', 'bytes 0', 'bytes 4', 'bytes 8']);
  expect(kept).toBe('0123456789');
  expect(told.at(-1)).toEqual({ text: '正在上传', done: 10, all: 10 });
});

it('a report and a zip are one submission', async () => {
  vi.mocked(sendChunk).mockImplementation(async (_, id, __, bytes) => upload(id, bytes.size, { state: 'complete' }));
  await sendWork(1, { ...chosen, support: file('zip', '材料.zip') }, 'request', never, quiet);
  expect(calls).toEqual(['submit report 10, support 3']);
  expect(vi.mocked(sendChunk).mock.calls.map(([, id]) => id)).toEqual([1, 2]);
});

it('goes on where the server says', async () => {
  kept = '01234567';
  await sendWork(1, chosen, 'request', never, quiet);
  expect(kept).toBe('0123456789');
});

it('a line that breaks is tried again, from where the bytes had come', async () => {
  vi.useFakeTimers();
  try {
    let breaks = 1;
    const arrives = vi.mocked(sendChunk).getMockImplementation();
    vi.mocked(sendChunk).mockImplementation(async (...call) => {
      const answer = await arrives?.(...call);
      // The bytes arrived and the answer did not.
      if (breaks > 0) {
        breaks -= 1;
        throw broken();
      }
      return answer as WorkUpload;
    });
    vi.mocked(readUpload).mockImplementation(async (_, id) => upload(id, 10, { offset: kept.length }));
    const sent = sendWork(1, chosen, 'request', never, quiet);
    await vi.runAllTimersAsync();
    await sent;
    expect(kept).toBe('0123456789');
  } finally {
    vi.useRealTimers();
  }
});

it('a refusal ends it at once and is told', async () => {
  vi.mocked(sendChunk).mockRejectedValue(new ApiError('refused', '报告不是 PDF 文件', 422, 31315, [], null));
  await expect(sendWork(1, chosen, 'request', never, quiet)).rejects.toThrow('报告不是 PDF 文件');
  expect(vi.mocked(sendChunk)).toHaveBeenCalledTimes(1);
});

it('another file does not go on with what was begun', async () => {
  const begun = submission([upload(1, 10, { sha256: 'f'.repeat(64) })]);
  await expect(resumeWork(1, begun, chosen, never, quiet)).rejects.toThrow(OtherFile);
  expect(vi.mocked(sendChunk)).not.toHaveBeenCalled();
});
