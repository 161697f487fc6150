/** Acts on accounts of credits and on the mall: adjusting, holding, items, giving purchases back. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Db } from '../../../lib/db.ts';
import { Fault, missing } from '../../../lib/errors.ts';
import { findUser } from '../../accounts/service.ts';
import { MOVEMENT_MAX } from '../../credits/service.ts';
import { choicesOf, define, field, instant, line, nothing } from '../act.ts';
import type { Act, Looked } from '../act.ts';
import { idOf } from '../context.ts';
import type { Context } from '../context.ts';
import { logged } from '../mask.ts';

/** Above it a second operator looks. */
const ADJUST_ALONE = 1000;
export const GRANTS = {
  algorithm: '方法解锁（天）',
  vip_days: '会员（天）',
  ai_points: 'AI 点数',
  coupon: '优惠码（分）',
};
export const PERIODS = { day: '每天', week: '每周', month: '每月', year: '每年', ever: '总共' };
const COUPON_TYPES = { '0': '会员和教育', '1': '会员', '3': '教育' };

const changed = {
  title: line(40),
  summary: z.string().trim().max(80).nullable(),
  body_md: z.string().trim().max(10_000).nullable(),
  price_credits: z.number().int().min(1).max(10_000),
  stock_total: z.number().int().min(0).max(1_000_000).nullable(),
  per_user_limit: z.number().int().min(1).max(1000).nullable(),
  limit_period: z.enum(['day', 'week', 'month', 'year', 'ever']),
  on_at: instant.nullable(),
  off_at: instant.nullable(),
  campaign_id: z.number().int().positive().max(999_999_999).nullable(),
  sort: z.number().int().min(-1000).max(1000),
};
const Change = z.strictObject(changed);
const New = z.strictObject({
  ...changed,
  grant_kind: z.enum(['vip_days', 'ai_points', 'algorithm', 'coupon']),
  grant_value: z.number().int().min(1).max(100_000),
  coupon_type: z.enum(['0', '1', '3']).nullable(),
  valid_days: z.number().int().min(1).max(3660).nullable(),
});

const changeFields = [
  field('title', '名称', 'text'),
  field('summary', '摘要', 'text', { optional: true }),
  field('body_md', '规则', 'lines', { optional: true }),
  field('price_credits', '积分价格', 'number'),
  field('stock_total', '总库存', 'number', { optional: true, hint: '含已兑出的；留空为不限' }),
  field('per_user_limit', '每人限兑', 'number', { optional: true }),
  field('limit_period', '限兑周期', 'choice', { choices: choicesOf(PERIODS) }),
  field('on_at', '上架时间', 'instant', { optional: true }),
  field('off_at', '下架时间', 'instant', { optional: true }),
  field('campaign_id', '活动编号', 'number', { optional: true }),
  field('sort', '排序', 'number', { hint: '小的在前' }),
];

const draftOf = (change: z.output<typeof Change>) => ({
  title: change.title,
  summary: change.summary ?? '',
  bodyMd: change.body_md ?? '',
  priceCredits: change.price_credits,
  stockTotal: change.stock_total,
  perUserLimit: change.per_user_limit,
  limitPeriod: change.limit_period,
  onAt: change.on_at,
  offAt: change.off_at,
  campaignId: change.campaign_id,
  sort: change.sort,
});

export function creditActs({ centre: { credits, mall }, campaigns }: Context): Act[] {
  async function lookAccount(executor: Db, target: string): Promise<Looked | null> {
    const user = await findUser(executor, idOf(target) ?? 0);
    if (!user || user.removedAt) return null;
    const account = await credits.desk.find(executor, user.id);
    const before = { balance: account?.balance ?? 0, held_reason: account?.heldReason ?? null };
    return { name: user.nickname, owner: user.id, version: null, before };
  }
  async function lookItem(executor: Db, target: string): Promise<Looked | null> {
    const row = await mall.desk.item(executor, idOf(target) ?? 0);
    return row && { name: row.title, owner: null, version: row.version, before: row };
  }
  async function lookOrder(executor: Db, target: string): Promise<Looked | null> {
    const row = await mall.desk.order(executor, idOf(target) ?? 0);
    return row && { name: row.orderNo, owner: row.userId, version: row.version, before: row };
  }
  const userOf = async (executor: Db, target: string): Promise<number> => {
    const user = await findUser(executor, idOf(target) ?? 0);
    if (!user || user.removedAt) throw missing();
    return user.id;
  };

  async function demandFit(change: z.output<typeof Change>): Promise<void> {
    if (change.on_at && change.off_at && change.off_at <= change.on_at)
      throw new Fault(30408, { detail: '下架时间须晚于上架时间' });
    if (change.campaign_id !== null && !(await campaigns.shows.hasCampaign(change.campaign_id)))
      throw new Fault(30408, { detail: '没有这个活动' });
  }

  const onAccount = { kind: 'credit_account', look: lookAccount, isMoney: true } as const;
  const onItem = { kind: 'mall_item', look: lookItem, roles: ['内容'], isMoney: true } as const;

  return [
    define({
      ...onAccount,
      act: 'credits.adjust',
      title: '调整积分',
      roles: ['财务'],
      asks: ['客服'],
      payload: z.strictObject({
        // Not `amount`, which the log tells in yuan.
        credits: z
          .number()
          .int()
          .min(-MOVEMENT_MAX)
          .max(MOVEMENT_MAX)
          .refine((n) => n !== 0, '不能为 0'),
        title: line(40),
      }),
      fields: [
        field('credits', '积分', 'number', { hint: `负数为扣减；超过 ${ADJUST_ALONE} 需要另一位操作员审批` }),
        field('title', '事项', 'text', { hint: '用户在积分明细里看到' }),
      ],
      fourEyes: async ({ payload }) =>
        Math.abs(payload.credits) > ADJUST_ALONE ? `调整超过 ${ADJUST_ALONE} 积分` : null,
      async run({ tx, target, payload, by }) {
        const userId = await userOf(tx, target);
        const before = (await credits.ledger.lock(tx, userId)).account.balance;
        const cause = { kind: 'adjust', key: `desk:${randomUUID()}`, title: payload.title, actor: by } as const;
        const { credits: change } = payload;
        const { entry } = await (change > 0
          ? credits.ledger.earn(tx, userId, change, cause)
          : credits.ledger.spend(tx, userId, -change, cause));
        return { before: { balance: before }, after: { balance: entry.balanceAfter, credits: change } };
      },
    }),
    ...([true, false] as const).map((holds) =>
      define({
        ...onAccount,
        act: holds ? 'credits.hold' : 'credits.release',
        title: holds ? '暂停使用积分' : '恢复使用积分',
        roles: ['客服'],
        danger: holds,
        payload: nothing,
        fields: [],
        async run({ tx, target, reason }) {
          const userId = await userOf(tx, target);
          const after = holds ? reason : null;
          const { before } = await credits.ledger.hold(tx, userId, after);
          return { before: { held_reason: before }, after: { held_reason: after } };
        },
      }),
    ),
    define({
      ...onItem,
      act: 'mall_item.make',
      title: '新建商品',
      makes: true,
      payload: New,
      fields: [
        field('grant_kind', '类别', 'choice', { choices: choicesOf(GRANTS) }),
        field('grant_value', '数值', 'number', { hint: '天数、点数，或优惠码金额（分）' }),
        field('coupon_type', '优惠码适用', 'choice', { choices: choicesOf(COUPON_TYPES), optional: true }),
        field('valid_days', '优惠码有效天数', 'number', { optional: true }),
        ...changeFields,
      ],
      async demand({ payload }) {
        const isCoupon = payload.grant_kind === 'coupon';
        if (isCoupon !== (payload.coupon_type !== null) || isCoupon !== (payload.valid_days !== null))
          throw new Fault(30408, { detail: '优惠码须填适用范围和有效天数，其他类别不填' });
        await demandFit(payload);
      },
      async run({ tx, payload }) {
        const { grant_kind: grantKind, grant_value: grantValue, coupon_type: type, valid_days: validDays } = payload;
        const couponType = type === null ? null : ({ '0': 0, '1': 1, '3': 3 } as const)[type];
        const gift = { grantKind, grantValue, couponType, validDays };
        const { after } = await mall.desk.make(tx, { ...gift, ...draftOf(payload) });
        return { before: null, after, target: String(after.id) };
      },
    }),
    define({
      ...onItem,
      act: 'mall_item.change',
      title: '修改商品',
      payload: Change,
      fields: changeFields,
      demand: async ({ payload }) => demandFit(payload),
      async run({ tx, target, version, payload }) {
        return logged(await mall.desk.change(tx, idOf(target) ?? 0, version, draftOf(payload)), 'open');
      },
    }),
    ...(['on', 'off'] as const).map((state) =>
      define({
        ...onItem,
        act: `mall_item.${state}`,
        title: state === 'on' ? '上架' : '下架',
        danger: state === 'off',
        payload: nothing,
        fields: [],
        async run({ tx, target, version }) {
          return logged(await mall.desk.turn(tx, idOf(target) ?? 0, version, state), 'open');
        },
      }),
    ),
    define({
      kind: 'mall_order',
      look: lookOrder,
      isMoney: true,
      act: 'mall_order.refund',
      title: '退回',
      roles: ['财务'],
      asks: ['客服'],
      danger: true,
      payload: nothing,
      fields: [],
      async run({ tx, target, version, by }) {
        return logged(await mall.purchases.refundByDesk(tx, idOf(target) ?? 0, version, by), 'open');
      },
    }),
  ];
}
