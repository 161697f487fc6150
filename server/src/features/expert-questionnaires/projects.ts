/** Projects and their rounds, as the owner moves them on. */
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import type { Owner } from '../../lib/guard.ts';
import type { Membership } from '../membership/service.ts';
import { needsUpgrade } from '../membership/service.ts';
import type { Links } from './links.ts';
import { demandAskable } from './questions.ts';
import { Content, LIMITS } from './schema.ts';
import type {
  FeedbackCard,
  FinishBody,
  NewProject,
  NextRound,
  Project,
  ProjectChange,
  ProjectList,
  RoundChange,
} from './schema.ts';
import * as store from './store.ts';
import type { ProjectRow, RoundRow } from './tables.ts';
import { cardsOf, projectView } from './views.ts';

const CONSENT =
  '本问卷用于学术或管理研究，自愿参加，可随时退出。您的答卷以编号保存，不与姓名一起公布；组织者可以知道哪份答卷是您的，其他专家不能。';

export const wrong = (text: string): Fault => new Fault(32106, { text });

const feature = (text: string, asked: number | null = null, max: number | null = null): Fault =>
  needsUpgrade(text, { limit: 'feature', max, asked, lifts: 'member' });

/** Where a panel is larger, or more is running, than the standard edition asks at once. */
export async function demandPanel(membership: Membership, db: Db, owner: Owner, experts: number): Promise<void> {
  const { questionnaires } = await membership.editions.limitsOf(db, owner);
  if (questionnaires || experts <= LIMITS.freeExperts) return;
  throw feature(`标准版的德尔菲问卷最多 ${LIMITS.freeExperts} 位专家，升级会员后不限`, experts, LIMITS.freeExperts);
}

export function createProjects({ db, links, membership }: { db: Db; links: Links; membership: Membership }) {
  const loadIn = async (at: Db, owner: Owner, pid: number): Promise<ProjectRow> => {
    const row = await store.findProject(at, owner, pid);
    if (!row) throw missing();
    return row;
  };
  const load = (owner: Owner, pid: number): Promise<ProjectRow> => loadIn(db, owner, pid);

  /** Work on one project, alone; answers with the project as it then is. */
  async function alone(owner: Owner, pid: number, work: (tx: Tx, row: ProjectRow) => Promise<void>): Promise<Project> {
    await db.transaction(async (tx) => {
      const row = await store.lockProject(tx, owner, pid);
      if (!row) throw missing();
      await work(tx, row);
    });
    return projectView(db, links, await load(owner, pid));
  }

  async function demandEdition(tx: Tx, owner: Owner, row: ProjectRow): Promise<void> {
    const { questionnaires } = await membership.editions.limitsOf(tx, owner);
    if (questionnaires) return;
    if (row.kind === 'ahp') throw feature('发布 AHP 问卷是会员功能，升级后可用');
    await demandTurn(tx, owner, row);
    await demandPanel(membership, tx, owner, await store.countPeople(tx, row.id));
  }

  /** The standard edition asks with one Delphi at a time: also where another comes back from the bin. */
  async function demandTurn(tx: Tx, owner: Owner, { id }: ProjectRow): Promise<void> {
    const { questionnaires } = await membership.editions.limitsOf(tx, owner);
    if (questionnaires) return;
    const running = await store.countRunning(tx, owner, 'delphi', id);
    if (running >= LIMITS.freeRunning)
      throw feature('标准版同时只能进行一个德尔菲问卷，请先结束它，或升级会员', running + 1, LIMITS.freeRunning);
  }

  async function openRound(
    tx: Tx,
    row: ProjectRow,
    round: Pick<RoundRow, 'items' | 'feedback' | 'version'> & { due: string },
  ): Promise<void> {
    const number = row.round + 1;
    await store.insertRound(tx, {
      projectId: row.id,
      number,
      version: round.version,
      items: round.items,
      feedback: round.feedback,
      invited: await store.countPeople(tx, row.id),
      dueAt: later(round.due),
    });
    await store.updateProject(tx, row.id, { state: 'collecting', round: number, version: round.version });
  }

  function demandAsked(round: RoundRow, decisions: NextRound['decisions']): void {
    const unknown = Object.keys(decisions).find((id) => !round.items.includes(id));
    if (unknown !== undefined) throw wrong('决定里有本轮没有问的指标，请刷新页面');
  }

  /** Ids of the items of a round and what becomes of them. */
  function remaining(round: RoundRow, content: Content, decisions: NextRound['decisions']): string[] {
    demandAsked(round, decisions);
    const there = new Set(content.items.map(({ id }) => id));
    const kept = round.items.filter((id) => (decisions[id] ?? 'again') === 'again' && there.has(id));
    const asked = new Set(round.items);
    const added = content.items.filter(({ id }) => !asked.has(id)).map(({ id }) => id);
    return [...kept, ...added];
  }

  return {
    load,

    async list(owner: Owner, bin = false): Promise<ProjectList> {
      const rows = await (bin ? store.listBin : store.listProjects)(db, owner);
      const { experts, rounds, submitted } = await store.countsOf(db, rows);
      const list = rows.map((row) => {
        const at = `${row.id}:${row.round}`;
        return {
          id: row.id,
          kind: row.kind,
          title: row.title,
          state: row.state,
          round: row.round,
          updated_at: row.updatedAt.toISOString(),
          experts: experts.get(row.id) ?? 0,
          submitted: submitted.get(at) ?? 0,
          due_at: row.state === 'collecting' ? (rounds.get(at)?.dueAt.toISOString() ?? null) : null,
          deleted_at: row.deletedAt?.toISOString() ?? null,
        };
      });
      return { total: list.length, list };
    },

    async make(owner: Owner, { kind, title, content: given }: NewProject): Promise<Project> {
      if ((await store.listProjects(db, owner)).length >= LIMITS.projects)
        throw wrong(`最多 ${LIMITS.projects} 个专家问卷，请先删去不用的`);
      const content = given ?? Content.parse({});
      if (content.consent === '') content.consent = CONSENT;
      return projectView(db, links, await store.insertProject(db, owner, { kind, title, content }));
    },

    /** Structure only: no experts, no answers. */
    async copy(owner: Owner, pid: number): Promise<Project> {
      const { kind, title, content } = await load(owner, pid);
      return this.make(owner, { kind, title: `${title.slice(0, 56)}（副本）`, content });
    },

    read: async (owner: Owner, pid: number): Promise<Project> => projectView(db, links, await load(owner, pid)),

    change: (owner: Owner, pid: number, { title, content, revision, reason }: ProjectChange): Promise<Project> =>
      alone(owner, pid, async (tx, row) => {
        if (row.revision !== revision) throw new Fault(32107, { text: '问卷已在别处修改，请刷新后再改' });
        const change = { title, revision: revision + 1 };
        if (row.state === 'draft') return store.updateProject(tx, pid, { ...change, content });
        if (JSON.stringify(row.content) === JSON.stringify(content)) return store.updateProject(tx, pid, change);
        if (row.state !== 'between') throw new Fault(32107, { text: '本轮正在收集，问卷内容不能修改；请先结束本轮' });
        if (reason === '') throw wrong('协议已冻结，修改将生成新版本并写入报告，请填写修改原因');
        demandAskable(row.kind, content);
        const version = (await store.listVersions(tx, pid)).length + 1;
        await store.insertVersion(tx, { projectId: pid, number: version, content, reason });
        return store.updateProject(tx, pid, { ...change, content, version });
      }),

    /** Into the bin, where answers are kept. */
    async remove(owner: Owner, pid: number): Promise<void> {
      await db.transaction(async (tx) => {
        if (!(await store.lockProject(tx, owner, pid))) throw missing();
        await store.updateProject(tx, pid, { deletedAt: new Date() });
      });
    },

    /** Out of the bin: its links work again. One that is not in the bin stays as it is. */
    async restore(owner: Owner, pid: number): Promise<Project> {
      await db.transaction(async (tx) => {
        if (await store.findProject(tx, owner, pid)) return;
        if ((await store.listProjects(tx, owner)).length >= LIMITS.projects)
          throw wrong(`最多 ${LIMITS.projects} 个专家问卷，请先删去不用的`);
        if (!(await store.restoreProject(tx, owner, pid))) throw missing();
        const row = await loadIn(tx, owner, pid);
        // A draft, or one that has ended, takes nobody's turn.
        if (row.kind === 'delphi' && (row.state === 'collecting' || row.state === 'between'))
          await demandTurn(tx, owner, row);
      });
      return this.read(owner, pid);
    },

    async removeForGood(owner: Owner, pid: number): Promise<void> {
      if (!(await store.deleteForGood(db, owner, pid))) throw missing();
    },

    /** Called every hour. */
    tidy: (): Promise<void> => store.deleteExpired(db),

    /** The first round: what is asked and how it is decided stand from now on. */
    publish: (owner: Owner, pid: number, due: string): Promise<Project> =>
      alone(owner, pid, async (tx, row) => {
        if (row.state !== 'draft') throw new Fault(32107, { text: '问卷已经发布' });
        demandAskable(row.kind, row.content);
        await demandEdition(tx, owner, row);
        await store.insertVersion(tx, { projectId: pid, number: 1, content: row.content, reason: '发布' });
        const items = row.kind === 'delphi' ? row.content.items.map(({ id }) => id) : [];
        await openRound(tx, row, { items, feedback: [], version: 1, due });
      }),

    changeRound: (owner: Owner, pid: number, change: RoundChange): Promise<Project> =>
      alone(owner, pid, async (tx, row) => {
        const round = await store.findRound(tx, pid, row.round, 'update');
        if (!round) throw new Fault(32107, { text: '问卷还没有发布' });
        const isOpen = round.state === 'open';
        if (change.act === 'reopen') {
          if (row.state !== 'between') throw new Fault(32107, { text: '只有刚结束、还没有开启下一轮的一轮能重新打开' });
          await store.updateRound(tx, pid, row.round, { state: 'open', dueAt: later(change.due_at), closed: false });
          await store.countInvited(tx, pid, row.round);
          return store.updateProject(tx, pid, { state: 'collecting' });
        }
        if (!isOpen) throw new Fault(32107, { text: '本轮已经结束' });
        if (change.act === 'extend') return store.updateRound(tx, pid, row.round, { dueAt: later(change.due_at) });
        await store.updateRound(tx, pid, row.round, { state: 'closed', closed: true });
        return store.updateProject(tx, pid, { state: 'between' });
      }),

    /** The next round of a Delphi, with what the experts said in the last one. */
    next: (owner: Owner, pid: number, { due_at: due, decisions, comments }: NextRound): Promise<Project> =>
      alone(owner, pid, async (tx, row) => {
        const round = await store.findRound(tx, pid, row.round, 'update');
        if (row.state !== 'between' || !round) throw new Fault(32107, { text: '请先结束本轮，再开启下一轮' });
        if (row.kind === 'ahp') throw wrong('AHP 问卷只有一轮，可以重新打开它继续收集');
        if (row.round >= row.content.protocol.max_rounds)
          throw wrong(`协议规定最多 ${row.content.protocol.max_rounds} 轮；确需再问请先修改协议并写明原因`);
        const items = remaining(round, row.content, decisions);
        if (items.length < 2) throw wrong('下一轮至少要有 2 个指标；若已全部决定，请结束项目');
        const { content } = await store.findVersion(tx, pid, round.version);
        const cards = await cardsOf(tx, round, content, await store.listSheets(tx, pid));
        const feedback = cards.map((card) => withComments(card, comments[card.item] ?? []));
        await store.updateRound(tx, pid, round.number, { decisions });
        await openRound(tx, row, { items, feedback, version: row.version, due });
      }),

    finish: (owner: Owner, pid: number, { decisions }: FinishBody): Promise<Project> =>
      alone(owner, pid, async (tx, row) => {
        const round = await store.findRound(tx, pid, row.round, 'update');
        if (row.state !== 'between' || !round) throw new Fault(32107, { text: '请先结束本轮，再结束项目' });
        demandAsked(round, decisions);
        await store.updateRound(tx, pid, round.number, { decisions });
        await store.updateProject(tx, pid, { state: 'finished' });
      }),

    alone,
  };
}
export type Projects = ReturnType<typeof createProjects>;

/** Of an item that too few scored nothing is told, comments neither. */
const withComments = (card: FeedbackCard, comments: string[]): FeedbackCard =>
  comments.length > 0 && card.counts.length > 0 ? { ...card, comments } : card;

function later(due: string): Date {
  const at = new Date(due);
  if (at.getTime() <= Date.now()) throw wrong('截止时间要晚于现在');
  return at;
}
