/** The experts of a project: added, given links, watched while they answer. Who said what is not shown here. */
import { DAY_MS } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { missing } from '../../lib/errors.ts';
import type { Owner } from '../../lib/guard.ts';
import type { Membership } from '../membership/service.ts';
import { expertCode } from './links.ts';
import type { Links } from './links.ts';
import { demandPanel, wrong } from './projects.ts';
import type { Projects } from './projects.ts';
import { askedKeys } from './questions.ts';
import { LIMITS } from './schema.ts';
import type { Expert, Experts, Project } from './schema.ts';
import * as store from './store.ts';
import type { ExpertRow, ProjectRow, SheetRow } from './tables.ts';
import { plainValues, signsOf } from './views.ts';

interface Parts {
  db: Db;
  links: Links;
  membership: Membership;
  projects: Projects;
}

const stateOf = (expert: ExpertRow, sheet: SheetRow | undefined): Expert['state'] => {
  if (expert.withdrawnAt) return 'withdrawn';
  if (sheet?.submittedAt) return 'submitted';
  if (sheet) return 'working';
  return expert.openedAt ? 'opened' : 'invited';
};

export function createPanel({ db, links, membership, projects }: Parts) {
  async function list(project: ProjectRow): Promise<Experts> {
    const round = await store.findRound(db, project.id, project.round);
    const own = (await store.listSheets(db, project.id)).filter((sheet) => sheet.round === project.round);
    const read = await store.readAnswers(
      db,
      own.map(({ id }) => id),
    );
    const content = round ? (await store.findVersion(db, project.id, round.version)).content : project.content;
    const asked = new Set(askedKeys(project.kind, content, round?.items ?? content.items.map(({ id }) => id)));
    const people = await store.listPeople(db, project.id);
    const all = people.map(({ expert, name }): Expert => {
      const sheet = own.find(({ expertId }) => expertId === expert.id);
      const answered = [...(sheet ? (read.get(sheet.id)?.keys() ?? []) : [])].filter((key) => asked.has(key)).length;
      return {
        id: expert.id,
        code: expertCode(expert.number),
        name,
        channel: expert.channel,
        quescode: expert.withdrawnAt ? null : links.personal(expert.id, expert.serial),
        state: stateOf(expert, sheet),
        late: sheet?.isLate ?? false,
        answered,
        asked: asked.size,
        saved_at: sheet?.savedAt.toISOString() ?? null,
        signs:
          sheet && round?.state === 'closed' ? signsOf(sheet, asked, plainValues(read.get(sheet.id) ?? new Map())) : [],
        reminders: expert.reminders,
        reminded_at: expert.remindedAt?.toISOString() ?? null,
      };
    });
    return { total: all.length, list: all };
  }

  return {
    list: async (owner: Owner, pid: number): Promise<Experts> => list(await projects.load(owner, pid)),

    async add(owner: Owner, pid: number, names: readonly string[]): Promise<Experts> {
      await projects.alone(owner, pid, async (tx, row) => {
        if (row.state === 'finished') throw wrong('项目已经结束，不能再添加专家');
        const all = (await store.countPeople(tx, pid)) + names.length;
        if (all > LIMITS.experts) throw wrong(`最多 ${LIMITS.experts} 位专家`);
        await demandPanel(membership, tx, owner, all);
        for (const name of names) {
          const digest = (id: number) => links.digest(links.personal(id, 1));
          await store.insertPerson(tx, pid, { channel: 'personal', name, digest });
        }
        await store.countInvited(tx, pid, row.round);
      });
      return this.list(owner, pid);
    },

    /** Only who has not answered; others withdraw by themselves, and what they said stays told. */
    async remove(owner: Owner, pid: number, eid: number): Promise<void> {
      await projects.alone(owner, pid, async (tx, row) => {
        if (!(await store.findPerson(tx, pid, eid))) throw missing();
        const sheets = await store.listSheets(tx, pid);
        if (sheets.some(({ expertId }) => expertId === eid)) throw wrong('这位专家已经作答，不能删除');
        await store.deletePerson(tx, eid);
        await store.countInvited(tx, pid, row.round);
      });
    },

    /** A new link in place of the old one, which ends at once. */
    async renew(owner: Owner, pid: number, eid: number): Promise<Experts> {
      await projects.alone(owner, pid, async (tx) => {
        const expert = await store.findPerson(tx, pid, eid);
        if (!expert || expert.withdrawnAt) throw missing();
        const serial = expert.serial + 1;
        await store.updatePerson(tx, eid, { serial, digest: links.digest(links.personal(eid, serial)) });
      });
      return this.list(owner, pid);
    },

    /**
     * Notes that these have been reminded, by whatever way the owner writes to them: only who has not handed in, and each at
     * most once a day.
     */
    async remind(owner: Owner, pid: number, ids: readonly number[]): Promise<Experts> {
      await projects.alone(owner, pid, async (tx, row) => {
        const round = await store.findRound(tx, pid, row.round);
        if (round?.state !== 'open') throw wrong('本轮没有在收集，不用提醒');
        const handedIn = new Set(
          (await store.listSheets(tx, pid))
            .filter((sheet) => sheet.round === row.round && sheet.submittedAt !== null)
            .map(({ expertId }) => expertId),
        );
        for (const id of new Set(ids)) {
          const expert = await store.findPerson(tx, pid, id);
          if (!expert) throw missing();
          const code = expertCode(expert.number);
          if (expert.withdrawnAt) throw wrong(`${code} 已退出，不能再提醒`);
          if (handedIn.has(id)) throw wrong(`${code} 已经提交，不用提醒`);
          if (expert.remindedAt && Date.now() - expert.remindedAt.getTime() < DAY_MS)
            throw wrong(`${code} 一天内已经提醒过，请明天再提醒`);
          await store.updatePerson(tx, id, { remindedAt: new Date(), reminders: expert.reminders + 1 });
        }
      });
      return this.list(owner, pid);
    },

    /** The link for everybody, opened or ended; opened again it is another one. */
    publicLink: (owner: Owner, pid: number, open: boolean): Promise<Project> =>
      projects.alone(owner, pid, async (tx, row) => {
        if (!open) return store.updateProject(tx, pid, { publicDigest: null });
        if (row.publicDigest !== null) return;
        const publicSerial = row.publicSerial + 1;
        const publicDigest = links.digest(links.everybody(pid, publicSerial));
        await store.updateProject(tx, pid, { publicSerial, publicDigest });
      }),
  };
}
export type Panel = ReturnType<typeof createPanel>;
