/** Calls of the personal center. */
import type { Page } from '@hengxi/contracts/http';
import type { SessionItem, UserConfig } from '@hengxi/server/accounts/schema';
import { queryOptions } from '@tanstack/react-query';

import { api } from '../../lib/api.ts';

export const devicesQuery = queryOptions({
  queryKey: ['devices'],
  queryFn: ({ signal }) => api.get<Page<SessionItem>>('/v1/user/sessions', { signal }),
});

export function endDevice(id: number): Promise<unknown> {
  return api.delete(`/v1/user/sessions/${id}`);
}

export function renameUser(nickname: string): Promise<unknown> {
  return api.patch('/v1/user', { nickname });
}

export function saveConfig(config: UserConfig): Promise<unknown> {
  return api.post('/v1/user/config', config);
}
