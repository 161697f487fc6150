import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { ApiError } from '../../../lib/api.ts';
import { toast } from '../../../lib/toast.ts';
import { daysLeft } from '../bin-list.tsx';
import { newMeter, record, secondsLeft } from './meter.ts';
import { blockToFile, isTable, parseBlock, toCsv } from './paste.ts';
import { faultOf, isPassing, readQuestions, runFault } from './questions.ts';
import { sendFile, type Waiting } from './transfer.ts';
import { freshItem } from './upload-item.ts';
import { canResend } from './uploads.ts';

it('a look at a file may be tried again when its reader was killed, not when the file is at fault', () => {
  const refused = (code: string) =>
    new ApiError('refused', '', 422, 30601, [{ field: null, code, text: '读取中断，请重试', facts: {} }], null);
  expect([isPassing(refused('preview.killed')), isPassing(refused('preview.failed'))]).toEqual([true, false]);
});

describe('a pasted block', () => {
  it('is split at tabs and lines, quoted cells and all', () => {
    expect(parseBlock('a\tb\r\n1\t"x\ny ""z"""\r\n')).toEqual([
      ['a', 'b'],
      ['1', 'x\ny "z"'],
    ]);
    expect(parseBlock('5" disk\tb')).toEqual([['5" disk', 'b']]);
  });

  it('is a table from two cells on', () => {
    expect([isTable('word'), isTable('a\tb'), isTable('a\nb'), isTable('')]).toEqual([false, true, true, false]);
  });

  it('becomes a csv that says the same', async () => {
    expect(toCsv([['a', 'b,c', 'd"e', 'f\ng']])).toBe('a,"b,c","d""e","f\ng"');
    const file = blockToFile('性别\t年龄\n男\t20');
    expect([file.name, await file.text()]).toEqual(['粘贴的表格.csv', '性别,年龄\n男,20']);
  });
});

describe('speed', () => {
  it('follows the line and says the time left', () => {
    const meter = newMeter();
    expect(secondsLeft(100, 0, meter.speed)).toBeNull();
    record(meter, 1000, 1000);
    expect(meter.speed).toBe(1000);
    record(meter, 500, 1000);
    expect(meter.speed).toBe(850);
    expect(secondsLeft(1850, 1000, meter.speed)).toBe(1);
    expect(secondsLeft(1000, 1000, meter.speed)).toBeNull();
  });
});

describe('sending a file', () => {
  const file = new File([new Uint8Array(1_000_000)], '大.csv', { lastModified: 1 });
  let received = 0;
  let fails: (() => Response | null)[] = [];
  const puts: number[] = [];

  const upload = () => ({
    upload_id: 7,
    name: file.name,
    size: file.size,
    offset: received,
    chunk: 8 * 2 ** 20,
    complete: received >= file.size,
    sha256: null,
  });
  const ok = (data: unknown) => new Response(JSON.stringify({ status_code: 1, data }));
  const bad = (status: number, err_code: number, data: unknown = null) =>
    new Response(JSON.stringify({ status_code: 0, err_code, msg: '不行', data }), { status });

  beforeEach(() => {
    received = 0;
    fails = [];
    puts.length = 0;
    localStorage.clear();
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      if (init.method !== 'PUT') return ok(upload());
      const offset = Number(new URL(url, 'http://x').searchParams.get('offset'));
      puts.push(offset);
      const failed = fails.shift()?.();
      if (failed) return failed;
      if (offset !== received) return bad(409, 30501, { offset: received });
      received += init.body instanceof Blob ? init.body.size : 0;
      return ok(upload());
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('goes on in growing pieces until the file is whole', async () => {
    const seen: number[] = [];
    const done = await sendFile(file, ({ sent }) => seen.push(sent), new AbortController().signal);
    expect(done.complete).toBe(true);
    expect(puts).toEqual([0, 262_144, 786_432]);
    expect(seen.at(-1)).toBe(1_000_000);
    expect(localStorage.getItem('hx_uploads')).toBe('{}');
  });

  it('asks the server where to go on when a piece had arrived although its answer was lost', async () => {
    fails = [
      () => {
        received = 262_144;
        return bad(409, 30501, { offset: received });
      },
    ];
    await sendFile(file, () => undefined, new AbortController().signal);
    expect(puts).toEqual([0, 262_144, 524_288].slice(0, 2).concat(puts.slice(2)));
    expect(received).toBe(1_000_000);
  });

  it('waits and tries again while the server is away, and says so', async () => {
    vi.useFakeTimers();
    const lost = () => {
      throw new TypeError('fetch failed');
    };
    fails = [() => bad(503, 30095), () => bad(429, 30001), lost];
    const waits: (Waiting | null)[] = [];
    const done = sendFile(file, ({ waiting }) => waits.push(waiting), new AbortController().signal);
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await done).complete).toBe(true);
    expect(waits.filter(Boolean)).toEqual(['server', 'requests', 'connection']);
  });

  it('ends at once with what cannot be cured by trying again', async () => {
    fails = [() => bad(413, 30503)];
    await expect(sendFile(file, () => undefined, new AbortController().signal)).rejects.toMatchObject({ code: 30503 });
  });

  it('tells a fault of the server, bears it three times, and does not wait for what will never be there', async () => {
    const warn = vi.spyOn(toast, 'warn').mockReturnValue();
    vi.useFakeTimers();
    fails = Array.from({ length: 4 }, () => () => bad(500, 30094));
    const never = new AbortController().signal;
    const [broken] = await Promise.all([
      sendFile(file, () => undefined, never).catch((error: unknown) => error),
      vi.advanceTimersByTimeAsync(10_000),
    ]);
    expect(broken).toMatchObject({ status: 500 });
    expect([puts.length, warn.mock.calls.length]).toEqual([4, 1]);
    fails = [() => new Response('', { status: 501 })];
    await expect(sendFile(file, () => undefined, never)).rejects.toMatchObject({ message: '网络未实现' });
    fails = [() => bad(503, 30022)];
    await expect(sendFile(file, () => undefined, never)).rejects.toMatchObject({ code: 30022 });
    warn.mockRestore();
  });

  it('does not ask for ever where the server gets no further', async () => {
    vi.useFakeTimers();
    const never = new AbortController().signal;
    const sent = async () => {
      puts.length = 0;
      const [error] = await Promise.all([
        sendFile(file, () => undefined, never).catch((caught: unknown) => caught),
        vi.advanceTimersByTimeAsync(10_000),
      ]);
      return [error, puts.length];
    };
    const warn = vi.spyOn(toast, 'warn').mockReturnValue();
    // Takes nothing of what it is sent.
    fails = Array.from({ length: 9 }, () => () => ok(upload()));
    expect(await sent()).toEqual([expect.objectContaining({ message: '服务器没有收下文件的这一段' }), 4]);
    // Names the place it refuses.
    fails = Array.from({ length: 9 }, () => () => bad(409, 30501, { offset: 0 }));
    expect(await sent()).toEqual([expect.objectContaining({ code: 30501 }), 4]);
    warn.mockRestore();
  });

  it('stops when it is cancelled', async () => {
    const controller = new AbortController();
    fails = [
      () => {
        controller.abort();
        return bad(503, 30095);
      },
    ];
    await expect(sendFile(file, () => undefined, controller.signal)).rejects.toMatchObject({ fault: 'cancelled' });
  });
});

describe('faults and questions', () => {
  const remedies = [
    { title: '按引号修复', set: { on_bad_row: 'repair' } },
    { title: '', nothing: 1 },
  ];

  it('keep the words and the remedies of the engine', () => {
    const field = { field: null, code: 'csv.ragged', text: '第 3 行有 2 个字段', remedies };
    const error = new ApiError('http', '不符合', 422, 30508, [field], null);
    expect(faultOf(error)).toEqual({ code: 'csv.ragged', text: '第 3 行有 2 个字段', remedies: [remedies[0]] });
    expect(runFault({ refusal: { fields: [field] }, error: null })).toEqual(faultOf(error));
    expect(runFault({ refusal: null, error: { code: 'memory', text: '内存不足', id: null } }).text).toBe('内存不足');
    expect(runFault({ refusal: null, error: null }).text).toContain('请重试');
    expect(faultOf(new Error('x')).remedies).toEqual([]);
  });

  it('of the file itself are not answered by sending it again', () => {
    const item = { ...freshItem(1, 'a.rds', 9), state: 'failed' as const };
    const failed = (code: string, sent = 0) => canResend({ ...item, sent, fault: { code, text: '', remedies: [] } });
    expect([failed('30508'), failed('30504'), failed('30035'), failed('', 4), failed('', 9)]).toEqual([
      false,
      false,
      true,
      true,
      false,
    ]);
  });

  it('are only taken for questions when they are some', () => {
    const question = { id: 'c2', name: '收入', kind: 'thousands', count: 2, samples: [], choices: [] };
    expect(readQuestions({ questions: [question, 5, { id: 1 }] })).toEqual([question]);
    expect(readQuestions(null)).toEqual([]);
  });
});

describe('the bin', () => {
  it('counts the days a file is still kept', () => {
    const now = new Date('2026-11-21T12:00:00Z').getTime();
    expect(daysLeft('2026-11-21T11:00:00Z', now)).toBe(30);
    expect(daysLeft('2026-10-23T12:00:00Z', now)).toBe(1);
    expect(daysLeft('2026-09-01T12:00:00Z', now)).toBe(0);
  });
});
