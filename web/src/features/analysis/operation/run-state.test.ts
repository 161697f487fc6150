import type { Report } from '@hengxi/contracts/contract';
import { describe, expect, test } from 'vitest';

import type { Event, Judgement, Machine, Result } from './run-state.ts';
import { faultsOf, isStale, phaseOf, runsItself, secondsText, START, step } from './run-state.ts';

const draft = (key: string, more: Partial<Judgement> = {}): Judgement => ({
  key,
  fields: [],
  seconds: 0.2,
  resolved: {},
  ...more,
});
const report = { title: '', elapsed: 0.1, stopped: false } as unknown as Report;
const result = (key: string): Result => ({
  key,
  project_id: 1,
  report_id: 2,
  rev: 1,
  report,
  cached: false,
  stopped: false,
});
const after = (...events: Event[]): Machine => events.reduce(step, START);
const missing = { field: 'y', code: 'role.required', text: '请在“Y”放入变量' };

describe('phases', () => {
  test('nothing is known yet: 未就绪', () => expect(phaseOf(START)).toBe('unready'));
  test('faults of the form: 未就绪, and they are shown at the fields', () => {
    const machine = after({ type: 'judged', draft: draft('a', { fields: [missing] }) });
    expect(phaseOf(machine)).toBe('unready');
    expect(faultsOf(machine)).toEqual([missing]);
  });
  test('待运行 → 排队 → 运行中 → 完成', () => {
    let machine = after({ type: 'judged', draft: draft('a', { seconds: 40 }) });
    expect(phaseOf(machine)).toBe('ready');
    machine = step(machine, { type: 'sent', key: 'a' });
    expect(phaseOf(machine)).toBe('waiting');
    machine = step(machine, {
      type: 'going',
      run_id: 7,
      state: 'running',
      position: null,
      progress: { done: 1, of: 5, text: '第 1/5 折' },
    });
    expect(phaseOf(machine)).toBe('running');
    machine = step(machine, { type: 'done', result: result('a') });
    expect(phaseOf(machine)).toBe('done');
    expect(isStale(machine)).toBe(false);
  });
  test('a changed setting makes the result 已过期, and going back makes it current again', () => {
    const done = after(
      { type: 'judged', draft: draft('a') },
      { type: 'sent', key: 'a' },
      { type: 'done', result: result('a') },
    );
    const edited = step(done, { type: 'edited' });
    expect(isStale(edited)).toBe(false);
    const other = step(edited, { type: 'judged', draft: draft('b') });
    expect([phaseOf(other), isStale(other)]).toEqual(['ready', true]);
    expect(phaseOf(step(other, { type: 'judged', draft: draft('a') }))).toBe('done');
  });
  test('失败 and 已取消 belong to their settings only', () => {
    const failed = after(
      { type: 'judged', draft: draft('a') },
      { type: 'sent', key: 'a' },
      { type: 'failed', failure: { key: 'a', kind: 'timeout', text: '超时', fields: [], id: null } },
    );
    expect(phaseOf(failed)).toBe('failed');
    expect(phaseOf(step(failed, { type: 'judged', draft: draft('b') }))).toBe('ready');
    const cancelled = after({ type: 'judged', draft: draft('a') }, { type: 'sent', key: 'a' }, { type: 'cancelled' });
    expect(phaseOf(cancelled)).toBe('cancelled');
    expect(phaseOf(step(cancelled, { type: 'judged', draft: draft('b') }))).toBe('ready');
  });
  test('a refused run shows its faults at the fields', () => {
    const refused = after(
      { type: 'judged', draft: draft('a') },
      { type: 'sent', key: 'a' },
      { type: 'failed', failure: { key: 'a', kind: 'refused', text: 'x', fields: [missing], id: null } },
    );
    expect(faultsOf(refused)).toEqual([missing]);
  });
});

describe('running by itself', () => {
  test('only when quick, switched on, not frozen, not already tried', () => {
    const quick = after({ type: 'judged', draft: draft('a') });
    expect(runsItself(quick)).toBe(true);
    expect(runsItself(step(quick, { type: 'auto', auto: false }))).toBe(false);
    expect(runsItself(step(quick, { type: 'frozen', frozen: true }))).toBe(false);
    expect(runsItself(step(quick, { type: 'locked', locked: true }))).toBe(false);
    expect(runsItself(step(quick, { type: 'edited' }))).toBe(false);
    expect(runsItself(after({ type: 'judged', draft: draft('a', { seconds: 1.6 }) }))).toBe(false);
    expect(runsItself(after({ type: 'judged', draft: draft('a', { fields: [missing] }) }))).toBe(false);
  });
  test('a cancelled or failed setting is not run again by itself', () => {
    expect(
      runsItself(after({ type: 'judged', draft: draft('a') }, { type: 'sent', key: 'a' }, { type: 'cancelled' })),
    ).toBe(false);
  });
  test('a newer quick setting supersedes the run under way', () => {
    const going = after({ type: 'judged', draft: draft('a') }, { type: 'sent', key: 'a' });
    expect(runsItself(going)).toBe(false);
    expect(runsItself(step(going, { type: 'judged', draft: draft('b') }))).toBe(true);
  });
  test('words for the time', () => {
    expect([secondsText(0.03), secondsText(0.24), secondsText(40.4), secondsText(150), secondsText(null)]).toEqual([
      '不到 0.1 秒',
      '约 0.2 秒',
      '约 40 秒',
      '约 3 分钟',
      '时间未知',
    ]);
  });
});
