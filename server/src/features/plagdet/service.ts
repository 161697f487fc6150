/**
 * Texts compared with their owner's library, or two with each other. A checked file joins no library; it is deleted once it
 * has been read, its text and report after the stated days. Every figure is of now: what left the library counts no more.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { dayOf, dayRange, databaseClock } from '../../lib/clock.ts';
import type { Tx } from '../../lib/db.ts';
import type { Deps } from '../../lib/deps.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { ownerOf, refuseDemo } from '../../lib/guard.ts';
import type { Actor, Owner } from '../../lib/guard.ts';
import { json, pathPart } from '../../lib/owner-data.ts';
import type { OwnerFile } from '../../lib/owner-data.ts';
import type { Membership } from '../membership/service.ts';
import type { Points } from '../points/service.ts';
import type { Outcome, RunRow, Runs } from '../runs/service.ts';
import { reportHtml } from './export.ts';
import { figuresOf, livingMatches, sourcesOf } from './figures.ts';
import { createLibrary, libraryOf, LIMITS, wireDocument } from './library.ts';
import { PLAGDET, StoredReport } from './schema.ts';
import type { Check, Claims, Excerpt, LibraryDocument, Report, Scope } from './schema.ts';
import { newShelfKey, Shelf } from './shelf.ts';
import * as store from './store.ts';
import type { CheckRow } from './tables.ts';

const CHECK = 'plagdet_check';
const TITLE = '文本查重';
/** The number of the second text where two are compared with each other. */
const OTHER = 0;
const DAY_MS = 86_400_000;
const ORPHAN_MS = 6 * 3_600_000;

const Payload = z.looseObject({
  file: z.string(),
  scope: z.string().nullable(),
  other: z.looseObject({ file: z.string() }).nullable(),
});
const Answer = z.object({ characters: z.number() });

/** The same file against the same library: that check is the answer. */
class Known extends Error {
  readonly check: CheckRow;
  constructor(check: CheckRow) {
    super();
    this.check = check;
  }
}

export interface Upload {
  name: string;
  bytes: Buffer;
}

export type Plagdet = ReturnType<typeof createPlagdet>;

interface Around extends Pick<Deps, 'clock' | 'config' | 'db'> {
  runs: Runs;
  points: Points;
  membership: Pick<Membership, 'editions'>;
  /** A page of HTML as PDF. */
  print: (html: string) => Promise<Uint8Array>;
}

const wire = (row: CheckRow): Check => ({
  id: row.id,
  name: row.name,
  other_name: row.otherName,
  run_id: row.runId,
  state: row.state,
  reason: row.reason,
  documents: row.documents,
  points: row.points,
  figures: row.figures,
  created_at: row.createdAt.toISOString(),
  expires_at: row.expiresAt.toISOString(),
});

const pointsKey = (id: number): string => `plagdet:${id}`;

export function createPlagdet({ clock = databaseClock, config, db, runs, points, membership, print }: Around) {
  const shelf = new Shelf(config.data);
  const limits = async (owner: Owner) => store.limitsOf(db, await membership.editions.editionOf(db, owner));
  const library = createLibrary({ db, runs, shelf, limits });

  runs.registerPrepared(CHECK, async (run, outcome) => {
    const row = await store.checkOfRun(db, run.id);
    const report = row && outcome.state === 'done' ? await storedReport(row) : null;
    return (tx, ended, end) => settle(tx, ended, end, report);
  });
  runs.retryOnce(CHECK, LIMITS);

  async function storedReport(row: CheckRow): Promise<StoredReport | null> {
    const text = await shelf.text(row.reportKey);
    return text === null ? null : StoredReport.parse(JSON.parse(text));
  }

  /** In the transaction that ends the run: the figures, or the points given back with the reason. */
  async function settle(tx: Tx, run: RunRow, outcome: Outcome, report: StoredReport | null): Promise<unknown> {
    const { file, scope, other } = Payload.parse(run.payload);
    void shelf.remove(file, scope, other?.file ?? null).catch(() => undefined);
    const row = await store.checkOfRun(tx, run.id);
    if (!row) return null;
    const answer = Answer.safeParse(outcome.result);
    if (outcome.state === 'done' && answer.success && report) {
      const figures = figuresOf(report, row.claims, await livingOf(tx, ownerOf(run)));
      await store.settleCheck(tx, row.id, { state: 'done', characters: answer.data.characters, figures });
      return { check_id: row.id };
    }
    if (row.points > 0) await points.giveBack(tx, ownerOf(run), pointsKey(row.id), `${TITLE}退回`);
    const isCancelled = outcome.state === 'cancelled';
    const why = isCancelled
      ? '已取消'
      : (outcome.refusal?.fields[0]?.text ?? outcome.error?.text ?? '没有完成，请重试');
    const reason = row.points > 0 ? `${why}（已退回 ${row.points} 点）` : why;
    await store.settleCheck(tx, row.id, { state: isCancelled ? 'cancelled' : 'failed', reason, points: 0 });
    return null;
  }

  async function livingOf(executor: Tx | typeof db, owner: Owner): Promise<Set<number>> {
    return new Set([OTHER, ...(await store.readyDocuments(executor, owner)).map(({ id }) => id)]);
  }

  async function find(owner: Owner, id: number): Promise<CheckRow> {
    const row = await store.findCheck(db, owner, id, await clock(db));
    if (!row) throw missing();
    return row;
  }

  async function finished(owner: Owner, id: number): Promise<{ row: CheckRow; report: StoredReport; text: string }> {
    const row = await find(owner, id);
    if (row.state !== 'done') throw new Fault(30176);
    const [report, text] = await Promise.all([storedReport(row), shelf.text(row.textKey)]);
    if (!report || text === null) throw missing();
    return { row, report, text };
  }

  async function usedToday(executor: Tx | typeof db, owner: Owner, now: Date): Promise<number> {
    return store.freeSince(executor, owner, dayRange(dayOf(now)).from);
  }

  function demandFile({ bytes }: Upload): void {
    if (bytes.length === 0) throw new Fault(30177);
    if (bytes.length > PLAGDET.bytes) throw new Fault(30173);
  }

  /** What a check is compared with, as it is now: as files for the engine, and as a digest. */
  async function scopeOf(owner: Owner, other: Upload | null) {
    if (other) return { list: [], digest: createHash('sha256').update(other.bytes).digest('hex') };
    const list = await store.readyDocuments(db, owner);
    if (list.length === 0) throw new Fault(30171);
    return {
      list,
      digest: createHash('sha256')
        .update(list.map(({ id }) => id).join())
        .digest('hex'),
    };
  }

  async function start(actor: Actor, file: Upload, other: Upload | null, pay: boolean): Promise<Check> {
    const { owner, userId } = actor;
    demandFile(file);
    if (other) demandFile(other);
    const { list, digest: compared } = await scopeOf(owner, other);
    const digest = createHash('sha256').update(file.bytes).update(compared).digest('hex');
    const now = await clock(db);
    const known = await store.sameCheck(db, owner, digest, now);
    if (known) return wire(known);
    const bounds = await limits(owner);
    const isFree = !pay && (await usedToday(db, owner, now)) < bounds.checksDay;
    if (!isFree) demandPrice(bounds.price, pay, bounds.checksDay);
    const price = isFree ? 0 : (bounds.price ?? 0);
    const keys = { textKey: newShelfKey(), reportKey: newShelfKey(), otherKey: other ? newShelfKey() : null };
    const fileKey = await shelf.put(file.bytes);
    const otherFile = other && (await shelf.put(other.bytes));
    const scopeKey = other ? null : await shelf.putJson({ segments: bySegment(list) });
    const payload = {
      act: 'check',
      file: fileKey,
      name: file.name,
      scope: scopeKey,
      other: other && { file: otherFile, name: other.name, text: keys.otherKey },
      text: keys.textKey,
      report: keys.reportKey,
      most: isFree ? bounds.freeCharacters : null,
    };
    let id = 0;
    try {
      await runs.submit(
        { owner, userId, kind: CHECK, engineKind: 'plagdet', payload, ...LIMITS },
        async (tx, runId) => {
          await store.lockLibrary(tx, owner);
          const again = await store.sameCheck(tx, owner, digest, now);
          if (again) throw new Known(again);
          if (isFree && (await usedToday(tx, owner, now)) >= bounds.checksDay)
            demandPrice(bounds.price, false, bounds.checksDay);
          const row = await store.insertCheck(tx, {
            ...libraryOf(actor),
            ...keys,
            name: file.name,
            otherName: other?.name ?? null,
            runId,
            digest,
            documents: other ? 1 : list.length,
            points: price,
            expiresAt: new Date(now.getTime() + bounds.keptDays * DAY_MS),
          });
          ({ id } = row);
          if (price > 0)
            await points.spend(tx, owner, price, {
              kind: 'use',
              key: pointsKey(row.id),
              title: TITLE,
              ref: String(row.id),
            });
        },
      );
    } catch (error) {
      await shelf.remove(fileKey, otherFile, scopeKey);
      if (error instanceof Known) return wire(error.check);
      throw error;
    }
    return wire(await find(owner, id));
  }

  function demandPrice(price: number | null, pay: boolean, n: number): void {
    if (price === null) throw new Fault(30178, { n });
    if (!pay) throw new Fault(30172, { n, price });
  }

  async function read(owner: Owner, id: number): Promise<Report> {
    const { row, report, text } = await finished(owner, id);
    const names = new Map((await store.readyDocuments(db, owner)).map((one) => [one.id, one.name]));
    if (row.otherName !== null) names.set(OTHER, row.otherName);
    const living = new Set(names.keys());
    const figures = figuresOf(report, row.claims, living);
    const sources = sourcesOf(report, row.claims, living, (document) => names.get(document) ?? '');
    const gone = new Set(report.matches.map(({ document }) => document).filter((one) => !living.has(one)));
    const quoted = new Set(row.claims.quoted);
    const passages = livingMatches(report, living);
    return {
      check: { ...wire(row), figures },
      text,
      figures,
      sources,
      passages: passages.map(({ match, no }) => ({
        no,
        document: match.document,
        kind: match.kind,
        start: match.span[0],
        end: match.span[1],
        chain: match.chain,
        ratio: match.ratio,
        documents: match.documents,
        quoted: quoted.has(no),
      })),
      parts: report.parts.map(({ kind, span }) => ({ kind, start: span[0], end: span[1] })),
      notes: report.notes,
      pages: report.pages,
      // Only what is still there to be said something of, each once: these are counted for the reader.
      claims: {
        quoted: passages.filter(({ no }) => quoted.has(no)).map(({ no }) => no),
        own: sources.filter((source) => source.is_own).map(({ document }) => document),
        count: row.claims.count,
      },
      removed: gone.size,
    };
  }

  return {
    async scope({ owner }: Actor): Promise<Scope> {
      const bounds = await limits(owner);
      const { ready, waiting, characters } = await store.totals(db, owner);
      return {
        documents: ready,
        characters,
        waiting,
        run_id: await store.openAdding(db, owner),
        limits: {
          edition: bounds.edition,
          checks_day: bounds.checksDay,
          free_characters: bounds.freeCharacters,
          documents: bounds.documents,
          price: bounds.price,
          kept_days: bounds.keptDays,
        },
        used_today: await usedToday(db, owner, await clock(db)),
        balance: owner.kind === 'user' ? (await points.account(db, owner)).user_ai_point : 0,
      };
    },

    start,
    read,

    async check(owner: Owner, id: number): Promise<Check> {
      return wire(await find(owner, id));
    },

    async checks(owner: Owner, page: { page: number; page_size: number }) {
      const { total, list } = await store.pageOfChecks(db, owner, page, await clock(db));
      return { total, list: list.map(wire) };
    },

    /** The passage where it comes from, with what stands around it, and no more. */
    async excerpt(owner: Owner, id: number, no: number): Promise<Excerpt> {
      const { row, report } = await finished(owner, id);
      const match = report.matches[no];
      if (!match) throw missing();
      const isOther = match.document === OTHER && row.otherName !== null;
      const document = isOther ? null : await store.findDocument(db, owner, match.document);
      if (!isOther && document?.state !== 'ready') throw missing();
      const text = await shelf.text(document?.textKey ?? row.otherKey ?? '');
      if (text === null) throw missing();
      const [start, end] = match.source;
      return {
        name: document?.name ?? row.otherName ?? '',
        before: text.slice(Math.max(0, start - PLAGDET.around), start),
        passage: text.slice(start, end),
        after: text.slice(end, end + PLAGDET.around),
      };
    },

    /** What the author says is counted anew and free, and stays the author's word. */
    async claim(actor: Actor, id: number, claims: Claims): Promise<Report> {
      refuseDemo(actor);
      const { row, report } = await finished(actor.owner, id);
      await store.claim(db, row.id, claims, figuresOf(report, claims, await livingOf(db, actor.owner)));
      return read(actor.owner, id);
    },

    async remove(actor: Actor, id: number): Promise<void> {
      refuseDemo(actor);
      const begun = await find(actor.owner, id);
      if (begun.state === 'running') await runs.cancel(actor.owner, begun.runId);
      const row = await find(actor.owner, id);
      // The free ones of a day stay counted, or deleting would make them endless.
      if (row.state === 'done' && row.points === 0) await store.emptyCheck(db, row.id);
      else await store.deleteCheck(db, row.id);
      await shelf.remove(row.textKey, row.otherKey, row.reportKey);
    },

    async export(
      owner: Owner,
      id: number,
      format: 'html' | 'pdf',
    ): Promise<{ name: string; type: string; bytes: Uint8Array }> {
      const report = await read(owner, id);
      const html = reportHtml(report);
      const stem = `查重_${pathPart(report.check.name.replace(/\.\w{1,5}$/, ''))}`;
      return format === 'pdf'
        ? { name: `${stem}.pdf`, type: 'application/pdf', bytes: await print(html) }
        : { name: `${stem}.html`, type: 'text/html; charset=utf-8', bytes: new TextEncoder().encode(html) };
    },

    /** A document for the library: read when the library is next indexed. */
    async addDocument(actor: Actor, file: Upload, consents: boolean): Promise<LibraryDocument> {
      refuseDemo(actor);
      if (!consents) throw new Fault(30175);
      demandFile(file);
      const uploadKey = await shelf.put(file.bytes);
      try {
        return wireDocument(await library.admit(actor, file.name, { uploadKey }));
      } catch (error) {
        await shelf.remove(uploadKey);
        throw error;
      }
    },

    /** The text of a check joins the library, since its owner says so. */
    async keep(actor: Actor, id: number): Promise<{ run_id: number | null }> {
      refuseDemo(actor);
      const { row } = await finished(actor.owner, id);
      await library.admit(actor, row.name, { fromKey: row.textKey });
      return library.index(actor);
    },

    index: library.index,

    async documents(owner: Owner, page: { page: number; page_size: number }) {
      const { total, list } = await store.pageOfDocuments(db, owner, page);
      return { total, list: list.map(wireDocument) };
    },

    async removeDocument(actor: Actor, id: number): Promise<void> {
      refuseDemo(actor);
      await library.remove(actor.owner, id);
    },

    async tidy(): Promise<void> {
      const now = await clock(db);
      for (const row of await store.deleteExpired(db, now, dayRange(dayOf(now)).from))
        await shelf.remove(row.textKey, row.otherKey, row.reportKey);
      await library.tidy(now);
      await shelf.sweep(await store.knownKeys(db), ORPHAN_MS);
    },

    async *belongings(owner: Owner): AsyncGenerator<OwnerFile> {
      const { documents, checks } = store.allOf(db, owner);
      const [library_, list] = [await documents, await checks];
      if (library_.length > 0) yield json('plagdet/library.json', library_.map(wireDocument));
      for (const { id, name, textKey } of library_) {
        const text = await shelf.text(textKey);
        if (text !== null)
          yield { path: `plagdet/library/${id}_${pathPart(name)}.txt`, content: new TextEncoder().encode(text) };
      }
      if (list.length > 0)
        yield json(
          'plagdet/checks.json',
          list.map((row) => ({ ...wire(row), claims: row.claims })),
        );
      for (const row of list) {
        const text = row.state === 'done' ? await shelf.text(row.textKey) : null;
        if (text !== null)
          yield { path: `plagdet/checks/${row.id}_${pathPart(row.name)}.txt`, content: new TextEncoder().encode(text) };
      }
    },

    /** Whether a person keeps a library or results, so that the account is not an empty one. */
    holds: (executor: typeof db, userId: number): Promise<boolean> => store.holdsAny(executor, userId),

    /** Files go with the next tidying, which removes what no row names. */
    forget: store.forget,
  };
}

function bySegment(list: readonly { id: number; textKey: string; segmentKey: string | null }[]) {
  const segments = new Map<string, [number, string][]>();
  for (const { id, textKey, segmentKey } of list) {
    if (segmentKey === null) continue;
    const documents = segments.get(segmentKey);
    if (documents) documents.push([id, textKey]);
    else segments.set(segmentKey, [[id, textKey]]);
  }
  return [...segments].map(([key, documents]) => ({ key, documents }));
}
