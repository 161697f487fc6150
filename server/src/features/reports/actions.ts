/** What an owner does with a report, one act per call, each with its line in the history. */
import type { Tx } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import type { Projects } from '../projects/service.ts';
import type { HistoryRow } from '../projects/schema.ts';
import type { ReportAct } from './schema.ts';
import { setBin, updateReport } from './store.ts';
import type { ListedReport, ReportChange } from './store.ts';

interface Effect {
  change: ReportChange;
  act: HistoryRow['act'];
  text: string;
}

function effectOf(row: ListedReport, act: ReportAct): Effect {
  if ('name' in act)
    return { change: { title: act.name, titled: true }, act: 'renamed', text: `“${row.title}”改名为“${act.name}”` };
  if ('pinned' in act)
    return {
      change: { pinned: act.pinned },
      act: act.pinned ? 'pinned' : 'unpinned',
      text: `${row.title}：${act.pinned ? '置顶' : '取消置顶'}`,
    };
  if ('note' in act) return { change: { note: act.note }, act: 'noted', text: `${row.title}：修改备注` };
  if ('frozen' in act)
    return {
      change: { frozen: act.frozen },
      act: act.frozen ? 'frozen' : 'unfrozen',
      text: `${row.title}：${act.frozen ? '冻结' : '解除冻结'}`,
    };
  if ('rev' in act) return { change: { rev: act.rev }, act: 'rev', text: `${row.title}：恢复到第 ${act.rev} 版` };
  return { change: {}, act: 'restored', text: `${row.title}：从回收站恢复` };
}

export async function applyAction(tx: Tx, projects: Projects, row: ListedReport, act: ReportAct): Promise<void> {
  if ('rev' in act && row.frozen) throw new Fault(30603);
  const { change, act: name, text } = effectOf(row, act);
  if ('restore' in act) {
    await setBin(tx, row.rid, false);
    await projects.revive(tx, row.projectId);
  } else {
    await updateReport(tx, row.rid, change);
  }
  const title = 'name' in act ? act.name : row.title;
  await projects.log(tx, row.projectId, {
    act: name,
    text,
    rid: row.rid,
    rev: 'rev' in act ? act.rev : row.rev,
    title,
  });
}
