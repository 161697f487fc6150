import { expect, test } from 'vitest';
import { comparedWith } from '@hengxi/contracts/plagdet';
import { marked } from './export.ts';
import { figuresOf, sourcesOf } from './figures.ts';
import { toMerge } from './library.ts';
import type { Claims, StoredReport } from './schema.ts';

const NONE: Claims = { quoted: [], own: [], count: [] };
const span = (from: number, to: number): [number, number, number, number] => [from, to, from, to];
const match = (kind: 'same' | 'similar' | 'common', document: number, from: number, to: number, chain = 1) => ({
  document,
  kind,
  span: span(from, to),
  source: [0, to - from] as [number, number],
  chain,
  ratio: 100,
  documents: 1,
});

/** 100 characters: 10 of contents, 20 quoted, 20 of references. */
const REPORT: StoredReport = {
  characters: 100,
  notes: {},
  pages: [],
  parts: [
    { kind: 'contents', span: span(0, 10) },
    { kind: 'quotation', span: span(30, 50) },
    { kind: 'references', span: span(80, 100) },
  ],
  matches: [
    match('same', 1, 5, 25),
    match('same', 2, 20, 40, 2),
    match('similar', 2, 35, 60, 2),
    match('common', 3, 50, 70, 3),
    match('same', 3, 85, 95, 4),
  ],
};
const ALL = new Set([1, 2, 3]);

test('every figure is what the page says of it', () => {
  expect(figuresOf(REPORT, NONE, ALL)).toEqual({
    characters: 100,
    counted: 70,
    left_out: { contents: 10, references: 20 },
    // 10 to 40, those of the contents and of the references left out.
    same: 30,
    similar: 20,
    common: 10,
    quoted: 20,
    same_unquoted: 20,
    same_foreign: 30,
    largest: { document: 2, same: 20 },
  });
});

test('what its author says is counted: quotations, own works, parts after all', () => {
  const claims: Claims = { quoted: [0], own: [2], count: ['references'] };
  expect(figuresOf(REPORT, claims, ALL)).toMatchObject({
    counted: 90,
    left_out: { contents: 10 },
    same: 40,
    quoted: 35,
    // 25 to 30 and 85 to 95.
    same_unquoted: 15,
    same_foreign: 25,
  });
});

test('a document that left the library takes its passages with it', () => {
  expect(figuresOf(REPORT, NONE, new Set([1]))).toMatchObject({ same: 15, similar: 0, common: 0 });
  expect(sourcesOf(REPORT, NONE, new Set([1, 3]), String).map(({ document }) => document)).toEqual([1, 3]);
});

test('sources stand by what they share; a common phrase alone makes none', () => {
  expect(sourcesOf(REPORT, NONE, ALL, (document) => `第${document}篇`)).toEqual([
    { document: 2, name: '第2篇', same: 20, similar: 20, passages: 1, is_own: false },
    { document: 1, name: '第1篇', same: 15, similar: 0, passages: 1, is_own: false },
    { document: 3, name: '第3篇', same: 0, similar: 0, passages: 1, is_own: false },
  ]);
});

test('a text that is all left out has no share of anything', () => {
  const report: StoredReport = { ...REPORT, parts: [{ kind: 'references', span: span(0, 100) }] };
  expect(figuresOf(report, NONE, ALL)).toMatchObject({ counted: 0, same: 0, largest: null });
});

test('the marks of a text cover it once, the strongest on top', () => {
  const pieces = marked({
    text: '0123456789',
    parts: [{ kind: 'quotation', start: 1, end: 4 }],
    passages: [
      { no: 0, document: 1, kind: 'similar', start: 2, end: 8, chain: 1, ratio: 80, documents: 1, quoted: false },
      { no: 1, document: 1, kind: 'same', start: 3, end: 5, chain: 1, ratio: 100, documents: 1, quoted: false },
      { no: 2, document: 2, kind: 'same', start: 9, end: 10, chain: 2, ratio: 100, documents: 1, quoted: true },
    ],
  });
  expect(pieces.map(({ text, kind }) => [text, kind])).toEqual([
    ['0', null],
    ['1', 'quotation'],
    ['2', 'similar'],
    ['34', 'same'],
    ['567', 'similar'],
    ['8', null],
    ['9', 'quotation'],
  ]);
});

test('segments are made anew when documents left them, and put together when they are many', () => {
  const full = (key: string, n: number, living = n) => ({ key, documents: n, living });
  expect(toMerge([full('a', 5), full('b', 5)])).toEqual([]);
  expect(toMerge([full('a', 5, 4), full('b', 5)])).toEqual(['a']);
  const many = Array.from({ length: 9 }, (_, k) => full(`s${k}`, k === 8 ? 1999 : 10));
  expect(toMerge(many)).toEqual(many.slice(0, 8).map(({ key }) => key));
});

test('when a text was compared is told in one time, on screen and in the export', () => {
  const check = { documents: 3, other_name: null, created_at: '2026-11-27T16:05:00.000Z' };
  expect(comparedWith(check)).toBe('本次与 3 篇文档比对（我的文库 3 篇），截至 2026-11-28 00:05（北京时间）。');
});
