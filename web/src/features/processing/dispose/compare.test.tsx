import type { DataStep } from '@hengxi/contracts/contract';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { byId } from '../../../fields/column.ts';
import { column } from '../../../fields/testing/harness.tsx';
import { changesText, Compare } from './compare.tsx';

const ref = (id: string, name: string) => ({ id, name, label: null, measure: '定量' as const });
const STEP: DataStep = {
  rows_before: 1200,
  rows_after: 1100,
  left_out: null,
  columns_before: 2,
  columns_after: 3,
  missing_before: 41,
  missing_after: 4,
  cells: 37,
  added: [ref('c3', '总分')],
  changed: [],
  removed: [],
  sampled: true,
  reshaped: false,
  reworded: [],
  weight: null,
  preview: {
    rows: [1, 2],
    columns: [
      {
        id: 'c1',
        name: 'Q1',
        label: '年龄',
        change: 'changed',
        source: null,
        labels_before: [],
        labels_after: [],
        clock_after: false,
      },
      {
        id: 'c3',
        name: '总分',
        label: null,
        change: 'new',
        source: null,
        labels_before: [],
        labels_after: [],
        clock_after: false,
      },
    ],
    before: [
      [99, null],
      [20, null],
    ],
    after: [[null, 1 / 3], null],
    came: [],
  },
};

test('what will change, and rows, columns and gaps before and after', () => {
  expect(changesText(STEP)).toBe('改动 37 格 · 新增 1 列');
  expect(changesText({ ...STEP, reshaped: true, cells: 0, removed: [ref('c1', 'Q1')] })).toBe('新增 1 列 · 删除 1 列');
  render(<Compare step={{ ...STEP, columns_after: 2, missing_before: 5 }} known={new Map()} old={false} />);
  const counts = screen.getAllByRole('definition').map((one) => one.textContent);
  expect(counts).toEqual(['1,200 → 1,100', '2（不变）', '5 → 4']);
});

test('what changes is marked in the table: old and new, rows and columns that come and go; heads can be picked', async () => {
  const [changed, added] = STEP.preview.columns;
  const other = { ...changed!, id: 'c2', name: '备注', label: null, change: 'removed' as const };
  const filled = { ...added!, id: 'c4', name: 'Q1_填补', source: 'c1' };
  const preview = {
    ...STEP.preview,
    columns: [changed!, other, filled],
    before: [
      [99, '甲', null],
      [20, '乙', null],
    ],
    after: [[null, null, 1], null],
    came: [{ row: 7, cells: [5, null, 5] }],
  };
  const picked: string[] = [];
  const known = byId([column('c1', 'Q1', '定量')]);
  render(<Compare step={{ ...STEP, preview }} known={known} old={false} onPick={(id) => picked.push(id)} />);
  const rows = within(screen.getByRole('region', { name: '处理后' }))
    .getAllByRole('row')
    .map((row) => row.textContent);
  expect(rows).toEqual(['行年龄 Q1 改动备注 删除Q1_填补 新增', '199 缺失甲1', '2 删除20乙', '7 新增55']);
  expect(screen.getByText('99').tagName).toBe('DEL');
  expect(screen.getByText('1', { selector: 'ins' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: '年龄 Q1 改动' }));
  expect(picked).toEqual(['c1']);
  expect(screen.queryByRole('button', { name: /备注/ })).toBeNull();
});

/** The other way to look at it. */
async function beside(): Promise<void> {
  await userEvent.click(screen.getByText('前后并排'));
}

test('rows stand side by side; changed cells and dropped rows are marked', async () => {
  render(<Compare step={STEP} known={new Map()} old={false} />);
  await beside();
  const before = within(screen.getByRole('region', { name: '处理前' }));
  const after = within(screen.getByRole('region', { name: '处理后' }));
  expect(before.queryByText('总分')).toBeNull();
  expect(before.getByText('99').hasAttribute('data-differs')).toBe(false);
  expect(after.getByText('缺失').hasAttribute('data-differs')).toBe(true);
  expect(after.getByText('0.33333333').hasAttribute('data-differs')).toBe(true);
  after.getByText('删除');
  // Both what a variable is called and its name, where they differ.
  expect(after.getByRole('columnheader', { name: '年龄 Q1 改动' })).toBeTruthy();
  // Said in words, not by the colour alone.
  expect(after.getByRole('columnheader', { name: '总分 新增' })).toBeTruthy();
  expect(before.queryByRole('columnheader', { name: /新增/ })).toBeNull();
  screen.getByText('按前 10,000 行预览，应用时处理全部数据');
});

test('codes stand behind what they are called, on each side as there', async () => {
  const { preview } = STEP;
  const column = {
    id: 'c1',
    name: '评价',
    label: null,
    change: 'changed' as const,
    source: null,
    labels_before: [{ value: 1, label: '差' }],
    labels_after: [{ value: 5, label: '很差' }],
    clock_after: false,
  };
  const changed = { ...preview, columns: [column], before: [[1], [2]], after: [[5], [1]] };
  render(<Compare step={{ ...STEP, preview: changed }} known={new Map()} old={false} />);
  await beside();
  const cells = (side: string) =>
    within(screen.getByRole('region', { name: side }))
      .getAllByRole('cell')
      .map((cell) => cell.textContent);
  expect([cells('处理前'), cells('处理后')]).toEqual([
    ['差 1', '2'],
    ['很差 5', '1'],
  ]);
});

test('times stand as times, a code for a missing answer as the code it is', async () => {
  const time = column('c1', '年龄', '定量', { clock: 'TIME8', storage: 'int', missing: { values: [99], ranges: [] } });
  const preview = {
    ...STEP.preview,
    // Recoded in place, the times are codes; the new column is made of times.
    columns: STEP.preview.columns.map((one) => ({ ...one, clock_after: one.change === 'new' })),
    before: [
      [99, null],
      [30_615, null],
    ],
    after: [
      [99, 30_600],
      [2, 27_000.5],
    ],
  };
  render(<Compare step={{ ...STEP, preview }} known={byId([time])} old={false} />);
  await beside();
  const cells = (side: string) =>
    within(screen.getByRole('region', { name: side }))
      .getAllByRole('cell')
      .map((cell) => cell.textContent);
  expect(cells('处理前')).toEqual(['99', '08:30:15']);
  expect(cells('处理后')).toEqual(['99', '08:30:00', '2', '07:30:00.5']);
});
