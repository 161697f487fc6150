/** Acts that stop what somebody has under way: a run that holds up the queue, a share that must not be read. */
import { Fault } from '../../../lib/errors.ts';
import { ownerOf } from '../../../lib/guard.ts';
import { isOpen } from '../../runs/service.ts';
import { define, nothing } from '../act.ts';
import type { Act } from '../act.ts';
import { idOf } from '../context.ts';
import type { Context } from '../context.ts';

export function safetyActs({ db, runs, reports: { shareDesk } }: Context): Act[] {
  const openRun = async (target: string) => {
    const run = await runs.desk.find(db, idOf(target) ?? 0);
    return run && isOpen(run) ? run : null;
  };
  return [
    define({
      act: 'run.cancel',
      title: '取消任务',
      kind: 'run',
      roles: ['运维'],
      danger: true,
      payload: nothing,
      fields: [],
      async look(executor, target) {
        const run = await runs.desk.find(executor, idOf(target) ?? 0);
        return run && { name: `任务 ${run.id}`, owner: run.userId, version: null, before: { state: run.state } };
      },
      async demand({ target }) {
        if (!(await openRun(target))) throw new Fault(30602);
      },
      // The engine is told, and the run ends in a transaction of its own: its finisher may have much to write.
      async outside(target) {
        const run = await openRun(target);
        if (run) await runs.cancel(ownerOf(run), run.id);
      },
      async run({ tx, target }) {
        const ended = await runs.desk.find(tx, idOf(target) ?? 0);
        if (!ended) throw new Fault(30093);
        const { kind, state, userId, ownerKind, ownerId } = ended;
        return { before: null, after: { kind, state, userId, ownerKind, ownerId } };
      },
    }),
    define({
      act: 'share.stop',
      title: '停止分享',
      kind: 'share',
      roles: ['内容'],
      danger: true,
      payload: nothing,
      fields: [],
      async look(executor, target) {
        const share = await shareDesk.find(executor, idOf(target) ?? 0);
        return (
          share && {
            name: `分享 ${share.id}`,
            owner: share.createdBy,
            version: null,
            before: { endedAt: share.endedAt },
          }
        );
      },
      async run({ tx, target }) {
        const id = idOf(target) ?? 0;
        const before = await shareDesk.find(tx, id);
        if (!before || !(await shareDesk.stop(tx, id))) throw new Fault(30408, { detail: '分享已经结束' });
        return { before, after: await shareDesk.find(tx, id) };
      },
    }),
  ];
}
