/** What can be done to a report: name, note, freeze, pin, bring back a revision, compute again on the present data, delete. */
import type { ReportAct } from '@hengxi/server/reports/schema';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';

import { followRun } from '../../lib/runs.ts';
import { toast } from '../../lib/toast.ts';
import { act, type OpenReport, type Place, removeReport, reportQuery, rerun } from './queries.ts';
import type { Freshness } from './use-freshness.ts';

export interface ReportActions {
  updating: boolean;
  rename: (name: string) => Promise<void>;
  pin: (pinned: boolean) => void;
  freeze: (frozen: boolean) => void;
  restoreRev: (rev: number) => void;
  update: () => void;
  remove: () => void;
}

export const FAILED: Partial<Record<string, string>> = {
  refused: '现在的数据不满足这个方法的要求，请在设置里查看原因',
  timeout: '计算超时，请减少变量或行数',
  memory: '内存超出限制，请减少变量或行数',
  lost: '计算中断，请再试一次',
  cancelled: '已取消',
};

export function useReportActions(report: OpenReport, place: Place, freshness: Freshness): ReportActions {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [updating, setUpdating] = useState(false);
  const key = ['report', place.project_id, place.report_id];

  const refresh = async (): Promise<void> => {
    await client.invalidateQueries({ queryKey: key });
    await client.invalidateQueries({ queryKey: ['reports'] });
  };
  const perform = async (body: ReportAct, message: string): Promise<void> => {
    const next = await act(place, body);
    client.setQueryData(reportQuery(place).queryKey, next);
    await refresh();
    toast.done(message);
  };
  /** The client has already shown what went wrong. */
  const quietly = (work: Promise<unknown>): void => void work.catch(() => undefined);
  const here = `/analysis/result/${report.vid ?? 0}?project_id=${place.project_id}&report_id=${place.report_id}`;

  const update = async (): Promise<void> => {
    if (freshness.head === null) return;
    setUpdating(true);
    try {
      const started = await rerun(report.path, freshness.head.vid, place, report.form);
      if (started.report === null && started.run_id !== null) {
        const run = await followRun(started.run_id, () => undefined, new AbortController().signal);
        if (run.state !== 'done') {
          toast.warn(FAILED[run.state] ?? '这次计算没有完成');
          return;
        }
      }
      await refresh();
      toast.done('已按现在的数据重新计算');
      void navigate(
        `/analysis/result/${freshness.head.vid}?project_id=${place.project_id}&report_id=${place.report_id}`,
        { replace: true },
      );
    } finally {
      setUpdating(false);
    }
  };

  return {
    updating,
    rename: (name) => perform({ name }, '已重命名'),
    pin: (pinned) => quietly(perform({ pinned }, pinned ? '已固定在列表最前' : '已取消固定')),
    freeze: (frozen) => quietly(perform({ frozen }, frozen ? '已冻结，数字不再更新' : '已解除冻结')),
    restoreRev: (rev) =>
      quietly(
        perform({ rev }, `已恢复到第 ${rev} 次的结果，之后的结果都还在`).then(() => navigate(here, { replace: true })),
      ),
    update: () => quietly(update()),
    remove: () =>
      quietly(
        removeReport(place).then(async () => {
          await client.invalidateQueries({ queryKey: ['reports'] });
          void navigate(`/analysis/result/${report.vid ?? 0}?project_id=${place.project_id}`);
          toast.done('报告已移到回收站，30 天内可以恢复', {
            action: { text: '撤销', run: () => quietly(act(place, { restore: true }).then(() => navigate(here))) },
          });
        }),
      ),
  };
}
