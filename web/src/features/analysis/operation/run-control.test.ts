import type { Report } from '@hengxi/contracts/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { Outside, RunNews, Started, Underway } from './run-control.ts';
import { RunControl } from './run-control.ts';
import { phaseOf } from './run-state.ts';

const report = { title: '', elapsed: 0.1, stopped: false } as unknown as Report;
const doneNow = (report_id = 2): Started => ({
  kind: 'done',
  result: { project_id: 1, report_id, rev: 1, report, cached: false },
});
const going = (run_id: number): Started => ({ kind: 'going', run_id, state: 'waiting', project_id: 1, report_id: 2 });
const news = (run_id: number, state: RunNews['state'], more: Partial<RunNews> = {}): RunNews => ({
  run_id,
  state,
  position: null,
  progress: null,
  refusal: null,
  error: null,
  result: null,
  ...more,
});

/** A server whose answers the test gives by hand. */
function world(seconds = 0.2, underway: Underway | null = null) {
  const device = { underway };
  const away = { is: false };
  const calls: string[] = [];
  const starts: { resolve: (started: Started) => void; reject: (error: unknown) => void }[] = [];
  const follows = new Map<number, (run: RunNews) => void>();
  const outside: Outside = {
    draft: async ({ form }) => {
      if (away.is) throw new Error('engine');
      return { key: JSON.stringify(form), fields: [], seconds, resolved: form };
    },
    start: (work, place) => {
      calls.push(`start ${JSON.stringify(work.form)} report=${place.report_id}`);
      return new Promise((resolve, reject) => starts.push({ resolve, reject }));
    },
    follow: (run_id) => new Promise((resolve) => follows.set(run_id, resolve)),
    read: async (at) => ({ ...at, report }),
    cancel: async (run_id) => void calls.push(`cancel ${run_id}`),
    stop: async (run_id) => void calls.push(`stop ${run_id}`),
    remember: (run) => {
      device.underway = run;
    },
    remembered: () => device.underway,
    explain: (error) => {
      const kind = error === 'engine' || away.is ? 'engine' : 'network';
      return error === 'gone' ? null : { kind, text: '连不上', fields: [], id: null };
    },
  };
  let report_id: number | null = null;
  const control = new RunControl(
    outside,
    () => undefined,
    () => ({ project_id: report_id === null ? null : 1, report_id }),
    (place) => {
      report_id = place.report_id;
    },
  );
  return { control, calls, starts, follows, device, away };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

describe('the run control', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('runs by itself after 300 ms of quiet, once for many changes', async () => {
    const { control, calls, starts } = world();
    control.edit({ vid: 1, form: { a: 1 } });
    await vi.advanceTimersByTimeAsync(200);
    control.edit({ vid: 1, form: { a: 2 } });
    await vi.advanceTimersByTimeAsync(299);
    expect(calls).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(calls).toEqual(['start {"a":2} report=null']);
    starts[0]?.resolve(doneNow());
    await settle();
    expect(phaseOf(control.machine)).toBe('done');
  });

  test('settings go on by themselves once the engine has started, those that were sent even where the button is needed', async () => {
    const { control, calls, starts, away } = world(40);
    away.is = true;
    control.edit({ vid: 1, form: { a: 1 } });
    await vi.advanceTimersByTimeAsync(5000);
    expect([phaseOf(control.machine), control.machine.failure?.kind]).toEqual(['failed', 'engine']);
    away.is = false;
    await vi.advanceTimersByTimeAsync(2000);
    expect(phaseOf(control.machine)).toBe('ready');
    void control.run();
    await settle();
    starts[0]?.reject('engine');
    await settle();
    expect(control.machine.failure?.kind).toBe('engine');
    await vi.advanceTimersByTimeAsync(2000);
    expect(calls).toHaveLength(2);
    starts[1]?.resolve(doneNow());
    await settle();
    expect(phaseOf(control.machine)).toBe('done');
  });

  test('a slow analysis waits for the button', async () => {
    const { control, calls } = world(40);
    control.edit({ vid: 1, form: { a: 1 } });
    await vi.advanceTimersByTimeAsync(400);
    expect(phaseOf(control.machine)).toBe('ready');
    void control.run();
    await settle();
    expect(calls).toHaveLength(1);
  });

  test('a locked method starts nothing by itself; unlocked, it runs what was filled in meanwhile', async () => {
    const { control, calls } = world();
    control.setLocked(true);
    control.edit({ vid: 1, form: { a: 1 } });
    await vi.advanceTimersByTimeAsync(400);
    control.edit({ vid: 1, form: { a: 2 } });
    await vi.advanceTimersByTimeAsync(400);
    expect(calls).toEqual([]);
    control.setLocked(false);
    await settle();
    expect(calls).toEqual(['start {"a":2} report=null']);
  });

  test('a reloaded page follows the run of its settings on, and does not send it again', async () => {
    const before = world();
    before.control.edit({ vid: 1, form: { a: 1 } });
    await vi.advanceTimersByTimeAsync(300);
    before.starts[0]?.resolve(going(7));
    await settle();
    before.control.dispose();
    const { underway } = before.device;
    expect(underway).toEqual({ run_id: 7, key: '{"a":1}', project_id: 1, report_id: 2 });

    const { control, calls, follows, device } = world(0.2, underway);
    control.edit({ vid: 1, form: { a: 1 } });
    await vi.advanceTimersByTimeAsync(300);
    expect(calls).toEqual([]);
    expect(control.machine.going?.run_id).toBe(7);
    follows.get(7)?.(news(7, 'done', { result: { project_id: 1, report_id: 2, rev: 1, stopped: false } }));
    await settle();
    expect(phaseOf(control.machine)).toBe('done');
    expect(device.underway).toBeNull();
  });

  test('a run of other settings is not joined', async () => {
    const { control, calls } = world(0.2, { run_id: 7, key: '{"a":1}', project_id: 1, report_id: 2 });
    control.edit({ vid: 1, form: { a: 2 } });
    await vi.advanceTimersByTimeAsync(300);
    expect(calls).toEqual(['start {"a":2} report=null']);
  });

  test('a superseded run is cancelled on the server, and the next is a revision of the same report', async () => {
    const { control, calls, starts } = world();
    control.edit({ vid: 1, form: { a: 1 } });
    await vi.advanceTimersByTimeAsync(300);
    starts[0]?.resolve(going(7));
    await settle();
    expect(phaseOf(control.machine)).toBe('waiting');
    control.edit({ vid: 1, form: { a: 2 } });
    await vi.advanceTimersByTimeAsync(300);
    expect(calls).toEqual(['start {"a":1} report=null', 'cancel 7', 'start {"a":2} report=2']);
  });

  test('two first runs never make two reports: the second waits for the first to have its number', async () => {
    const { control, calls, starts } = world();
    control.edit({ vid: 1, form: { a: 1 } });
    await vi.advanceTimersByTimeAsync(300);
    control.edit({ vid: 1, form: { a: 2 } });
    await vi.advanceTimersByTimeAsync(300);
    expect(calls).toHaveLength(1);
    starts[0]?.resolve(going(7));
    await settle();
    expect(calls).toEqual(['start {"a":1} report=null', 'cancel 7', 'start {"a":2} report=2']);
    starts[1]?.resolve(doneNow());
    await settle();
    expect(phaseOf(control.machine)).toBe('done');
    expect(control.machine.result?.key).toBe('{"a":2}');
  });

  test('follows a run to its end and reads the report', async () => {
    const { control, starts, follows } = world();
    control.edit({ vid: 1, form: { a: 1 } });
    await vi.advanceTimersByTimeAsync(300);
    starts[0]?.resolve(going(7));
    await settle();
    follows.get(7)?.(news(7, 'done', { result: { project_id: 1, report_id: 2, rev: 3, stopped: true } }));
    await settle();
    expect(control.machine.result).toMatchObject({ rev: 3, stopped: true, key: '{"a":1}' });
  });

  test.each([
    ['timeout', 'timeout'],
    ['memory', 'memory'],
    ['lost', 'lost'],
    ['failed', 'failed'],
  ] as const)('a run that ends as %s says so', async (state, kind) => {
    const { control, starts, follows } = world();
    control.edit({ vid: 1, form: { a: 1 } });
    await vi.advanceTimersByTimeAsync(300);
    starts[0]?.resolve(going(7));
    await settle();
    follows.get(7)?.(news(7, state));
    await settle();
    expect(control.machine.failure?.kind).toBe(kind);
    expect(control.machine.failure?.text).not.toBe('');
  });

  test('取消 and 停止并保留', async () => {
    const { control, calls, starts, follows } = world();
    control.edit({ vid: 1, form: { a: 1 } });
    await vi.advanceTimersByTimeAsync(300);
    starts[0]?.resolve(going(7));
    await settle();
    await control.stop();
    await control.cancel();
    expect(calls.slice(1)).toEqual(['stop 7', 'cancel 7']);
    follows.get(7)?.(news(7, 'cancelled'));
    await settle();
    expect(phaseOf(control.machine)).toBe('cancelled');
  });

  test('what the client has shown already leaves no failure behind', async () => {
    const { control, starts } = world();
    control.edit({ vid: 1, form: { a: 1 } });
    await vi.advanceTimersByTimeAsync(300);
    starts[0]?.reject('gone');
    await settle();
    expect([control.machine.failure, control.machine.going]).toEqual([null, null]);
  });

  test('a frozen result is not run over', async () => {
    const { control, calls } = world();
    control.setFrozen(true);
    control.edit({ vid: 1, form: { a: 1 } });
    await vi.advanceTimersByTimeAsync(400);
    expect(await control.run()).toBe(false);
    expect(calls).toEqual([]);
  });
});
