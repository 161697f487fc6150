import { expect, test } from 'vitest';

import type { Element, TextElement } from '../../generated/contract.ts';
import { ELEMENTS, everything } from '../testing/elements.ts';
import { column, MAIN, report, table } from '../testing/reports.ts';
import { type Block, type Chapter, documentOf, type TableBlock, wordsOf } from './blocks.ts';
import { PRESENTATION, type Presentation } from './presentation.ts';

const chapter = (more: Partial<Chapter> = {}, presentation: Partial<Presentation> = {}): Chapter => ({
  report: everything(),
  title: '不同性别学生的每周运动时长',
  madeAt: null,
  note: '',
  presentation: { ...PRESENTATION, ...presentation },
  ...more,
});
const heads = (blocks: readonly Block[]): string[] => blocks.flatMap((b) => (b.type === 'heading' ? [b.text] : []));
const tablesOf = (blocks: readonly Block[]): TableBlock[] => blocks.filter((b): b is TableBlock => b.type === 'table');
const said = (blocks: readonly Block[]): string =>
  blocks.flatMap((b) => (b.type === 'text' ? [wordsOf(b.words)] : [])).join('\n');

test('the masthead of a weighted analysis says rows and cases', () => {
  const meta = (weighted: number | null): string => {
    const of = everything();
    return said(documentOf([chapter({ report: { ...of, sample: { ...of.sample, used: 32, weighted } } })]));
  };
  expect(meta(592)).toContain('分析 32 行，加权后 592 例');
  expect(meta(null)).toContain('分析 32 份');
});

test('the blocks stand in the order of the screen', () => {
  const blocks = documentOf([chapter({ note: '只给自己看' })]);
  expect(heads(blocks)).toEqual([
    '不同性别学生的每周运动时长',
    '前提检验',
    '解读',
    '样本说明',
    '明细',
    '方法说明与引用',
    '参考文献',
  ]);
  expect(said(blocks)).toContain('文件中的行 326 → 筛选后 312（不满足 用时 ≥ 60，少 14 行） → 进入分析 303');
  const chosen = documentOf([chapter({ note: '送审' })], new Set(['note']));
  expect(chosen.at(-1)).toEqual({ type: 'text', as: 'body', words: [{ text: '送审' }] });
});

test('edits of the presentation reach the document, values do not change', () => {
  const edit = { hidden: ['n'], order: ['p', 'group'], names: { group: '性别' }, decimals: 3, p: 'zero' as const };
  const [edited] = tablesOf(documentOf([chapter({}, { tables: { result: edit } })]));
  expect(edited?.grid.head[0]?.map((h) => h.text)).toEqual(['p', '性别', 'M ± SD', '均值 95% CI']);
  expect(edited?.grid.body[0]?.cells.map((c) => c?.text)).toEqual(['0.001', '男', '3.821 ± 1.690', '[3.540, 4.110]']);
  expect(edited?.grid.body[0]?.cells[2]?.numbers?.map((n) => n.x)).toEqual([3.8212, 1.69]);
  const [turned] = tablesOf(documentOf([chapter({}, { tables: { result: { turned: true } } })]));
  expect(turned?.grid.head[0]?.map((h) => h.text)).toEqual(['组别', '男', '女']);
  expect(tablesOf(documentOf([chapter({}, { hidden: ['result'] })]))).toEqual([]);
});

test('what is not chosen is neither written nor counted', () => {
  const other = { ...MAIN, id: 'second', title: '第二张' };
  const two = report([MAIN, other]);
  const only = tablesOf(documentOf([chapter({ report: two })], new Set(['second'])));
  expect(only.map((t) => [t.n, wordsOf(t.title)])).toEqual([[1, '第二张']]);
  const both = tablesOf(documentOf([chapter({ report: two }), chapter({ report: two })]));
  expect(both.map((t) => t.n)).toEqual([1, 2, 3, 4]);
});

test('one voice is heard, and another where it says nothing', () => {
  const text = (id: string, voice: TextElement['voice'], words: string): Element => {
    const base = ELEMENTS.text;
    return { ...base, id, voice, text: words, facts: {} } as Element;
  };
  const document = report([text('a', 'student', '学生听的'), text('b', 'brief', '汇报用的')]);
  expect(said(documentOf([chapter({ report: document }, { voice: 'brief' })]))).toContain('汇报用的');
  const paper = said(documentOf([chapter({ report: document }, { voice: 'paper' })]));
  expect(paper).toContain('学生听的');
  expect(paper).not.toContain('汇报用的');
});

test('references are cited as the reader chose', () => {
  const cited = (cite: 'gbt' | 'apa'): string => {
    const list = documentOf([chapter({}, { cite })]).findLast((b) => b.type === 'list');
    return list?.type === 'list' ? wordsOf(list.items[0] ?? []) : '';
  };
  expect(cited('gbt')).toMatch(/^WELCH B L\..*DOI: 10\.1093/);
  expect(cited('apa')).toMatch(/^Welch, B\. L\. \(1947\)/);
});

test('the title of a panel is its own and not that of its parts', () => {
  const figures = { panel: { title: '四张诊断图', letters: 'song' as const }, 'panel/second': { title: '第二张' } };
  const block = documentOf([chapter({}, { figures })]).find((b) => b.type === 'figure' && b.key === 'panel');
  if (block?.type !== 'figure') throw new Error('no panel');
  expect(wordsOf(block.title)).toBe('四张诊断图');
  expect(Object.values(block.edits).map((e) => e.title)).not.toContain('四张诊断图');
  expect(Object.values(block.edits).every((e) => e.letters === 'song')).toBe(true);
});

test('each line of a conclusion and of a note is a paragraph of its own', () => {
  const lead = { ...ELEMENTS.lead, text: '“{a}”有差异。\n\n未发现“*乙*”有差异。', facts: { a: '甲' } } as Element;
  const blocks = documentOf([chapter({ report: report([lead]), note: '一\n\n二' })], new Set([lead.id, 'note']));
  const texts = blocks.filter((b) => b.type === 'text' && b.as !== 'meta');
  expect(texts.map((b) => (b.type === 'text' ? `${b.as} ${wordsOf(b.words)}` : ''))).toEqual([
    'lead “甲”有差异。',
    'lead 未发现“乙”有差异。',
    'body 一',
    'body 二',
  ]);
});

test('the main results are conclusion, main tables and figures, checks in brief and what was used', () => {
  const blocks = documentOf([chapter()], null, 'main');
  expect(heads(blocks)).toEqual(['不同性别学生的每周运动时长', '前提检验', '样本说明', '方法说明与引用', '参考文献']);
  const everyone = documentOf([chapter()]);
  expect(tablesOf(blocks).map((t) => t.key)).toEqual(['result']);
  // The conventions of the method are for reviewers.
  const bullets = (list: readonly Block[]): Block[] => list.filter((b) => b.type === 'list' && b.as === 'bullets');
  expect([bullets(blocks).length, bullets(everyone).length]).toEqual([0, 1]);
  expect(said(blocks)).toContain('进入分析 303');
});

test('of many reports the results alone are told, and what was used once for all of them', () => {
  const blocks = documentOf([chapter(), chapter({ title: '又一份' })], null, 'brief');
  expect(heads(blocks)).toEqual(['不同性别学生的每周运动时长', '前提检验', '又一份', '前提检验', '所用方法']);
  expect(tablesOf(blocks).map((t) => t.key)).toEqual(['result', 'result']);
  const used = blocks.flatMap((b) => (b.type === 'list' && b.as === 'bullets' ? b.items.map(wordsOf) : []));
  const { method } = everything();
  expect(used).toEqual([`${method.title} 第 ${method.version} 版`]);
});

test('checks that passed are one line of the main results, the others are said in full', () => {
  const check = (id: string, title: string, state: 'pass' | 'care'): Element =>
    ({ ...ELEMENTS.check, id, title, state, at: null, text: `${title}的话。`, facts: {} }) as Element;
  const document = report([check('a', '正态性', 'pass'), check('b', '方差齐性', 'care'), check('c', '样本量', 'pass')]);
  const words = said(documentOf([chapter({ report: document })], null, 'main'));
  expect(words).toContain('方差齐性（注意）：方差齐性的话。');
  expect(words).toContain('通过：正态性、样本量。');
  expect(words).not.toContain('正态性的话');
});

test('of tables that repeat for each pair the main results hold the first few and say how many more there are', () => {
  const copies = Array.from({ length: 7 }, (_, i) => ({ ...MAIN, id: i === 0 ? 'pair' : `pair:${i}` }));
  const blocks = documentOf([chapter({ report: report(copies) })], null, 'main');
  expect(tablesOf(blocks)).toHaveLength(4);
  expect(said(blocks)).toContain('另有 3 张表同样按变量给出，导出时选“全部明细”可得到。');
  expect(tablesOf(documentOf([chapter({ report: report(copies) })]))).toHaveLength(7);
});

test('only works that the document names are listed', () => {
  const tests = (name: string): Element =>
    table('tests', [column('name', 'text', { title: '检验' })], [[name]], { place: 'main' });
  const works = (elements: Element[]): string[] => {
    const document = report(elements);
    const holm = { key: 'holm1979', gbt: 'HOLM S.', apa: 'Holm, S. (1979). A simple.', doi: null, named: [] };
    const list = documentOf([
      chapter({ report: { ...document, references: [...document.references, holm] } }),
    ]).findLast((b) => b.type === 'list' && b.as === 'references');
    return list?.type === 'list' ? list.items.map(wordsOf) : [];
  };
  expect(works([tests('Welch')])).toHaveLength(1);
  expect(works([tests('Welch'), { ...ELEMENTS.text, text: '按 Holm 法校正。', facts: {} } as Element])).toHaveLength(2);
  expect(works([tests('Student')])).toEqual([]);
});
