import { describe, expect, test } from 'vitest';

import { typed, withoutLast } from './raised.ts';

const type = (keys: string): string => {
  let [text, power] = ['', false];
  for (const key of keys) {
    const next = typed(text, text + key, text.length + 1, power);
    [text, power] = [next.text, next.power];
  }
  return text;
};

describe('typing powers', () => {
  test.each([
    ['3X^2+Y', '3X²+Y'],
    ['X^12*Y', 'X¹²*Y'],
    ['X^(1/2)', 'X^(1/2)'],
    ['X^Y', 'X^Y'],
    ['X^2 2', 'X² 2'],
    ['2X', '2X'],
  ])('%s', (keys, text) => {
    expect(type(keys)).toBe(text);
  });

  test('deleting goes on in power mode', () => {
    expect(typed('X²', 'X', 1, true)).toEqual({ text: 'X', caret: 1, power: true });
  });
});

test.each([
  ['3X + 利润', '3X + '],
  ['X <= 10', 'X <= 1'],
  ['X <=', 'X '],
  ['SIN(', ''],
  ['X²', 'X'],
  ['', ''],
])('删除 takes the last piece of “%s”', (text, left) => {
  expect(withoutLast(text, text.length).text).toBe(left);
});
