/** A run that goes on after its page was left: a notice brings the person back when it ends. */
import type { AnalysisResult } from '@hengxi/server/analysis/schema';

import { navigateTo } from '../../lib/navigate.ts';
import { followRun } from '../../lib/runs.ts';
import { toast } from '../../lib/toast.ts';

const NOTICE_MS = 10_000;

export function noticeEnd(run_id: number, title: string, vid: number): void {
  followRun<AnalysisResult>(run_id, () => undefined, new AbortController().signal).then(
    ({ state, result }) => {
      if (state === 'done' && result !== null) {
        const to = `/analysis/result/${vid}?report_id=${result.report_id}&project_id=${result.project_id}`;
        toast.done(`“${title}”已完成`, { ms: NOTICE_MS, action: { text: '查看', run: () => navigateTo(to) } });
      } else if (state !== 'cancelled') toast.warn(`“${title}”没有完成，可在项目里重新运行`);
    },
    // Signed out or offline meanwhile: the project shows what became of it.
    () => undefined,
  );
}
