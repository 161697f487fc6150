/** The history panel with the results of the report: opening one brings back its settings as a new step. */
import { useQuery } from '@tanstack/react-query';

import { queryClient } from '../../../lib/query-client.ts';
import { reportQuery } from '../queries.ts';
import { HistoryDrawer } from './history-drawer.tsx';
import type { Operation, OperationState } from './store.ts';

export interface ReportHistoryProps {
  open: boolean;
  operation: Operation;
  state: OperationState;
  onClose: () => void;
}

const NOWHERE = { project_id: 0, report_id: 0 };

export function ReportHistory({ open, operation, state, onClose }: ReportHistoryProps) {
  const { result, frozen } = state.machine;
  const place = result === null ? null : { project_id: result.project_id, report_id: result.report_id };
  const report = useQuery({ ...reportQuery(place ?? NOWHERE), enabled: open && place !== null, staleTime: 0 });
  const goTo = async (rev: number): Promise<void> => {
    if (place === null) return;
    const then = await queryClient.fetchQuery(reportQuery(place, rev));
    operation.run.open(
      { ...place, key: then.key, rev, report: then.document, cached: true, stopped: then.document.stopped },
      frozen,
    );
    operation.commit({ vid: then.vid ?? operation.work.vid, form: then.form }, `回到第 ${rev} 次结果`);
  };
  return (
    <HistoryDrawer
      open={open}
      history={state.history}
      revisions={report.data?.history ?? []}
      rev={result?.rev ?? null}
      onGo={(steps) => operation.goTo(steps)}
      onRevision={(rev) => void goTo(rev).catch(() => undefined)}
      onClose={onClose}
    />
  );
}
