/** What is examined, and what is left alone. */
import { expect, test } from 'vitest';
import { column } from '../../testing/tables.ts';
import { examine } from './health.ts';
import { Column } from './schema.ts';

test('options that are blank where they were not chosen are not called missing', () => {
  const chosen = { measure: '定类', storage: 'int', profile: { n: 40, missing: 60, distinct: 1, min: 1, max: 1 } };
  const columns = ['c1', 'c2'].map((id, at) => Column.parse(column(id, `Q2_${at + 1}`, chosen)));
  const codes = (sets: Parameters<typeof examine>[2]) => examine(columns, 100, sets).findings.map(({ code }) => code);
  expect(codes([])).toContain('missing');
  expect(codes([{ id: 's1', name: 'Q2', label: null, columns: ['c1', 'c2'], counted: 1 }])).toEqual([]);
});

test('every category that stands alone is among the rows that are shown', () => {
  const levels = ['甲', '乙', '丙"丁', '戊', '己'].map((value, at) => ({
    value,
    label: value,
    count: at === 4 ? 36 : 1,
  }));
  const profile = { n: 40, missing: 0, distinct: 5 };
  const one = Column.parse(column('c1', '班级', { measure: '定类', storage: 'text', levels, profile }));
  const [found] = examine([one], 40, []).findings;
  expect(found).toMatchObject({ code: 'lonely_level', count: 4, condition: '{c1} in ("甲", "乙", "丙""丁", "戊")' });
  expect(found?.text).toContain('“甲”“乙”“丙"丁”等 4 个类别各只有 1 例');
});

test('rows are compared in everything but number and time, where equal ones are no chance', () => {
  const item = (id: string, parts: Record<string, unknown> = {}): Column =>
    Column.parse(
      column(id, id, { storage: 'int', profile: { n: 90, missing: 0, distinct: 5, min: 1, max: 5 }, ...parts }),
    );
  const items = Array.from({ length: 12 }, (_, at) => item(`c${at + 1}`, { flags: ['量表'] }));
  const around = [item('n', { flags: ['标识'] }), item('s', { flags: ['用时'] }), item('t', { measure: '时间' })];
  const found = (columns: Column[], rows = 90) =>
    examine(columns, rows, []).findings.find(({ code }) => code === 'repeated') ?? null;
  const condition = `repeated(${items.map(({ id }) => `{${id}}`).join(', ')})`;
  expect(found([...around, ...items])).toMatchObject({
    title: '重复答卷',
    count: null,
    condition,
    trouble: 'rows',
  });
  expect(found(items, 1_000_000)).toBeNull();
  expect(found(items.slice(0, 4))).toBeNull();
  const many = Array.from({ length: 400 }, (_, at) => item(`c${at + 1}`));
  const long = found(many);
  expect(long?.condition?.length).toBeLessThanOrEqual(1995);
  expect(long?.text).toMatch(/^有行在前 \d+ 个变量上/u);
});
