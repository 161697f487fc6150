import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../lib/programs.ts';
import { readMethods } from './methods.ts';
import type { Methods } from './methods.ts';

const ALL = 411;
const folder = mkdtempSync(join(tmpdir(), 'methods-'));
const path = (number: number): string => `statistical/method_${number}`;
let methods: Methods;

beforeAll(async () => {
  const source = join(ROOT, 'contracts/generated/methods');
  const one = JSON.parse(readFileSync(join(source, 'statistical/linear_regression.json'), 'utf8'));
  for (let number = 0; number < ALL; number += 1) {
    const own = { ...one, path: path(number), wire: path(number), key: `method_${number}`, slug: `method-${number}` };
    const file = join(folder, 'contracts/generated/methods', `${path(number)}.json`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(own));
  }
  const learners = 'contracts/generated/methods/supervised_learning';
  cpSync(join(ROOT, learners), join(folder, learners), { recursive: true });
  methods = await readMethods(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('of hundreds of methods a few declarations are held, the others are read when asked for', () => {
  expect(methods.rows.length).toBeGreaterThan(ALL);
  const first = methods.find(path(0));
  expect(first.fields.length).toBeGreaterThan(0);
  expect(methods.find(path(0))).toBe(first);
  for (let number = 1; number < 40; number += 1) methods.find(path(number));
  const again = methods.find(path(0));
  expect(again).not.toBe(first);
  expect(again).toEqual(first);
  // What is held of all together is a small part of their declarations.
  const held = JSON.stringify([methods.rows, methods.words, methods.summaries]).length;
  expect(held / ALL).toBeLessThan(0.2 * JSON.stringify(first).length);
});

test('a path is found in any spelling, no method is 404, a path alone is known or not', () => {
  expect(methods.find('/statistical/method-7/').path).toBe(path(7));
  expect(() => methods.find('statistical/none')).toThrow(expect.objectContaining({ code: 30093 }));
  expect(methods.known('statistical/method-7')).toBeNull();
  expect(methods.known(path(7))?.path).toBe(path(7));
});

test('the address {model}_predict is the predicting method of its group, for models of that path only', () => {
  const twin = methods.find('supervised_learning/classifier/random_forest_predict');
  expect(twin.path).toBe('supervised_learning/classifier/classifier_predict');
  expect(methods.twinOf(twin)).toBe('supervised_learning/classifier/random_forest');
  expect(methods.twinOf(methods.find(twin.path))).toBeNull();
  expect(methods.addresses.map(({ wire }) => wire)).toContain('supervised_learning/classifier/random_forest_predict');
});
