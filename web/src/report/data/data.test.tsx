import type { DataElement } from '@hengxi/contracts/contract';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { ELEMENTS } from '@hengxi/contracts/testing/elements';
import { report } from '@hengxi/contracts/testing/reports';
import { ReportView } from '../report-view.tsx';

test('the preview stands under its heads, and numbers are numbers whatever they measure', () => {
  const column = (id: string, name: string) => ({ id, name, label: null, measure: '定类' as const });
  const element = {
    ...ELEMENTS.data,
    table: false,
    filled: null,
    columns: [column('c1', '预测类别'), column('c2', '概率')],
    preview: [
      ['甲', 1],
      ['乙', 0.125],
    ],
  } as DataElement;
  render(<ReportView report={report([element])} />);
  fireEvent.click(screen.getByRole('button', { name: '看前 2 行' }));
  const preview = within(screen.getByRole('region', { name: /的前几行$/ }));
  const heads = ['行', '预测类别', '概率'].map((name) => preview.getByRole('columnheader', { name }));
  expect(heads.map((head) => head.className.includes('right'))).toEqual([false, false, true]);
  // Two decimals for both: 0.125 has them, and so has the whole 1.
  expect(preview.getByText('1.00')).toBeTruthy();
});
