import type { ColumnEdit } from '@hengxi/server/files/schema';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';

import { ApiError } from '../../../lib/api.ts';
import { askParseFormat } from './parse-format.ts';
import { ParseFormatDialog } from './parse-format-dialog.tsx';

const refused = (code: string, facts: Record<string, unknown>) =>
  new ApiError(
    'refused',
    '',
    422,
    30601,
    [{ field: null, code, text: '“金额”的数字有 2 种读法，请选择。', facts }],
    null,
  );
const CHOICES = [
  { key: 'thousands', title: '逗号是千位分隔符', preview: [{ before: '1,234', after: 1234 }] },
  { key: 'comma_decimal', title: '逗号是小数点', preview: [{ before: '1,234', after: 1.234 }] },
];

afterEach(cleanup);

it('asks how the digits are read and sends the answer with the same edit, for that column', async () => {
  const send = vi.fn<(columns: ColumnEdit[]) => void>();
  render(<ParseFormatDialog />);
  const edit = [
    { id: 'c1', measure: '定量' as const },
    { id: 'c2', label: '题' },
  ];
  expect(askParseFormat(refused('edit.reading', { column: 'c1', choices: CHOICES }), edit, send)).toBe(true);
  await userEvent.click(await screen.findByRole('button', { name: '逗号是小数点（1,234 读作 1.234）' }));
  expect(send).toHaveBeenCalledWith([{ ...edit[0], reading: 'comma_decimal' }, edit[1]]);
});

it('asks which of day and month comes first', async () => {
  const send = vi.fn<(columns: ColumnEdit[]) => void>();
  render(<ParseFormatDialog />);
  askParseFormat(refused('edit.date_order', { column: 'c1' }), [{ id: 'c1', measure: '时间' }], send);
  await userEvent.click(await screen.findByRole('button', { name: /^日\/月\/年/ }));
  expect(send).toHaveBeenCalledWith([{ id: 'c1', measure: '时间', date_order: 'dmy' }]);
});

it('leaves other faults to others', () => {
  expect(askParseFormat(refused('edit.name', {}), [], vi.fn<(columns: ColumnEdit[]) => void>())).toBe(false);
});
