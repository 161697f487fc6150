/** The help texts of all methods: every number they name is in the oracle of their method. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { HelpPage } from '@hengxi/server/help/schema';
import { expect, it } from 'vitest';

import { withNumbers } from './numbers.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const METHODS = join(ROOT, 'engine/hengxi/methods');

const json = (path: string): any => JSON.parse(readFileSync(path, 'utf8'));

const paths = readdirSync(METHODS, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('help.md'))
  .map((path) => path.slice(0, -'/help.md'.length));

it('there are help texts', () => expect(paths.length).toBeGreaterThan(10));

it.each(paths)('%s', (path) => {
  const folder = join(METHODS, path);
  const declared = join(ROOT, 'contracts/generated/methods', `${path}.json`);
  const oracle = existsSync(join(folder, 'oracle.json')) ? json(join(folder, 'oracle.json')) : { cases: [] };
  const page = { oracle: { list: oracle.cases }, declaration: json(declared) } as HelpPage;
  const text = readFileSync(join(folder, 'help.md'), 'utf8');
  const named = text.match(/\{\{[^}]*\}\}/g) ?? [];
  expect(named.filter((one) => /^—$|\{\{/.test(withNumbers(one, page)))).toEqual([]);
  expect(withNumbers(text, page), 'a p below .001 is written after no “=”').not.toMatch(/[=为] [<>]/);
});
