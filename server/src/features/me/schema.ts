/** The signed-in person as the pages see them: composed from accounts now, from membership and enterprise later. */
import { z } from 'zod';
import { ChannelToken, UserConfig } from '../accounts/schema.ts';

export const Me = z.object({
  id: z.number(),
  nickname: z.string(),
  avatar: z.string().nullable(),
  /** Shortened (138****8000); null when no phone is bound. */
  phone: z.string().nullable(),
  /** Ways to sign in: phone, wechat, research, academic. */
  ways: z.array(z.string()),
  is_vip: z.boolean(),
  vip: z.object({ invalid_at: z.string().nullable(), lifetime: z.boolean() }),
  enterprise: z.array(z.object({ id: z.number(), name: z.string() })),
  is_enterprise_admin: z.boolean(),
  /** 0 pending, 1 verified, 2 failed, null not verified. */
  user_edu_auth: z.object({ status: z.number().nullable() }),
  /** 1 ordinary, 2 enterprise member, 3 member. */
  identity: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  platform: z.string(),
  user_ai_point: z.number(),
  total_amount: z.number(),
  config: UserConfig,
  /** The marked account of the sandbox, shared by its visitors. */
  demo: z.boolean(),
});
export type Me = z.infer<typeof Me>;

export const Demand = z.object({ voted: z.boolean() });
export type Demand = z.infer<typeof Demand>;

export const Identity = z.object({
  identity: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  /** Its token is null where it is the present channel. */
  pri: z.object({
    platform: z.literal('pri'),
    nickname: z.string(),
    avatar: z.string().nullable(),
    token: z.string().nullable(),
  }),
  /** The enterprise last used. */
  co: z.object({ enterprise_id: z.number(), enterprise_name: z.string(), token: z.string().nullable() }).nullable(),
  /** Platform of the present channel. */
  current: z.string(),
  /** Tokens offered for the other enterprises; each is live from its first call on, within ten minutes. */
  tokens: z.array(ChannelToken),
});
export type Identity = z.infer<typeof Identity>;
