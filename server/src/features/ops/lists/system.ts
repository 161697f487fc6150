/** Machines and messages. */
import type { Context } from '../context.ts';
import type { ListName } from '../schema.ts';
import { column, iso, oneOf, pageOf, stateFilter } from './list.ts';
import type { Listed } from './list.ts';

const MESSAGE = { dead: '已放弃', waiting: '待投递' };
export function systemLists({ outbox, health }: Context): Record<Extract<ListName, 'health' | 'outbox'>, Listed> {
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
            acts: state === 'dead' ? ['outbox.retry', 'outbox.drop'] : [],
          })),
        };
      },
    },
  };
}
