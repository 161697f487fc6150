import type { HelpPage } from '@hengxi/server/help/schema';
import { describe, expect, it } from 'vitest';

import { fillPlaceholders } from './legal-page.tsx';
import { frontMatter, sectionsOf, toHtml, withoutFrontMatter } from '../../ui/prose/markdown.ts';
import { defaultOf, withNumbers } from './numbers.ts';

describe('markdown', () => {
  it('lets no HTML through', () => expect(toHtml('<img src=x onerror=alert(1)>')).not.toContain('<img'));

  it('marks formulas and leaves prices alone', () => {
    expect(toHtml('$a<b$ 和 $$x^2$$')).toContain('<span class="formula" data-formula>a&lt;b</span>');
    expect(toHtml('$$x^2$$')).toContain('data-display');
    expect(toHtml('从 $ 5 到 $ 10')).not.toContain('data-formula');
  });

  it('is split at its headings', () => {
    expect(sectionsOf('前言\n## 用途\n一\n### 小\n## 操作\n二')).toEqual([
      { title: '', text: '前言\n' },
      { title: '用途', text: '一\n### 小\n' },
      { title: '操作', text: '二\n' },
    ]);
  });

  it('keeps its front matter apart', () => {
    const text = '---\nversion: 0.1-draft\neffective_at: ""      # 配置\n---\n\n# 题\n';
    expect(withoutFrontMatter(text).trim()).toBe('# 题');
    expect([frontMatter(text, 'version'), frontMatter(text, 'effective_at')]).toEqual(['0.1-draft', '']);
  });
});

describe('legal texts', () => {
  it('name what the operator has not filled in', () => {
    expect(fillPlaceholders('{company}，{hotline}', '0.1', { company: '某公司', hotline: null })).toBe(
      '某公司，〔电话未设置〕',
    );
    expect(fillPlaceholders('{company}，第 {version} 版，{refund_days}', '0.1')).toBe(
      '〔运营方名称未设置〕，第 0.1 版，〔未设置〕',
    );
  });
});

describe('numbers of a help page', () => {
  const page = {
    oracle: {
      cases: 1,
      sources: [],
      list: [
        { name: 'a', expect: [{ table: 'result', where: { test: 'Welch' }, cells: { t: -1.8608, p: 0.0794, n: 20 } }] },
      ],
    },
    declaration: {
      fields: [
        { key: 'test', type: 'choice', title: '检验', default: 'welch', options: [{ key: 'welch', title: 'Welch' }] },
        { key: 'conf_level', type: 'number', title: '置信水平', default: 0.95, percent: true },
      ],
    },
  } as unknown as HelpPage;

  it('come from what the method was checked against', () => {
    expect(withNumbers('t = {{result[Welch].t:num2}}，p = {{result[Welch].p}}，n = {{result.n:integer}}', page)).toBe(
      't = −1.86，p = .079，n = 20',
    );
    expect(withNumbers('默认 {{option.test}}', page)).toBe('默认 Welch');
  });

  it('may name several values of a row and an item of a wide table', () => {
    const row = (layer: string, share: number) => ({
      table: 'cross',
      where: { layer, level: '金' },
      cells: { 'row@蓝': share },
    });
    const list = [{ name: 'a', expect: [row('男', 0.5), row('全部', 0.74)] }];
    const wide = { ...page, oracle: { ...page.oracle, list } } as unknown as HelpPage;
    expect(withNumbers('{{cross[全部,金].row@蓝:percent1}}', wide)).toBe('74.0%');
  });

  it('are never made up', () => expect(withNumbers('{{result[Student].t}}', page)).toBe('—'));

  it('write defaults as the form does', () => {
    expect(defaultOf({ default: true })).toBe('是');
    expect(defaultOf({ default: ['a'], options: [{ key: 'a', title: '甲' }] })).toBe('甲');
    expect(defaultOf({ default: null, auto: 'last' })).toBe('自动（last）');
    expect(defaultOf({ default: null })).toBeNull();
  });
});
