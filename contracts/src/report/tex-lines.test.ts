import { expect, test } from 'vitest';
import { alignedTex, texLines } from './tex-lines.ts';

const TERMS = Array.from({ length: 12 }, (_, i) => `${i % 2 === 0 ? '+ 0.12' : '- 3.45'}\\,x_{${i + 1}}`);

test('an equation of many terms is broken before its signs, and nothing of it is lost', () => {
  const tex = `\\hat y = -2.97 ${TERMS.join(' ')}`;
  const lines = texLines(tex);
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.join(' ')).toBe(tex);
  for (const line of lines.slice(1)) expect(line).toMatch(/^[+-] /);
  expect(lines[0]).toMatch(/^\\hat y = -2\.97 \+/);
  expect(alignedTex(tex)).toContain('\\begin{aligned}& \\hat y');
  expect(alignedTex(tex).match(/\\\\/g)).toHaveLength(lines.length - 1);
});

test('a short one stays as it is, and nothing inside a bracket is a place to break', () => {
  expect(texLines('F = 0.34 F_1 + 0.33 F_2')).toEqual(['F = 0.34 F_1 + 0.33 F_2']);
  expect(alignedTex('y = b_0 + b_1 x')).toBe('y = b_0 + b_1 x');
  const closed = `p = \\frac{1}{1 + e^{-(${TERMS.join(' ')})}} + \\left(${TERMS.join(' ')}\\right)`;
  const lines = texLines(closed);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(/^\+ \\left\(/);
});
