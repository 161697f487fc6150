import type { Column, Rows } from '@hengxi/server/files/schema';
import { describe, expect, it, vi } from 'vitest';

import { eventually } from '../../../../testing/eventually.ts';
import { cellText, editText, labelsOf, showsNumbers } from './cell-text.ts';
import { jumpOver } from './jump.ts';
import { movedBy } from './move.ts';
import { readCell } from './read-cell.ts';
import { BLOCK_ROWS, type FetchBlock, RowBlocks } from './row-blocks.ts';
import {
  columnsBetween,
  edges,
  lastTop,
  reveal,
  type Scale,
  scrollOf,
  SPACER_MOST,
  spacerHeight,
  topOf,
  windowAt,
} from './scale.ts';
import { followed } from './use-scroller.ts';

const small: Scale = { rows: 326, rowHeight: 29, view: 600 };
const million: Scale = { rows: 1_000_000, rowHeight: 29, view: 600 };

describe('the scale of the scrollbar', () => {
  it('is one to one while a browser can be that tall', () => {
    expect(spacerHeight(small)).toBe(326 * 29);
    expect(topOf(small, 123)).toBe(123);
    expect(scrollOf(small, 123)).toBe(123);
  });

  it('reaches the very first and the very last of a million rows', () => {
    expect(spacerHeight(million)).toBe(SPACER_MOST);
    expect(topOf(million, 0)).toBe(0);
    expect(topOf(million, SPACER_MOST - million.view)).toBe(lastTop(million));
    expect(windowAt(million, lastTop(million)).end).toBe(1_000_000);
    expect(windowAt(million, 0)).toEqual({ first: 0, end: 22, offset: 0 });
  });

  it('finds its way back from the scrollbar to the row', () => {
    for (const row of [0, 1, 499_999, 999_970]) {
      const top = row * 29;
      expect(topOf(million, scrollOf(million, top))).toBeCloseTo(top, 5);
    }
  });

  it('shows a row with the least movement', () => {
    expect(reveal(small, 0, 5)).toBe(0);
    expect(reveal(small, 290, 5)).toBe(145);
    expect(reveal(small, 0, 30)).toBe(31 * 29 - 600);
    expect(reveal(million, 0, 999_999)).toBe(lastTop(million));
  });

  it('takes a short way of the scrollbar as pixels and a long one as a share', () => {
    expect(followed(million, 2900, 5100, 100)).toBe(3000);
    expect(followed(million, 2900, 7_500_000, 7_000_000)).toBeCloseTo(
      lastTop(million) * (7_500_000 / (SPACER_MOST - 600)),
      3,
    );
    expect(followed(million, 2900, 0, -100)).toBe(0);
    expect(followed(million, 2900, SPACER_MOST - 600, 100)).toBe(lastTop(million));
    expect(followed(small, 0, 500, 500)).toBe(500);
  });

  it('knows which columns are seen', () => {
    const lefts = edges([100, 50, 200, 80]);
    expect(lefts).toEqual([0, 100, 150, 350, 430]);
    expect(columnsBetween(lefts, 0, 120)).toEqual([0, 2]);
    expect(columnsBetween(lefts, 100, 150)).toEqual([1, 2]);
    expect(columnsBetween(lefts, 149, 1000)).toEqual([1, 4]);
    expect(columnsBetween([0], 0, 500)).toEqual([0, 0]);
  });
});

describe('keys', () => {
  const extent = { rows: 1000, columns: 5, page: 20 };
  const key = (name: string, ctrlKey = false) => ({ key: name, ctrlKey, metaKey: false });

  it('move by cell, screen and to the ends', () => {
    expect(movedBy(key('ArrowDown'), { row: 3, column: 2 }, extent)).toEqual({ row: 4, column: 2 });
    expect(movedBy(key('ArrowUp'), { row: 0, column: 2 }, extent)).toEqual({ row: -1, column: 2 });
    expect(movedBy(key('ArrowUp'), { row: -1, column: 2 }, extent)).toEqual({ row: -1, column: 2 });
    expect(movedBy(key('End'), { row: 3, column: 2 }, extent)).toEqual({ row: 3, column: 4 });
    expect(movedBy(key('End', true), { row: 3, column: 2 }, extent)).toEqual({ row: 999, column: 4 });
    expect(movedBy(key('Home', true), { row: 3, column: 2 }, extent)).toEqual({ row: 0, column: 0 });
    expect(movedBy(key('PageDown'), { row: 990, column: 0 }, extent)).toEqual({ row: 999, column: 0 });
    expect(movedBy(key('a'), { row: 0, column: 0 }, extent)).toBeNull();
  });
});

describe('a jump', () => {
  it('stops at the rim of a block of filled cells, or at the next one', () => {
    expect(jumpOver(1, [2, 3, null, 4])).toBe(2);
    expect(jumpOver(1, [null, '', 4, 5])).toBe(3);
    expect(jumpOver(null, [4, 5])).toBe(1);
    expect(jumpOver(1, [null, null])).toBe(2);
    expect(jumpOver(1, [2, 3])).toBe(2);
    expect(jumpOver(1, [])).toBe(0);
    expect(jumpOver(1, [2, undefined, null])).toBeNull();
    expect(jumpOver(undefined, [2])).toBeNull();
  });
});

const rowsOf = (offset: number, limit: number, columns: number): Rows => ({
  total: 1000,
  index: Array.from({ length: limit }, (_, at) => offset + at),
  rows: Array.from({ length: limit }, (_, at) => Array.from({ length: columns }, (__, c) => (offset + at) * 1000 + c)),
});

describe('row blocks', () => {
  it('fetch what is looked at, with the columns looked at, once', async () => {
    const fetch = vi.fn<FetchBlock>(({ offset, limit, columns }) =>
      Promise.resolve(rowsOf(offset, limit, columns.length)),
    );
    const changed = vi.fn<() => void>();
    const ids = Array.from({ length: 130 }, (_, at) => `c${at + 1}`);
    const blocks = new RowBlocks(ids, changed);
    blocks.look({ first: 190, end: 215, fromColumn: 55, toColumn: 65 }, fetch);
    await eventually(() => expect(changed).toHaveBeenCalledTimes(4));
    expect(fetch.mock.calls.map(([request]) => [request.offset, request.columns.length, request.columns[0]])).toEqual([
      [0, 60, 'c1'],
      [0, 60, 'c61'],
      [BLOCK_ROWS, 60, 'c1'],
      [BLOCK_ROWS, 60, 'c61'],
    ]);
    expect(blocks.cell(201, 62)).toBe(201_002);
    expect(blocks.rowNumber(201, 62)).toBe(202);
    expect(blocks.cell(900, 0)).toBeUndefined();
    vi.useFakeTimers();
    blocks.look({ first: 0, end: 20, fromColumn: 0, toColumn: 9 }, fetch);
    await vi.advanceTimersByTimeAsync(1000);
    vi.useRealTimers();
    expect(fetch).toHaveBeenCalledTimes(4);
  });

  it('ask for nothing while rows fly by, and name what a row is drawn from', async () => {
    const fetch = vi.fn<FetchBlock>(({ offset, limit, columns }) =>
      Promise.resolve(rowsOf(offset, limit, columns.length)),
    );
    const changed = vi.fn<() => void>();
    const blocks = new RowBlocks(['c1', 'c2'], changed);
    const look = (first: number) => blocks.look({ first, end: first + 20, fromColumn: 0, toColumn: 2 }, fetch);
    look(0);
    await eventually(() => expect(changed).toHaveBeenCalledTimes(1));
    const stamp = blocks.stamp(5, 0, 2, false);
    expect(stamp).not.toBe('');
    expect(blocks.stamp(900, 0, 2, false)).toBe('');
    vi.useFakeTimers();
    for (let row = 1000; row <= 20_000; row += 1000) {
      look(row);
      vi.advanceTimersByTime(40);
    }
    expect(fetch).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(200);
    vi.useRealTimers();
    await eventually(() => expect(changed).toHaveBeenCalledTimes(2));
    expect(fetch.mock.calls[1]?.[0].offset).toBe(20_000);
    expect(blocks.stamp(20_005, 0, 2, false)).not.toBe(stamp);
    expect(blocks.stamp(5, 0, 2, false)).toBe(stamp);
  });

  it('give up what was flown over, and say what failed until it is tried again', async () => {
    const signals: AbortSignal[] = [];
    let refuse = false;
    const fetch = vi.fn<FetchBlock>((_, signal) => {
      signals.push(signal);
      return refuse ? Promise.reject(new Error('网络错误')) : new Promise<Rows>(() => undefined);
    });
    const changed = vi.fn<() => void>();
    const blocks = new RowBlocks(['c1'], changed);
    blocks.look({ first: 0, end: 20, fromColumn: 0, toColumn: 1 }, fetch);
    refuse = true;
    blocks.look({ first: 800, end: 820, fromColumn: 0, toColumn: 1 }, fetch);
    await eventually(() => expect(changed).toHaveBeenCalled());
    expect(signals[0]!.aborted).toBe(true);
    expect(blocks.error).toEqual(new Error('网络错误'));
    refuse = false;
    blocks.retry();
    expect(blocks.error).toBeNull();
    expect(fetch).toHaveBeenCalledTimes(3);
  });
});

const column = (more: Partial<Column>): Column => ({
  id: 'c1',
  name: 'x',
  label: null,
  measure: '定量',
  ordered: false,
  flags: [],
  storage: 'float',
  decimals: 1,
  unit: null,
  why: '',
  levels: null,
  missing: { values: [], ranges: [] },
  profile: { n: 0, missing: 0, distinct: 0 },
  ...more,
});

describe('a cell', () => {
  it('says its value with the decimals of its column, or its label', () => {
    const sex = column({ storage: 'int', decimals: 0, levels: [{ value: 1, label: '男', count: 3 }] });
    expect(cellText(3.7, column({}), null)).toEqual({ text: '3.7', kind: 'number' });
    expect(cellText(3, column({}), null).text).toBe('3.0');
    expect(cellText(1, sex, null)).toEqual({ text: '1', kind: 'number' });
    expect(cellText(1, sex, labelsOf(sex))).toEqual({ text: '男', kind: 'text' });
    expect(cellText(2, sex, labelsOf(sex)).text).toBe('2');
    expect(cellText('2025-11-12T08:07:00', column({ storage: 'datetime' }), null).text).toBe('2025-11-12 08:07');
    expect(cellText(true, column({ storage: 'bool' }), null).text).toBe('是');
  });

  it('shows what is missing, and what only stands for missing', () => {
    const coded = column({ storage: 'int', decimals: 0, missing: { values: [99], ranges: [{ low: null, high: -1 }] } });
    expect(cellText(null, coded, null)).toEqual({ text: '缺失', kind: 'missing' });
    expect(cellText(99, coded, null)).toEqual({ text: '99', kind: 'declared' });
    expect(cellText(-9, coded, null).kind).toBe('declared');
    expect(cellText(0, coded, null).kind).toBe('number');
  });

  it('stands what is missing on the side of the values', () => {
    const sex = column({ storage: 'int', levels: [{ value: 1, label: '男', count: 3 }] });
    const refused = column({ missing_labels: [{ value: 9, label: '不知道', count: 0 }] });
    expect(showsNumbers(sex, null)).toBe(true);
    expect(showsNumbers(sex, labelsOf(sex))).toBe(false);
    expect(showsNumbers(refused, labelsOf(refused))).toBe(true);
    expect(showsNumbers(column({ storage: 'text' }), null)).toBe(false);
  });

  it('calls a code of missing by its label, and a special missing value of Stata by its letter, there and back', () => {
    const a = 2_147_483_622;
    const coded = column({
      missing: { values: [9, a], ranges: [] },
      missing_labels: [
        { value: 9, label: '不知道', count: 0 },
        { value: a, label: '.a 拒答', count: 0 },
      ],
    });
    const shown = (value: number) => [null, labelsOf(coded)].map((labels) => cellText(value, coded, labels).text);
    expect([shown(9), shown(a)]).toEqual([
      ['9.0', '不知道'],
      ['.a', '.a 拒答'],
    ]);
    expect(['不知道', '.a', '.a 拒答'].map((text) => readCell(text, coded))).toEqual([
      { value: 9 },
      { value: a },
      { value: a },
    ]);
    expect(editText(a, coded, null)).toBe('.a');
    // The rows say the letter itself.
    expect(cellText('.a', coded, labelsOf(coded))).toEqual({ text: '.a 拒答', kind: 'declared' });
    expect(cellText('.a', coded, null).text).toBe('.a');
    expect(editText('.a', coded, labelsOf(coded))).toBe('.a 拒答');
  });
});
