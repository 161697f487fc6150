import { describe, expect, test } from 'vitest';

import { misfitOf } from './boxes/fit.ts';
import { retyped } from './retype.ts';
import { isWords, scoringOf, unscorable } from './scoring.ts';
import { column } from './testing/harness.tsx';

const words = ['非常不同意', '不同意', '一般', '同意', '非常同意'];
const wording = {
  title: '同意程度',
  labels: words,
  scores: { 不同意: 2, 一般: 3, 同意: 4 },
  rest: ['不适用'],
};
const levels = (...texts: string[]) => texts.map((value) => ({ value, label: value, count: 10 }));
const agreed = column('c1', '界面清晰', '定类', { levels: levels('一般', '同意', '不同意', '不适用'), wording });
const sex = column('c2', '性别', '定类', { levels: levels('男', '女') });
const typed = column('c3', '年龄', '文本', {
  profile: { n: 3, missing: 0, distinct: 3, top: ['21', '22', '不详'].map((value) => ({ value, count: 1 })) },
});

describe('answers in words', () => {
  test('keep their place on the scale although nobody chose its ends', () => {
    expect(scoringOf(agreed)?.labels).toEqual(words);
    expect(retyped(agreed, '定量')).toEqual({
      id: 'c1',
      measure: '定量',
      ordered: false,
      flags: ['量表'],
      scores: { 不同意: 2, 一般: 3, 同意: 4 },
    });
    expect(misfitOf(agreed, { measure: '定量' })).toMatchObject({
      why: '是文字选项，这里要数值',
      becomes: '定量',
      doing: '按 1–5 计分（1 非常不同意 … 5 非常同意）',
    });
  });
  test('without an order never become numbers', () => {
    expect(misfitOf(sex, { measure: '定量' })?.becomes).toBeNull();
    expect(unscorable([agreed, sex, typed])).toEqual([sex]);
  });
  test('numbers kept as text do', () => {
    expect(isWords(typed)).toBe(false);
    expect(misfitOf(typed, { measure: '定量' })?.becomes).toBe('定量');
  });
});
