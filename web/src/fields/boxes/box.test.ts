import { describe, expect, test } from 'vitest';

import { boxesFor, GROUP, OUTCOME, role, SURVEY } from '../testing/harness.tsx';
import {
  badgeOf,
  firstFitting,
  idsIn,
  move,
  place,
  placementText,
  remove,
  roomText,
  usesOf,
  whyNowhere,
} from './box.ts';
import { misfitOf, needsLine } from './fit.ts';

const [group, outcome] = boxesFor([GROUP, OUTCOME]) as [ReturnType<typeof boxesFor>[0], ReturnType<typeof boxesFor>[0]];
const boxes = [group, outcome];

describe('putting variables into boxes', () => {
  test('a variable goes where it is sent, and out of the box it was in', () => {
    const first = place({ y: [] }, boxes, outcome, ['c3'], SURVEY);
    expect(first.form).toEqual({ y: ['c3'] });
    const loose = boxesFor([role('a', '甲', { many: true, max: null }), role('b', '乙')]);
    const moved = place({ a: ['c3', 'c4'], b: null }, loose, loose[1]!, ['c3'], SURVEY);
    expect(moved.form).toEqual({ a: ['c4'], b: 'c3' });
  });

  test('a shared box keeps its copy', () => {
    const shared = boxesFor([role('a', '甲', { many: true, max: null, shared_with: ['b'] }), role('b', '乙')]);
    expect(place({ a: ['c3'], b: null }, shared, shared[1]!, ['c3'], SURVEY).form).toEqual({ a: ['c3'], b: 'c3' });
  });

  test('of a mixed drop the fitting ones go in and the others are named', () => {
    const dropped = place({ y: [] }, boxes, outcome, ['c3', 'c1', 'c4'], SURVEY);
    expect(idsIn(dropped.form, outcome)).toEqual(['c3', 'c4']);
    expect(placementText(dropped, outcome, SURVEY)).toBe(
      '已将“运动时长（小时）”“睡眠时长（小时）”加入检验变量Y，共 2 个；“性别”不能放入检验变量Y',
    );
  });

  test('a full box gives the place of the item under the pointer', () => {
    const swapped = place({ group: 'c1' }, boxes, group, ['c2'], SURVEY, { at: 0, over: 'c1' });
    expect(swapped.form).toEqual({ group: 'c2' });
    expect(swapped.replaced).toEqual(['c1']);
    expect(roomText({ group: 'c1' }, group)).toBe('放下将替换');
    expect(roomText({ group: null }, group)).toBe('还可放 1 个');
  });

  test('more than fits: the first ones go in, the rest is named', () => {
    const two = boxesFor([role('x', '自变量X', { many: true, max: 2 })]);
    const placed = place({ x: ['c1'] }, two, two[0]!, ['c2', 'c3'], SURVEY);
    expect(placed.form).toEqual({ x: ['c1', 'c2'] });
    expect(placementText(placed, two[0]!, SURVEY)).toContain('自变量X放不下“运动时长（小时）”');
  });

  test('inside a box the insertion point is where the line was', () => {
    const form = { y: ['c3', 'c4', 'c7'] };
    expect(place(form, boxes, outcome, ['c7'], SURVEY, { at: 0 }).form).toEqual({ y: ['c7', 'c3', 'c4'] });
    expect(place(form, boxes, outcome, ['c3'], SURVEY, { at: 3 }).form).toEqual({ y: ['c4', 'c7', 'c3'] });
    expect(move(form, outcome, 'c4', -1)).toEqual({ y: ['c4', 'c3', 'c7'] });
    expect(move(form, outcome, 'c3', -1)).toBe(form);
    expect(remove(form, outcome, ['c4'])).toEqual({ y: ['c3', 'c7'] });
  });

  test('Enter sends to the first box that takes all of it, needed boxes first', () => {
    expect(firstFitting({}, boxes, ['c1'], SURVEY)?.key).toBe('group');
    expect(firstFitting({}, boxes, ['c3'], SURVEY)?.key).toBe('y');
    // 量表 fits both: the first needed box has it.
    expect(firstFitting({ group: 'c1', y: [] }, boxes, ['c7'], SURVEY)?.key).toBe('y');
    expect(firstFitting({ group: 'c1', y: ['c3'] }, boxes, ['c1'], SURVEY)).toBeNull();
  });

  test('where nothing takes it, the box that is meant refuses it; a full box and a second time have their own words', () => {
    expect(whyNowhere({ y: ['c3'] }, boxes, ['c5'], SURVEY)).toMatchObject({ refusedBy: { key: 'group' } });
    expect(whyNowhere({ y: [] }, [group], ['c3'], SURVEY)).toMatchObject({ refusedBy: { key: 'group' } });
    expect(whyNowhere({ group: 'c1', y: ['c3'] }, boxes, ['c5'], SURVEY)).toMatchObject({ refusedBy: { key: 'y' } });
    expect(whyNowhere({ group: 'c1', y: ['c3'] }, boxes, ['c2'], SURVEY)).toEqual({
      text: '“分组变量X”已放满，请先移出一个，或把变量拖到它上面替换',
    });
    expect(whyNowhere({ group: 'c1', y: ['c3'] }, boxes, ['c1'], SURVEY)).toEqual({
      text: '“性别”已在“分组变量X”里',
    });
  });

  test('badges', () => {
    expect(badgeOf('分组变量X')).toBe('X');
    expect(badgeOf('频数权重（选填）')).toBe('频');
    expect(usesOf({ group: 'c1', y: ['c3'] }, boxes).get('c3')?.[0]?.badge).toBe('Y');
  });
});

describe('why a variable does not fit', () => {
  const text = (id: string, needs: Parameters<typeof misfitOf>[1]): string | null => {
    const column = SURVEY.find((one) => one.id === id);
    return column === undefined ? null : (misfitOf(column, needs)?.text ?? null);
  };
  test('measures in words', () => {
    expect(text('c2', { measure: '定量' })).toBe('“年级”是文字选项，这里要数值');
    expect(text('c5', { measure: '定类' })).toBe('“意见”是文本，不能直接分组');
  });
  test('gaps are no reason while one value is left', () => {
    const height = SURVEY.find((one) => one.id === 'c3')!;
    const gaps = (n: number) => ({ ...height, profile: { ...height.profile, n, missing: 100 - n } });
    expect(misfitOf(gaps(40), { measure: '定量' })).toBeNull();
    expect(misfitOf(gaps(0), { measure: '定量' })?.text).toBe('“运动时长（小时）”没有有效值');
  });
  test('a variable of very many values is not offered another type, which would only be refused again', () => {
    const opinion = SURVEY.find((one) => one.id === 'c5')!;
    const each = { ...opinion, profile: { ...opinion.profile, distinct: 30_000 } };
    expect(misfitOf(each, { measure: '定类', levels: [2, 50] })).toEqual({
      text: '“意见”是文本，有 30,000 个不同取值，最多 50 组',
      why: '是文本，有 30,000 个不同取值，最多 50 组',
      becomes: null,
    });
    expect(text('c3', { measure: '定类', levels: [2, 50] })).toBe(
      '“运动时长（小时）”是定量，有 60 个不同取值，最多 50 组',
    );
    expect(misfitOf(opinion, { measure: '定类', levels: [2, 50] })?.becomes).toBe('定类');
    expect(text('c3', { measure: '定类' })).toBe('“运动时长（小时）”是定量，有 60 个不同取值，超过 20 个不能直接分组');
    expect(text('c7', { measure: '定类' })).toBeNull();
    expect(text('c7', { measure: '定量' })).toBeNull();
    expect(text('c1', { measure: '有序' })).toBe('“性别”是定类，类别没有先后');
  });
  test('a quantity is offered as groups only where its whole numbers may be codes', () => {
    const height = SURVEY.find((one) => one.id === 'c3')!;
    const whole = { ...height, profile: { ...height.profile, whole: true } };
    expect(misfitOf(height, { measure: '定类' })?.becomes).toBeNull();
    expect(misfitOf(whole, { measure: '定类' })?.becomes).toBe('定类');
  });
  test('levels and values', () => {
    expect(text('c2', { measure: '定类', levels: [2, 2] })).toBe('“年级”有 3 组，这里只比较 2 组');
    expect(text('c1', { measure: '定类', levels: [3, null] })).toBe('“性别”只有 2 组，至少要 3 组');
    expect(text('c3', { measure: '定量', values: 'positive' })).toBe('“运动时长（小时）”含 0 或负数，这里要求大于 0');
  });
  test('the line beside a title', () => {
    expect(needsLine({ measure: '定类', levels: [2, 2] }, 1, 1)).toBe('定类 · 正好 1 个 · 两组');
    expect(needsLine({ measure: '定量' }, 1, null)).toBe('定量 · 至少 1 个');
  });
});
