/**
 * The library: documents join it by their owner's consent only, in runs that each make a segment of the index; segments are
 * put together when they are many, and made anew without what was removed.
 */
import { z } from 'zod';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import type { Actor, Owner } from '../../lib/guard.ts';
import type { Outcome, RunRow, Runs } from '../runs/service.ts';
import { CONSENT, PLAGDET } from './schema.ts';
import type { LibraryDocument } from './schema.ts';
import { newShelfKey } from './shelf.ts';
import type { Shelf } from './shelf.ts';
import * as store from './store.ts';
import type { Library } from './store.ts';
import type { DocumentRow, LimitRow } from './tables.ts';

const ENGINE = 'plagdet';
const ADD = 'plagdet_add';
const MERGE = 'plagdet_merge';
export const LIMITS = { memoryMb: 2048, timeoutS: 300 };
/** Beyond so many, the smallest are put together. */
const SEGMENTS_MOST = 8;
const SEGMENT_DOCUMENTS = 2000;
const HOUR_MS = 3_600_000;
/** Ends of a run that come from the document it read, where it read only one. */
const ITS_OWN: ReadonlySet<Outcome['state']> = new Set(['refused', 'timeout', 'memory']);

const Added = z.object({
  documents: z.array(
    z.object({
      id: z.number(),
      characters: z.number().optional(),
      sha256: z.string().optional(),
      refusal: z.object({ code: z.string(), text: z.string() }).optional(),
    }),
  ),
});
const AddPayload = z.looseObject({ segment: z.string() });
const MergePayload = z.looseObject({ segment: z.string(), from: z.array(z.looseObject({ key: z.string() })) });
const Merged = z.object({ documents: z.array(z.number()) });

export const libraryOf = ({ owner, userId }: Pick<Actor, 'owner' | 'userId'>): Library => ({
  ownerKind: owner.kind,
  ownerId: owner.id,
  createdBy: userId,
});
const libraryOfRun = (run: RunRow): Library => ({
  ownerKind: run.ownerKind,
  ownerId: run.ownerId,
  createdBy: run.userId,
});

export const wireDocument = (row: DocumentRow): LibraryDocument => ({
  id: row.id,
  name: row.name,
  state: row.state,
  characters: row.characters,
  reason: row.reason,
  created_at: row.createdAt.toISOString(),
});

/** Another call has taken on the same documents. */
class Begun extends Error {}

interface Parts {
  db: Db;
  runs: Runs;
  shelf: Shelf;
  limits: (owner: Owner) => Promise<LimitRow>;
}

export function createLibrary({ db, runs, shelf, limits }: Parts) {
  runs.register(ADD, added);
  runs.register(MERGE, merged);
  for (const kind of [ADD, MERGE]) runs.retryOnce(kind, LIMITS);

  async function added(tx: Tx, run: RunRow, outcome: Outcome): Promise<unknown> {
    const answer = Added.safeParse(outcome.result);
    const { segment } = AddPayload.parse(run.payload);
    if (outcome.state !== 'done' || !answer.success) {
      const why = outcome.refusal?.fields[0]?.text ?? outcome.error?.text ?? null;
      const [only, ...others] = await store.documentsOfRun(tx, run.id);
      if (only && others.length === 0 && ITS_OWN.has(outcome.state)) {
        await store.settleDocument(tx, only.id, { state: 'refused', reason: why ?? '没有读到文字' });
        void shelf.remove(only.uploadKey).catch(() => undefined);
      } else await store.releaseRun(tx, run.id, outcome.state === 'cancelled' ? null : why);
      return null;
    }
    const library = libraryOfRun(run);
    const rows = await store.documentsOfRun(tx, run.id);
    const known = new Map(answer.data.documents.map((one) => [one.id, one]));
    const fresh = rows.filter(({ id }) => known.get(id)?.sha256 !== undefined);
    if (fresh.length > 0) await store.insertSegment(tx, segment, library, answer.data.documents.length);
    for (const row of rows) {
      const { characters = null, sha256 = null, refusal } = known.get(row.id) ?? {};
      if (sha256 === null || characters === null)
        await store.settleDocument(tx, row.id, { state: 'refused', reason: refusal?.text ?? '没有读到文字' });
      else if (await store.isKnown(tx, library, sha256))
        await store.settleDocument(tx, row.id, { state: 'refused', reason: '文库里已有同样的文本' });
      else
        await store.settleDocument(tx, row.id, {
          state: 'ready',
          segmentKey: segment,
          characters,
          sha256,
          reason: null,
        });
      void shelf.remove(row.uploadKey).catch(() => undefined);
    }
    return { added: fresh.length };
  }

  async function merged(tx: Tx, run: RunRow, outcome: Outcome): Promise<unknown> {
    const answer = Merged.safeParse(outcome.result);
    if (outcome.state !== 'done' || !answer.success) return null;
    const { segment, from } = MergePayload.parse(run.payload);
    await store.insertSegment(tx, segment, libraryOfRun(run), answer.data.documents.length);
    await store.replaceSegments(
      tx,
      from.map(({ key }) => key),
      segment,
      answer.data.documents,
    );
    return null;
  }

  async function admit(
    actor: Actor,
    name: string,
    source: { uploadKey: string } | { fromKey: string },
  ): Promise<DocumentRow> {
    const { documents: most } = await limits(actor.owner);
    return db.transaction(async (tx) => {
      await store.lockLibrary(tx, actor.owner);
      const { ready, waiting } = await store.totals(tx, actor.owner);
      if (ready + waiting >= most) throw new Fault(30174, { n: most });
      return store.insertDocument(tx, {
        ...libraryOf(actor),
        name,
        textKey: newShelfKey(),
        consent: CONSENT,
        ...source,
      });
    });
  }

  /** Takes on what waits; one run of a library at a time. */
  async function index(actor: Pick<Actor, 'owner' | 'userId'>): Promise<{ run_id: number | null }> {
    const { owner, userId } = actor;
    const open = await store.openAdding(db, owner);
    if (open !== null) return { run_id: open };
    const waiting = await store.waitingOf(db, owner, PLAGDET.batch);
    const [first] = waiting;
    if (!first) return { run_id: null };
    // Its run failed: it goes alone, so that one document does not keep the others out for ever.
    const rows = first.reason === null ? waiting.filter(({ reason }) => reason === null) : [first];
    const payload = {
      act: 'add',
      segment: newShelfKey(),
      documents: rows.map(({ id, name, uploadKey, fromKey, textKey }) => ({
        id,
        name,
        file: uploadKey,
        from: fromKey,
        text: textKey,
      })),
    };
    try {
      const submission = { owner, userId, kind: ADD, engineKind: ENGINE, payload, ...LIMITS };
      const runId = await runs.submit(submission, async (tx, id) => {
        await store.lockLibrary(tx, owner);
        const bound = await store.bindToRun(
          tx,
          rows.map((row) => row.id),
          id,
        );
        if (bound < rows.length) throw new Begun();
      });
      return { run_id: runId };
    } catch (error) {
      if (error instanceof Begun) return { run_id: await store.openAdding(db, owner) };
      throw error;
    }
  }

  return {
    admit,
    index,

    async remove(owner: Owner, id: number): Promise<void> {
      const row = await store.findDocument(db, owner, id);
      if (!row) throw missing();
      await store.deleteDocument(db, id);
      await shelf.remove(row.uploadKey, row.textKey);
    },

    /** Segments with removed documents, or too many of them, are made anew; what was dropped an hour ago goes. */
    async tidy(now: Date): Promise<void> {
      await store.staleUploads(db, new Date(now.getTime() - 24 * HOUR_MS));
      await shelf.remove(...(await store.forgetSegments(db, new Date(now.getTime() - HOUR_MS))));
      const inUse = await store.segmentsInUse(db);
      await store.dropSegments(
        db,
        inUse.filter(({ living }) => living === 0).map(({ key }) => key),
      );
      const libraries = new Map<string, typeof inUse>();
      for (const one of inUse) {
        if (one.living === 0) continue;
        const key = `${one.ownerKind} ${one.ownerId} ${one.createdBy}`;
        libraries.set(key, [...(libraries.get(key) ?? []), one]);
      }
      for (const list of libraries.values()) {
        const [first] = list;
        const chosen = toMerge(list);
        if (!first || chosen.length === 0) continue;
        const from = [];
        for (const key of chosen) from.push({ key, documents: (await store.livingIn(db, key)).map(({ id }) => id) });
        const owner: Owner =
          first.ownerKind === 'user'
            ? { kind: 'user', id: first.ownerId }
            : { kind: 'enterprise', id: first.ownerId, member: first.createdBy };
        await runs.submit({
          owner,
          userId: first.createdBy,
          kind: MERGE,
          engineKind: ENGINE,
          payload: { act: 'merge', segment: newShelfKey(), from },
          ...LIMITS,
        });
      }
    },
  };
}

/** Those with removed documents, and of too many the smallest; together no more than a segment holds. */
export function toMerge(list: readonly { key: string; documents: number; living: number }[]): string[] {
  const chosen = new Set(list.filter(({ documents, living }) => living < documents).map(({ key }) => key));
  if (list.length > SEGMENTS_MOST) {
    let room = SEGMENT_DOCUMENTS;
    for (const { key, living } of list.toSorted((a, b) => a.living - b.living)) {
      room -= living;
      if (room >= 0) chosen.add(key);
    }
    // One alone would only be copied.
    if (chosen.size < 2) return list.some(({ documents, living }) => living < documents) ? [...chosen] : [];
  }
  return [...chosen];
}
