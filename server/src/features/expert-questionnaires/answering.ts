/** What a stranger with a link may do: read, join, save, submit, withdraw. Unknown and revoked links are never told apart. */
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, tooMany } from '../../lib/errors.ts';
import { ownerOf } from '../../lib/guard.ts';
import type { Owner } from '../../lib/guard.ts';
import type { Limiter } from '../../lib/limits.ts';
import { createSemaphore } from '../../lib/semaphore.ts';
import type { Membership } from '../membership/service.ts';
import { expertCode } from './links.ts';
import type { Links } from './links.ts';
import { askedKeys, demandAnswer, demandWhole, isAboutOneself } from './questions.ts';
import { LIMITS } from './schema.ts';
import type { AnswerPage, AnswersBody, Content, Joined, Saved, Stored, Submitted } from './schema.ts';
import * as store from './store.ts';
import type { ExpertRow, ProjectRow, RoundRow, SheetRow } from './tables.ts';
import { plainValues } from './views.ts';

/** Wrong codes per hour and network before it must wait. */
const MISSES = 300;
/** Saves of one sheet in a minute. */
const SAVES = 60;
/** Calls of experts at once: however many come together, they wait here and leave connections to everybody else. */
const AT_ONCE = 6;
/** A link lives so long after the end of its last round. */
const LINK_DAYS = 30;

interface Parts {
  db: Db;
  links: Links;
  limiter: Limiter;
  membership: Membership;
}

const ownerOfProject = ({ ownerKind, ownerId, createdBy }: ProjectRow): Owner =>
  ownerOf({ ownerKind: ownerKind === 'enterprise' ? 'enterprise' : 'user', ownerId, userId: createdBy ?? ownerId });

export function createAnswering({ db, links, limiter, membership }: Parts) {
  /** What a wrong link costs the network it came from. */
  function unknown(network: string): Fault {
    const wait = limiter.take(`expert miss ${network}`, MISSES, 3600);
    return wait > 0 ? tooMany(wait) : new Fault(32101);
  }

  async function enter(code: string, network: string): Promise<{ project: ProjectRow; expert: ExpertRow }> {
    const found = await store.findByDigest(db, links.digest(code));
    if (!found) throw unknown(network);
    return found;
  }

  /** The round an expert may write into; held open until the transaction ends, and nobody withdraws meanwhile. */
  async function openRound(tx: Tx, { project, expert }: { project: ProjectRow; expert: ExpertRow }): Promise<RoundRow> {
    const person = await store.findPerson(tx, project.id, expert.id, 'update');
    if (!person || person.withdrawnAt) throw new Fault(32104);
    const round = (await store.listRounds(tx, project.id)).at(-1);
    const held = round && (await store.findRound(tx, project.id, round.number, 'share'));
    if (!held) throw new Fault(32102);
    if (held.state !== 'open') throw closedFault(held);
    return held;
  }

  async function saveInto(tx: Tx, sheet: SheetRow, given: AnswersBody['answers']): Promise<Record<string, Stored>> {
    const there = (await store.readAnswers(tx, [sheet.id])).get(sheet.id) ?? new Map<string, Stored>();
    const conflicts: Record<string, Stored> = {};
    const fresh = new Map<string, AnswersBody['answers'][number]>();
    for (const answer of given) {
      const stored = there.get(answer.key);
      if (!stored || answer.revision > stored.revision) fresh.set(answer.key, answer);
      else if (JSON.stringify(stored.value) !== JSON.stringify(answer.value)) conflicts[answer.key] = stored;
    }
    await store.insertAnswers(tx, sheet.id, [...fresh.values()]);
    return conflicts;
  }

  const inTurn = createSemaphore(AT_ONCE);

  const acts = {
    async read(code: string, network: string): Promise<AnswerPage> {
      const digest = links.digest(code);
      const open = await store.findPublic(db, digest);
      if (open) return publicPage(open);
      const { project, expert } = await enter(code, network);
      if (!expert.openedAt) await store.updatePerson(db, expert.id, { openedAt: new Date() });
      const round = await store.findRound(db, project.id, project.round);
      if (round?.closedAt && Date.now() - round.closedAt.getTime() > LINK_DAYS * 86_400_000) throw unknown(network);
      return personalPage(project, expert, round);
    },

    /** From the link of everybody to one of one's own, by which one comes back. */
    async join(code: string, network: string): Promise<Joined> {
      return db.transaction(async (tx) => {
        const project = await store.findPublic(tx, links.digest(code), true);
        if (!project) throw unknown(network);
        const round = await store.findRound(tx, project.id, project.round);
        if (round?.state !== 'open') throw round ? closedFault(round) : new Fault(32102);
        const { questionnaires } = await membership.editions.limitsOf(tx, ownerOfProject(project));
        const most = questionnaires ? LIMITS.experts : LIMITS.freeExperts;
        if ((await store.countPeople(tx, project.id)) >= most) throw new Fault(32105);
        const digest = (id: number) => links.digest(links.personal(id, 1));
        const expert = await store.insertPerson(tx, project.id, { channel: 'public', name: null, digest });
        await store.countInvited(tx, project.id, round.number);
        return { quescode: links.personal(expert.id, 1) };
      });
    },

    async save(code: string, network: string, { answers }: AnswersBody): Promise<Saved> {
      const found = await enter(code, network);
      const wait = limiter.take(`expert save ${found.expert.id}`, SAVES, 60);
      if (wait > 0) throw tooMany(wait);
      return db.transaction(async (tx) => {
        const round = await openRound(tx, found);
        const { content } = await store.findVersion(tx, found.project.id, round.version);
        const asked = new Set(askedKeys(found.project.kind, content, round.items));
        for (const { key, value } of answers) demandAnswer(asked, content.protocol, key, value);
        const sheet = await store.holdSheet(tx, found.project.id, round.number, found.expert.id);
        const conflicts = await saveInto(tx, sheet, answers);
        const isLate = sheet.isLate || (sheet.submittedAt === null && isAfter(round));
        const { savedAt } = await store.updateSheet(tx, sheet.id, isLate, false);
        if (!found.expert.consentedAt) await store.updatePerson(tx, found.expert.id, { consentedAt: new Date() });
        return { saved_at: savedAt.toISOString(), conflicts };
      });
    },

    async submit(code: string, network: string): Promise<Submitted> {
      const found = await enter(code, network);
      return db.transaction(async (tx) => {
        const round = await openRound(tx, found);
        const sheet = await store.holdSheet(tx, found.project.id, round.number, found.expert.id);
        const mine = await store.sheetsOf(tx, found.expert.id);
        const read = await store.readAnswers(
          tx,
          mine.map(({ id }) => id),
        );
        const given = read.get(sheet.id);
        if (!given || given.size === 0) throw new Fault(32106, { text: '还没有作答，请至少回答一题再提交' });
        const { content } = await store.findVersion(tx, found.project.id, round.version);
        const questions = [...given.keys()].filter((key) => !isAboutOneself(key));
        // Of oneself one tells once, in whatever round; what was cleared again is not told.
        const told = [...read.values()]
          .flatMap((said) => [...said])
          .filter(([key, { value }]) => isAboutOneself(key) && value !== null && value !== '')
          .map(([key]) => key);
        demandWhole(found.project.kind, content, round.items, new Set([...questions, ...told]));
        const late = sheet.submittedAt === null ? isAfter(round) : sheet.isLate;
        const { submittedAt } = await store.updateSheet(tx, sheet.id, late, true);
        return { submitted_at: (submittedAt ?? new Date()).toISOString(), late };
      });
    },

    /** No further questions. What is in the open round goes; what was analysed stays, as the consent says. */
    async withdraw(code: string, network: string): Promise<void> {
      const { project, expert } = await enter(code, network);
      await db.transaction(async (tx) => {
        // Waits for a save that is under way, so that none writes a sheet after this one took it away.
        await store.updatePerson(tx, expert.id, { withdrawnAt: new Date() });
        const round = await store.findRound(tx, project.id, project.round, 'share');
        await store.deleteSheets(tx, expert.id, round?.state === 'open' ? round.number : null);
      });
    },
  };

  return {
    read: (code: string, network: string) => inTurn(() => acts.read(code, network)),
    join: (code: string, network: string) => inTurn(() => acts.join(code, network)),
    save: (code: string, network: string, body: AnswersBody) => inTurn(() => acts.save(code, network, body)),
    submit: (code: string, network: string) => inTurn(() => acts.submit(code, network)),
    withdraw: (code: string, network: string) => inTurn(() => acts.withdraw(code, network)),
  };

  async function publicPage(project: ProjectRow): Promise<AnswerPage> {
    const round = await store.findRound(db, project.id, project.round);
    const content = round ? (await store.findVersion(db, project.id, round.version)).content : project.content;
    return { ...pageOf(project, content, round), channel: 'public', items: [], feedback: [] };
  }

  async function personalPage(project: ProjectRow, expert: ExpertRow, round: RoundRow | null): Promise<AnswerPage> {
    const content = round ? (await store.findVersion(db, project.id, round.version)).content : project.content;
    const page = pageOf(project, content, round);
    const mine = await store.sheetsOf(db, expert.id);
    const now = mine.find((sheet) => sheet.round === project.round);
    const read = await store.readAnswers(
      db,
      mine.map(({ id }) => id),
    );
    const isGone = expert.withdrawnAt !== null;
    const own = (sheet: SheetRow | undefined) =>
      (sheet && !isGone ? read.get(sheet.id) : null) ?? new Map<string, Stored>();
    return {
      ...page,
      ...(isGone ? { state: 'withdrawn' as const, items: [], feedback: [] } : {}),
      expert: expertCode(expert.number),
      consented: expert.consentedAt !== null,
      submitted_at: now?.submittedAt?.toISOString() ?? null,
      answers: Object.fromEntries(own(now)),
      // Of each question the last answer: who missed a round sees the one before it.
      before: Object.fromEntries(
        mine.filter(({ round: at }) => at < project.round).flatMap((sheet) => [...plainValues(own(sheet))]),
      ),
    };
  }
}
export type Answering = ReturnType<typeof createAnswering>;

const isAfter = ({ dueAt }: RoundRow): boolean => dueAt.getTime() < Date.now();

const closedFault = ({ closedAt, dueAt }: RoundRow): Fault => new Fault(32103, { at: shownMinute(closedAt ?? dueAt) });

/** 11月27日 16:00, in the time of China. */
const shownMinute = (at: Date): string =>
  new Intl.DateTimeFormat('zh-CN', {
    timeZone: 'Asia/Shanghai',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at);

/** What every expert is asked in this round. */
function pageOf(project: ProjectRow, content: Content, round: RoundRow | null): AnswerPage {
  const asked = new Map(content.items.map((item) => [item.id, item]));
  return {
    channel: 'personal',
    state: round ? (round.state === 'open' ? 'open' : 'closed') : 'waiting',
    kind: project.kind,
    title: project.title,
    expert: null,
    background: content.background,
    consent: content.consent,
    organiser: content.organiser,
    items: (round?.items ?? []).flatMap((id) => asked.get(id) ?? []),
    tree: content.tree,
    alternatives: content.alternatives,
    protocol: content.protocol,
    round: round?.number ?? 0,
    due_at: round?.dueAt.toISOString() ?? null,
    closed_at: round?.closedAt?.toISOString() ?? null,
    consented: false,
    submitted_at: null,
    answers: {},
    feedback: round?.feedback ?? [],
    before: {},
  };
}
