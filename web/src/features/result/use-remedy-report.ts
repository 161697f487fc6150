/** A remedy is computed as a second result beside the first: a report of its own in the same project. The first is not touched. */
import { hasRows } from '@hengxi/contracts/report/sample';
import { NO_VID } from '../../lib/catalogue.ts';
import type { SetRemedy } from '@hengxi/contracts/contract';
import type { ComparedReport } from '@hengxi/contracts/report/presentation';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';

import { followRun } from '../../lib/runs.ts';
import { toast } from '../../lib/toast.ts';
import { act, type OpenReport, runRemedy } from './queries.ts';
import { FAILED } from './use-report-actions.ts';

export interface RemedyReport {
  /** Title of the remedy that is being computed. */
  working: string | null;
  /** Done, and not yet among the results that the report keeps beside it. */
  made: ComparedReport | null;
  /** The one made last on this visit. */
  last: number | null;
  add: (remedy: SetRemedy) => void;
  taken: () => void;
}

export function useRemedyReport(report: OpenReport, project_id: number): RemedyReport {
  const client = useQueryClient();
  const [working, setWorking] = useState<string | null>(null);
  const [added, setMade] = useState<ComparedReport | null>(null);
  const [last, setLast] = useState<number | null>(null);
  const compute = async (vid: number, { title, set }: SetRemedy): Promise<void> => {
    setWorking(title);
    try {
      const started = await runRemedy(report.path, vid, project_id, { ...report.form, ...set });
      if (started.report === null && started.run_id !== null) {
        const run = await followRun(started.run_id, () => undefined, new AbortController().signal);
        if (run.state !== 'done') {
          toast.warn(FAILED[run.state] ?? '这次计算没有完成');
          return;
        }
      }
      await act(started, { name: `${report.title}（${title}）`.slice(0, 200) });
      await client.invalidateQueries({ queryKey: ['reports'] });
      setMade({ rid: started.report_id, title });
      setLast(started.report_id);
    } finally {
      setWorking(null);
    }
  };
  return {
    working,
    made: added,
    last,
    taken: useCallback(() => setMade(null), []),
    add: (remedy) => {
      if (working !== null) toast.note('正在计算上一个，请稍候');
      else if (report.vid === null && hasRows(report.document.sample)) toast.warn('这份报告所用的数据已删除，不能另算');
      // The client has said what went wrong.
      else void compute(report.vid ?? NO_VID, remedy).catch(() => undefined);
    },
  };
}
