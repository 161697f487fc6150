import { expect, test } from 'vitest';
import type { Active, Column } from '../files/schema.ts';
import { carryActive } from './carry-filters.ts';

// oxlint-disable-next-line typescript/consistent-type-assertions -- nothing but these is read
const columns = (names: Record<string, string>): Column[] =>
  Object.entries(names).map(([id, name]) => ({ id, name }) as Column);

const BASE = columns({ c1: '性别', c2: '年龄' });
const ACTIVE: Active = {
  filter: { condition: '{c2} > 18 and {c4} < 3', filter_type: 'drop', reduce_num: 3, filter_count: 9 },
  weight: { column: 'c3', kind: 'sampling' },
  split: { column: 'c1', levels: null, total: true },
};

test('what steps made is found by its name, although it has another id', () => {
  const from = columns({ c1: '性别', c2: '年龄', c3: '权', c4: '均分' });
  const to = columns({ c1: '性别', c2: '年龄（岁）', c3: '均分', c4: '权' });
  const { active, warnings } = carryActive(ACTIVE, { from, base: BASE, to });
  expect(warnings).toEqual([]);
  expect(active.filter).toEqual({ ...ACTIVE.filter, condition: '{c2} > 18 and {c3} < 3' });
  expect([active.weight?.column, active.split?.column]).toEqual(['c4', 'c1']);
});

test('another variable under the old id is not taken for the one that is gone', () => {
  const from = columns({ c1: '性别', c2: '年龄', c3: '权', c4: '均分' });
  const { active, warnings } = carryActive(ACTIVE, {
    from,
    base: BASE,
    to: columns({ c1: '性别', c2: '年龄', c3: '均分' }),
  });
  expect(active).toMatchObject({ filter: { condition: '{c2} > 18 and {c3} < 3' }, weight: null });
  expect(warnings).toEqual(['加权已取消：没有变量“权”']);
  const none = carryActive(ACTIVE, { from, base: BASE, to: columns({ c2: '年龄' }) });
  expect(none.active).toEqual({ filter: null, weight: null, split: null });
  expect(none.warnings).toHaveLength(3);
});
