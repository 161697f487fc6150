/** GET /v1/user and /v1/user/identity: the signed-in person, composed from what the features know. */
import type { App, Deps } from '../../lib/deps.ts';
import { maskPhone } from '../../lib/log.ts';
import { route } from '../../lib/route.ts';
import { avatarUrl, findUser, openPhone } from '../accounts/service.ts';
import type { UserRow } from '../accounts/service.ts';
import { Identity, Me } from './schema.ts';

export function meRoutes(app: App, { db, keys }: Deps): void {
  const person = async (userId: number): Promise<UserRow> => {
    const user = await findUser(db, userId);
    if (!user) throw new Error(`User ${userId} has a session and no row`);
    return user;
  };

  route(app, {
    method: 'GET',
    url: '/v1/user',
    access: 'session',
    summary: 'The signed-in person on the channel of the token',
    answer: Me,
    handler: async ({ actor }): Promise<Me> => {
      const user = await person(actor.userId);
      return {
        id: user.id,
        nickname: user.nickname,
        avatar: avatarUrl(user),
        phone: user.phoneSealed ? maskPhone(openPhone(keys, user.phoneSealed)) : null,
        is_vip: false,
        vip: { invalid_at: null, lifetime: false },
        enterprise: [],
        is_enterprise_admin: false,
        user_edu_auth: { status: null },
        identity: 1,
        platform: 'pri',
        user_ai_point: 0,
        total_amount: 0,
        config: { fill_nan_adjusted: user.fillNanAdjusted === 1 ? 1 : 0 },
        demo: user.isDemo,
      };
    },
  });

  route(app, {
    method: 'GET',
    url: '/v1/user/identity',
    access: 'session',
    summary: 'Channels of the signed-in person, for switching',
    answer: Identity,
    handler: async ({ actor }): Promise<Identity> => {
      const user = await person(actor.userId);
      return {
        identity: 1,
        pri: { platform: 'pri', nickname: user.nickname, avatar: avatarUrl(user) },
        co: null,
        tokens: [],
      };
    },
  });
}
