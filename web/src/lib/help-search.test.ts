import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import words from '@hengxi/contracts/generated/search-words.json';
import { describe, expect, it } from 'vitest';

import { entryOf, syllablesOf } from './help-index.ts';
import { pageWords, searchHelp, searchPages, spells } from './help-search.ts';

const METHODS = join(import.meta.dirname, '../../../contracts/generated/methods');
const entries = readdirSync(METHODS, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.json'))
  .toSorted()
  .map((name) => entryOf(JSON.parse(readFileSync(join(METHODS, name), 'utf8'))));
const index = { entries, ...words };
const found = (query: string, most = 3) => searchHelp(query, index, most).map(({ entry }) => entry.slug);

describe('finds within the first three', () => {
  it.each([
    ['独立样本t检验', 'independent-t-test'],
    ['独立样本 T 检验', 'independent-t-test'],
    ['dlyb', 'independent-t-test'],
    ['duliyangben', 'independent-t-test'],
    ['duliyb', 'independent-t-test'],
    ['ttest', 'independent-t-test'],
    ['t-test', 'independent-t-test'],
    ['χ2', 'chi-square-test'],
    ['chi2', 'chi-square-test'],
    ['卡方', 'chi-square-test'],
    ['kafang', 'chi-square-test'],
    ['ANOVA', 'variance'],
    ['Cronbach α', 'reliability'],
    ['克隆巴赫', 'reliability'],
    ['DID', 'did'],
    ['倍差法', 'did'],
    ['熵权', 'entropy-weight'],
    ['pca', 'pca-reduction'],
    ['独力样本', 'independent-t-test'],
    ['卡芳检验', 'chi-square-test'],
    ['两组比较用什么', 'independent-t-test'],
    ['比较两组均值', 'independent-t-test'],
    ['三组比较用什么方法', 'variance'],
    ['前测后测怎么比较', 'paired-sample-t-test'],
    ['问卷信度怎么做', 'reliability'],
    ['需要多少样本', 'survey-sample-size'],
    ['数据不正态怎么办', 'independent-samples-mann-whitney-test'],
    ['缺失值怎么办', 'missing-value'],
    ['指标权重怎么算', 'entropy-weight'],
    ['影响因素分析', 'linear-regression'],
  ])('%s', (query, slug) => {
    expect(found(query)).toContain(slug);
  });
});

it('a question that is understood is not answered with another one', () => {
  expect(found('三组比较', 20)).toContain('variance');
  expect(found('三组比较', 20)).not.toContain('independent-t-test');
});

it('what is called just so comes first, and a question says by which phrase it was understood', () => {
  expect(found('相关性分析', 1)).toEqual(['correlation']);
  expect(searchHelp('两组比较用什么', index, 1)).toMatchObject([
    { entry: { slug: 'independent-t-test' }, ask: '两组比较' },
  ]);
  expect(searchHelp('独立样本', index, 1)).toMatchObject([{ ask: null }]);
});

it('every intent leads to its methods by each of its phrasings, and names only methods there are', () => {
  const known = new Set(entries.map(({ path }) => path));
  for (const { ask, methods } of words.intents) {
    expect(methods.filter((path) => !known.has(path))).toEqual([]);
    for (const phrase of ask) {
      const paths = searchHelp(phrase, index, 8).map(({ entry }) => entry.path);
      expect([phrase, paths.includes(methods[0] ?? '')]).toEqual([phrase, true]);
    }
  }
});

it('nothing for nothing and for nonsense; no word of a query is read as a pattern', () => {
  expect(found('  ')).toEqual([]);
  expect(found('zzzzqq')).toEqual([]);
  expect(found('([*+?')).toEqual([]);
  expect(found('字'.repeat(300))).toEqual([]);
  expect(found('constructor')).toEqual([]);
});

it('letters are read as whole, begun and first letters of syllables', () => {
  const name = syllablesOf('滤波 ARIMA 模型');
  expect(name).toEqual(['lv', 'bo', 'arima', 'mo', 'xing']);
  for (const letters of ['lvbo', 'lubo', 'lb', 'lbarima', 'lvb']) expect(spells(letters, name)).toBe(true);
  for (const letters of ['bl', 'lvbox', 'x']) expect(spells(letters, name)).toBe(false);
});

describe('the words of the pages', () => {
  const texts = entries.map(({ title }, at) => `${title} 共同的话 ${at === 3 ? '正交旋转之后载荷更集中' : ''}`);
  it('find a page by what only its text says, and none by what all say', () => {
    const held = pageWords(texts);
    expect(searchPages('正交旋转', index, held, 5).map(({ entry }) => entry)).toEqual([entries[3]]);
    expect(searchPages('共同的话', index, held, 5)).toEqual([]);
    expect(searchPages('constructor toString', index, held, 5)).toEqual([]);
  });
});
