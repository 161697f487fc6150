/** 数据体检 of a version, and the steps that mend what it finds: which method does is said by its declaration. */
import type { MethodRow } from '@hengxi/server/analysis/schema';
import type { Finding, Health } from '@hengxi/server/files/schema';
import { queryOptions } from '@tanstack/react-query';

import { api } from './api.ts';

export function healthQuery(vid: number) {
  return queryOptions({
    queryKey: ['health', vid],
    queryFn: ({ signal }) => api.get<Health>(`/v1/user/file/versions/${vid}/health`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The step that deals with a finding, begun with its rows or variables; null where no method does. */
export function wayOut({ trouble, condition, subject }: Finding, vid: number, methods: readonly MethodRow[]) {
  const method = trouble === null ? undefined : methods.find(({ deals_with: deals }) => deals[trouble] !== undefined);
  if (trouble === null || method === undefined) return null;
  const to = `/dataprocessing/dispose/${vid}?method=${method.algo_code}`;
  const form = method.deals_with[trouble];
  if (trouble !== 'rows') return { to: `${to}&columns=${subject.join()}`, state: { form } };
  const field = method.condition_field;
  return field === null ? null : { to, state: { form: { ...form, [field]: condition } } };
}

/** What is mended variable by variable can be mended in one step. */
const ONE_BY_ONE: ReadonlySet<Finding['trouble']> = new Set<Finding['trouble']>([
  'missing',
  'missing_levels',
  'extremes',
  'useless',
  'text_numbers',
  'mixed',
  'text_dates',
  'text_moments',
  'personal',
]);

/** Empty where there is none, and for all but the first of those alike. */
export function alikeOf(findings: readonly Finding[], finding: Finding): readonly Finding[] {
  if (!ONE_BY_ONE.has(finding.trouble)) return [];
  const same = findings.filter(({ trouble }) => trouble === finding.trouble);
  return same[0] === finding ? same.slice(1) : [];
}

export function wayForAll(findings: readonly Finding[], vid: number, methods: readonly MethodRow[]) {
  const subject = [...new Set(findings.flatMap((finding) => finding.subject))];
  const [first] = findings;
  const way = first === undefined ? null : wayOut({ ...first, subject }, vid, methods);
  return way === null ? null : { ...way, count: subject.length };
}
