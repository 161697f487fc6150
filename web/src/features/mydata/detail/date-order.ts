/** 03/04/2024 declared as a date: where both orders of day and month fit, the person says which. */
import type { ColumnEdit } from '@hengxi/server/files/schema';
import { create } from 'zustand';

import { ApiError } from '../../../lib/api.ts';

export type DateOrder = NonNullable<ColumnEdit['date_order']>;

export const DATE_ORDERS: readonly { key: DateOrder; title: string; example: string }[] = [
  { key: 'mdy', title: '月/日/年', example: '03/04/2024 是 3 月 4 日' },
  { key: 'dmy', title: '日/月/年', example: '03/04/2024 是 4 月 3 日' },
];

interface Asked {
  text: string;
  answer: (order: DateOrder) => void;
}

/** One question at a time, asked from wherever a type is changed. */
export const useDateOrder = create<{ asked: Asked | null }>(() => ({ asked: null }));

/** Asks if that is why the edit was refused; the answer goes out with the same edit. */
export function askDateOrder(error: unknown, columns: ColumnEdit[], send: (columns: ColumnEdit[]) => void): boolean {
  const field = error instanceof ApiError ? error.fields.find(({ code }) => code === 'edit.date_order') : undefined;
  if (!field) return false;
  const answer = (order: DateOrder) =>
    send(columns.map((column) => (column.measure === '时间' ? { ...column, date_order: order } : column)));
  useDateOrder.setState({ asked: { text: field.text, answer } });
  return true;
}
