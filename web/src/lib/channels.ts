/** The other channels of the person: the personal version and the enterprises. */
import type { Identity } from '@hengxi/server/me/schema';

import { api } from './api.ts';
import { queryClient } from './query-client.ts';
import { switchSession } from './session.ts';
import { toast } from './toast.ts';

/** Asked each time: every answer carries tokens that are good for ten minutes. */
export function channels(): Promise<Identity> {
  return api.get<Identity>('/v1/user/identity');
}

/** From here on it is this channel that acts. */
export function becomeChannel(token: string): void {
  // What was asked in the other name must not be shown in this one.
  queryClient.clear();
  switchSession(token);
  toast.done('切换成功');
}
