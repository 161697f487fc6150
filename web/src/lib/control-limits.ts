/** Frozen control limits: calls shared by the form, which picks some, and the report, which keeps them. */
import { date, num } from '@hengxi/contracts/format';
import type { KeptLimits, LimitsList, NewLimits } from '@hengxi/server/control-limits/schema';
import { queryOptions } from '@tanstack/react-query';

import { api } from './api.ts';

export type { KeptLimits };

export const LIMITS_KEY = 'control-limits';
const ADDRESS = '/v1/analysis/control-limits';

/** Of one kind of chart. */
export function limitsQuery(path: string) {
  return queryOptions({
    queryKey: [LIMITS_KEY, path],
    queryFn: ({ signal }) => api.get<LimitsList>(ADDRESS, { signal, quiet: true, query: { path } }),
    staleTime: 30_000,
  });
}

export const keepLimits = (fresh: NewLimits): Promise<KeptLimits> => api.post<KeptLimits>(ADDRESS, fresh);
export const removeLimits = (id: number): Promise<unknown> => api.delete(`${ADDRESS}/${id}`);

/** 中心值 74.00，标准差 0.0097，每组 5 个 */
export function limitsText({ center, sigma, n }: KeptLimits): string {
  return [
    `中心值 ${num(center)}`,
    ...(sigma === null ? [] : [`标准差 ${num(sigma)}`]),
    ...(n === null || n === 1 ? [] : [`每组 ${n} 个`]),
  ].join('，');
}

/** 2026-03-31 的报告“…”，变量“直径”，25 个点 */
export function limitsOrigin({ made_at, report, variable, phase, points }: KeptLimits): string {
  const stage = phase === null ? '' : `，阶段“${phase}”`;
  const restsOn = points === 0 ? '由当时给定的数值算出' : `${points} 个点`;
  return `${date(made_at)} 的报告“${report}”，变量“${variable}”${stage}，${restsOn}`;
}
