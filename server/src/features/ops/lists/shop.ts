/** Packages, coupons, limits of the editions. */
import { EDITION_TEXT } from '../../membership/service.ts';
import { COUPON_TYPES, KINDS } from '../acts/shop.ts';
import { limitsValues } from '../acts/system.ts';
import type { Context } from '../context.ts';
import type { ListName } from '../schema.ts';
import { column, iso, numberIn, oneOf, pageOf, stateFilter, textFilter } from './list.ts';
import type { Listed } from './list.ts';

const SALE = { on: '在售', off: '已下架' };
const COUPON = { on: '可用', stopped: '已停用' };

export function shopLists({
  membership,
  orders: { desk },
}: Context): Record<Extract<ListName, 'packages' | 'coupons' | 'limits'>, Listed> {
  return {
    packages: {
      title: '套餐',
      makes: ['package.make'],
      columns: [
        column('id', '编号', 'number'),
        column('kind', '类别'),
        column('title', '名称'),
        column('fee', '原价', 'fen'),
        column('discount', '立减', 'fen'),
        column('discount_rate', '折后百分比', 'number'),
        column('discount_enabled', '优惠', 'flag'),
        column('days', '天数'),
        column('points', 'AI 点数', 'number'),
        column('per_user_limit', '每人限购', 'number'),
        column('state', '状态', 'state'),
      ],
      filters: [stateFilter(SALE)],
      async rows(query) {
        const state = oneOf(SALE, query.state);
        const all = await membership.packages.all();
        const { total, list } = pageOf(
          all.filter((row) => state === undefined || row.onSale === (state === 'on')),
          query,
        );
        return {
          total,
          list: list.map((row) => ({
            id: String(row.id),
            name: row.title,
            version: row.version,
            cells: {
              id: row.id,
              kind: KINDS[row.kind],
              title: row.title,
              fee: row.fee,
              discount: row.discount,
              discount_rate: row.discountRate,
              discount_enabled: row.discountEnabled,
              days: row.lifetime ? '长期' : row.validVipDays,
              points: row.points,
              per_user_limit: row.perUserLimit,
              state: row.onSale ? SALE.on : SALE.off,
            },
            acts: row.onSale ? ['package.change', 'package.stop'] : ['package.change'],
            values: {
              title: row.title,
              description: row.description,
              fee: row.fee,
              discount: row.discount,
              discount_enabled: row.discountEnabled,
              discount_rate: row.discountRate,
              discount_description: row.discountDescription,
              discount_from: iso(row.discountFrom),
              discount_to: iso(row.discountTo),
              per_user_limit: row.perUserLimit,
              sort: row.sort,
              on_sale: row.onSale,
            },
          })),
        };
      },
    },
    coupons: {
      title: '优惠码',
      makes: ['coupon.make'],
      columns: [
        column('code', '优惠码'),
        column('type', '适用'),
        column('amount', '抵扣', 'fen'),
        column('uses', '已用', 'number'),
        column('limit_total', '总张数', 'number'),
        column('per_user', '每人可用', 'number'),
        column('user_id', '限用户', 'number'),
        column('from', '生效', 'instant'),
        column('to', '失效', 'instant'),
        column('state', '状态', 'state'),
        column('note', '备注'),
      ],
      filters: [stateFilter(COUPON), textFilter('user_id', '用户编号')],
      async rows(query) {
        const { total, list } = await desk.coupons({
          page: query.page,
          page_size: query.page_size,
          state: oneOf(COUPON, query.state),
          user_id: numberIn(query.user_id),
        });
        return {
          total,
          list: list.map((row) => {
            const limits = {
              limit_total: row.limitTotal,
              per_user: row.perUser,
              from: iso(row.validFrom),
              to: iso(row.validTo),
              note: row.note,
            };
            return {
              id: String(row.id),
              name: row.code,
              version: row.version,
              cells: {
                code: row.code,
                type: COUPON_TYPES[row.couponType],
                amount: row.amount,
                uses: row.uses,
                user_id: row.userId,
                state: COUPON[row.state],
                ...limits,
              },
              acts: row.state === 'on' ? ['coupon.limit', 'coupon.stop'] : [],
              values: limits,
            };
          }),
        };
      },
    },
    limits: {
      title: '版本限额',
      columns: [
        column('edition', '版本'),
        column('upload_mb', '单个文件（MB）', 'number'),
        column('storage_mb', '存储空间（MB）', 'number'),
        column('files', '文件数', 'number'),
        column('rows', '行数', 'number'),
        column('analyses_day', '每日分析', 'number'),
        column('scripts_day', '每日脚本', 'number'),
        column('member_methods', '会员方法', 'flag'),
        column('own_scripts', '自定义脚本', 'flag'),
        column('questionnaires', '专家问卷', 'flag'),
        column('advanced_charts', '高级图形', 'flag'),
        column('flow_models', '流程建模', 'flag'),
        column('dashboards', '看板', 'flag'),
      ],
      async rows(query) {
        const { total, list } = pageOf(await membership.editions.rows(), query);
        return {
          total,
          list: list.map((row) => {
            const values = limitsValues(row);
            return {
              id: row.edition,
              name: EDITION_TEXT[row.edition],
              version: row.version,
              cells: { edition: EDITION_TEXT[row.edition], ...values },
              acts: ['limits.change'],
              values,
            };
          }),
        };
      },
    },
  };
}
