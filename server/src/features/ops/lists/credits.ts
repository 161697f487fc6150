/** Credits: quests, rewards that are looked at, objections, the mall, accounts, what is owed, and whether the books agree. */
import type { QuestRow } from '../../quests/service.ts';
import { GRANTS, PERIODS } from '../acts/credits.ts';
import { AUDIENCES, EVENTS, KINDS } from '../acts/quests.ts';
import type { Context } from '../context.ts';
import type { ListName, OpsRow } from '../schema.ts';
import { column, iso, numberIn, oneOf, pageOf, stateFilter, text, textFilter } from './list.ts';
import type { Listed } from './list.ts';

const STATES = { draft: '草稿', on: '进行中', off: '已停止', replaced: '旧版本' };
const ON_SALE = { draft: '草稿', on: '在售', off: '已下架' };
const RECORDS = { '3': '审核中', '2': '已领取', '4': '已作废' };
const APPEALS = { open: '待处理', granted: '已通过', refused: '未通过' } as const;
const ORDERS = { done: '已完成', refunded: '已退回', returned: '已折算退回' } as const;
const HELD = { held: '已暂停' };
const BOOKS: Record<string, string> = {
  points: 'AI 点数与流水',
  coupons: '优惠码与使用记录',
  orders: '订单与支付',
  grants: '订单与会员天数',
  memberships: '会员到期与各段天数',
  credits: '积分余额与流水',
  credit_lots: '积分流水与批次',
  quest_rewards: '任务奖励与积分流水',
  mall_orders: '商城订单与积分、权益',
  mall_stock: '商城库存与订单',
  product_events: '未能计入的用户事件',
};

type Names = Extract<
  ListName,
  | 'quests'
  | 'quest_records'
  | 'appeals'
  | 'mall_items'
  | 'mall_orders'
  | 'credits'
  | 'credit_entries'
  | 'credit_ages'
  | 'books'
>;

const keyOfLabel = <T extends string>(labels: Record<T, string>, value: string | undefined): T | undefined => {
  const found = oneOf(labels, value);
  return (Object.keys(labels) as T[]).find((key) => key === found);
};
const grouped = (n: number): string => n.toLocaleString('en-US');

export function creditLists({ centre: { credits, quests, mall }, books }: Context): Record<Names, Listed> {
  const questValues = (row: QuestRow): OpsRow['values'] => ({
    title: row.title,
    why: row.why,
    target: row.target,
    bonus: row.bonus,
    starts_at: iso(row.startsAt),
    ends_at: iso(row.endsAt),
    audience: row.audience,
    action_url: row.actionUrl || null,
    campaign_id: row.campaignId,
    sort: row.sort,
  });

  return {
    quests: {
      title: '任务',
      makes: ['quest.make'],
      columns: [
        column('code', '代码'),
        column('version', '版本', 'number'),
        column('title', '名称'),
        column('kind', '周期'),
        column('event', '事件'),
        column('target', '目标', 'number'),
        column('bonus', '积分', 'number'),
        column('audience', '对象'),
        column('trial', '按近 7 天试算'),
        column('state', '状态', 'state'),
      ],
      async rows(query) {
        const { total, list } = pageOf(await quests.desk.all(), query);
        const rows = list.map(async (row) => {
          const { credits: paid, people } = await quests.desk.trial(row);
          return {
            id: String(row.id),
            name: row.title,
            version: row.version,
            cells: {
              code: row.code,
              version: row.version,
              title: row.title,
              kind: row.window === null ? KINDS[row.kind] : `${row.window} 天内任意天数`,
              event: EVENTS[row.event],
              target: row.target,
              bonus: row.bonus,
              audience: AUDIENCES[row.audience],
              trial: `最多 ${grouped(paid)} 积分，${grouped(people)} 人`,
              state: STATES[row.state],
            },
            acts: ['quest.change', row.state === 'on' ? 'quest.off' : 'quest.on'],
            values: questValues(row),
          };
        });
        return { total, list: await Promise.all(rows) };
      },
    },
    quest_records: {
      title: '任务奖励',
      columns: [
        column('id', '编号', 'number'),
        column('user_id', '用户编号', 'number'),
        column('title', '任务'),
        column('period', '周期'),
        column('bonus', '积分', 'number'),
        column('completed_at', '完成时间', 'instant'),
        column('held_reason', '原因'),
        column('shortfall', '未能收回', 'number'),
        column('state', '状态', 'state'),
      ],
      filters: [stateFilter(RECORDS, '状态', false), textFilter('user_id', '用户编号')],
      async rows(query) {
        const state = keyOfLabel(RECORDS, query.state) ?? '3';
        const states = [({ '2': 2, '3': 3, '4': 4 } as const)[state]];
        const { page, page_size } = query;
        const records = await quests.desk.records({ page, page_size, states, user_id: numberIn(query.user_id) });
        return {
          total: records.total,
          list: records.list.map(({ record, title }) => ({
            id: String(record.id),
            name: `奖励 ${record.id}`,
            version: record.version,
            cells: {
              id: record.id,
              user_id: record.userId,
              title,
              period: record.periodKey,
              bonus: record.bonus,
              completed_at: iso(record.completedAt),
              held_reason: record.heldReason,
              shortfall: record.shortfall,
              state: RECORDS[state],
            },
            acts: { '3': ['quest_record.pass', 'quest_record.void'], '2': ['quest_record.take_back'], '4': [] }[state],
          })),
        };
      },
    },
    appeals: {
      title: '积分申诉',
      columns: [
        column('id', '编号', 'number'),
        column('user_id', '用户编号', 'number'),
        column('about', '事由'),
        column('text', '内容'),
        column('created_at', '提交时间', 'instant'),
        column('reply', '答复'),
        column('state', '状态', 'state'),
      ],
      filters: [stateFilter(APPEALS, '状态', false)],
      async rows(query) {
        const { total, list } = await credits.appeals.queue(keyOfLabel(APPEALS, query.state) ?? 'open', query);
        return {
          total,
          list: list.map((row) => ({
            id: String(row.id),
            name: `申诉 ${row.id}`,
            version: row.version,
            cells: {
              id: row.id,
              user_id: row.userId,
              about: row.recordId === null ? '账户暂停' : `奖励 ${row.recordId}`,
              text: row.text,
              created_at: iso(row.createdAt),
              reply: row.reply,
              state: APPEALS[row.state],
            },
            acts: row.state === 'open' ? ['appeal.decide'] : [],
          })),
        };
      },
    },
    mall_items: {
      title: '积分商品',
      makes: ['mall_item.make'],
      columns: [
        column('id', '编号', 'number'),
        column('title', '名称'),
        column('grant_kind', '类别'),
        column('grant_value', '数值', 'number'),
        column('price_credits', '积分价格', 'number'),
        column('stock_left', '剩余库存', 'number'),
        column('stock_total', '总库存', 'number'),
        column('limit', '每人限兑'),
        column('state', '状态', 'state'),
      ],
      filters: [stateFilter(ON_SALE)],
      async rows(query) {
        const state = keyOfLabel(ON_SALE, query.state);
        const all = await mall.desk.items();
        const { total, list } = pageOf(
          all.filter((row) => state === undefined || row.state === state),
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
              title: row.title,
              grant_kind: GRANTS[row.grantKind],
              grant_value: row.grantValue,
              price_credits: row.priceCredits,
              stock_left: row.stockLeft,
              stock_total: row.stockTotal,
              limit: row.perUserLimit === null ? '不限' : `${PERIODS[row.limitPeriod]} ${row.perUserLimit} 件`,
              state: ON_SALE[row.state],
            },
            acts: ['mall_item.change', row.state === 'on' ? 'mall_item.off' : 'mall_item.on'],
            values: {
              title: row.title,
              summary: row.summary,
              body_md: row.bodyMd,
              price_credits: row.priceCredits,
              stock_total: row.stockTotal,
              per_user_limit: row.perUserLimit,
              limit_period: row.limitPeriod,
              on_at: iso(row.onAt),
              off_at: iso(row.offAt),
              campaign_id: row.campaignId,
              sort: row.sort,
            },
          })),
        };
      },
    },
    mall_orders: {
      title: '兑换订单',
      columns: [
        column('order_no', '订单号'),
        column('user_id', '用户编号', 'number'),
        column('title', '商品'),
        column('quantity', '数量', 'number'),
        column('credits', '积分', 'number'),
        column('method', '方法'),
        column('returned_credits', '退回积分', 'number'),
        column('created_at', '兑换时间', 'instant'),
        column('returned_at', '退回时间', 'instant'),
        column('state', '状态', 'state'),
      ],
      filters: [stateFilter(ORDERS), textFilter('order_no', '订单号'), textFilter('user_id', '用户编号')],
      async rows(query) {
        const { total, list } = await mall.desk.orders({
          page: query.page,
          page_size: query.page_size,
          state: keyOfLabel(ORDERS, query.state),
          order_no: text(query.order_no),
          user_id: numberIn(query.user_id),
        });
        return {
          total,
          list: list.map((row) => ({
            id: String(row.id),
            name: row.orderNo,
            version: row.version,
            cells: {
              order_no: row.orderNo,
              user_id: row.userId,
              title: row.title,
              quantity: row.quantity,
              credits: row.credits,
              method: row.method,
              returned_credits: row.returnedCredits,
              created_at: iso(row.createdAt),
              returned_at: iso(row.returnedAt),
              state: ORDERS[row.state],
            },
            acts: row.state === 'done' ? ['mall_order.refund'] : [],
          })),
        };
      },
    },
    credits: {
      title: '积分账户',
      hint: '按用户编号查询，或筛选已暂停的账户',
      columns: [
        column('user_id', '用户编号', 'number'),
        column('balance', '可用积分', 'number'),
        column('held_reason', '暂停原因'),
      ],
      filters: [stateFilter(HELD), textFilter('user_id', '用户编号')],
      async rows(query) {
        const held = keyOfLabel(HELD, query.state) === 'held';
        const { total, list } = await credits.desk.accounts({
          page: query.page,
          page_size: query.page_size,
          user_id: numberIn(query.user_id),
          held,
        });
        return {
          total,
          list: list.map((row) => ({
            id: String(row.userId),
            name: `用户 ${row.userId}`,
            cells: { user_id: row.userId, balance: row.balance, held_reason: row.heldReason },
            acts: ['credits.adjust', row.heldReason === null ? 'credits.hold' : 'credits.release'],
          })),
        };
      },
    },
    credit_entries: {
      title: '积分流水',
      columns: [
        column('id', '编号', 'number'),
        column('user_id', '用户编号', 'number'),
        column('title', '事项'),
        column('amount', '积分', 'number'),
        column('balance_after', '余额', 'number'),
        column('ref', '关联'),
        column('actor', '操作员', 'number'),
        column('at', '时间', 'instant'),
      ],
      filters: [textFilter('user_id', '用户编号')],
      async rows(query) {
        const { page, page_size } = query;
        const { total, list } = await credits.desk.entries({ page, page_size, user_id: numberIn(query.user_id) });
        return {
          total,
          list: list.map((row) => ({
            id: String(row.id),
            cells: {
              id: row.id,
              user_id: row.userId,
              title: row.title,
              amount: row.amount,
              balance_after: row.balanceAfter,
              ref: row.ref,
              actor: row.actor,
              at: iso(row.at),
            },
          })),
        };
      },
    },
    credit_ages: {
      title: '积分到期',
      columns: [
        column('month', '到期月份'),
        column('amount', '未用积分', 'number'),
        column('people', '人数', 'number'),
      ],
      async rows(query) {
        const { total, list } = pageOf(await credits.desk.liability(), query);
        return { total, list: list.map(({ month, ...cells }) => ({ id: month, cells: { month, ...cells } })) };
      },
    },
    books: {
      title: '账目核对',
      columns: [column('book', '账目'), column('off', '不符', 'number'), column('state', '状态', 'state')],
      async rows(query) {
        const { total, list } = pageOf(Object.entries(await books()), query);
        return {
          total,
          list: list.map(([book, off]) => ({
            id: book,
            name: BOOKS[book] ?? book,
            cells: { book: BOOKS[book] ?? book, off, state: off === 0 ? '一致' : '不符' },
          })),
        };
      },
    },
  };
}
