import type { Dimensions, Field } from '@hengxi/contracts/contract';
import { expect, test } from 'vitest';

import { onOneScale, placedIn, recodeStep, scoreStep, unturned, withDimensions } from './fill.ts';

const field = (type: string, key: string, more: object = {}): Field => ({ type, key, ...more }) as Field;
const takes = (more: Partial<Dimensions>): Dimensions => ({
  items: 'items',
  rows: null,
  reversed: null,
  name: null,
  low: null,
  high: null,
  turns: false,
  form: {},
  ...more,
});
const A = { id: 'd1', name: '信任', columns: ['c1', 'c2', 'c3'], reversed: ['c2'], low: 1, high: 5 };
const B = { id: 'd2', name: '意愿', columns: ['c4', 'c5'], reversed: [], low: 1, high: 7 };
const ALL = [A, B];

const BLOCKS = {
  takes: takes({ rows: 'turned', reversed: 'reversed' }),
  fields: [field('blocks', 'items'), field('settings', 'turned', { cells: [field('flag', 'reversed')] })],
};

test('a dimension becomes a block, and its reversed items are marked', () => {
  expect(withDimensions({ model: ['alpha'] }, BLOCKS, ALL, ALL)).toEqual({
    model: ['alpha'],
    items: [
      { id: 'd1', name: '信任', columns: ['c1', 'c2', 'c3'] },
      { id: 'd2', name: '意愿', columns: ['c4', 'c5'] },
    ],
    turned: [{ for: 'c2', reversed: true }],
  });
});

test('what else the form holds stays; a dimension that is taken out takes its rows along', () => {
  const form = {
    items: [
      { id: 'd1', name: '我的', columns: ['c9', 'c1'] },
      { id: 'b2', name: '意愿', columns: ['c4', 'c5'] },
    ],
    turned: [
      { for: 'c9', reversed: true },
      { for: 'c2', reversed: true },
    ],
  };
  const next = withDimensions(form, BLOCKS, ALL, [A]);
  expect(next['items']).toEqual([
    { id: 'qd1', name: '信任', columns: ['c1', 'c2', 'c3'] },
    { id: 'd1', name: '我的', columns: ['c9'] },
  ]);
  expect(next['turned']).toEqual([
    { for: 'c2', reversed: true },
    { for: 'c9', reversed: true },
  ]);
  expect(placedIn(next, BLOCKS, ALL)).toEqual([A]);
  expect(withDimensions(next, BLOCKS, ALL, [])['turned']).toEqual([{ for: 'c9', reversed: true }]);
});

test('a box of items takes them all; cells name the dimension in words or count it', () => {
  const named = (type: string) => ({
    takes: takes({ rows: 'rows', reversed: 'reverse', name: 'dimension', low: 'least', high: 'most' }),
    fields: [field('role', 'items'), field('settings', 'rows', { cells: [field(type, 'dimension')] })],
  });
  const form = withDimensions({ items: ['c9'] }, named('words'), ALL, [A]);
  expect(form).toEqual({
    items: ['c1', 'c2', 'c3', 'c9'],
    rows: [
      { for: 'c1', dimension: '信任' },
      { for: 'c2', dimension: '信任', reverse: true },
      { for: 'c3', dimension: '信任' },
    ],
    least: 1,
    most: 5,
  });
  const counted = withDimensions({}, named('integer'), ALL, ALL);
  expect(counted['rows']).toContainEqual({ for: 'c5', dimension: 2 });
  // Two scales have no common ends.
  expect(counted).not.toHaveProperty('least');
});

test('a step that turns items takes the reversed ones only', () => {
  const target = {
    takes: takes({ items: 'variables', low: 'a', high: 'b', turns: true, form: { auto: 'reverse' } }),
    fields: [field('role', 'variables')],
  };
  expect(withDimensions({}, target, ALL, [A])).toEqual({ auto: 'reverse', variables: ['c2'], a: 1, b: 5 });
  expect(placedIn({ variables: ['c2'] }, target, ALL)).toEqual([A]);
});

test('a method that takes the ends of the scale takes dimensions on one scale', () => {
  expect(onOneScale({ low: 'least', turns: false }, ALL)).toEqual([A]);
  expect(onOneScale({ low: null, turns: false }, ALL)).toEqual(ALL);
  expect(onOneScale({ low: 'least', turns: true }, [B, A])).toEqual([A]);
});

test('items that a method takes as they stand are told where it cannot turn them', () => {
  expect(unturned(takes({}), ALL)).toEqual(['c2']);
  expect(unturned(takes({ reversed: 'reversed' }), ALL)).toEqual([]);
});

test('the steps are found by what they declare', () => {
  const turning = { kind: 'processing', takes_dimensions: takes({ turns: true }) };
  const scoring = { kind: 'processing', takes_dimensions: takes({}) };
  const methods = [
    { kind: 'analysis', takes_dimensions: takes({}) },
    turning,
    scoring,
    { kind: 'analysis', takes_dimensions: null },
  ];
  expect([recodeStep(methods), scoreStep(methods)]).toEqual([turning, scoring]);
});
