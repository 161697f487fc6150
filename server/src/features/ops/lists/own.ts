/** Requests and the log: one's own, all of it for the auditor; requests also for whoever may approve them. */
import { and, desc, eq, inArray, lte, or } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { listActs } from '../../../lib/act-log.ts';
import { countSome, slice } from '../../../lib/paging.ts';
import { usersByIds } from '../../accounts/service.ts';
import type { Operator } from '../access.ts';
import { choicesOf } from '../act.ts';
import type { Acts } from '../acts/index.ts';
import type { Context } from '../context.ts';
import type { Desk } from '../desk.ts';
import type { ListName } from '../schema.ts';
import { opsRequests } from '../tables.ts';
import { column, iso, numberIn, oneOf, stateFilter, text, textFilter } from './list.ts';
import type { Listed } from './list.ts';

export const REQUEST_STATE = {
  waiting: '待审批',
  done: '已批准并执行',
  refused: '已驳回',
  expired: '已过期',
  moved: '已失效',
};
const KINDS: Record<string, string> = {
  user: '用户',
  order: '订单',
  payment: '付款',
  refund: '退款',
  transfer: '对公转账',
  invoice: '发票',
  package: '套餐',
  coupon: '优惠码',
  edu: '教育认证',
  banner: '横幅与活动',
  feedback: '意见反馈',
  broadcast: '播报',
  limits: '版本限额',
  enterprise: '企业',
  contract: '合同',
  outbox: '消息',
  run: '任务',
  share: '分享',
  settings: '收款设置',
  quest: '积分任务',
  quest_record: '任务奖励',
  credit_account: '积分账户',
  credit_appeal: '积分申诉',
  mall_item: '积分商品',
  mall_order: '兑换订单',
  request: '审批',
  operator: '操作员',
  list: '列表',
};
const OTHER_ACTS: Record<string, string> = {
  'request.make': '提交申请',
  'request.refuse': '驳回申请',
  'request.moved': '申请失效',
  'proof.view': '查看凭证',
  'list.export': '导出列表',
  'customer.view': '查看客户',
  'desk.enter': '进入后台',
  'operator.set': '设置操作员',
};

export function ownLists(
  { db, clock }: Context,
  acts: Acts,
  desk: Desk,
): Record<Extract<ListName, 'requests' | 'log'>, Listed> {
  const titleOf = (act: string): string => acts.get(act)?.title ?? OTHER_ACTS[act] ?? act;
  const isAuditor = ({ roles }: Operator): boolean => roles.includes('审计');

  async function names(ids: (number | null)[]): Promise<(id: number | null) => string | null> {
    const known = new Map(
      (await usersByIds(db, [...new Set(ids.filter((id) => id !== null))])).map((user) => [user.id, user.nickname]),
    );
    return (id) => (id === null ? null : `${known.get(id) ?? '已注销用户'}（${id}）`);
  }

  function visible(operator: Operator): SQL | undefined {
    if (isAuditor(operator)) return undefined;
    const own = or(eq(opsRequests.askedBy, operator.userId), eq(opsRequests.decidedBy, operator.userId));
    const open = desk.approvable(operator);
    return open.length === 0 ? own : or(own, inArray(opsRequests.act, open));
  }

  const titles = { ...Object.fromEntries([...acts.values()].map(({ act, title }) => [act, title])), ...OTHER_ACTS };

  return {
    requests: {
      title: '审批',
      columns: [
        column('id', '编号', 'number'),
        column('act', '操作'),
        column('target', '对象'),
        column('why', '审批原因'),
        column('reason', '申请理由'),
        column('asked_by', '申请人'),
        column('state', '状态', 'state'),
        column('decided_by', '审批人'),
        column('answer', '答复'),
        column('ends_at', '有效至', 'instant'),
      ],
      filters: [stateFilter(REQUEST_STATE)],
      async rows(query, operator) {
        const now = await clock(db);
        await db
          .update(opsRequests)
          .set({ state: 'expired', decidedAt: now })
          .where(and(eq(opsRequests.state, 'waiting'), lte(opsRequests.endsAt, now)));
        const state = oneOf(REQUEST_STATE, query.state);
        const where = and(
          visible(operator),
          state === undefined ? undefined : eq(opsRequests.state, state as keyof typeof REQUEST_STATE),
        );
        const { limit, offset } = slice(query);
        const rows = await db
          .select()
          .from(opsRequests)
          .where(where)
          .orderBy(desc(opsRequests.id))
          .limit(limit)
          .offset(offset);
        const name = await names(rows.flatMap((row) => [row.askedBy, row.decidedBy]));
        const mine = new Set(desk.approvable(operator));
        return {
          total: await countSome(db, opsRequests, where),
          list: rows.map((row) => ({
            id: String(row.id),
            name: `${titleOf(row.act)} ${row.targetName || row.target}`,
            version: row.targetVersion,
            cells: {
              id: row.id,
              act: titleOf(row.act),
              target: row.targetName || row.target || '新建',
              why: row.why,
              reason: row.reason,
              asked_by: name(row.askedBy),
              state: REQUEST_STATE[row.state],
              decided_by: name(row.decidedBy),
              answer: row.answer,
              ends_at: iso(row.endsAt),
            },
            acts:
              row.state === 'waiting'
                ? [
                    ...(mine.has(row.act) ? ['approve'] : []),
                    ...(mine.has(row.act) || row.askedBy === operator.userId ? ['refuse'] : []),
                  ]
                : [],
            detail: { before: row.before, after: row.payload },
          })),
        };
      },
    },
    log: {
      title: '操作日志',
      columns: [
        column('seq', '序号', 'number'),
        column('at', '时间', 'instant'),
        column('actor', '操作员'),
        column('role', '角色'),
        column('act', '操作'),
        column('kind', '对象类别'),
        column('target', '对象'),
        column('reason', '原因'),
        column('request_id', '审批', 'number'),
        column('net', '网络'),
      ],
      filters: [
        { key: 'act', label: '操作', choices: choicesOf(titles), all: true },
        textFilter('actor', '操作员编号'),
        textFilter('target', '对象'),
      ],
      async rows(query, operator) {
        const actor = isAuditor(operator) ? numberIn(query.actor) : operator.userId;
        const [act, kind, target] = [oneOf(titles, query.act), oneOf(KINDS, query.kind), text(query.target)];
        const { total, list } = await listActs(
          db,
          {
            scope: 'ops',
            ...(actor === undefined ? {} : { actor }),
            ...(act === undefined ? {} : { act }),
            ...(kind === undefined ? {} : { kind }),
            ...(target === undefined ? {} : { target }),
          },
          query,
        );
        const name = await names(list.map((row) => row.actor));
        return {
          total,
          list: list.map((row) => ({
            id: String(row.seq),
            cells: {
              seq: row.seq,
              at: iso(row.at),
              actor: name(row.actor) ?? '系统',
              role: row.role,
              act: titleOf(row.act),
              kind: KINDS[row.kind] ?? row.kind,
              target: row.target,
              reason: row.reason,
              request_id: row.requestId,
              net: row.net,
            },
            detail: { before: row.before, after: row.after },
          })),
        };
      },
    },
  };
}
