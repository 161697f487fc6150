/** What a list says about a version without reading its columns: 变量构成 and 数据体检 in a few words, and the text searched. */
import type { Column, Finding } from './schema.ts';

export interface Summary {
  columns: number;
  makeup: { kind: string; count: number }[];
  findings: number;
  finding: string | null;
}

const KINDS = ['定量', '量表', '定类', '定序', '时间', '文本', '标识'];

/** 标识 and 量表 are flags that say more than the measure; an ordered 定类 is called 定序. */
export function kindOf(column: Column): string {
  if (column.flags.includes('标识')) return '标识';
  if (column.flags.includes('量表')) return '量表';
  return column.measure === '定类' && column.ordered ? '定序' : column.measure;
}

/** `findings` are those that are shown when the version is opened: the list tells their number. */
export function summarise(columns: Column[], findings: readonly Finding[]): Summary {
  const counts = new Map<string, number>();
  for (const column of columns) counts.set(kindOf(column), (counts.get(kindOf(column)) ?? 0) + 1);
  return {
    columns: columns.length,
    makeup: KINDS.flatMap((kind) => {
      const count = counts.get(kind);
      return count ? [{ kind, count }] : [];
    }),
    findings: findings.length,
    finding: findings[0]?.title ?? null,
  };
}

const SEARCH_MAX = 100_000;

/** Names and labels of all columns in one text; cut where nobody would look any more. */
export function searchText(columns: Column[]): string {
  return columns
    .map((column) => (column.label ? `${column.name} ${column.label}` : column.name))
    .join('\n')
    .slice(0, SEARCH_MAX);
}
