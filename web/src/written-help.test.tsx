import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, test } from 'vitest';

import { describe as describePage, drawn, helpIndex, helpPages, type WrittenHelp } from './written-help.tsx';

const page = (more: Partial<WrittenHelp>): WrittenHelp => ({
  slug: 'two-groups',
  path: 'g/two_groups',
  title: '两组比较',
  title_en: 'Two groups',
  family: '差异性分析',
  tier: 'standard',
  purpose: '两组平均差多少',
  needs: '1 个定类变量、1 个定量变量',
  version: 2,
  aliases: [],
  record: { doc_link: null, video_link: null, iframe_video_link: null, display_name: '', example_data: '/data/x.csv' },
  text: '## 用途\n一\n## 公式\n$$\\frac{{a}}{b}$$ 与 $x<y$\n',
  declaration: {},
  oracle: { cases: 0, sources: [], list: [] },
  ...more,
});
const markup = (one: WrittenHelp) => {
  const [written] = helpPages([one]);
  return written ? renderToStaticMarkup(<written.Body />) : '';
};

test('formulas are drawn, with words for who cannot see them, and leave no hole to fill', () => {
  const html = markup(page({}));
  expect(html).toContain('class="katex-mathml"');
  expect(html).toContain('role="group" aria-label="公式"');
  expect(html).not.toContain('{{');
  expect(html).not.toContain('data-formula');
  expect(drawn('<span class="formula" data-formula>x &lt; y</span>')).toContain('x &lt; y');
});

test('a page leads to the method, its data and what there is instead of a film', () => {
  const html = markup(page({}));
  expect(html).toContain('href="/analysis/index?method=g%2Ftwo_groups"');
  expect(html).toContain('href="/data/x.csv"');
  expect(html).toContain('href="/dochelpempty?method=two-groups"');
  // What needs a script is not shown without one.
  expect(html).toMatch(/<button[^>]*data-print=""[^>]*hidden/);
  expect(html).toMatch(/<section[^>]*data-help-feedback="two-groups"[^>]*hidden/);
});

test('two methods of one name have titles of their own', () => {
  const pages = helpPages([
    page({}),
    page({ slug: 'other', family: '文本分析' }),
    page({ slug: 'third', title: '三' }),
  ]);
  expect(pages.map(({ full }) => full)).toEqual([
    '两组比较 · 差异性分析：怎么做、怎么读 - 衡析帮助',
    '两组比较 · 文本分析：怎么做、怎么读 - 衡析帮助',
    '三：怎么做、怎么读 - 衡析帮助',
  ]);
});

it.each([
  [{ purpose: '差多少' }],
  [{ purpose: '字'.repeat(200) }],
  [{ needs: '' }],
  [{ needs: '很多变量'.repeat(20) }],
])('the description has between 40 and 110 characters: %j', (more) => {
  const { length } = describePage(page(more));
  expect(length).toBeGreaterThanOrEqual(40);
  expect(length).toBeLessThanOrEqual(110);
});

test('the index lists every method and every question without a script', () => {
  const words = { intents: [{ ask: ['两组比较用什么'], methods: ['g/two_groups'] }], synonyms: [] };
  const { Body } = helpIndex([page({})], words, { index: '/i.json', words: '/w.json' });
  const html = renderToStaticMarkup(<Body />);
  expect(html).toContain('<a href="/help/two-groups/">两组比较用什么</a>');
  expect(html).toContain('<a href="/help/two-groups/">两组比较</a>');
  expect(html).toMatch(/<form[^>]*data-index="\/i.json"[^>]*hidden/);
});
