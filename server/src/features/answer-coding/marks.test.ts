/** What becomes of the marks of one answer. */
import { expect, test } from 'vitest';
import { bookOf, editedBook, FIRST_BOOK, rulesIn } from './book.ts';
import { changed, merged, openSuggestions } from './marks.ts';
import type { Code } from './schema.ts';

const plain = (id: number, name: string, more: Partial<Code> = {}): Code => ({
  id,
  name,
  group: '',
  definition: '',
  includes: '',
  excludes: '',
  rule: '',
  kind: 'plain',
  gone: false,
  ...more,
});
const OLD = plain(13, '旧的', { gone: true });
const BOOK = bookOf([...FIRST_BOOK, plain(11, '服务'), plain(12, '设施'), OLD]);
const [UNCLEAR, INVALID] = [2, 3];
const answer = (parts = {}) => ({ at: 0, codes: [], byHand: [], rejected: [], suggested: [], likely: [], ...parts });
const none = { on: [], off: [], accept: null };

test('a code given without a suggestion is by hand, one that was suggested is confirmed', () => {
  const row = answer({ suggested: [12], likely: [0.7] });
  expect(changed(row, { ...none, on: [11, 12] }, BOOK)).toEqual([0, [11, 12], [11], []]);
  expect(changed(row, none, BOOK)).toBeNull();
});

test('a suggestion that is taken off is rejected and is not suggested again', () => {
  const row = answer({ suggested: [12], likely: [0.7], codes: [12] });
  const next = changed(row, { ...none, off: [12] }, BOOK);
  expect(next).toEqual([0, [], [], [12]]);
  expect(openSuggestions({ ...row, codes: [], rejected: [12] }, BOOK)).toEqual([]);
  expect(changed({ ...row, codes: [], rejected: [12] }, { ...none, on: [12] }, BOOK)).toEqual([0, [12], [], []]);
});

test('accepting takes what is likely enough, of codes in use', () => {
  const row = answer({ suggested: [11, 12, 13], likely: [0.9, 0.6, 1] });
  expect(changed(row, { ...none, accept: 0.9 }, BOOK)).toEqual([0, [11], [], []]);
  expect(changed(row, { ...none, accept: 0 }, BOOK)).toEqual([0, [11, 12], [], []]);
  expect(changed({ ...row, codes: [INVALID] }, { ...none, accept: 0 }, BOOK)).toBeNull();
});

test('无法归类 and 无效 stand alone', () => {
  const row = answer({ codes: [11, 12], byHand: [11, 12] });
  expect(changed(row, { ...none, on: [INVALID] }, BOOK)).toEqual([0, [INVALID], [INVALID], []]);
  expect(changed(answer({ codes: [UNCLEAR] }), { ...none, on: [11] }, BOOK)).toEqual([0, [11], [11], []]);
});

test('marks of a code that is out of use stay where they are', () => {
  const row = answer({ codes: [13] });
  expect(changed(row, { ...none, on: [INVALID] }, BOOK)?.[1]).toEqual([INVALID, 13]);
});

test('a code that is merged leaves no double mark', () => {
  expect(merged(answer({ codes: [11, 12], byHand: [11], rejected: [] }), 11, 12)).toEqual([0, [12], [12], []]);
  expect(merged(answer({ codes: [11], rejected: [12] }), 11, 12)).toEqual([0, [12], [], []]);
});

test('new codes get numbers never used before; what is left out is out of use', () => {
  const first = editedBook(FIRST_BOOK, [...FIRST_BOOK, { ...plain(0, '服务'), id: null }], 4);
  expect(first).toMatchObject({ next: 5, codes: [{}, {}, {}, { id: 4, name: '服务' }] });
  const second = editedBook(first.codes, first.codes.slice(1, 3), 5);
  expect(second.codes.map(({ id, gone }) => [id, gone])).toEqual([
    [2, false],
    [3, false],
    [1, true],
    [4, true],
  ]);
  expect(() => editedBook(FIRST_BOOK, [plain(9, '新')], 4)).toThrow(/不存在的编码/);
  const twice = [plain(1, '服务'), plain(2, '服务')];
  expect(() => editedBook(FIRST_BOOK, twice, 4)).toThrow(/都叫“服务”/);
});

test('rules are those of codes in use', () => {
  const codes = [plain(1, '甲', { rule: '好，棒' }), plain(2, '乙'), plain(3, '丙', { rule: 'x', gone: true })];
  expect(rulesIn(codes)).toEqual([{ code: 1, name: '甲', rule: '好，棒' }]);
});
