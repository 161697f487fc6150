/** The log of an enterprise as a table for a spreadsheet program. */
import { csvField, guarded } from '@hengxi/contracts/csv';
import type { LogEntry } from './schema.ts';

const HEAD = ['时间', '操作人', '角色', '操作', '对象', '修改前', '修改后', '原因'];

const text = (value: unknown): string => (value === null || value === undefined ? '' : JSON.stringify(value));

/** UTF-8 with BOM and CRLF, as spreadsheet programs expect it. */
export function logCsv(rows: readonly LogEntry[]): string {
  const lines = rows.map(({ at, actor, role, title, target, before, after, reason }) => [
    at,
    actor,
    role,
    title,
    target,
    text(before),
    text(after),
    reason ?? '',
  ]);
  return `﻿${[HEAD, ...lines].map((line) => line.map((cell) => csvField(guarded(cell))).join(',')).join('\r\n')}\r\n`;
}
