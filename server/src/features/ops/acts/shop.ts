/** Acts on packages and coupons. Orders keep the package as it was sold. */
import { z } from 'zod';
import type { Db } from '../../../lib/db.ts';
import { Fault, missing } from '../../../lib/errors.ts';
import { findUser } from '../../accounts/service.ts';
import type { PackageDraft, PackageRow } from '../../membership/service.ts';
import { choicesOf, define, fen, field, instant, line } from '../act.ts';
import type { Act, Looked } from '../act.ts';
import { idOf } from '../context.ts';
import type { Context } from '../context.ts';
import { forLog, logged } from '../mask.ts';

/** ¥5,000 of possible loss. */
const LOSS_ALONE = 500_000;
/** A lower price is judged as if so many were sold at it. */
const SOLD = 100;
export const KINDS = { vip: '会员', edu: '教育', combo: '组合', point: 'AI 点数', seat: '企业席位' };
export const COUPON_TYPES = { '0': '会员和教育', '1': '会员', '3': '教育' };

const price = {
  fee: fen,
  discount: fen,
  discount_enabled: z.boolean(),
  discount_rate: z.number().int().min(1, '折扣率为 1–100').max(100, '折扣率为 1–100'),
  discount_description: z.string().trim().max(60).nullable(),
  discount_from: instant.nullable(),
  discount_to: instant.nullable(),
};
const shown = {
  title: line(40),
  description: z.string().trim().max(400).nullable(),
  per_user_limit: z.number().int().min(1).max(99).nullable(),
  sort: z.number().int().min(-1000).max(1000),
  on_sale: z.boolean(),
};
const Change = z.strictObject({ ...shown, ...price });
const New = Change.extend({
  kind: z.enum(['vip', 'edu', 'combo', 'point']),
  days: z.number().int().min(1).max(3660).nullable(),
  lifetime: z.boolean(),
  points: z.number().int().min(1).max(100_000).nullable(),
});

const changeFields = [
  field('title', '名称', 'text'),
  field('description', '说明', 'lines', { optional: true }),
  field('fee', '原价（元）', 'yuan'),
  field('discount', '立减（元）', 'yuan'),
  field('discount_rate', '折后百分比', 'number', { hint: '100 为不打折，80 为八折' }),
  field('discount_enabled', '启用优惠', 'switch'),
  field('discount_description', '优惠说明', 'text', { optional: true }),
  field('discount_from', '优惠开始', 'instant', { optional: true }),
  field('discount_to', '优惠结束', 'instant', { optional: true }),
  field('per_user_limit', '每人限购', 'number', { optional: true }),
  field('sort', '排序', 'number'),
  field('on_sale', '在售', 'switch'),
];

const draftOf = (change: z.output<typeof Change>) => ({
  title: change.title,
  description: change.description ?? '',
  fee: change.fee,
  discount: change.discount,
  discountEnabled: change.discount_enabled,
  discountRate: change.discount_rate,
  discountDescription: change.discount_description ?? '',
  discountFrom: change.discount_from,
  discountTo: change.discount_to,
  perUserLimit: change.per_user_limit,
  sort: change.sort,
  onSale: change.on_sale,
});

const demandOrder = (from: Date | null, to: Date | null): void => {
  if (from && to && to <= from) throw new Fault(30408, { detail: '结束时间须晚于开始时间' });
};

/** Each kind of package gives what its name says, and nothing else. */
function demandWhole({ kind, days, lifetime, points, ...rest }: z.output<typeof New>): void {
  const needsDays = kind !== 'point';
  const needsPoints = kind === 'point' || kind === 'combo';
  if (needsDays ? (days === null) === !lifetime : days !== null || lifetime)
    throw new Fault(30408, { detail: needsDays ? '会员天数和长期有效须填且只填一项' : '点数套餐不含会员天数' });
  if (needsPoints !== (points !== null))
    throw new Fault(30408, { detail: needsPoints ? '请填写 AI 点数' : '该类套餐不含 AI 点数' });
  demandOrder(rest.discount_from, rest.discount_to);
}

interface Sold {
  fee: number;
  discount: number;
  discountRate: number;
  discountEnabled: boolean;
}
/** What one costs when its discount runs; periods are left out, since a planned one is a discount too. */
const lowest = ({ fee, discount, discountRate, discountEnabled }: Sold): number =>
  discountEnabled ? Math.floor((Math.max(0, fee - discount) * discountRate) / 100) : fee;

export function shopActs({ db, membership, orders }: Context): Act[] {
  const { packages } = membership;
  const { coupons, desk } = orders;

  async function find(executor: Db, target: string): Promise<PackageRow> {
    const id = idOf(target);
    const row = id === null ? null : await packages.find(executor, id);
    if (!row) throw missing();
    return row;
  }

  async function lookPackage(executor: Db, target: string): Promise<Looked | null> {
    const id = idOf(target);
    const row = id === null ? null : await packages.find(executor, id);
    return row && { name: row.title, owner: null, version: row.version, before: forLog(row, 'open') };
  }

  async function lookCoupon(executor: Db, target: string): Promise<Looked | null> {
    const id = idOf(target);
    const row = id === null ? null : await desk.coupon(executor, id);
    return row && { name: row.code, owner: row.userId, version: row.version, before: forLog(row) };
  }

  function ruleOf(before: PackageRow, after: Sold & { onSale: boolean }): string | null {
    if (!after.onSale) return null;
    if (!before.onSale) return '重新上架套餐';
    return (lowest(before) - lowest(after)) * SOLD > LOSS_ALONE ? '降价可能造成的损失超过 5000 元' : null;
  }

  const CouponNew = z.strictObject({
    coupon_type: z.enum(['0', '1', '3']),
    amount: fen.min(1, '金额须大于 0'),
    limit_total: z.number().int().min(1).max(1_000_000).nullable(),
    per_user: z.number().int().min(1).max(99),
    user_id: z.number().int().positive().max(999_999_999, '没有这个用户').nullable(),
    from: instant.nullable(),
    to: instant.nullable(),
    note: z.string().trim().max(100).nullable(),
  });
  const CouponChange = z.strictObject({
    limit_total: z.number().int().min(1).max(1_000_000).nullable(),
    per_user: z.number().int().min(1).max(99),
    from: instant.nullable(),
    to: instant.nullable(),
    note: z.string().trim().max(100).nullable(),
  });
  const limits = [
    field('limit_total', '总张数', 'number', { optional: true, hint: '留空为不限，需要另一位操作员审批' }),
    field('per_user', '每人可用', 'number'),
    field('from', '生效时间', 'instant', { optional: true }),
    field('to', '失效时间', 'instant', { optional: true }),
    field('note', '备注', 'text', { optional: true }),
  ];
  const lossOf = (amount: number, count: number | null): string | null =>
    count === null || amount * count > LOSS_ALONE ? '优惠总额可能超过 5000 元' : null;
  const onPackage = { kind: 'package', look: lookPackage, roles: ['财务'], isMoney: true } as const;
  const onCoupon = { kind: 'coupon', look: lookCoupon, roles: ['财务'], isMoney: true } as const;

  return [
    define({
      ...onPackage,
      act: 'package.make',
      title: '新建套餐',
      makes: true,
      payload: New,
      fields: [
        field('kind', '类别', 'choice', {
          choices: choicesOf({ vip: '会员', edu: '教育', combo: '组合', point: 'AI 点数' }),
        }),
        field('days', '会员天数', 'number', { optional: true }),
        field('lifetime', '长期有效', 'switch'),
        field('points', 'AI 点数', 'number', { optional: true }),
        ...changeFields,
      ],
      demand: async ({ payload }) => demandWhole(payload),
      fourEyes: async ({ payload }) => (payload.on_sale ? '新套餐上架' : null),
      async run({ tx, payload }) {
        const { kind, days, lifetime, points } = payload;
        const draft: PackageDraft = { kind, validVipDays: days, lifetime, points, ...draftOf(payload) };
        const { after } = await packages.make(tx, draft);
        return { before: null, after: forLog(after, 'open'), target: String(after.id) };
      },
    }),
    define({
      ...onPackage,
      act: 'package.change',
      title: '修改套餐',
      payload: Change,
      fields: changeFields,
      demand: async ({ payload }) => demandOrder(payload.discount_from, payload.discount_to),
      fourEyes: async ({ target, payload }) => ruleOf(await find(db, target), draftOf(payload)),
      async run({ tx, target, version, payload }) {
        const { id } = await find(tx, target);
        return logged(await packages.change(tx, id, version, draftOf(payload)), 'open');
      },
    }),
    define({
      ...onPackage,
      act: 'package.stop',
      title: '下架',
      danger: true,
      payload: z.strictObject({}),
      fields: [],
      async run({ tx, target, version }) {
        const { id } = await find(tx, target);
        return logged(await packages.change(tx, id, version, { onSale: false }), 'open');
      },
    }),
    define({
      ...onCoupon,
      act: 'coupon.make',
      title: '新建优惠码',
      makes: true,
      payload: CouponNew,
      fields: [
        field('coupon_type', '适用', 'choice', { choices: choicesOf(COUPON_TYPES) }),
        field('amount', '抵扣金额（元）', 'yuan'),
        field('user_id', '限用户编号', 'number', { optional: true }),
        ...limits,
      ],
      async demand({ payload }) {
        demandOrder(payload.from, payload.to);
        if (payload.user_id !== null && !(await findUser(db, payload.user_id)))
          throw new Fault(30408, { detail: '没有这个用户' });
      },
      fourEyes: async ({ payload }) => lossOf(payload.amount, payload.limit_total),
      async run({ tx, payload, by }) {
        if (payload.user_id === by) throw new Fault(30406);
        const { after } = await coupons.make(tx, {
          couponType: ({ '0': 0, '1': 1, '3': 3 } as const)[payload.coupon_type],
          amount: payload.amount,
          limitTotal: payload.limit_total,
          perUser: payload.per_user,
          userId: payload.user_id,
          validFrom: payload.from,
          validTo: payload.to,
          note: payload.note ?? '',
          madeBy: by,
        });
        return { before: null, after: forLog(after), target: String(after.id) };
      },
    }),
    define({
      ...onCoupon,
      act: 'coupon.limit',
      title: '修改限额',
      payload: CouponChange,
      fields: limits,
      demand: async ({ payload }) => demandOrder(payload.from, payload.to),
      async fourEyes({ target, payload }) {
        const row = await desk.coupon(db, idOf(target) ?? 0);
        const isMore = row && (payload.limit_total === null || payload.limit_total > (row.limitTotal ?? Infinity));
        return isMore ? lossOf(row.amount, payload.limit_total) : null;
      },
      async run({ tx, target, version, payload }) {
        return logged(
          await coupons.change(tx, idOf(target) ?? 0, version, {
            limitTotal: payload.limit_total,
            perUser: payload.per_user,
            validFrom: payload.from,
            validTo: payload.to,
            note: payload.note ?? '',
          }),
        );
      },
    }),
    define({
      ...onCoupon,
      act: 'coupon.stop',
      title: '停用',
      danger: true,
      payload: z.strictObject({}),
      fields: [],
      async run({ tx, target, version }) {
        return logged(await coupons.change(tx, idOf(target) ?? 0, version, { state: 'stopped' }));
      },
    }),
  ];
}
