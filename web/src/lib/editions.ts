/**
 * What an edition brings, as the server enforces it today. The one place for that fact: the comparison, the purchase
 * dialog and the membership page all draw from it. A limit of something that cannot be used yet has no line here.
 */
import { type EditionLine, linesOf } from '@hengxi/contracts/editions';
import type { Edition, Limits } from '@hengxi/server/membership/schema';
import { queryOptions, useQuery } from '@tanstack/react-query';

import { api } from './api.ts';
import { methodsQuery } from './catalogue.ts';

export { type EditionLine, linesOf };

export const editionsQuery = queryOptions({
  queryKey: ['editions'],
  queryFn: ({ signal }) => api.get<Limits[]>('/v1/editions', { signal, quiet: true }),
  staleTime: 300_000,
});

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
