import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { RoleTable } from './option-table.tsx';

test('a box for weights says which numbers it takes', () => {
  const weight = (title: string, kind: string, whole: boolean) => ({
    key: title,
    title,
    type: 'weight',
    required: false,
    kind,
    whole,
  });
  const group = { key: 'group', title: '分组', type: 'role', measure: '定类', levels: [2, 50], required: true };
  render(
    <RoleTable
      declaration={{
        fields: [
          group,
          weight('整数', 'frequency', true),
          weight('人数', 'frequency', false),
          weight('精度', 'precision', false),
        ],
      }}
    />,
  );
  const rows = screen.getAllByRole('row').map((row) => [...row.children].map((cell) => cell.textContent));
  expect(rows.slice(1)).toEqual([
    ['分组', '定类，2–50 组', '正好 1 个'],
    ['整数', '定量，非负整数', '可选'],
    ['人数', '定量，不为负', '可选'],
    ['精度', '定量，正数', '可选'],
  ]);
});
