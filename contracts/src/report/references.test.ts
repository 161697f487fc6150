import { expect, test } from 'vitest';
import type { Reference } from '../../generated/contract.ts';
import { citedWorks, namedWorks } from './references.ts';

const work = (apa: string, doi: string | null = null): Reference => ({
  key: apa,
  gbt: `GBT ${apa}`,
  apa,
  doi,
  named: [],
});

const WORKS = [
  work('Student. (1908). The probable error of a mean. *Biometrika*, *6*(1), 1–25.'),
  work('张厚粲, & 徐建平. (2015). *现代心理与教育统计学*. 北京师范大学出版社.'),
  work('Brown, M. B., & Forsythe, A. B. (1974). The small sample behavior. *Technometrics*, *16*(1).'),
  work('Caliński, T., & Harabasz, J. (1974). A dendrite method.'),
  work('Browning, A. R. (1990). Later.'),
  work('Cohen, J. (1988). *Power analysis*.', '10.1/x'),
  work('Brown, M. B., & Forsythe, A. B. (1974). Robust tests.'),
  work('de Leeuw, J. (2009). Gifi.'),
  work('Brown, M. B. (1999). Alone.'),
  work('Cohen, J. (1960). A coefficient of agreement.'),
  work('温忠麟. (2012). 调节效应. *心理学报*.'),
];

test('APA lists stand by author, year and title without numbers, Chinese works first by pinyin', () => {
  const texts = citedWorks(WORKS, 'apa').map(({ text }) => text.slice(0, 52));
  expect(texts.map((t) => /^.*?\(\d{4}[a-z]?\)/u.exec(t)?.[0])).toEqual([
    '温忠麟. (2012)',
    '张厚粲, & 徐建平. (2015)',
    'Brown, M. B. (1999)',
    'Brown, M. B., & Forsythe, A. B. (1974a)',
    'Brown, M. B., & Forsythe, A. B. (1974b)',
    'Browning, A. R. (1990)',
    'Caliński, T., & Harabasz, J. (1974)',
    'Cohen, J. (1960)',
    'Cohen, J. (1988)',
    'de Leeuw, J. (2009)',
    'Student. (1908)',
  ]);
  // By title without its article: Robust … before (The) small ….
  expect(texts[3]).toContain('Robust');
});

test('GB/T 7714 keeps the order of the method; a DOI stands once', () => {
  expect(citedWorks(WORKS, 'gbt').map(({ key }) => key)).toEqual(WORKS.map(({ key }) => key));
  const cohen = citedWorks(WORKS, 'gbt').find(({ key }) => key.startsWith('Cohen, J. (1988)'));
  expect(cohen?.text.match(/10\.1\/x/g)).toHaveLength(1);
  expect(citedWorks([work('A. (1999). B. https://doi.org/10.1/x', '10.1/x')], 'apa')[0]?.text).toBe(
    'A. (1999). B. https://doi.org/10.1/x',
  );
});

test('a work is named by its own words, or by the families of its authors as whole words', () => {
  const forest = { ...work('Breiman, L. (2001). Random forests.'), named: ['随机森林'] };
  const named = (text: string): string[] => namedWorks([...WORKS, forest], text).map(({ apa }) => apa.slice(0, 12));
  expect(named('Brown-Forsythe 检验')).toEqual(['Brown, M. B.', 'Brown, M. B.', 'Brown, M. B.']);
  expect(named('Browning 的做法')).toEqual(['Browning, A.']);
  expect(named('Caliński-Harabasz 指数；de Leeuw')).toEqual(['Caliński, T.', 'de Leeuw, J.']);
  expect(named('Student t 检验')).toEqual(['Student. (19']);
  expect(named('温忠麟的做法')).toEqual(['温忠麟. (2012).']);
  expect(named('是否续费的随机森林分类')).toEqual(['Breiman, L. ']);
  expect(named('没有提到')).toEqual([]);
});
