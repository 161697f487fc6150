/**
 * Whether the person may run a method: members' methods are open to members, and for a time to who unlocked one with credits.
 * The page of the method asks; the account menu only reads what it found, so that the frame asks nothing of its own.
 */
import type { Limit } from '@hengxi/server/analysis/schema';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { create } from 'zustand';

import { api } from './api.ts';
import { useMe } from './me.ts';
import type { UnlockAsk } from './prompts.ts';
import { queryClient } from './query-client.ts';

const KEY = 'method-access';

function accessQuery(path: string) {
  return queryOptions({
    queryKey: [KEY, path],
    queryFn: ({ signal }) =>
      api.get<Limit>('/v1/usage_limit/algorithm/check', { signal, quiet: true, query: { algo: path } }),
  });
}

/** After a purchase or a refund. */
export const recheckMethods = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [KEY] });

export interface MethodAccess {
  /** `asking`: nothing is known yet, so nothing is started and nothing is offered. */
  state: 'open' | 'asking' | 'locked';
  /** End of the unlock that opens it; null where none is needed. */
  until: string | null;
}

const OPEN: MethodAccess = { state: 'open', until: null };
export const MEMBERS_ONLY = 'member';

/** Of one method; only who is no member is asked about, and only for members' methods. */
export function useMethodAccess(path: string, tier: string): MethodAccess {
  const identity = useMe()?.identity ?? null;
  const concerns = tier === MEMBERS_ONLY && (identity === null || identity === 1);
  const { data, isPending } = useQuery({ ...accessQuery(path), enabled: concerns && identity === 1 });
  if (!concerns) return OPEN;
  if (isPending) return { state: 'asking', until: null };
  // What cannot be found out is told by the run itself.
  return { state: data?.reason === 'method' ? 'locked' : 'open', until: data?.until ?? null };
}

/** The locked method on the screen, for the account menu. */
export const useLockedMethod = create<{ method: UnlockAsk | null }>(() => ({ method: null }));

export function useTellLocked(path: string, title: string, isLocked: boolean): void {
  useEffect(() => {
    if (!isLocked) return undefined;
    useLockedMethod.setState({ method: { path, title } });
    return () => useLockedMethod.setState({ method: null });
  }, [path, title, isLocked]);
}
