/** Shapes of campaigns, advertisements, broadcasts and friend invitations. */
import { z } from 'zod';
import { MallItem } from '../mall/schema.ts';
import { Quest } from '../quests/schema.ts';

export const AdQuery = z.object({
  typ: z.coerce.number().int().min(1).max(2).default(1),
  page: z.coerce.number().int().min(0).max(10_000).default(1),
  page_size: z.coerce.number().int().min(1).max(200).default(20),
});
export const AdId = z.object({ id: z.coerce.number().int().positive().max(2_147_483_647) });

export const Ad = z.object({
  id: z.number(),
  title: z.string(),
  cover: z.string().nullable(),
  summary: z.string(),
  starts_at: z.string(),
  ends_at: z.string(),
  status: z.enum(['running', 'planned', 'ended']),
});
export type Ad = z.infer<typeof Ad>;
export const AdList = z.object({ total: z.number(), list: z.array(Ad) });
export type AdList = z.infer<typeof AdList>;

export const AdDetail = Ad.extend({
  /** Markdown without HTML: tags are shown as text. */
  body_md: z.string(),
  /** Quests and mall items of the activity's campaign; how far somebody is with them stands at /credits. */
  quests: z.array(Quest.pick({ id: true, title: true, why: true, kind: true, target: true, bonus: true })),
  items: z.array(
    MallItem.pick({ id: true, title: true, summary: true, grant_kind: true, grant_value: true, price_credits: true }),
  ),
  cta: z.object({ text: z.string(), url: z.string() }).nullable(),
});
export type AdDetail = z.infer<typeof AdDetail>;

export const BannerQuery = z.object({ position: z.string().max(40).default('header') });
export const Banner = z
  .object({
    id: z.number(),
    image: z.string().nullable(),
    alt: z.string(),
    text: z.string(),
    url: z.string(),
    label: z.enum(['广告', '活动']),
  })
  .nullable();
export type Banner = z.infer<typeof Banner>;

/** The array of strings that the specification promises. */
export const Broadcasts = z.array(z.string());

/** The running price campaign, for /promo; null without one. Prices are read from the packages. */
export const Promo = z
  .object({
    id: z.number(),
    title: z.string(),
    rules_md: z.string(),
    starts_at: z.string(),
    ends_at: z.string(),
    /** The end first announced, when it was extended. */
    first_ends_at: z.string().nullable(),
  })
  .nullable();
export type Promo = z.infer<typeof Promo>;

export const CouponBody = z.strictObject({ request_id: z.string().regex(/^[\w.:-]{1,100}$/) });
export const CampaignCoupon = z.object({ code: z.string(), amount: z.number(), valid_to: z.string().nullable() });
export type CampaignCoupon = z.infer<typeof CampaignCoupon>;

export const Invitation = z.object({
  invitation_link: z.string(),
  invite_count: z.number(),
  ticket: z.object({ total_days: z.number() }),
  /** The newest hundred. */
  records: z.array(
    z.object({
      /** The friend stays unseen: 用户K3****. */
      masked: z.string(),
      state: z.enum(['open', 'held', 'rewarded', 'void']),
      days: z.number(),
      at: z.string(),
    }),
  ),
  /** Whether invitations are being rewarded now, and by which rules. */
  running: z.boolean(),
  rules_md: z.string(),
});
export type Invitation = z.infer<typeof Invitation>;

/** The welcome gift this account got; null when it got none, whatever a page has stored. */
export const Lucky = z.object({ title: z.string(), days: z.number(), points: z.number(), at: z.string() }).nullable();
export type Lucky = z.infer<typeof Lucky>;
