/** A text declared a date or a number that can be read in two ways: the person says which. */
import type { FieldFault } from '@hengxi/contracts/http';
import type { ColumnEdit } from '@hengxi/server/files/schema';
import { create } from 'zustand';

import { ApiError } from '../../../lib/api.ts';
import { isRecord } from '../upload/questions.ts';

export interface ParseFormat {
  key: string;
  title: string;
  example: string;
}

const DATE_ORDERS: readonly (ParseFormat & { key: NonNullable<ColumnEdit['date_order']> })[] = [
  { key: 'mdy', title: '月/日/年', example: '03/04/2024 是 3 月 4 日' },
  { key: 'dmy', title: '日/月/年', example: '03/04/2024 是 4 月 3 日' },
];

interface PendingEdit {
  title: string;
  text: string;
  ways: readonly ParseFormat[];
  answer: (key: string) => void;
}

/** One question at a time, asked from wherever a type is changed. */
export const useParseFormat = create<{ asked: PendingEdit | null }>(() => ({ asked: null }));

/** Asks if that is why the edit was refused; the answer goes out with the same edit. */
export function askParseFormat(error: unknown, columns: ColumnEdit[], send: (columns: ColumnEdit[]) => void): boolean {
  const field = error instanceof ApiError ? error.fields.find(({ code }) => code in QUESTIONS) : undefined;
  const ask = field && QUESTIONS[field.code];
  if (!ask) return false;
  useParseFormat.setState({ asked: ask(field, columns, send) });
  return true;
}

type Ask = (field: FieldFault, columns: ColumnEdit[], send: (columns: ColumnEdit[]) => void) => PendingEdit;

const QUESTIONS: Record<string, Ask> = {
  'edit.date_order': ({ text }, columns, send) => ({
    title: '日和月，哪个在前？',
    text,
    ways: DATE_ORDERS,
    answer: (key) => {
      const order = DATE_ORDERS.find((one) => one.key === key)?.key;
      if (order) send(columns.map((column) => (column.measure === '时间' ? { ...column, date_order: order } : column)));
    },
  }),
  'edit.reading': ({ text, facts = {} }, columns, send) => ({
    title: '这些数字怎么读？',
    text,
    ways: readWays(facts['choices']),
    answer: (key) =>
      send(columns.map((column) => (column.id === facts['column'] ? { ...column, reading: key } : column))),
  }),
};

function readWays(given: unknown): ParseFormat[] {
  if (!Array.isArray(given)) return [];
  return given.flatMap((item: unknown) => {
    if (!isRecord(item) || typeof item['key'] !== 'string' || typeof item['title'] !== 'string') return [];
    const pairs: unknown[] = Array.isArray(item['preview']) ? item['preview'] : [];
    const examples = pairs.flatMap((pair) =>
      isRecord(pair) ? [`${shown(pair['before'])} 读作 ${shown(pair['after'])}`] : [],
    );
    return [{ key: item['key'], title: item['title'], example: examples.slice(0, 2).join('，') }];
  });
}

const shown = (cell: unknown): string => (typeof cell === 'string' || typeof cell === 'number' ? String(cell) : '缺失');
