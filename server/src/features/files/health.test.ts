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
    trouble: 'repeated',
    subject: items.map(({ id }) => id),
  });
  expect(found(items, 1_000_000)).toBeNull();
  expect(found(items.slice(0, 4))).toBeNull();
  const many = Array.from({ length: 400 }, (_, at) => item(`c${at + 1}`));
  const long = found(many);
  expect(long?.condition?.length).toBeLessThanOrEqual(1995);
  expect(long?.text).toMatch(/^有行在前 \d+ 个变量上/u);
});

test('what looks like a code is asked about, what is measured is not', () => {
  const whole = { whole: true, unique: true, missing: 0 };
  const found = (name: string, min: number, max: number, parts: Record<string, unknown> = {}) => {
    const profile = { ...whole, n: 300, distinct: 300, min, max, q1: min, q3: max };
    const one = Column.parse(column('c1', name, { measure: '定量', storage: 'int', profile, ...parts }));
    return examine([one], 300, []).findings.some(({ code }) => code === 'identifier');
  };
  const codes = ['病历号', '受访者', '账户', '账户', '联系方式'].map((name, at) => {
    const [min = 0, max = 0] = [
      [5, 9000],
      [1001, 1310],
      [20_190_012, 20_249_977],
      [53_010_211, 53_090_870],
      [13_000_000_001, 19_912_345_678],
    ][at]!;
    return found(name, min, max);
  });
  expect(codes).toEqual([true, true, true, true, true]);
  expect(found('月收入', 3000, 3290)).toBe(false);
  expect(found('体重（克）', 41_000, 92_000)).toBe(false);
  expect(found('拨款', 10_234_567, 98_765_432)).toBe(false);
  expect(found('年', 1800, 2099)).toBe(false);
  expect(found('x', 0, 299, { clock: 'TIME8' })).toBe(false);
});

test('times are spoken of as times', () => {
  const time = (name: string, profile: object): Column =>
    Column.parse(column('c1', name, { measure: '定量', storage: 'int', clock: 'TIME8', profile }));
  const profile = { n: 40, missing: 0, distinct: 30, min: 5, max: 86_340, median: 25_200, q1: 21_600, q3: 27_000 };
  const [quick, far] = examine([time('作答用时', profile)], 40, []).findings;
  expect(quick).toMatchObject({ code: 'too_quick', condition: '{c1} < 60' });
  expect(quick?.text).toContain('少于 00:01:00，');
  expect(far?.text).toContain('（01:30:00 至 12:00:00 以外）');
  const spent = time('离家', { ...profile, min: 0, q1: 600, q3: 7000, median: 3000, non_negative: true });
  expect(examine([spent], 40, []).findings[0]?.text).toContain('（大于 07:16:40）');
});

test('texts that are numbers, dates or neither, and signs nobody sees, as the engine has counted them', () => {
  const text = (id: string, parts: Record<string, unknown> = {}): Column =>
    Column.parse(
      column(id, id, { measure: '定类', storage: 'text', profile: { n: 100, missing: 0, distinct: 40 }, ...parts }),
    );
  const none = { n: 100, numbers: 0, dates: 0, moments: 0, stray: 0 };
  const columns = [
    text('c1'),
    text('c2'),
    text('c3'),
    text('c4', { measure: '文本' }),
    text('c5', { flags: ['标识'] }),
  ];
  const { findings } = examine(columns, 100, [], {
    c1: { ...none, numbers: 97 },
    c2: { ...none, numbers: 40, stray: 2 },
    c3: { ...none, dates: 60, moments: 39, stray: 1 },
    c4: { ...none, numbers: 40, stray: 8 },
    c5: { ...none, numbers: 100 },
  });
  const told = findings
    .filter(({ code }) => code !== 'many_levels')
    .map(({ code, trouble, count, subject }) => [code, trouble, count, subject]);
  expect(told).toEqual([
    ['text_numbers', 'text_numbers', 97, ['c1']],
    ['text_dates', 'text_moments', 99, ['c3']],
    ['mixed', 'mixed', 60, ['c2']],
    ['stray_characters', 'stray_characters', 3, ['c2', 'c3']],
  ]);
});
