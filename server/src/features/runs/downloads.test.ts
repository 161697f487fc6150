import { expect, test } from 'vitest';
import { attachment } from './downloads.ts';

const plainOf = (name: string): string | undefined => /filename="([^"]*)"/.exec(attachment(name))?.[1];

test('the plain name keeps its ending, however long the name is', () => {
  expect(plainOf(`${'report '.repeat(40)}.docx`)).toMatch(/^(?:report_)+\w*\.docx$/);
  expect(plainOf(`${'report '.repeat(40)}.docx`)).toHaveLength(80);
  expect(plainOf('问卷.sav')).toBe('_.sav');
  expect(plainOf('')).toBe('download');
});

test('neither name carries what cannot be seen', () => {
  expect(attachment('a\r\nb\u202Efdp.csv')).toBe(`attachment; filename="abfdp.csv"; filename*=UTF-8''abfdp.csv`);
});
