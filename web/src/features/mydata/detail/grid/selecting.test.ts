import { describe, expect, it } from 'vitest';

import { column } from '../../../../fields/testing/harness.tsx';
import { columnAt, inSight, layoutOf, leftThatShows } from './column-layout.ts';
import { tiled, toTsv } from './clipboard.ts';
import { everything, holdsRow, only, rectOf, sizeOf, wholeRows } from './selection.ts';
import { readStoredLayout } from './use-column-layout.ts';
import { rangeText } from './use-copy.ts';
import { beyond } from './use-drag.ts';

describe('the selected block', () => {
  it('reaches from the active cell to the far corner, whichever way it was drawn', () => {
    const drawn = { active: { row: 5, column: 3 }, far: { row: 2, column: 7 } };
    expect(rectOf(drawn, 100)).toEqual({ top: 2, bottom: 5, left: 3, right: 7 });
    expect(sizeOf(rectOf(drawn, 100))).toEqual({ rows: 4, columns: 5, cells: 20 });
    expect(sizeOf(rectOf(only({ row: 1, column: 1 }), 100)).cells).toBe(1);
  });

  it('is whole columns from the head, whole rows from the numbers, or all', () => {
    const head = { active: { row: -1, column: 2 }, far: { row: -1, column: 4 } };
    expect(rectOf(head, 1_000_000)).toEqual({ top: 0, bottom: 999_999, left: 2, right: 4 });
    expect(rectOf(wholeRows(7, 3, 30), 100)).toEqual({ top: 3, bottom: 7, left: 0, right: 29 });
    expect(sizeOf(rectOf(everything(500, 3000), 500)).cells).toBe(1_500_000);
    expect([holdsRow(rectOf(head, 10), 9), holdsRow(null, 1)]).toEqual([true, false]);
  });

  it('scrolls on by how far the pointer is beyond the edge', () => {
    expect([beyond(5, 10, 20), beyond(15, 10, 20), beyond(26, 10, 20)]).toEqual([-5, 0, 6]);
  });
});

describe('columns', () => {
  const wide = layoutOf(
    Array.from({ length: 3000 }, () => 100),
    false,
  );
  const pinned = layoutOf([80, 100, 100, 100, 100], true);

  it('of thousands only those in sight are drawn, and the last is reached exactly', () => {
    expect(inSight(wide, 0, 950)).toEqual([0, 10]);
    expect(inSight(wide, 300_000 - 950, 950)).toEqual([2990, 3000]);
    expect(leftThatShows(wide, 2999, 0, 950)).toBe(300_000 - 950);
    expect(columnAt(wide, 299_050, 949)).toBe(2999);
  });

  it('beside a frozen first column', () => {
    expect(inSight(pinned, 0, 250)).toEqual([1, 3]);
    expect(inSight(pinned, 150, 250)).toEqual([2, 5]);
    expect(columnAt(pinned, 150, 40)).toBe(0);
    expect(columnAt(pinned, 150, 90)).toBe(2);
    expect(leftThatShows(pinned, 0, 150, 250)).toBe(150);
    expect(leftThatShows(pinned, 1, 150, 250)).toBe(0);
    expect(leftThatShows(pinned, 4, 0, 250)).toBe(230);
    expect(leftThatShows(pinned, 2, 0, 300)).toBe(0);
  });

  it('keep widths that make sense and nothing else', () => {
    expect(readStoredLayout('{"widths":{"c1":120,"c2":"x","c3":5},"frozen":true}')).toEqual({
      widths: { c1: 120, c3: 48 },
      frozen: true,
    });
    for (const text of [null, 'nonsense', '3', 'null', '{"widths":null}'])
      expect(readStoredLayout(text)).toEqual({ widths: {}, frozen: false });
  });
});

describe('blocks on the clipboard', () => {
  it('are tabs and lines, quoted where a cell holds one', () => {
    expect(
      toTsv([
        ['1', 'a\tb'],
        ['他说"好"', ''],
      ]),
    ).toBe('1\t"a\tb"\r\n"他说""好"""\t');
  });

  it('say values or labels as shown, with what was changed, and nothing for missing', () => {
    const sex = column('c1', '性别', '定类', {
      storage: 'int',
      levels: [{ value: 1, label: '男', count: 2 }],
    });
    const height = column('c2', '身高', '定量', { decimals: 1 });
    const found = {
      cells: [
        [1, 171.25],
        [2, null],
      ],
      index: [4, 9],
    };
    const labels = [new Map([[1, '男']]), null];
    expect(rangeText(found, [sex, height], [null, null], null)).toBe('1\t171.3\r\n2\t');
    const edits = new Map([['9 c2', { row: 9, column: 'c2', old: null, value: 180 }]]);
    expect(rangeText(found, [sex, height], labels, edits)).toBe('男\t171.3\r\n2\t180.0');
  });

  it('fill a selection that is a multiple of them, else lie once at its corner', () => {
    expect(tiled([['7']], 2, 3)).toEqual([
      ['7', '7', '7'],
      ['7', '7', '7'],
    ]);
    expect(tiled([['1', '2']], 2, 4)).toEqual([
      ['1', '2', '1', '2'],
      ['1', '2', '1', '2'],
    ]);
    expect(tiled([['1', '2']], 3, 3)).toEqual([['1', '2']]);
    expect(tiled([], 2, 2)).toEqual([]);
  });
});
