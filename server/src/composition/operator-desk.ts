/** The operator's desk, put together out of the services it acts through. */
import { createSms } from '../features/accounts/service.ts';
import type { Contests } from '../features/contest/service.ts';
import type { Cooperation } from '../features/cooperation/service.ts';
import type { Enterprises } from '../features/enterprise/service.ts';
import type { HelpFeedback } from '../features/help-feedback/service.ts';
import type { Feedbacks } from '../features/feedback/service.ts';
import type { Files } from '../features/files/service.ts';
import type { Nps } from '../features/nps/service.ts';
import { opsRoutes } from '../features/ops/routes.ts';
import { createOps } from '../features/ops/service.ts';
import type { Ops } from '../features/ops/service.ts';
import type { Reports } from '../features/reports/service.ts';
import type { Runs } from '../features/runs/service.ts';
import type { YearEnd } from '../features/year-end/service.ts';
import { ping } from '../lib/db.ts';
import type { App, Deps } from '../lib/deps.ts';
import { checkDisk } from '../lib/health.ts';
import type { Money } from './money/money.ts';
import { reconcile } from './money/reconcile.ts';

interface Around {
  money: Money;
  runs: Runs;
  reports: Reports;
  enterprises: Enterprises;
  contests: Contests;
  cooperation: Cooperation;
  feedbacks: Feedbacks;
  helpFeedback: HelpFeedback;
  files: Files;
  nps: Nps;
  yearEnd: YearEnd;
}

export function createDesk(
  app: App,
  deps: Deps,
  { money, runs, reports, enterprises, contests, cooperation, feedbacks, files, helpFeedback, nps, yearEnd }: Around,
): Ops {
  const { db, keys, config } = deps;
  const { membership, points, orders, campaigns, centre, outbox } = money;
  /** What is not well, in words for the desk. */
  class Unwell extends Error {}
  const checkPart = async (part: string, check: () => Promise<string>) => {
    try {
      return { part, state: '正常', note: await check() };
    } catch (error) {
      deps.log.warn({ event: 'desk_health', part, err: error }, 'a part is not well');
      const note = error instanceof Unwell ? error.message : '没有应答或不符合要求，详见服务日志';
      return { part, state: '异常', note };
    }
  };
  const health = () =>
    Promise.all([
      checkPart('数据库', async () => {
        await ping(db);
        return config.databaseUrl ? 'PostgreSQL' : '嵌入式数据库，断电可能丢失最近一小时的数据';
      }),
      checkPart('计算引擎', async () => {
        const { ok, workers, busy, queue } = await deps.engine.health();
        if (!ok || !deps.engine.isConnected) throw new Error('the engine is not well');
        return `进程 ${workers} 个，忙 ${busy} 个，排队 ${queue} 个`;
      }),
      checkPart('任务队列', async () => `等待 ${await runs.waitingInAll()} 个，未结束 ${await runs.openInAll()} 个`),
      checkPart('消息投递', async () => {
        const { waiting, dead, oldest_seconds: oldest } = await outbox.health();
        if (dead > 0) throw new Unwell(`已放弃 ${dead} 条，请在“消息投递”中处理`);
        return `待投递 ${waiting} 条，最久逾期 ${Math.round(oldest)} 秒，已放弃 0 条`;
      }),
      checkPart('磁盘', async () => {
        await checkDisk(config.data);
        return '空间充足';
      }),
    ]);
  const ops = createOps({
    db,
    keys,
    clock: deps.clock,
    membership,
    points,
    orders,
    campaigns,
    centre,
    books: async () => ({ ...(await reconcile(db)) }),
    outbox,
    health,
    enterprises,
    contests,
    cooperation,
    feedbacks,
    files,
    helpFeedback,
    nps,
    reports,
    runs,
    yearEnd,
    isSingle: config.ops.isSingle,
  });
  opsRoutes(app, { ...deps, ops, sms: createSms(deps) });
  return ops;
}
