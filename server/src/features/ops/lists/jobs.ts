/** Runs: what the queue and its workers are busy with, for how long, and for whom. */
import { isOpen } from '../../runs/service.ts';
import type { DeskRun } from '../../runs/service.ts';
import { OPEN_STATES, RunState } from '../../runs/schema.ts';
import type { Context } from '../context.ts';
import { column, iso, numberIn, oneOf, stateFilter, textFilter } from './list.ts';
import type { Listed } from './list.ts';

const STATES: Record<RunState, string> = {
  waiting: '排队中',
  running: '运行中',
  asking: '待用户确认',
  done: '已完成',
  refused: '未通过检查',
  failed: '失败',
  cancelled: '已取消',
  timeout: '超时',
  memory: '内存不足',
  lost: '已中断',
};
const CHOICES = { open: '未结束', ...STATES };
const KINDS: Record<string, string> = {
  analysis: '分析',
  import: '导入',
  replay: '重做步骤',
  step: '数据处理',
  export: '导出',
  report_export: '导出报告',
};

/** 12 秒, 3 分 5 秒, 2 小时 5 分 */
export function spanOf(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return `${hours} 小时 ${minutes} 分`;
  return minutes > 0 ? `${minutes} 分 ${seconds % 60} 秒` : `${seconds} 秒`;
}

/** Since it was asked for while it waits, since it began while it works, from its beginning to its end afterwards. */
function ageOf({ createdAt, startedAt, endedAt }: DeskRun, now: Date): string {
  return spanOf((endedAt ?? now).getTime() - (startedAt ?? createdAt).getTime());
}

export function jobsList({ db, clock, runs }: Context): Listed {
  return {
    title: '任务',
    columns: [
      column('id', '编号', 'number'),
      column('kind', '类别'),
      column('path', '方法'),
      column('state', '状态', 'state'),
      column('position', '前面还有', 'number'),
      column('age', '已用时间'),
      column('owner', '所属'),
      column('user_id', '用户编号', 'number'),
      column('created_at', '提交时间', 'instant'),
      column('started_at', '开始时间', 'instant'),
      column('error', '错误'),
    ],
    filters: [stateFilter(CHOICES, '状态', false), textFilter('user_id', '用户编号')],
    async rows(query) {
      const chosen = oneOf(CHOICES, query.state) ? RunState.safeParse(query.state).data : undefined;
      const states = chosen ? [chosen] : OPEN_STATES;
      const { page, page_size } = query;
      const { total, list } = await runs.desk.page({ states, userId: numberIn(query.user_id), page, page_size });
      const now = await clock(db);
      return {
        total,
        list: list.map((run) => ({
          id: String(run.id),
          name: `任务 ${run.id}`,
          cells: {
            id: run.id,
            kind: KINDS[run.kind] ?? run.kind,
            path: run.path,
            state: STATES[run.state],
            position: run.state === 'waiting' ? run.position : null,
            age: ageOf(run, now),
            owner: run.ownerKind === 'user' ? '个人' : `企业 ${run.ownerId}`,
            user_id: run.userId,
            created_at: iso(run.createdAt),
            started_at: iso(run.startedAt),
            // Its words may name columns; the number finds the entry in the log of the service.
            error: run.error ? [run.error.code, run.error.id].filter(Boolean).join(' ') : null,
          },
          acts: isOpen(run) ? ['run.cancel'] : [],
        })),
      };
    },
  };
}
