import type { Column } from '@hengxi/server/files/schema';
import { describe, expect, it } from 'vitest';

import { isWriting } from './detail-status.tsx';
import { changed, type Draft, toEdits, withDraft } from './draft.ts';
import { targetOf } from './go-to-dialog.tsx';
import { missingText, readMissing } from './missing-text.ts';

const column = (id: string, name: string, label: string | null = null): Column => ({
  id,
  name,
  label,
  measure: '定类',
  ordered: false,
  flags: [],
  storage: 'int',
  decimals: 0,
  unit: null,
  why: '',
  levels: [
    { value: 1, label: '男', count: 5 },
    { value: 2, label: '女', count: 7 },
  ],
  missing: { values: [], ranges: [] },
  profile: { n: 12, missing: 0, distinct: 2 },
});

describe('missing codes', () => {
  it.each([
    ['99', { values: [99], ranges: [] }],
    ['99， 98、-9~-1', { values: [99, 98], ranges: [{ low: -9, high: -1 }] }],
    ['９９', { values: [99], ranges: [] }],
    ['最小~-1', { values: [], ranges: [{ low: null, high: -1 }] }],
    ['', { values: [], ranges: [] }],
  ])('are read from %s', (text, missing) => expect(readMissing(text, true)).toEqual(missing));

  it.each([
    ['abc', '不是数字'],
    ['5~1', '下限大于上限'],
    ['1~2~3', '不是范围'],
  ])('are refused in %s', (text, fault) =>
    expect(readMissing(text, true)).toEqual({ fault: expect.stringContaining(fault) }),
  );

  it('are words in a text column, and written back as they were read', () => {
    expect(readMissing('不适用, 拒答', false)).toEqual({ values: ['不适用', '拒答'], ranges: [] });
    const missing = { values: [99], ranges: [{ low: null, high: -1 }] };
    expect(readMissing(missingText(missing), true)).toEqual(missing);
  });

  it('call a special missing value of Stata by its letter', () => {
    const missing = { values: [9, 2_147_483_622], ranges: [] };
    const named = { missing_labels: [{ value: 2_147_483_622, label: '.a 拒答', count: 0 }] };
    expect(missingText(missing, named)).toBe('9, .a');
    expect(readMissing('9, .a', true, named)).toEqual(missing);
    expect(readMissing('.a', true)).toEqual({ fault: '“.a”不是数字' });
  });
});

describe('the draft of the property table', () => {
  const sex = column('c1', 'sex', '性别');

  it('joins the changes of one column into one edit', () => {
    let draft: Draft = new Map();
    draft = changed(draft, sex, { label: '性 别' });
    draft = changed(draft, sex, { unit: '人' });
    expect(toEdits(draft)).toEqual([{ id: 'c1', label: '性 别', unit: '人' }]);
    expect(withDraft(sex, draft).label).toBe('性 别');
  });

  it('forgets a change that puts everything back', () => {
    let draft = changed(new Map(), sex, { label: '别的' });
    draft = changed(draft, sex, { label: '性别' });
    expect(draft.size).toBe(0);
    expect(changed(new Map(), sex, { unit: null }).size).toBe(0);
    expect(
      changed(new Map(), sex, {
        levels: [
          { value: 1, label: '男' },
          { value: 2, label: '女' },
        ],
      }).size,
    ).toBe(0);
  });

  it('keeps counts with their values when the order of categories changes', () => {
    const draft = changed(new Map(), sex, {
      levels: [
        { value: 2, label: '女生' },
        { value: 1, label: '男' },
      ],
    });
    expect(withDraft(sex, draft).levels).toEqual([
      { value: 2, label: '女生', count: 7 },
      { value: 1, label: '男', count: 5 },
    ]);
  });
});

describe('go to', () => {
  const columns = [column('c1', 'sex', '性别'), column('c2', 'Q11'), column('c3', 'age', '年龄')];
  it.each([
    ['12', { row: 11 }],
    ['1,000', { row: 999 }],
    ['１２', { row: 11 }],
    ['q11', { column: 1 }],
    ['年龄', { column: 2 }],
    ['0', null],
    ['1001', null],
    ['没有的', null],
    [' ', null],
  ])('understands %s', (text, place) => expect(targetOf(text, columns, 1000)).toEqual(place));
});

it('letters are taken back in a text field, the last step where nothing is being written', () => {
  const grid = document.createElement('div');
  grid.setAttribute('role', 'grid');
  const [cell, search] = [document.createElement('input'), document.createElement('input')];
  grid.append(cell);
  expect([isWriting(search), isWriting(cell), isWriting(grid)]).toEqual([true, false, false]);
  cell.value = '12';
  expect(isWriting(cell)).toBe(true);
});
