import { expect, test } from 'vitest';
import { csvField, guarded } from './csv.ts';

test('what a spreadsheet would compute gets an apostrophe, numbers and other texts do not', () => {
  const risky = ['=1+1', '+cmd', '-x', '-1+1', '@SUM(A1)', '＝1', '\t=1', '\r=1'];
  expect(risky.map(guarded)).toEqual(risky.map((text) => `'${text}`));
  const harmless = ['-3.5', '+5', '-.5e-10', '1-2', '好', '', '−0.5'];
  expect(harmless.map(guarded)).toEqual(harmless);
});

test('a field with a comma, a quote or a line break stands in quotes', () => {
  expect(['甲,"乙"', '一\n二', '丙'].map(csvField)).toEqual(['"甲,""乙"""', '"一\n二"', '丙']);
});
