/** The signed-in person, asked for once and kept; every page that shows a name reads it from here. */
import type { Me } from '@hengxi/server/me/schema';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';

import { api } from './api.ts';
import { queryClient } from './query-client.ts';
import { rememberUser, useSession } from './session.ts';

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => api.get<Me>('/v1/user', { signal, quiet: true }),
  staleTime: 60_000,
});

/** The stored copy is shown until the server has answered. */
export function useMe(): Me | null {
  const token = useSession((state) => state.token);
  const stored = useSession((state) => state.user);
  const { data } = useQuery({ ...meQuery, enabled: token !== null });
  useEffect(() => {
    if (data) rememberUser(data);
  }, [data]);
  return token === null ? null : (data ?? stored);
}

export function reloadMe(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['me'] });
}
