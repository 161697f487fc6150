import { expect, test } from 'vitest';
import { endingOf, withoutControls } from './names.ts';

test('a name has nothing in it that cannot be seen', () => {
  expect(withoutControls('a\u0000b\r\nc\u007f\u0085\u202Efdp\u2066.csv')).toBe('abcfdp.csv');
  expect(withoutControls('问卷 （二）-👩‍🔬é.sav')).toBe('问卷 （二）-👩‍🔬é.sav');
});

test('the ending of a name is what it is opened by', () => {
  expect(['报告.docx', 'a.tar.gz', '无', 'a.', '.csv', 'x.有'].map(endingOf)).toEqual([
    '.docx',
    '.gz',
    '',
    '',
    '.csv',
    '',
  ]);
});
