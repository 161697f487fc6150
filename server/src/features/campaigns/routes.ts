/** /v1/campaign, /v1/ads: activities, banner, broadcasts, gifts, friend invitations. */
import type { App, Deps } from '../../lib/deps.ts';
import { demandPersonal, refuseDemo } from '../../lib/guard.ts';
import { route } from '../../lib/route.ts';
import {
  AdDetail,
  AdId,
  AdList,
  AdQuery,
  Banner,
  BannerQuery,
  Broadcasts,
  CampaignCoupon,
  CouponBody,
  Invitation,
  Lucky,
  Promo,
} from './schema.ts';
import type { Campaigns } from './service.ts';

export function campaignsRoutes(
  app: App,
  { campaigns, config }: Pick<Deps, 'config'> & { campaigns: Campaigns },
): void {
  const { shows, claims, friends } = campaigns;

  route(app, {
    method: 'GET',
    url: '/v1/campaign/advertisements',
    access: 'visitor',
    summary: 'Activities',
    query: AdQuery,
    answer: AdList,
    handler: ({ query }) => shows.list(query.typ, query),
  });

  route(app, {
    method: 'GET',
    url: '/v1/campaign/advertisements/:id',
    access: 'visitor',
    summary: 'One activity with its rules',
    params: AdId,
    answer: AdDetail,
    handler: ({ params }) => shows.read(params.id),
  });

  route(app, {
    method: 'GET',
    url: '/v1/ads/banner',
    access: 'visitor',
    summary: 'The banner of a place, or null',
    query: BannerQuery,
    answer: Banner,
    handler: ({ query }) => shows.banner(query.position),
  });

  route(app, {
    method: 'GET',
    url: '/v1/campaign/broadcasts',
    access: 'visitor',
    summary: 'At most five short messages, as strings',
    answer: Broadcasts,
    handler: () => shows.broadcasts(),
  });

  route(app, {
    method: 'GET',
    url: '/v1/campaign/promo',
    access: 'visitor',
    summary: 'The running price campaign, or null',
    answer: Promo,
    handler: () => shows.promo(),
  });

  route(app, {
    method: 'GET',
    url: '/v1/campaign/lucky',
    access: 'session',
    summary: 'The welcome gift this account got, or null',
    answer: Lucky,
    handler: ({ actor }) => claims.luckyOf(actor.userId),
  });

  // 2 is the number of the invitation campaign in the specification.
  route(app, {
    method: 'GET',
    url: '/v1/campaign/2/register-invitation',
    access: 'session',
    summary: 'Link, count, days and records of friend invitations',
    answer: Invitation,
    handler: async ({ actor, request }) => {
      demandPersonal(actor);
      refuseDemo(actor);
      return friends.page(actor.userId, config.publicUrl?.origin ?? `${request.protocol}://${request.host}`);
    },
  });

  route(app, {
    method: 'POST',
    url: '/v1/campaign/:id/coupon',
    access: 'session',
    summary: 'A coupon of a campaign, bound to the account; asked again, the same one',
    params: AdId,
    body: CouponBody,
    answer: CampaignCoupon,
    handler: async ({ actor, params }) => {
      demandPersonal(actor);
      refuseDemo(actor);
      return claims.coupon(actor.userId, params.id);
    },
  });
}
