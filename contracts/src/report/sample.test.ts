import { expect, test } from 'vitest';

import type { Sample } from '../../generated/contract.ts';
import { analysedText, droppedOut, filteredOut, missesApart, missingText, sampleSteps, stepsText } from './sample.ts';

const gap = (name: string, rows: number): Sample['why'][number] => ({ column: 'c1', name, rows, reason: null });
const sample = (used: number, why: Sample['why']): Sample => ({
  file: 420,
  filter: 420,
  weight: 420,
  missing: used,
  used,
  weighted: null,
  chosen: null,
  either: null,
  why,
  columns: [],
});

test('gaps of one of many variables are told although every row is used for some other', () => {
  const each = sample(420, [gap('i7', 12)]);
  expect(missesApart(each)).toBe(true);
  const steps = sampleSteps(each, null, '');
  expect(steps.map((step) => step.name)).toEqual(['各变量分别剔除缺失']);
  expect(stepsText(steps)).toBe('文件中有 420 行，各变量分别剔除缺失');
  const filtered = sampleSteps({ ...each, file: 500 }, '{c1} > 2', '').map((step) => step.name);
  expect(filtered).toEqual(['文件中的行', '筛选后，各变量分别剔除缺失']);
  expect(stepsText(sampleSteps(sample(420, []), null, ''))).toBe('文件中的 420 行全部进入分析');
  expect(missingText(each)).toBe('缺失：i7 12 行（只在分析该变量时剔除）。');
});

test('one reason that took rows is told by its step, several by name', () => {
  expect(missingText(sample(408, [gap('i7', 12)]))).toBe('');
  expect(missingText(sample(400, [gap('i7', 12), gap('年龄', 9)]))).toBe(
    '缺失：i7 12 行，年龄 9 行（一行可缺多个变量）。',
  );
  expect(missingText(sample(420, []))).toBe('');
});

test('a group without a result lost its rows to nothing but that', () => {
  const refused: Sample = { ...sample(0, []), file: 20, filter: 10, weight: 10, missing: 10 };
  expect(sampleSteps(refused, null, '校 = 一').map(({ n, name, lost }) => [n, name, lost?.why])).toEqual([
    [20, '文件中的行', undefined],
    [10, '本组', '不属于 校 = 一'],
    [0, '进入分析', '这一组没有结果'],
  ]);
});

test('rows of groups that are not compared are no gaps and no filter', () => {
  const chosen = { column: 'c1', name: '补充方式', values: ['VC', 'OJ'], labels: ['VC', 'OJ'], rows: 20 };
  const compared: Sample = { ...sample(57, [gap('牙长', 3)]), file: 80, filter: 80, weight: 80, missing: 57, chosen };
  expect(sampleSteps(compared, null, '').map(({ n, lost }) => [n, lost?.why])).toEqual([
    [80, undefined],
    [60, '“补充方式”不是“VC”“OJ”'],
    [57, '牙长缺失'],
  ]);
  expect([filteredOut(compared), droppedOut(compared)]).toEqual([20, 3]);
  expect(analysedText(compared)).toBe('分析 57 份（“补充方式”为“VC”“OJ”）');
});

test('rows without a weight have their own step and are no gap of a later one', () => {
  const weightless = { column: 'c9', name: '次数', rows: 34, reason: '权重缺失或为 0' };
  const kept: Sample = { ...sample(384, [weightless]), weight: 386 };
  expect(sampleSteps(kept, null, '').map(({ n, lost }) => [n, lost?.why])).toEqual([
    [420, undefined],
    [386, '权重缺失或为 0'],
    [384, '有缺失'],
  ]);
  expect(missingText({ ...kept, used: 386 })).toBe('');
  const gaps: Sample = { ...kept, used: 380, why: [weightless, gap('年龄', 6)] };
  expect(sampleSteps(gaps, null, '').at(-1)?.lost?.why).toBe('年龄缺失');
});
