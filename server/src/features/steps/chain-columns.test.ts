/** What a chain asks of the data, walked without any data. */
import { expect, test } from 'vitest';
import { idsUsed, walkChain, withChosen } from './chain-columns.ts';
import { nearNames } from './near-names.ts';

const role = { key: 'of', type: 'role', table: null };
const fields = [role, { key: 'word', type: 'words' }, { key: 'condition', type: 'formula' }];
const declared = () => ({ kind: 'processing', fields }) as never;
const process = (form: object, names: object, made: string[] | undefined = [], more: object = {}): any => ({
  op: 'process',
  title: '步骤',
  changes: [],
  params: { path: 'data_processing/x', form, names, ...(made ? { made } : {}) },
  ...more,
});
const rename = (id: string, from: string, to: string): any => ({
  op: 'edit',
  title: '改名',
  changes: [],
  params: { columns: [{ id, name: to }], names: { [id]: from } },
});
const walk = (steps: any[], names: string[], chosen: Record<string, string> = {}) =>
  walkChain(steps, {
    columns: names.map((name) => ({ name })),
    chosen: new Map(Object.entries(chosen)),
    declared,
  });

test('a step uses what its boxes and formulas name, not a word that looks like an id', () => {
  const step = process({ of: ['c1'], word: 'c2', condition: '{c3} > 1' }, { c1: '甲', c2: '乙', c3: '丙' });
  expect(idsUsed(step, declared())).toEqual(['c1', 'c3']);
});

test('variables of the data are told from what the chain makes and renames', () => {
  const steps = [
    process({ of: ['c1'] }, { c1: '年龄' }, ['年龄组']),
    process({ of: ['c9'] }, { c9: '年龄组' }),
    rename('c1', '年龄', '岁数'),
    process({ of: ['c1', 'c2'] }, { c1: '岁数', c2: '收入' }),
  ];
  const { columns, steps: needs } = walk(steps, ['年龄']);
  expect(columns).toEqual([
    { name: '年龄', steps: [1, 3, 4] },
    { name: '收入', steps: [4] },
  ]);
  expect(needs.map(({ missing }) => missing)).toEqual([[], [], [], ['收入']]);
  expect(needs.map(({ isFirstUse }) => isFirstUse)).toEqual([true, false, false, false]);
});

test('what a step makes that does not run is missing for those after it, with its number', () => {
  const steps = [process({ of: ['c1'] }, { c1: '年龄' }, ['年龄组']), process({ of: ['c9'] }, { c9: '年龄组' })];
  expect(walk(steps, []).steps[1]).toMatchObject({ missing: [], unmade: [{ name: '年龄组', by: 1 }] });
  const off = [{ ...steps[0], disabled: true }, steps[1]];
  expect(walk(off, ['年龄']).steps[1]).toMatchObject({ unmade: [{ name: '年龄组', by: 1 }] });
  expect(walk(off, ['年龄组']).steps[1]).toMatchObject({ missing: [], unmade: [] });
});

test('a variable that was chosen stands for that of the data, not for one the chain makes under the same name', () => {
  const steps = [process({ of: ['c1'] }, { c1: '分' }, ['总']), process({ of: ['c9', 'c1'] }, { c9: '总', c1: '分' })];
  expect(walk(steps, ['得分'], { 分: '得分', 总: '得分' }).steps.map(({ missing }) => missing)).toEqual([[], []]);
  const fitted = withChosen(
    steps,
    new Map([
      ['分', '得分'],
      ['总', '得分'],
    ]),
  );
  expect(fitted.map(({ params }) => params['names'])).toEqual([{ c1: '得分' }, { c9: '总', c1: '得分' }]);
});

test('where a step does not say what it made, unknown names may be its own', () => {
  const steps = [process({ of: ['c1'] }, { c1: '年龄' }, undefined), process({ of: ['c9'] }, { c9: '某列' })];
  delete steps[0].params.made;
  expect(walk(steps, ['年龄'])).toMatchObject({ columns: [{ name: '年龄' }], steps: [{}, { missing: [] }] });
});

test('the nearest names come first, by name or label, and strangers not at all', () => {
  const list = [
    { id: 'c1', name: '年龄（岁）', label: null },
    { id: 'c2', name: 'Q5', label: '月收入' },
    { id: 'c3', name: '性 别', label: null },
  ];
  const near = nearNames(['性别', '年龄', '收入', '身高'], list);
  expect([...near].map(([name, found]) => [name, found.map(({ id }) => id)])).toEqual([
    ['性别', ['c3']],
    ['年龄', ['c1']],
    ['收入', ['c2']],
    ['身高', []],
  ]);
});
