import type { MethodRow } from '@hengxi/server/analysis/schema';
import { beforeAll, expect, test } from 'vitest';

import { loadPinyin } from '../../../lib/search.ts';
import { GROUP, OUTCOME, SURVEY } from '../../../fields/testing/harness.tsx';
import { findMethods } from './method-ranking.ts';
import { notYet } from './later.ts';
import { GOALS, answersTo } from './goals.ts';
import { lacking, needLines, unsuited } from './suitability.ts';
import { tasksOf } from './tasks.tsx';

const row = (
  algo_code: string,
  title: string,
  family: string,
  purpose: string,
  title_en: string,
  roles: MethodRow['roles'] = [],
  aliases: string[] = [],
): MethodRow => ({
  algo_code,
  algo_id: null,
  algo_type: 1,
  title,
  title_en,
  group: 'g',
  family,
  section: null,
  tier: 'standard',
  kind: 'analysis',
  purpose,
  aliases,
  deals_with: {},
  takes_dimensions: null,
  needs: '',
  takes_data: true,
  needs_data: true,
  slug: '',
  version: 1,
  roles,
  takes_model: false,
  condition_field: null,
});

const METHODS = [
  row('g/counts', '频数分析', '描述性分析', '各类别出现了多少次、占多大比例', 'Frequency analysis'),
  row('g/two', '独立样本t检验', '差异性分析', '两个独立组的均值是否有差异', 'Independent-samples t test', [
    GROUP,
    OUTCOME,
  ]),
  row(
    'g/cross',
    '列联（交叉）分析',
    '描述性分析',
    '两个定类变量的交叉分布',
    'Crosstabs',
    [],
    ['卡方检验', '交叉表', 'χ²检验'],
  ),
  row('g/line', '线性回归', '回归分析', '一个定量变量受哪些变量影响', 'Linear regression (OLS)'),
];

beforeAll(() => loadPinyin());

test.each([
  ['t-test', 'g/two'],
  ['独力样本', 'g/two'],
  ['卡方', 'g/cross'],
  ['χ2检验', 'g/cross'],
  ['卡芳检验', 'g/cross'],
  ['jcb', 'g/cross'],
  ['做一个交叉表', 'g/cross'],
  ['dlyb', 'g/two'],
  ['duliyangben', 'g/two'],
  ['比较两组差异', 'g/two'],
  ['t test', 'g/two'],
  ['OLS', 'g/line'],
  ['哪些因素影响', 'g/line'],
  ['占比多少', 'g/counts'],
])('%s finds %s', (query, path) => expect(findMethods(query, METHODS)[0]?.algo_code).toBe(path));

test('nonsense finds nothing', () => expect(findMethods('qqqqzz', METHODS)).toEqual([]));

test('what does not suit the data is said, not hidden', () => {
  const two = METHODS[1]!;
  expect(unsuited(two, SURVEY)).toBeNull();
  expect(
    unsuited(
      two,
      SURVEY.filter((column) => column.measure !== '定量'),
    ),
  ).toBe('要 1 个定量变量');
  expect(unsuited(two, [])).toBe('要 1 个定类变量');
  expect(needLines(two).map((line) => line.text)).toEqual(['分组变量X：1 个定类', '检验变量Y：1 个以上定量']);
});

test('variables chosen that do not fill the boxes dim the method, and say what is missing', () => {
  const two = METHODS[1]!;
  const [group, outcome] = ['定类', '定量'].map((measure) => SURVEY.find((column) => column.measure === measure)!);
  expect(lacking(two, [group!, outcome!])).toBeNull();
  expect(lacking(two, [outcome!])).toBe('还要 1 个定类');
  expect(lacking(two, [group!])).toBe('还要 1 个定量');
  // A scale of few values would do as groups; it is a number first.
  const rating = { ...outcome!, flags: ['量表' as const] };
  expect(lacking(two, [rating])).toBe('还要 1 个定类');
});

test('a box that may stay empty is said to be so once', () => {
  const spare = { ...GROUP, key: 'spare', min: 0, levels: [1, 30] as [number, number] };
  const lines = (title: string): string[] =>
    needLines(row('g/x', 'x', 'f', 'p', 'X', [{ ...spare, title }])).map(({ text }) => text);
  expect(lines('分组变量（选填）')).toEqual(['分组变量（选填）：定类，至多 30 组']);
  expect(lines('分组变量')).toEqual(['分组变量：定类，至多 30 组，可不选']);
});

test('帮我选 answers what was asked, not only what suits the variables', () => {
  const explain = GOALS.find((aim) => aim.goal === 'explain')!;
  const compare = GOALS.find((aim) => aim.goal === 'compare')!;
  const [group, outcome] = ['定类', '定量'].map((measure) => SURVEY.find((column) => column.measure === measure)!);
  const odds = row('g/odds', '二元回归', '回归分析', '哪些因素与结局有关联', 'Logit', [
    GROUP,
    { ...OUTCOME, key: 'x' },
  ]);
  const line = row('g/line2', '线性', '回归分析', '随自变量变化多少', 'OLS', [OUTCOME, { ...GROUP, key: 'x' }]);
  const methods = [...METHODS.slice(0, 2), odds, line];
  const rules = [
    { path: 'g/two', why: '两组比较均值' },
    { path: 'g/line2', why: '看影响' },
  ];
  const paths = (aim: typeof explain, first: typeof group, second: typeof group): string[] =>
    answersTo(aim, rules, methods, first!, [second!]).map(({ method }) => method.algo_code);
  expect(paths(compare, outcome, group)[0]).toBe('g/two');
  expect(paths(explain, outcome, group)).toEqual(['g/line2']);
  expect(paths(explain, group, outcome)).toEqual(['g/odds']);
  const alone = [
    row('g/counts', '频数', '描述性分析', '各类别出现了多少次', 'Counts', [GROUP]),
    row('g/pairs', '相关', '描述性分析', '两两变量的相关方向和强度如何', 'Pairs', [GROUP]),
  ];
  const one = GOALS.find(({ goal }) => goal === 'one')!;
  expect(answersTo(one, [], alone, group!, []).map(({ method }) => method.algo_code)).toEqual(['g/counts']);
});

test('帮我选 offers what takes anything only where the rules recommend it for these variables', () => {
  const relate = GOALS.find(({ goal }) => goal === 'relate')!;
  const group = SURVEY.find((column) => column.measure === '定类')!;
  const any = { ...GROUP, measure: '任意' as const, levels: null };
  const pairs = [row('g/pairs', '相关', '描述性分析', '两两变量的相关方向和强度如何', 'Pairs', [any])];
  const offered = (rules: Parameters<typeof answersTo>[1]): number =>
    answersTo(relate, rules, pairs, group, [group]).length;
  expect([offered([]), offered([{ path: 'g/pairs', why: '两个定量变量' }])]).toEqual([0, 1]);
});

const titles = (query: string): string[] => findMethods(query, METHODS).map(({ title }) => title);

test('a question about one’s own matter is answered by the words of its task', () => {
  expect(titles('男女满意度有没有差异')).toEqual(['独立样本t检验']);
  expect(titles('哪些因素影响收入')[0]).toBe('线性回归');
  expect(titles('啦啦啦啦')).toEqual([]);
});

test('methods of other families join a task by their purpose', () => {
  const crossed = row('g/cross', '列联分析', '描述性分析', '两个定类变量是否有关联', 'Crosstabs');
  expect(tasksOf(crossed).map((task) => task.title)).toEqual(['描述现状', '看关系']);
  expect(findMethods('专业和就业有没有关系', [...METHODS, crossed])[0]?.title).toBe('列联分析');
  expect(findMethods('满意度的分布', [crossed, ...METHODS])[0]?.title).toBe('频数分析');
});

test.each(['配对t检验', '前后测比较', '干预前后有没有差异'])(
  '%s is said to be missing rather than answered by independent groups',
  (query) => {
    expect(findMethods(query, METHODS)).toEqual([]);
    expect(notYet(query, METHODS)?.text).toMatch(/还没有上线/);
    const paired = row('g/paired', '配对样本t检验', '差异性分析', '同一批人前后两次的均值差', 'Paired-samples t test');
    expect(notYet(query, [...METHODS, paired])).toBeNull();
    expect(findMethods('配对t检验', [...METHODS, paired])[0]?.algo_code).toBe('g/paired');
  },
);

test('three grades mean a method for several groups', () => {
  const several = row('g/anova', '单因素方差分析', '差异性分析', '几个组的均值是否有差异', 'ANOVA', [], ['几个班']);
  expect(findMethods('三个年级的成绩差异', [...METHODS, several])[0]?.algo_code).toBe('g/anova');
});

test.each([
  ['Cox回归', '二元Logistic回归'],
  ['双因素方差分析', '线性回归'],
  ['单样本t检验', '描述性统计'],
])('%s is not there yet: its nearest neighbour is offered', (query, title) => {
  const odds = row('g/odds', '二元Logistic回归', '回归分析', '哪些因素与结局有关联', 'Logit');
  const describe = row('g/d', '描述性统计', '描述性分析', '均值与标准差', 'Descriptives');
  expect(notYet(query, [...METHODS, odds, describe])?.near.map((method) => method.title)).toContain(title);
});

test('Box-Cox is no survival analysis', () => expect(notYet('Box-Cox变换', METHODS)).toBeNull());

test('titles of options, which come after the list, are found last', () => {
  const words = { 'g/cross': ['Yates 校正'] };
  expect(findMethods('Yates', METHODS)).toEqual([]);
  expect(findMethods('Yates', METHODS, words).map(({ algo_code }) => algo_code)).toEqual(['g/cross']);
});
