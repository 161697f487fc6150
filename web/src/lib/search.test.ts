import { beforeAll, describe, expect, it } from 'vitest';

import { loadPinyin, score, search } from './search.ts';

const ITEMS = [
  { title: '单样本t检验', words: ['One-sample t test'] },
  { title: '独立样本t检验', words: ['Independent-samples t test', '差异性分析'] },
  { title: '频数分析', words: ['Frequency analysis'] },
  { title: '线性回归', words: ['Linear regression', 'OLS'] },
];
const titles = (query: string) => search(query, ITEMS, 10).map((item) => item.title);

describe('search', () => {
  beforeAll(() => loadPinyin());

  it.each([
    ['独立', '独立样本t检验'],
    ['dlyb', '独立样本t检验'],
    ['pinshu', '频数分析'],
    ['ols', '线性回归'],
    ['LINEAR', '线性回归'],
    ['ｔ检验', '单样本t检验'],
    ['差异性', '独立样本t检验'],
  ])('finds %s', (query, title) => {
    expect(titles(query)[0]).toBe(title);
  });

  it('finds a name with a number by initials and number', () => {
    expect(score('zb28', { title: '指标28' })).toBeGreaterThan(0);
    expect(score('zb28', { title: '指标27' })).toBe(0);
  });

  it('puts what begins with the words before what only holds them', () => {
    expect(score('频数', ITEMS[2]!)).toBeGreaterThan(score('分析', ITEMS[2]!));
  });

  it('finds a mistyped name, where nothing is called as written', () => {
    expect(titles('独力样本')).toEqual(['独立样本t检验']);
    expect(titles('频数分折')[0]).toBe('频数分析');
    expect(titles('一个完全不相干的问题')).toEqual([]);
  });

  it('finds other names by pinyin and whatever stands between their letters', () => {
    const item = { title: '列联分析', aliases: ['卡方检验', 'chi-square'] };
    for (const asked of ['卡方', 'kafang', 'kfjy', 'chi square', 'chisquare'])
      expect(score(asked, item)).toBeGreaterThan(0);
  });

  it('gives everything for nothing and nothing for nonsense', () => {
    expect(titles('  ')).toHaveLength(4);
    expect(titles('zzzz')).toEqual([]);
  });
});
