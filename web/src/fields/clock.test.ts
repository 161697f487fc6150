import { describe, expect, it } from 'vitest';

import { editText, cellText } from '../features/mydata/detail/grid/cell-text.ts';
import { readCell } from '../features/mydata/detail/grid/read-cell.ts';
import { clockText, endText, figureText, readClock } from './clock.ts';
import { titleOf } from './column.ts';
import { conditionWords } from './condition/words.ts';
import { levelsOf } from './level/level-field.tsx';
import { valuesOf } from './mapping/old-values.ts';
import { column } from './testing/harness.tsx';

const time = column('c1', '入睡', '定量', {
  storage: 'float',
  decimals: 2,
  clock: 'TIME11.2',
  unit: '秒',
  missing: { values: [99], ranges: [] },
});
const minutes = column('c2', '用时', '定量', { storage: 'int', clock: 'MTIME5' });

describe('times of day and durations', () => {
  it.each([
    [30_615, '08:30:15'],
    [97_323.5, '27:02:03.5'],
    [0, '00:00:00'],
    [-60, '-00:01:00'],
    [360_000, '100:00:00'],
    [59.9999999, '00:01:00'],
  ])('%d is %s', (seconds, text) => expect(clockText(seconds)).toBe(text));

  it.each([
    ['8:30', 30_600],
    ['08:30:15.25', 30_615.25],
    ['１：０２：０３', 3723],
    ['1 03:02:03', 97_323],
    ['−0:01:00', -60],
    ['8:60', null],
    ['8:30:60', null],
    ['8点', null],
  ])('%s is read as %s', (text, seconds) => expect(readClock(text, time)).toBe(seconds));

  it('figures of a column are times as fine as its differences need; of other columns numbers', () => {
    const of = (more: object) => ({
      ...minutes,
      decimals: 0,
      profile: { ...minutes.profile, min: 0, max: 9000, ...more },
    });
    expect(figureText(30_615.371, of({}))).toBe('08:30:15');
    expect(figureText(3.4567, of({ max: 20 }))).toBe('00:00:03.46');
    expect(figureText(30_615.378, { ...of({}), decimals: 2 })).toBe('08:30:15.38');
    expect(figureText(30_615.371, column('c3', '重', '定量'))).toBe('30,615.4');
  });

  it('the ends of a column are what was observed, of days without the T', () => {
    const age = column('c3', '年龄', '定量', { storage: 'int' });
    expect([endText(18, age), endText(199, age)]).toEqual(['18', '199']);
    expect(endText(30_615, minutes)).toBe('08:30:15');
    expect(endText('2025-11-12T08:07:00', column('c4', '提交', '时间'))).toBe('2025-11-12 08:07:00');
  });

  it('the name of such a column speaks of no seconds', () => expect(titleOf(time)).toBe('入睡'));

  it('puts minutes first where the file counts so', () => {
    expect(readClock('75:30', minutes)).toBe(4530);
    expect(readClock('1:15:30', minutes)).toBe(4530);
  });

  it('is shown, edited and typed so; codes for a missing answer stay numbers', () => {
    expect(cellText(30_615, time, null).text).toBe('08:30:15');
    expect(cellText(99, time, null)).toEqual({ text: '99', kind: 'declared' });
    expect([editText(30_615, time, null), editText(99, time, null)]).toEqual(['08:30:15', '99']);
    expect(readCell('8:30', time)).toEqual({ value: 30_600 });
    expect(readCell('99', time)).toEqual({ value: 99 });
    expect(readCell('早上', time)).toEqual({ fault: '应填时刻或时长，如 08:30:15，“早上”不是' });
  });

  it('is said so in a condition', () => {
    const known = new Map([['c1', time]]);
    expect(conditionWords('{c1} >= 30600', known)).toBe('入睡 ≥ 08:30:00');
  });
});

it('an answer of a time column is called by its time in lists of answers, unless it has a name or is a code', () => {
  const answer = (value: number, label: string) => ({ value, label, count: 3 });
  const levels = [answer(30_600, '30600'), answer(27_000, '早起'), answer(99, '99')];
  const grouped = column('c1', '入睡', '定类', { ...time, measure: '定类', levels });
  expect(levelsOf([grouped]).map(({ value, label }) => [value, label])).toEqual([
    [30_600, '08:30:00'],
    [27_000, '早起'],
    [99, '99'],
  ]);
  const top = [{ value: 30_600, count: 3 }];
  const counted = { ...time, levels: null, profile: { ...time.profile, distinct: 1, top } };
  expect(valuesOf([counted]).map(({ label }) => label)).toEqual(['08:30:00']);
  expect(conditionWords('{c1} in (30600)', new Map([['c1', grouped]]))).toBe(
    conditionWords('{c1} in (30600)', new Map([['c1', { ...grouped, levels: null }]])),
  );
});
