/** Calls of one's own account: profile, settings, devices, channels, archive, leaving. */
import type { Page } from '@hengxi/contracts/http';
import type { SessionItem, UserConfig, UserConfigChange } from '@hengxi/server/accounts/schema';
import type { AccountExport } from '@hengxi/server/privacy/schema';
import { queryOptions } from '@tanstack/react-query';

import { api } from '../../../lib/api.ts';
import { STEP_UP, withStepUp } from '../../../lib/step-up.ts';

export const devicesQuery = queryOptions({
  queryKey: ['devices'],
  queryFn: ({ signal }) => api.get<Page<SessionItem>>('/v1/user/sessions', { signal }),
});

export function endDevice(id: number): Promise<unknown> {
  return api.delete(`/v1/user/sessions/${id}`);
}

export function endOtherDevices(): Promise<{ ended: number }> {
  return api.delete<{ ended: number }>('/v1/user/sessions');
}

export function changeProfile(change: { nickname?: string; avatar?: string | null }): Promise<unknown> {
  return api.patch('/v1/user', change);
}

export function saveConfig(change: UserConfigChange): Promise<UserConfig> {
  return api.post<UserConfig>('/v1/user/config', change);
}

export const exportQuery = queryOptions({
  queryKey: ['account-export'],
  queryFn: ({ signal }) => api.get<AccountExport | null>('/v1/user/export', { signal, quiet: true }),
  refetchInterval: (query) => (query.state.data?.state === 'working' ? 2000 : false),
});

/** Null when the proof was not given. */
export function beginExport(): Promise<AccountExport | null> {
  return withStepUp(() => api.post<AccountExport>('/v1/user/export', undefined, { claims: [STEP_UP] }));
}

export async function downloadExport(id: number): Promise<void> {
  const { url } = await api.post<{ url: string }>('/v1/downloads', { kind: 'account', id });
  location.assign(url);
}

export function leave(): Promise<{ until: string } | null> {
  return withStepUp(() => api.delete<{ until: string }>('/v1/user/me', { claims: [STEP_UP] }));
}
