import { describe, expect, it } from 'vitest';

import { column } from '../../../../fields/testing/harness.tsx';
import { NO_EDITS, redone, undone, withChanges } from './cell-edits.ts';
import { editText } from './cell-text.ts';
import { editAct, type EditMode } from './edit-keys.ts';
import { readCell } from './read-cell.ts';
import { cutOff } from './use-cell-editor.ts';

const number = column('c1', '身高', '定量');
const day = column('c2', '入学', '时间');
const moment = column('c3', '提交', '时间', { storage: 'datetime' });
const flag = column('c4', '同意', '定类', { storage: 'bool' });
const words = column('c5', '意见', '文本');
const sex = column('c6', '性别', '定类', {
  storage: 'int',
  levels: [
    { value: 1, label: '男', count: 1 },
    { value: 2, label: '2', count: 1 },
  ],
});

it('says how much of a pasted block lies beyond the table', () => {
  expect(cutOff({ rows: 2, columns: 1 })).toBe('2 行、1 列');
  expect(cutOff({ rows: -3, columns: 1 })).toBe('1 列');
  expect(cutOff({ rows: 0, columns: -2 })).toBe('');
});

describe('what is typed', () => {
  it.each([
    [number, '3.5', 3.5],
    [number, ' −2 ', -2],
    [number, '１２', 12],
    [number, '1,234.5', 1234.5],
    [number, '1e3', 1000],
    [number, '', null],
    [day, '2025/1/2', '2025-01-02'],
    [day, '2025年1月2日', '2025-01-02'],
    [moment, '2025-01-02 8:30', '2025-01-02T08:30:00'],
    [flag, '是', true],
    [flag, '0', false],
    [words, ' 两个 空格 ', ' 两个 空格 '],
    [words, '007', '007'],
    [sex, '男', 1],
    [sex, '2', 2],
  ])('is read by the type of its column (%#)', (of, text, value) => {
    expect(readCell(text, of)).toEqual({ value });
  });

  it.each([
    [number, 'abc', '应填数字，“abc”不是'],
    [number, '1,23', '应填数字'],
    [number, '.', '应填数字'],
    [sex, '女', '应填数字或值标签，“女”不是'],
    [day, '2025-02-30', '应填日期，如 2024-01-31'],
    [day, '2025-01-02 08:30', '应填日期'],
    [moment, '2025-01-02 25:00', '应填日期，如 2024-01-31 08:30'],
    [flag, '也许', '应填 是 或 否'],
    [words, '长'.repeat(32_768), '最多 32,767 个字'],
  ])('is refused in words (%#)', (of, text, fault) => {
    expect(readCell(text, of)).toEqual({ fault: expect.stringContaining(fault) });
  });

  it('starts from the whole value, not from the decimals shown', () => {
    expect(editText(3.14159, number, null)).toBe('3.14159');
    expect(editText(1, sex, new Map([[1, '男']]))).toBe('男');
    expect(editText(null, number, null)).toBe('');
  });
});

describe('keys while editing', () => {
  const press = (key: string, mode: EditMode, more: Partial<Record<'ctrlKey' | 'shiftKey', boolean>> = {}) =>
    editAct({ key, ctrlKey: false, metaKey: false, shiftKey: false, ...more }, mode);

  it('open, empty and undo on a closed cell; moving is left to the grid', () => {
    expect(press('F2', 'closed')).toEqual({ act: 'open' });
    expect(press('Enter', 'closed')).toEqual({ act: 'open' });
    expect(press('Delete', 'closed')).toEqual({ act: 'clear' });
    expect(press('z', 'closed', { ctrlKey: true })).toEqual({ act: 'undo' });
    expect(press('Z', 'closed', { ctrlKey: true, shiftKey: true })).toEqual({ act: 'redo' });
    expect(press('Tab', 'closed', { shiftKey: true })).toEqual({ act: 'step', right: -1 });
    expect(press('ArrowDown', 'closed')).toBeNull();
    expect(press('c', 'closed', { ctrlKey: true })).toBeNull();
  });

  it('end an entry and go on; arrows end typing but move the caret after F2', () => {
    expect(press('Enter', 'typing')).toEqual({ act: 'commit', down: 1, right: 0 });
    expect(press('Enter', 'editing', { shiftKey: true })).toEqual({ act: 'commit', down: -1, right: 0 });
    expect(press('Tab', 'editing')).toEqual({ act: 'commit', down: 0, right: 1 });
    expect(press('ArrowLeft', 'typing')).toEqual({ act: 'commit', down: 0, right: -1 });
    expect(press('ArrowLeft', 'editing')).toBeNull();
    expect(press('Escape', 'typing')).toEqual({ act: 'cancel' });
    expect(press('Delete', 'typing')).toBeNull();
  });
});

describe('changes that are not saved', () => {
  const change = (row: number, old: number | null, value: number | null) => ({ row, column: 'c1', old, value });

  it('keep what the table holds as old, and forget a cell put back', () => {
    const once = withChanges(NO_EDITS, [change(3, 1, 2)]);
    const twice = withChanges(once, [change(3, 2, 5)]);
    expect([...twice.cells.values()]).toEqual([change(3, 1, 5)]);
    expect(withChanges(twice, [change(3, 5, 1)]).cells.size).toBe(0);
  });

  it('are undone a paste at a time, and done again until something else is typed', () => {
    const pasted = withChanges(NO_EDITS, [change(0, 1, 9), change(1, 1, 9)]);
    const typed = withChanges(pasted, [change(2, null, 4)]);
    expect(undone(typed).cells).toEqual(pasted.cells);
    expect(undone(undone(typed)).cells.size).toBe(0);
    expect(redone(undone(typed)).cells).toEqual(typed.cells);
    expect(redone(withChanges(undone(typed), [change(5, 1, 2)])).cells.size).toBe(3);
    expect(undone(NO_EDITS)).toEqual(NO_EDITS);
  });

  it('a value typed again as it is leaves nothing to undo', () => {
    expect(withChanges(NO_EDITS, [change(0, 1, 1)])).toBe(NO_EDITS);
  });
});
