/**
 * What an edition brings, as the server enforces it today. The one place for that fact: the comparison, the purchase
 * dialog and the membership page all draw from it. A limit of something that cannot be used yet has no line here.
 */
import { integer } from '@hengxi/contracts/format';
import type { Edition, Limits } from '@hengxi/server/membership/schema';
import { queryOptions, useQuery } from '@tanstack/react-query';

import { api } from './api.ts';
import { methodsQuery } from './catalogue.ts';

export const editionsQuery = queryOptions({
  queryKey: ['editions'],
  queryFn: ({ signal }) => api.get<Limits[]>('/v1/editions', { signal, quiet: true }),
  staleTime: 300_000,
});

export interface EditionLine {
  title: string;
  /** Of an enterprise the limit is that of one seat, where editions are compared. */
  perSeat?: true;
  show: (limits: Limits) => string;
}

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** 20 MB, 1 GB, 1.5 GB: limits are set in powers of 1024. */
function size(bytes: number | null): string {
  if (bytes === null) return '不限';
  const [value, unit] = bytes >= GIB ? [bytes / GIB, 'GB'] : [bytes / MIB, 'MB'];
  return `${Number(value.toFixed(1))} ${unit}`;
}

const count = (n: number | null, unit: string): string => (n === null ? '不限' : `${integer(n)} ${unit}`);

const LIMITS: readonly EditionLine[] = [
  { title: '单个文件', show: ({ upload_bytes: n }) => size(n) },
  { title: '存储空间', perSeat: true, show: ({ storage_bytes: n }) => size(n) },
  { title: '数据文件', show: ({ files: n }) => count(n, '个') },
  { title: '一次分析的行数', show: ({ rows: n }) => count(n, '行') },
  { title: '每日分析', show: ({ analyses_day: n }) => count(n, '次') },
];

const METHODS: EditionLine = { title: '会员方法', show: ({ member_methods: has }) => (has ? '可用' : '不可用') };

/** The lines of every comparison; methods for members count once there is one. */
export function linesOf(methods: readonly { tier: string }[]): readonly EditionLine[] {
  return methods.some(({ tier }) => tier === 'member') ? [...LIMITS, METHODS] : LIMITS;
}

export function useEditionLines(): readonly EditionLine[] {
  return linesOf(useQuery(methodsQuery).data ?? []);
}

export interface Gain {
  title: string;
  /** What it becomes, and what it is without. */
  now: string;
  before: string;
}

/** Where one edition is better than another, line by line. */
export function gains(
  list: readonly Limits[],
  lines: readonly EditionLine[],
  of: Edition,
  over: Edition = 'standard',
): Gain[] {
  const [mine, theirs] = [of, over].map((wanted) => list.find(({ edition }) => edition === wanted));
  if (!mine || !theirs) return [];
  return lines
    .map(({ title, show }) => ({ title, now: show(mine), before: show(theirs) }))
    .filter(({ now, before }) => now !== before);
}
