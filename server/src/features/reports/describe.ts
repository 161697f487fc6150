/** The sentence of the history for a new revision: what changed since the last one. */
import type { ColumnRef } from '@hengxi/contracts/contract';
import type { ReportDocument } from './schema.ts';

const nameOf = (column: ColumnRef): string => `“${column.label ?? column.name}”`;
const listed = (columns: ColumnRef[]): string =>
  columns.slice(0, 3).map(nameOf).join('、') + (columns.length > 3 ? `等 ${columns.length} 个变量` : '');

function columnsOf(document: ReportDocument): ColumnRef[] {
  return Object.values(document.roles).flat();
}

export function describeRev(title: string, before: ReportDocument | null, after: ReportDocument): string {
  const now = columnsOf(after);
  if (!before) return now.length > 0 ? `${title}：${listed(now)}` : title;
  const was = columnsOf(before);
  const added = now.filter(({ id }) => !was.some((column) => column.id === id));
  const removed = was.filter(({ id }) => !now.some((column) => column.id === id));
  const changes = [
    ...(added.length > 0 ? [`加入${listed(added)}`] : []),
    ...(removed.length > 0 ? [`移出${listed(removed)}`] : []),
    ...(before.filter?.text === after.filter?.text ? [] : [after.filter ? `筛选 ${after.filter.text}` : '取消筛选']),
    ...(before.weight?.column === after.weight?.column
      ? []
      : [after.weight ? `按“${after.weight.name}”加权` : '取消加权']),
    ...(before.split?.column === after.split?.column ? [] : [after.split ? `按“${after.split.name}”分组` : '取消分组']),
  ];
  return `${title}：${changes.length > 0 ? changes.join('，') : '更新'}`;
}
