import { describe, expect, it } from 'vitest';

import { column } from '../../../fields/testing/harness.tsx';
import { canSplit, canWeigh } from './active-dialogs.tsx';
import type { Draft } from './draft.ts';
import { literal } from './head-menu.tsx';
import { withPasted } from './paste-levels.ts';
import { draftFault, leftOver, pasted } from './paste-properties.ts';
import { startingSets } from './sets-dialog.tsx';
import { startOf } from './use-cell-edits.ts';
import { nextColumn } from './use-find.ts';
import { chosenWith } from './variables-tab.tsx';

const columns = [column('c1', 'q1', '定类'), column('c2', 'q2', '定量'), column('c3', 'q3', '定量')];

/** What a block that can be read changes. */
function taken(...given: Parameters<typeof pasted>): Draft {
  const next = pasted(...given);
  if ('fault' in next) throw new Error(next.fault);
  return next;
}

describe('a block pasted into the property table', () => {
  it('goes down from the cell, and on into the columns to the right', () => {
    const draft = taken(new Map(), columns, 1, 'name', [
      ['height', '身高', '厘米'],
      ['', '体重'],
      ['too', 'far'],
    ]);
    expect([...draft]).toEqual([
      ['c2', { name: 'height', label: '身高', unit: '厘米' }],
      ['c3', { label: '体重' }],
    ]);
  });

  it('empties labels but never names', () => {
    const labelled = [column('c1', 'q1', '定类', { label: '性别' })];
    expect(taken(new Map(), labelled, 0, 'label', [['']]).get('c1')).toEqual({ label: null });
    expect(taken(new Map(), labelled, 0, 'name', [['']]).size).toBe(0);
  });

  it('types and codes of missing answers are read; what cannot be is named, and nothing is pasted', () => {
    const block = [
      ['定序', '', '性别'],
      ['定量', '', '收入', '元', '', '99, -9~-1'],
    ];
    expect([...taken(new Map(), columns, 0, 'type', block)]).toEqual([
      ['c1', { ordered: true, label: '性别' }],
      ['c2', { label: '收入', unit: '元', missing: { values: [99], ranges: [{ low: -9, high: -1 }] } }],
    ]);
    expect(pasted(new Map(), columns, 0, 'type', [['定类'], ['不知道']])).toEqual({
      fault: expect.stringMatching(/^第 2 行（“q2”）：“不知道”不是变量类型，.*整块没有粘贴$/u),
    });
    expect(pasted(new Map(), columns, 1, 'missing', [['99'], ['abc']])).toEqual({
      fault: '第 2 行（“q3”）：缺失编码“abc”不是数字，整块没有粘贴',
    });
  });

  it('what has no place is said', () => {
    expect(leftOver(columns, columns.length - 1, 'label', [['甲'], ['乙'], ['丙']])).toContain('2 行');
    expect(leftOver(columns, 0, 'label', [['甲', '元', '', '99', '多']])).toContain('1 列');
    expect(leftOver(columns, 0, 'label', [['甲', '元', '1=男']])).toContain('值标签没有粘贴');
    expect(leftOver(columns, 0, 'name', [['甲', '乙', '元']])).toBeNull();
  });

  it('is not saved with a name twice or none', () => {
    const draft: Draft = new Map([['c2', { name: 'q1' }]]);
    expect(draftFault(columns, draft)).toContain('“q1”重复');
    expect(draftFault(columns, new Map([['c2', { name: ' ' }]]))).toContain('第 2 个变量没有名称');
    expect(draftFault(columns, new Map([['c2', { name: 'new' }]]))).toBeNull();
    const twins = [column('c1', 'x', '定量'), column('c2', 'x', '定量')];
    expect(draftFault(twins, new Map([['c1', { label: '甲' }]]))).toBeNull();
  });
});

describe('a block pasted into value labels', () => {
  const levels = ['1', '2', '3'].map((text) => ({ value: Number(text), label: text }));
  const words = ({ levels: next, left }: ReturnType<typeof withPasted>) => [next.map(({ label }) => label), left];

  it('goes down from its place, and what has no value is counted', () => {
    expect(words(withPasted(levels, 1, [['乙'], [' 丙 '], ['丁']]))).toEqual([['1', '乙', '丙'], 1]);
  });

  it('goes to the values it names', () => {
    const block = [
      ['3', '丙'],
      ['1', '甲'],
      ['9', '拒答'],
    ];
    expect(words(withPasted(levels, 2, block))).toEqual([['甲', '2', '丙'], 1]);
  });
});

describe('a new multiple-answer question', () => {
  const columns = ['Q5_1', 'Q5_2', 'Q5_3'].map((name, at) => column(`c${at + 1}`, name, '定类'));
  const q5 = { id: 's1', name: 'Q5', label: null, columns: ['c1', 'c2', 'c3'], counted: 1 };
  const names = (chosen: typeof columns) => startingSets([q5], chosen).map(({ name }) => name);

  it('is made of the chosen variables, under a name that is free', () => {
    expect(startingSets([], columns)).toMatchObject([{ name: 'Q5', columns: ['c1', 'c2', 'c3'] }]);
    expect(names(columns.slice(0, 2))).toEqual(['Q5', 'Q5_2']);
  });

  it('is not made twice of the same variables, nor of one', () => {
    expect(names(columns.toReversed())).toEqual(['Q5']);
    expect(names(columns.slice(0, 1))).toEqual(['Q5']);
  });
});

describe('choosing variables', () => {
  const ids = ['a', 'b', 'c', 'd'];
  it('adds and removes, and reaches from the last click with Shift', () => {
    const one = chosenWith(new Set(), ids, 1, null);
    expect([...chosenWith(one, ids, 3, 1)]).toEqual(['b', 'c', 'd']);
    expect([...chosenWith(one, ids, 0, 1)]).toEqual(['b', 'a']);
    expect(chosenWith(one, ids, 1, null).size).toBe(0);
  });
});

describe('what can be in force', () => {
  const count = column('c1', 'n', '定量', {
    profile: { n: 9, missing: 0, distinct: 5, max: 9, whole: true, non_negative: true },
  });
  it('a weight is a number without negatives; a frequency is whole', () => {
    expect(canWeigh(count, 'frequency')).toBe(true);
    const fraction = { ...count, profile: { ...count.profile, whole: false } };
    expect([canWeigh(fraction, 'frequency'), canWeigh(fraction, 'sampling')]).toEqual([false, true]);
    expect(canWeigh({ ...count, profile: { ...count.profile, non_negative: false } }, 'sampling')).toBe(false);
    expect(canWeigh({ ...count, profile: { ...count.profile, max: 0 } }, 'precision')).toBe(false);
    expect(canWeigh(column('c2', 't', '文本'), 'sampling')).toBe(false);
  });

  it('a split has groups', () => {
    expect(canSplit(column('c1', '性别', '定类'))).toBe(true);
    expect(canSplit(column('c1', '身高', '定量'))).toBe(false);
    expect(canSplit(column('c1', '编号', '定类', { flags: ['标识'] }))).toBe(false);
  });
});

describe('small rules', () => {
  it('the next place in a row, either way', () => {
    expect([nextColumn([2, 5, 9], 5, false), nextColumn([2, 5, 9], 5, true)]).toEqual([9, 2]);
    expect([nextColumn([2], 2, false), nextColumn([2], 2, true)]).toEqual([null, null]);
  });

  it('values as conditions write them', () => {
    expect([literal('他说"好"'), literal(3), literal(true)]).toEqual(['"他说""好"""', '3', '1']);
  });

  it('the place a saved page goes on from may be anything', () => {
    const grid = { place: { row: 7, column: 2 }, editing: true, sort: { column: 'c1', desc: true }, picked: null };
    expect(startOf({ grid })).toEqual(grid);
    for (const state of [null, 'x', {}, { grid: null }, { grid: { place: { row: 'a' } } }])
      expect(startOf(state)).toEqual({ place: null, editing: false, sort: null, picked: null });
  });
});
