/** A column of a version as every program of the product sends it, and how the interface speaks about its type. */

import { integer } from '@hengxi/contracts/format';
import type { Column, Level, Measure } from '@hengxi/server/files/schema';

import type { MeasureKind } from '../ui/measure-icon.tsx';

export type { Column, Level, Measure };

/** What each word of the type language means, on hover and in the type menu. */
export const KIND_MEANING: Record<MeasureKind, string> = {
  定类: '只能分组计数',
  定序: '有先后但间距不等',
  定量: '可以求平均',
  量表题: '5／7 点打分，分组和求平均都可以',
  时间: '日期或时间',
  多选题集: '一题多列',
  文本: '开放题',
  标识: '不参与分析',
};

interface Named {
  name: string;
  label: string | null;
  unit: string | null;
  clock?: string | null | undefined;
}

/** Label and unit where there are some: what lists, boxes and sentences call the column. */
export function titleOf(column: Named): string {
  const text = column.label === null || column.label === '' ? column.name : column.label;
  // Times are shown as times; that they are kept in seconds is said where they are computed with.
  const unit = typeof column.clock === 'string' ? '' : (column.unit ?? '');
  return unit === '' || text.includes(`（${unit}）`) || text.includes(`(${unit})`) ? text : `${text}（${unit}）`;
}

export function distinctOf(column: Column): number {
  return column.profile.distinct ?? column.levels?.length ?? 0;
}

export function levelTitle(level: Pick<Level, 'label' | 'value'>): string {
  return level.label === null || level.label === '' ? String(level.value) : level.label;
}

export function countText({ count }: Level): string {
  return count === null ? '' : integer(count);
}

/** How many categories occur; labelled values nobody chose are not counted (as the engine counts). */
export function levelCount(column: Column): number {
  if (column.levels === null || column.levels.length >= 200) return column.profile.distinct ?? 0;
  return column.levels.filter((level) => (level.count ?? 0) > 0).length;
}

/** The first levels in file order, short enough for one line: 男 139 · 女 164. */
export function levelsLine(column: Column, most = 3): string {
  if (column.measure !== '定类' || column.levels === null || column.levels.length === 0) return '';
  const shown = column.levels.slice(0, most).map((level) => `${levelTitle(level)} ${countText(level)}`.trim());
  const more = column.levels.length > most ? ` 等 ${column.levels.length} 组` : '';
  return shown.join(' · ') + more;
}

/** Columns by id; the order of the file is the order of the list. */
export function byId(columns: readonly Column[]): ReadonlyMap<string, Column> {
  return new Map(columns.map((column) => [column.id, column]));
}

/** Codes that stand for a missing answer, as far as they are named or listed one by one; `count` where it is known. */
export function codesOf({
  missing,
  missing_labels: named,
}: Column): readonly (Omit<Level, 'count'> & { count?: number })[] {
  const labelled = named ?? [];
  const known = new Set(labelled.map(({ value }) => value));
  const bare = missing.values.filter((value) => !known.has(value));
  return [...labelled, ...bare.map((value) => ({ value, label: String(value) }))];
}
