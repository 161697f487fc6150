import { expect, test } from 'vitest';

import type { CellNumber } from '../cell-text.ts';
import { numberFormat } from './number-format.ts';

const number = (x: number | null, text: string, kind: CellNumber['kind'] = 'number'): CellNumber => ({
  x,
  text,
  what: '',
  kind,
});

test.each([
  [number(3.14159, '3.14'), '', '0.00;"−"0.00'],
  [number(-0.5, '−0.50'), '**', '0.00"**";"−"0.00"**"'],
  [number(1234, '1,234', 'count'), '', '#,##0;"−"#,##0'],
  [number(0.459, '45.9%', 'percent'), '', '0.0%;"−"0.0%'],
  // The head already says %: the sign is missing in the text, not in the sheet.
  [number(0.459, '45.9', 'percent'), '', '0.0%;"−"0.0%'],
  [number(0.0112, '.011', 'p'), '*', '.000"*"'],
  [number(0.0496, '.0496', 'p'), '', '.0000'],
  [number(0.0112, '0.011', 'p'), '', '0.000'],
  [number(1e-7, '< .001', 'p'), '***', '[<0.001]"< .001***";.000'],
  [number(0.99991, '> .999', 'p'), '', '[>=0.9995]"> .999";.000'],
  [number(1.99e-5, '2.0×10⁻⁵'), '', '0.0E+00'],
])('%o is shown as the report shows it', (given, after, format) => {
  expect(numberFormat(given, after)).toBe(format);
});

test('what is no number stays text', () => {
  expect(numberFormat(number(null, '—'))).toBeNull();
  expect(numberFormat(number(Infinity, '∞'))).toBeNull();
});
