/** Machines, messages, enterprises. */
import type { Context } from '../context.ts';
import type { ListName } from '../schema.ts';
import { column, iso, oneOf, pageOf, stateFilter } from './list.ts';
import type { Listed } from './list.ts';

const MESSAGE = { dead: '已放弃', waiting: '待投递' };
const ENTERPRISE: Record<string, string> = {
  pending: '待开通',
  trial: '试用',
  active: '正式',
  grace: '到期宽限',
  readonly: '只读',
  frozen: '冻结',
  dissolving: '解散中',
  deleted: '已删除',
};

export function systemLists({
  outbox,
  health,
  enterprises,
}: Context): Record<Extract<ListName, 'health' | 'outbox' | 'enterprises'>, Listed> {
  return {
    health: {
      title: '运行状况',
      columns: [column('part', '部件'), column('state', '状态', 'state'), column('note', '说明')],
      async rows(query) {
        const { total, list } = pageOf(await health(), query);
        return { total, list: list.map(({ part, state, note }) => ({ id: part, cells: { part, state, note } })) };
      },
    },
    outbox: {
      title: '消息投递',
      columns: [
        column('id', '编号', 'number'),
        column('topic', '主题'),
        column('key', '去重键'),
        column('attempts', '已尝试', 'number'),
        column('next_at', '下次投递', 'instant'),
        column('dead_at', '放弃时间', 'instant'),
        column('error', '错误'),
        column('state', '状态', 'state'),
      ],
      filters: [stateFilter(MESSAGE, '状态', false)],
      async rows(query) {
        const state = oneOf(MESSAGE, query.state) === 'waiting' ? 'waiting' : 'dead';
        const { total, list } = await outbox.list(state, query);
        return {
          total,
          list: list.map((row) => ({
            id: String(row.id),
            name: row.key,
            cells: {
              id: row.id,
              topic: row.topic,
              key: row.key,
              attempts: row.attempts,
              next_at: iso(row.nextAt),
              dead_at: iso(row.deadAt),
              error: row.error,
              state: MESSAGE[state],
            },
            acts: state === 'dead' ? ['outbox.retry'] : [],
          })),
        };
      },
    },
    enterprises: {
      title: '企业',
      columns: [
        column('id', '编号', 'number'),
        column('name', '名称'),
        column('state', '状态', 'state'),
        column('seats', '席位', 'number'),
        column('seats_used', '已用席位', 'number'),
        column('ends_at', '到期', 'instant'),
      ],
      async rows(query) {
        const { total, list } = enterprises ? await enterprises(query) : { total: 0, list: [] };
        return {
          total,
          list: list.map((row) => ({
            id: String(row.id),
            name: row.name,
            cells: {
              id: row.id,
              name: row.name,
              state: ENTERPRISE[row.state] ?? row.state,
              seats: row.seats,
              seats_used: row.seatsUsed,
              ends_at: iso(row.endsAt),
            },
          })),
        };
      },
    },
  };
}
