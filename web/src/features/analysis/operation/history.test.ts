import { describe, expect, test } from 'vitest';

import { begin, commit, redo, redoText, undo, undoText } from '../../../fields/history.ts';
import type { Outside } from './run-control.ts';
import { needsSave, Operation } from './store.ts';

const start = begin({ vid: 1, form: { x: [] } });

describe('undo and redo', () => {
  test('steps back and forth, naming the step', () => {
    const one = commit(start, { vid: 1, form: { x: ['c1'] } }, '加入“年龄”', 10);
    const two = commit(one, { vid: 2, form: { x: ['c1'] } }, '把“年龄”改为定类', 20);
    expect(undoText(two)).toBe('把“年龄”改为定类');
    const back = undo(two);
    expect([back.now.vid, redoText(back)]).toEqual([1, '把“年龄”改为定类']);
    expect(redo(back).now).toEqual(two.now);
    expect(undo(undo(back)).now.form).toEqual({ x: [] });
    expect(undo(start)).toBe(start);
  });
  test('a new step forgets what was undone; no change is no step', () => {
    const one = commit(start, { vid: 1, form: { x: ['c1'] } }, '一', 10);
    expect(commit(undo(one), { vid: 1, form: { x: ['c2'] } }, '二', 20).future).toEqual([]);
    expect(commit(one, { vid: 1, form: { x: ['c1'] } }, '同', 30)).toBe(one);
  });
  test('typing is one step', () => {
    const typed = ['9', '90', '900'].reduce(
      (history, text, at) => commit(history, { vid: 1, form: { n: text } }, '修改', 10 + at * 100, 'n'),
      start,
    );
    expect(typed.past).toHaveLength(1);
    expect(undo(typed).now.form).toEqual({ x: [] });
  });
});

describe('saving', () => {
  const outside: Outside = {
    draft: () => new Promise(() => undefined),
    start: () => new Promise(() => undefined),
    follow: () => new Promise(() => undefined),
    read: () => new Promise(() => undefined),
    cancel: async () => undefined,
    stop: async () => undefined,
    remember: () => undefined,
    remembered: () => null,
    explain: () => null,
  };
  const make = (kept: unknown[]) =>
    new Operation(
      {
        outside,
        keep: (work) => void kept.push(work),
        forget: () => void kept.push('forgotten'),
        left: () => undefined,
        save: async () => void kept.push('saved'),
      },
      {
        work: { vid: 1, form: {} },
        project_id: null,
        report_id: null,
        result: null,
        frozen: false,
        auto: true,
        restored: false,
      },
    );

  test('every change is kept on this device at once; leaving asks until there is a report', () => {
    const kept: unknown[] = [];
    const operation = make(kept);
    expect(needsSave(operation.store.getState())).toBe(false);
    operation.set('a', 1);
    expect(kept).toEqual([{ vid: 1, form: { a: 1 } }]);
    expect(needsSave(operation.store.getState())).toBe(true);
    operation.undo();
    expect(operation.work.form).toEqual({});
    operation.discard();
    expect(kept.at(-1)).toBe('forgotten');
    operation.dispose();
  });
});
