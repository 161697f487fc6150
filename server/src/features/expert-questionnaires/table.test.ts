import { expect, test } from 'vitest';
import { cellOf, tableOf, variablesOf } from './dataset.ts';
import { quantile } from './feedback.ts';
import { askedKeys, judgementBasis, pairs } from './questions.ts';
import { Content } from './schema.ts';
import type { SheetRow } from './tables.ts';
import { signsOf } from './views.ts';

const leaf = (id: string) => ({ id, name: id.toUpperCase(), children: [] });
const content = Content.parse({
  tree: {
    id: 'goal',
    name: '目标',
    children: [{ id: 'a', name: 'A', children: [leaf('x'), leaf('y')] }, leaf('b'), leaf('c')],
  },
  alternatives: [
    { id: 'p', name: '甲' },
    { id: 'q', name: '乙' },
  ],
});

test('comparisons stand in the engine’s order: nodes from the top, then alternatives under each lowest one', () => {
  expect(pairs(content).map(({ key }) => key)).toEqual([
    'pair:goal:a:b',
    'pair:goal:a:c',
    'pair:goal:b:c',
    'pair:a:x:y',
    'pair:x:p:q',
    'pair:y:p:q',
    'pair:b:p:q',
    'pair:c:p:q',
  ]);
});

test('a comparison has a sign: negative where the second matters more, and no −1', () => {
  expect(cellOf({ value: 3, favours: 'first' })).toBe('3');
  expect(cellOf({ value: 3, favours: 'second' })).toBe('-3');
  expect(cellOf({ value: 1, favours: 'second' })).toBe('1');
  expect(cellOf(null)).toBe('');
});

test('the table quotes what a comma would break and keeps all comparisons', () => {
  const values = new Map([['pair:goal:a:b', { value: 2, favours: 'second' as const }]]);
  const { used, csv } = tableOf(
    [{ expert: 'E01', round: 1, state: '按时', values }],
    variablesOf({ kind: 'ahp' }, content),
  );
  expect(used).toHaveLength(8);
  expect(csv.split('\n')[1]).toBe('E01,第1轮,按时,-2,,,,,,,');
  const delphi = Content.parse({ items: [{ id: 'i1', text: '一' }] });
  const said = new Map([['comment:i1', '好,"很"']]);
  const table = tableOf(
    [{ expert: 'E01', round: 1, state: '按时', values: said }],
    variablesOf({ kind: 'delphi' }, delphi),
  );
  expect(table.csv).toBe('专家,轮次,状态,意见01\nE01,第1轮,按时,"好,""很"""\n');
});

/** R: quantile(c(1, 2, 3, 4, 5, 5, 7), c(.25, .5, .75), type = 6) and of c(2, 9). */
test('quartiles are those of (n + 1)p', () => {
  const x = [1, 2, 3, 4, 5, 5, 7];
  expect([0.25, 0.5, 0.75].map((share) => quantile(x, share))).toEqual([2, 4, 5]);
  expect([0.25, 0.5, 0.75].map((share) => quantile([2, 9], share))).toEqual([2, 5.5, 9]);
  expect(quantile([], 0.5)).toBeNull();
});

test('a regular design asks 2n of many things, each in four, and the columns keep their places', () => {
  const children = Array.from({ length: 9 }, (_, at) => leaf(`n${at}`));
  const tree = { id: 'goal', name: '目标', children };
  const regular = Content.parse({ tree, protocol: { design: 'regular' } });
  const asked = askedKeys('ahp', regular, []);
  expect(asked).toHaveLength(18);
  for (const { id } of children) expect(asked.filter((key) => key.split(':').includes(id))).toHaveLength(4);
  expect(pairs(regular)).toHaveLength(36);
  expect(variablesOf({ kind: 'ahp' }, regular)).toHaveLength(36);
  const six = Content.parse({ tree: { ...tree, children: children.slice(0, 6) }, protocol: { design: 'regular' } });
  expect(askedKeys('ahp', six, [])).toHaveLength(15);
});

test('Ca is what all bases count together, none before every basis is judged', () => {
  const { protocol } = Content.parse({});
  const said = (practice: string, theory: string, literature: string, intuition: string) =>
    new Map(Object.entries({ practice, theory, literature, intuition }).map(([id, value]) => [`ca:${id}`, value]));
  expect(judgementBasis(protocol, said('large', 'large', 'large', 'large'))).toBe(1);
  expect(judgementBasis(protocol, said('medium', 'small', 'small', 'large'))).toBe(0.7);
  expect(judgementBasis(protocol, said('small', 'small', 'small', 'small'))).toBe(0.6);
  expect(judgementBasis(protocol, new Map([['ca:practice', 'large']]))).toBeNull();
  const more = { ...protocol, ca: [...protocol.ca, { id: 'more', name: '其他', large: 0.3, medium: 0.2, small: 0.1 }] };
  expect(judgementBasis(more, said('large', 'large', 'large', 'large').set('ca:more', 'large'))).toBe(1);
});

test('comparisons of the same degree are not all the same where their sides differ', () => {
  const startedAt = new Date(0);
  const sheet = { startedAt, savedAt: new Date(3_600_000), submittedAt: null } as SheetRow;
  const keys = ['a', 'b', 'c', 'd', 'e'];
  const judged = (value: number, sides: string) =>
    new Map(
      keys.map((key, at) => [key, { value, favours: sides[at] === '1' ? ('first' as const) : ('second' as const) }]),
    );
  expect(signsOf(sheet, new Set(keys), judged(3, '11111'))).toEqual(['same']);
  expect(signsOf(sheet, new Set(keys), judged(3, '11212'))).toEqual([]);
  expect(signsOf(sheet, new Set(keys), judged(1, '11212'))).toEqual(['same']);
});
