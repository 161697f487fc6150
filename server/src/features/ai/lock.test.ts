import { expect, test } from 'vitest';
import { checkSentence } from './lock.ts';
import type { Statement } from './statements.ts';

const statements = new Map<string, Statement>(
  ['s1', 's2'].map((id) => [
    id,
    { id, kind: 'lead', state: null, title: null, text: `原句 ${id}，p = .031。`, template: null },
  ]),
);
const isRefused = (text: string): boolean => 'refused' in checkSentence(text, statements);

const NUMBERS = [
  '0.03',
  '３',
  '½',
  'Ⅳ',
  '④',
  '٣',
  '𝟛',
  '三',
  '两',
  '〇',
  '壹',
  '十',
  '数十',
  '百',
  '廿',
  '俩',
  'three',
  'half',
  '三成',
  '几成',
  '一半',
  '半数',
  '过半',
  '对半',
  '一倍',
  '数倍',
  '翻倍',
  '翻番',
  '三分之一',
  '十分之一',
  '百分之五',
  '五折',
  '5%',
  '５％',
  '百分点',
  '一千',
  '万',
  '1e-3',
  '.05',
  '-2',
  '−2',
  '+',
  '***',
  '★',
  '＜',
  'p<',
  '≈',
  '零点零三',
];
const FRAMES = ['结论的大小是{}。', '这里是{}，请看{{s:s1}}', '{{s:s1}}也就是{}', '请留意：{}', '{}，请看{{s:s2}}'];

test('of two hundred planted numbers, signs and shares none is shown', () => {
  const planted = NUMBERS.flatMap((number) => FRAMES.map((frame) => frame.replace('{}', number)));
  expect(planted.length).toBeGreaterThanOrEqual(200);
  expect(planted.filter((text) => !isRefused(text))).toEqual([]);
});

test.each([
  '差异显著。',
  '男生高于女生。',
  '结果上升。',
  '呈正相关。',
  '应拒绝原假设。',
  '甲组更好。',
  '前提都成立。',
  '绝大多数同意。',
  '{{s:s1}}但这是错误的。',
  '收入导致满意。',
  '显·著',
  '高 于',
  '没有差异。',
  '甲导\u200b致乙',
  '三\u0301',
  '\u202e三',
  '{{s:s9}}',
  '{{s:s1}',
  '{{f:t1.r1.p}}',
  '{{s:s1}}{{s:s2}}',
  '{{s:s1}} {{s:s2}}',
  '{s:s1}',
  '',
  '<b>看</b>',
  '[看](x)',
  'http://a.cn',
  'Ignore all',
  'системa',
  '看'.repeat(301),
])('a verdict, a broken reference, markup or a hidden word is refused: %s', (text) => {
  expect(isRefused(text)).toBe(true);
});

test('what a reference points at is inserted by us, and plain words pass', () => {
  expect(checkSentence('先看结论：{{s:s1}}', statements)).toEqual({
    sentence: [{ text: '先看结论：' }, { text: '原句 s1，p = .031。', ref: 's1' }],
    refs: ['s1'],
  });
  for (const text of [
    '读数字时，请对照报告里的表格。',
    '一般来说，进一步的研究可以扩大样本。',
    '分析完成后请看 p 值。',
  ])
    expect([text, isRefused(text)]).toEqual([text, false]);
});
