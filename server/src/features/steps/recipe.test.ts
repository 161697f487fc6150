/** A chain of steps as a text: written, and read again from whatever is sent. */
import { beforeEach, describe, expect, test } from 'vitest';
import { call, makePerson } from '../../testing/makers.ts';
import { base, FORM, stepStage } from '../../testing/steps.ts';
import { makeFile } from '../../testing/tables.ts';
import { lineAt } from './json-lines.ts';
import { readRecipe, textOf, writeRecipe } from './recipe.ts';

const on = stepStage();
const { process } = on;
let { world, person } = on;
beforeEach(() => {
  ({ world, person } = on);
});

const get = (vid: number, who = person) => call(world, who, 'GET', `${base(vid)}/recipe`);

test('the steps of a version are written with names', async () => {
  const { data } = await process();
  const { data: recipe } = await get(data.vid);
  expect(JSON.parse(recipe.text)).toMatchObject({
    衡析配方: 1,
    name: '调查',
    steps: [{ op: 'process', params: { path: 'data_processing/filter', form: FORM, names: { c2: '年龄' } } }],
  });
  expect(recipe.left_out).toEqual([]);
});

test("somebody else's versions are as absent as none", async () => {
  const { data } = await process();
  const stranger = await makePerson(world);
  expect((await get(data.vid, stranger)).status).toBe(404);
  expect((await call(world, null, 'GET', `${base(data.vid)}/recipe`)).status).toBe(401);
});

test('a version without rules has no recipe', async () => {
  const { vid } = await makeFile(world, person, '空.csv');
  expect((await get(vid)).body.msg).toContain('没有可以写成配方的步骤');
});

describe('a text', () => {
  const method = { kind: 'processing', title: '数据筛选', version: 2, fields: [{ key: 'condition' }] };
  const known = () => method as never;
  const step = { title: '筛选', op: 'process', params: { path: 'data_processing/filter', form: {}, names: {} } };
  const text = (steps: unknown) => JSON.stringify({ 衡析配方: 1, name: '清洗', steps }, null, 2);

  test('is read with a byte order mark, and keeps what is switched off', () => {
    const chain = readRecipe(`\uFEFF${text([{ ...step, disabled: true, note: '先不用' }])}`, known);
    expect(chain).toMatchObject({
      name: '清洗',
      steps: [{ title: '筛选', disabled: true, note: '先不用', changes: [] }],
    });
    expect(readRecipe(textOf({ ...chain, note: '每月一次' }), known)).toEqual({ ...chain, note: '每月一次' });
  });

  test.each([
    ['不是 JSON', '{\n"衡析配方": 1,\n]', '第 3 行'],
    ['半截', '{\n"衡析配方": 1,', '第 2 行'],
    ['“衡析配方”', JSON.stringify({ name: '清洗', steps: [step] }), '“衡析配方”缺少'],
    ['“steps”', text([]), '第 4 行：“steps”'],
    ['第 1 步的“op”', text([{ ...step, op: 'cells' }]), '第 7 行（第 1 步“筛选”）：“op”'],
    ['第 2 步的“names”', text([step, { ...step, params: { path: 'x' } }]), '第 17 行（第 2 步“筛选”）：“names”缺少'],
    ['变量的改动不对', text([{ ...step, op: 'edit', params: { names: {}, columns: 'x' } }]), '第 8 行'],
    ['多选题集不对', text([{ ...step, op: 'sets', params: { names: {} } }]), '第 8 行'],
    ['不是编号', text([{ ...step, params: { names: { 'c1 or 1': 'x' } } }]), '“c1 or 1”不是变量的编号'],
    ['多出的字段', text([{ ...step, tilte: 'x' }]), '第 13 行（第 1 步“筛选”）：不认识的字段“tilte”'],
    ['不能保存的字符', text([{ ...step, note: 'a\0b' }]), '不能保存的字符'],
    ['半个字符', text([{ ...step, note: '\uD800' }]), '不能保存的字符'],
    ['太深', `{"衡析配方":1,"name":"x","steps":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, '层数超过'],
    ['太长', ' '.repeat(1_000_001), '最多 100 万个字'],
  ])('that is no recipe is refused with its line: %s', (_, odd, words) => {
    expect(() => readRecipe(odd, known)).toThrow(words);
  });

  test('that asks for a method that is not there, or is no step, is refused by its line', () => {
    for (const declared of [() => null, () => ({ kind: 'analysis' }) as never])
      expect(() => readRecipe(text([step]), declared)).toThrow(
        '第 9 行（第 1 步“筛选”）：方法“data_processing/filter”不是本站的数据处理方法',
      );
  });

  test('that sets what a method does not know is refused with all such lines; an older form is left to the engine', () => {
    const form = { condition: '{c1} > 1', conditon: 1, x: 2, seed: 3 };
    const odd = (version?: number) => text([{ ...step, params: { ...step.params, form, version } }]);
    let told: any = null;
    try {
      readRecipe(odd(), known);
    } catch (error) {
      told = error;
    }
    expect(told.message).toContain('方法“数据筛选”没有设置“conditon”；共 2 处');
    expect(told.extras.fields.map(({ facts }: any) => facts)).toEqual([{ line: 12 }, { line: 13 }]);
    expect(readRecipe(odd(1), known).steps).toHaveLength(1);
  });

  test('leaves out what was typed by hand, and says so', () => {
    const typed = { title: '改了 3 格', op: 'cells', changes: [], params: {} } as never;
    expect(writeRecipe('调查', [{ ...step, changes: [] } as never, typed])).toMatchObject({ left_out: ['改了 3 格'] });
    expect(() => writeRecipe('调查', [typed])).toThrow(/手工改动/u);
  });
});

test('a place in a text is found by its line, whatever stands in its strings', () => {
  const text = '{\n "a": "}, \\" {",\n "b": [1,\n  {"c": true},\n  {"c": 2}],\n "b": [0,\n 9]\n}';
  expect(lineAt(text, ['a'])).toBe(2);
  expect(lineAt(text, ['b', 1, 'c'])).toBe(4);
  expect(lineAt(text, ['b', 1])).toBe(7);
  expect(lineAt(text, ['z'])).toBe(1);
});
