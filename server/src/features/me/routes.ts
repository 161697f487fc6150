/** GET /v1/user and /v1/user/identity: the signed-in person, composed from what the features know. */
import type { App, Deps } from '../../lib/deps.ts';
import type { Db } from '../../lib/db.ts';
import type { Owner } from '../../lib/guard.ts';
import { maskPhone } from '../../lib/log.ts';
import { route } from '../../lib/route.ts';
import { avatarUrl, configOf, deviceOf, findUser, offerChannels, openPhone, waysOf } from '../accounts/service.ts';
import type { People, UserRow } from '../accounts/service.ts';
import { demandRoutes } from './demand.ts';
import { Identity, Me } from './schema.ts';

/** What only other features know. app.ts hands the real ones in; until then everybody is an ordinary person. */
export interface MeSources {
  membership: (db: Db, userId: number) => Promise<{ is_vip: boolean; invalid_at: string | null; lifetime: boolean }>;
  /** 0 pending, 1 verified, 2 failed, null not verified. */
  education: (db: Db, userId: number) => Promise<number | null>;
  aiPoints: (db: Db, owner: Owner) => Promise<number>;
  credits: (db: Db, userId: number) => Promise<number>;
}

export const createMeSources = (): MeSources => ({
  membership: async () => ({ is_vip: false, invalid_at: null, lifetime: false }),
  education: async () => null,
  aiPoints: async () => 0,
  credits: async () => 0,
});

export function meRoutes(app: App, deps: Deps & { people: People; sources: MeSources }): void {
  const { db, keys, config, people, sources } = deps;
  demandRoutes(app, deps);
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
      const common = {
        id: user.id,
        nickname: user.nickname,
        avatar: avatarUrl(user),
        phone: user.phoneSealed ? maskPhone(openPhone(keys, user.phoneSealed)) : null,
        ways: await waysOf(db, user.id),
        config: configOf(user),
        demo: user.isDemo,
      };
      if (actor.owner.kind === 'enterprise') {
        const { id } = actor.owner;
        const channel = (await people.channels(db, user.id)).find((one) => one.enterprise_id === id);
        return {
          ...common,
          is_vip: false,
          vip: { invalid_at: null, lifetime: false },
          enterprise: channel ? [{ id, name: channel.enterprise_name }] : [],
          is_enterprise_admin: channel?.is_admin ?? false,
          user_edu_auth: { status: null },
          identity: 2,
          platform: `co-${id}`,
          user_ai_point: await sources.aiPoints(db, actor.owner),
          total_amount: 0,
        };
      }
      const { is_vip, ...vip } = await sources.membership(db, user.id);
      return {
        ...common,
        is_vip,
        vip,
        enterprise: [],
        is_enterprise_admin: false,
        user_edu_auth: { status: await sources.education(db, user.id) },
        identity: is_vip ? 3 : 1,
        platform: 'pri',
        user_ai_point: await sources.aiPoints(db, actor.owner),
        total_amount: await sources.credits(db, user.id),
      };
    },
  });

  route(app, {
    method: 'GET',
    url: '/v1/user/identity',
    access: 'session',
    summary: 'Channels of the signed-in person, with tokens offered for switching (live at their first call)',
    answer: Identity,
    handler: async ({ actor, request, reply }): Promise<Identity> => {
      const { user, personal, companies, channels } = await offerChannels(
        deps,
        actor,
        deviceOf(request, reply, config, keys),
      );
      const isCompany = actor.owner.kind === 'enterprise';
      const vip = isCompany ? false : (await sources.membership(db, user.id)).is_vip;
      const [company] = channels;
      return {
        identity: isCompany ? 2 : vip ? 3 : 1,
        pri: { platform: 'pri', nickname: user.nickname, avatar: avatarUrl(user), token: personal },
        co: company
          ? {
              enterprise_id: company.enterprise_id,
              enterprise_name: company.enterprise_name,
              token: companies.find((one) => one.enterprise_id === company.enterprise_id)?.token ?? null,
            }
          : null,
        current: isCompany ? `co-${actor.owner.id}` : 'pri',
        tokens: companies,
      };
    },
  });
}
