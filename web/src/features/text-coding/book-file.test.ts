import { expect, test } from 'vitest';
import type { Code } from '@hengxi/server/answer-coding/schema';

import { cellsOf, readBook, writeBook } from './book-file.ts';
import { keysOf, shownCodes } from './keys.ts';

const code = (id: number, name: string, more: Partial<Code> = {}): Code => ({
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
const BOOK = [
  code(1, '其他', { kind: 'other' }),
  code(4, '服务', { group: '人', definition: '说到"人"，\n或态度', rule: '热情，态度' }),
  code(5, '房间', { group: '物' }),
  code(6, '前台', { group: '人' }),
  code(7, '旧的', { gone: true }),
];

test('a book that is written and read again is the same', () => {
  const { codes, added, changed } = readBook(writeBook(BOOK), BOOK);
  expect([added, changed]).toEqual([0, 0]);
  expect(codes).toEqual(BOOK);
  const risky = [code(4, '=1+1', { definition: '-不算价格', includes: "'原样" })];
  expect(writeBook(risky)).toContain("\r\n'=1+1,,'-不算价格,'原样,");
  expect(readBook(writeBook(risky), risky).codes).toEqual(risky);
});

test('codes of a name that is there get the words of the file, others come last', () => {
  const { codes, added, changed } = readBook('编码,定义\n服务,新的\n价格,\n,空的名称\n', BOOK);
  expect([added, changed]).toEqual([1, 1]);
  expect(codes[1]).toMatchObject({ id: 4, definition: '新的', rule: '热情，态度', group: '人' });
  expect(codes.at(-1)).toMatchObject({ id: null, name: '价格', kind: 'plain' });
});

test('a file without the column of names is refused; a second code of a fixed kind is a plain one', () => {
  expect(() => readBook('名称\n服务\n', BOOK)).toThrow('没有“编码”这一列');
  expect(readBook('编码,类型\n别的,其他\n', BOOK).codes.at(-1)?.kind).toBe('plain');
});

test('cells with commas, quotes and line ends', () => {
  expect(cellsOf('a,"b ""c"", d"\r\n"x\ny",\n\n')).toEqual([
    ['a', 'b "c", d'],
    ['x\ny', ''],
  ]);
  expect(cellsOf('编码\r服务\r价格\r')).toEqual([['编码'], ['服务'], ['价格']]);
});

test('keys go by the order shown: headings together, the fixed codes by letters of their own', () => {
  expect(shownCodes(BOOK).map(({ name }) => name)).toEqual(['服务', '前台', '房间', '其他']);
  expect([...keysOf(BOOK)]).toEqual([
    [4, '1'],
    [6, '2'],
    [5, '3'],
    [1, 'b'],
  ]);
});
