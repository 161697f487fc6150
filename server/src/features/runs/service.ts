/**
 * Runs: every long piece of work, from its submission to its one ending. Knows no other feature: features register a
 * finisher per kind, which is called exactly once, in the transaction that ends the run.
 */
import { EventEmitter } from 'node:events';
import type { Db, Tx } from '../../lib/db.ts';
import type { EngineClient, EngineEvent } from '../../lib/engine-client.ts';
import { EngineFault, Fault, missing } from '../../lib/errors.ts';
import { ownerOf } from '../../lib/guard.ts';
import type { Owner } from '../../lib/guard.ts';
import type { Logger } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { createElsewhere } from './cancellation.ts';
import { brokenBy, outcomeOf, wordEnding } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import { Line, PERSONAL } from './queue.ts';
import type { RunRoom } from './queue.ts';
import { deskRun, pageOfRuns } from './desk.ts';
import { createFollowing } from './polling.ts';
import { createRecovery } from './recovery.ts';
import type { RunLimits } from './recovery.ts';
import { createLocal, INTERRUPTED } from './local-jobs.ts';
import type { LocalWork } from './local-jobs.ts';
import { Moments } from './throttled-writes.ts';
import { OPEN_STATES, RunRefusal } from './schema.ts';
import type { RunEventName, RunProgress } from './schema.ts';
import * as store from './store.ts';
import { createWaiting, isOpen } from './await-run.ts';
import type { Finisher, Preparation, Submission } from './run-kind.ts';
import type { RunRow } from './tables.ts';
import { asRecord, wireRun } from './serialize.ts';

export type { Outcome } from './outcome.ts';
export type { Finisher, Preparation, Submission } from './run-kind.ts';
export type { DeskRun } from './desk.ts';
export type { RunRow } from './tables.ts';
export { isOpen } from './await-run.ts';
export type { RunListener } from './await-run.ts';

const WAITING_IN_ALL = 500;
/** Documents the server writes at once: each is a process, and a browser may print in it. */
const LOCAL_AT_ONCE = 2;
/** Progress is told at once but written at most this often. */
const PROGRESS_MS = 1000;

const progressOf = ({ progress }: EngineEvent): RunProgress | null =>
  progress ? { done: progress.done, of: progress.of ?? null, text: progress.text ?? '' } : null;

export type Runs = ReturnType<typeof createRuns>;

export function createRuns(deps: { db: Db; engine: EngineClient; log: Logger; metrics: Metrics; server: string }) {
  const { db, engine, log, metrics, server } = deps;
  const finishers = new Map<string, Finisher>();
  const preparations = new Map<string, Preparation>();
  const isRegistered = (kind: string): boolean => finishers.has(kind) || preparations.has(kind);
  /** Kinds that are begun once more when the engine died under them. */
  const repeatable = new Map<string, RunLimits>();
  /** Kinds that the server works on itself. */
  const workers = new Map<string, LocalWork>();
  const channel = new EventEmitter().setMaxListeners(0);
  /** Runs that the engine cannot know yet; reconciling must not call them lost. */
  const submitting = new Set<number>();
  /** Kinds of the runs made by this process whose end it has not told yet: whoever waits for one need not look it up. */
  const untold = new Map<number, string>();
  const line = new Line();
  let roomOf = async (_owner: Owner): Promise<RunRoom> => PERSONAL;
  /** Runs being calculated: when their progress was last written, and the row with the progress of now. */
  const running = new Map<number, { at: number; row: RunRow }>();

  const complain = (error: unknown): void => log.error({ event: 'bug', err: error }, 'moving a run on failed');
  const moments = new Moments((event) => void advance(event).catch(complain));
  const tell = (name: RunEventName, run: RunRow): void => void channel.emit(String(run.id), name, run);

  async function end(id: number, outcome: Outcome): Promise<void> {
    let run: RunRow | null;
    const worked = moments.drop(id);
    try {
      run = await endOnce(id, outcome, true, worked);
    } catch (error) {
      const failed = brokenBy(log, error, id, 'finishing a run failed');
      // The finisher gets a second chance to tidy up; when even that fails, the run still has to end.
      run = await endOnce(id, failed, true, worked).catch(() => endOnce(id, failed, false, worked));
    }
    leave(id);
    // Another ending came first, here or at another server.
    if (!run) return;
    if (worked !== null) waited(run);
    metrics.runs.inc({ method: run.kind, outcome: run.state });
    if (run.state === 'failed' || run.state === 'memory') metrics.childDeaths.inc({ reason: run.state });
    tell('end', run);
  }

  /** Nothing here is kept for it any longer. */
  function leave(id: number): void {
    moments.drop(id);
    untold.delete(id);
    running.delete(id);
    submitting.delete(id);
    line.leave(id);
  }

  /** `worked`: seconds it has worked of which nothing is written yet. */
  async function endOnce(
    id: number,
    outcome: Outcome,
    withFinisher: boolean,
    worked: number | null,
  ): Promise<RunRow | null> {
    const prepared = withFinisher ? await preparedFor(id, outcome) : null;
    return db.transaction(async (tx) => {
      const { state, refusal } = outcome;
      const error = outcome.error ?? wordEnding(state);
      const open = await store.lockOpen(tx, id, worked);
      if (!open) return null;
      const finisher = withFinisher ? (prepared ?? finishers.get(open.kind)) : null;
      const run: RunRow = { ...open, state, refusal, error };
      const result = (finisher ? await finisher(tx, run, { ...outcome, error }) : outcome.result) ?? null;
      return store.endRun(tx, run, result);
    });
  }

  /** Of a run of this process, or one that is being calculated, the kind is known without a look into the database. */
  async function preparedFor(id: number, outcome: Outcome): Promise<Finisher | null> {
    const known = untold.get(id) ?? running.get(id)?.row.kind;
    if (known !== undefined && !preparations.has(known)) return null;
    const run = await store.runById(db, id);
    return run && isOpen(run) ? (preparations.get(run.kind)?.(run, outcome) ?? null) : null;
  }

  const local = createLocal(LOCAL_AT_ONCE, {
    waits: (id, position) => receive({ run_id: id, state: 'waiting', position }),
    runs: (id, progress) => receive({ run_id: id, state: 'running', ...(progress ? { progress } : {}) }),
    ends: end,
    broke: (id, error) => brokenBy(log, error, id, 'work of the server failed'),
  });

  /** Whether the server works on a run; the engine knows nothing of those. */
  async function isLocal(id: number): Promise<boolean> {
    return workers.size > 0 && workers.has((await store.runById(db, id))?.kind ?? '');
  }

  const lose = (id: number): Promise<void> => end(id, { state: 'lost', result: null, refusal: null, error: null });

  async function receive(event: EngineEvent): Promise<void> {
    const id = event.run_id;
    if (!OPEN_STATES.includes(event.state)) return end(id, outcomeOf(event));
    const progress = progressOf(event);
    const known = event.state === 'running' ? running.get(id) : undefined;
    if (known && progress && performance.now() - known.at < PROGRESS_MS) {
      known.row = { ...known.row, progress };
      return tell('progress', known.row);
    }
    if (!known || !progress) return moments.keep(event);
    moments.drop(id);
    return advance(event);
  }

  async function advance(event: EngineEvent): Promise<void> {
    const id = event.run_id;
    const progress = progressOf(event);
    const known = running.get(id);
    const row = await store.advance(db, id, event.seq ?? 0, {
      state: event.state,
      position: event.position ?? null,
      progress,
    });
    if (!row) return;
    if (event.state !== 'running') running.delete(id);
    else {
      running.set(id, { at: performance.now(), row });
      if (!known) waited(row);
    }
    tell(known && progress ? 'progress' : 'state', row);
  }

  function waited({ startedAt, createdAt }: RunRow): void {
    if (startedAt) metrics.runWait.observe((startedAt.getTime() - createdAt.getTime()) / 1000);
  }

  /** Those who wait here are told how many stand before them. */
  async function tellPlaces(): Promise<void> {
    for (const [position, id] of line.ids().entries()) await receive({ run_id: id, state: 'waiting', position });
  }

  /** A run whose turn has come; nobody waits for this to be over. */
  async function giveOver(id: number, give: () => Promise<void>): Promise<void> {
    try {
      await give();
    } catch (error) {
      await endUnsubmitted(id, error);
    } finally {
      submitting.delete(id);
    }
    await tellPlaces();
  }

  const isUntold = (id: number): boolean => untold.has(id);
  const watch = createFollowing({ db, channel, isUntold, tell });

  const { dropWork, heedOthers } = createElsewhere({
    db,
    engine,
    log,
    line,
    isOurWork: (kind) => workers.has(kind),
    local,
    untold,
    submitting,
    leave,
    tell,
  });

  const { loseAll, reconcile, takeOver } = createRecovery({
    db,
    server,
    engine,
    log,
    line,
    repeatable,
    submitting,
    isLocal,
    lose,
    interrupt: (id) => end(id, INTERRUPTED),
    receive,
    tell,
    endUnsubmitted,
  });

  return {
    /** States what happens when runs of a kind end. Called once per kind while the application is put together. */
    register(kind: string, finisher: Finisher): void {
      if (isRegistered(kind)) throw new Error(`Runs of kind ${kind} have a finisher already`);
      finishers.set(kind, finisher);
    },

    /** For kinds whose ending needs something that only the engine knows. */
    registerPrepared(kind: string, preparation: Preparation): void {
      if (isRegistered(kind)) throw new Error(`Runs of kind ${kind} have a finisher already`);
      preparations.set(kind, preparation);
    },

    /**
     * Runs of this kind are begun once more, by themselves and under the same number, when the engine died under them:
     * their payload alone says what to do, doing it twice harms nothing. Their secret is not kept and is missing then.
     */
    repeatOnce(kind: string, limits: RunLimits): void {
      repeatable.set(kind, limits);
    },

    /** States what an owner may have at once; called once while the application is put together. */
    limitBy(rule: (owner: Owner) => Promise<RunRoom | null>): void {
      roomOf = async (owner) => (await rule(owner)) ?? PERSONAL;
    },

    /** The server itself does what runs of this kind ask for; `finisher` as in register. */
    registerLocal(kind: string, work: LocalWork, finisher: Finisher): void {
      this.register(kind, finisher);
      workers.set(kind, work);
    },

    /** What is kept back is written no more: the server ends, or its database was emptied. */
    forget: (): void => moments.clear(),
    closeLocal: (): Promise<void> => local.close(),

    /**
     * Makes a run and hands it to the engine, or to the server's own queue. `within` writes what belongs to the run in the same transaction; it must
     * use the `tx` it gets, as any other connection would wait for it (the embedded database has only one).
     * When the engine cannot take it the run ends as lost (its finisher is called) and 30095 is thrown.
     */
    async submit(submission: Submission, within?: (tx: Tx, runId: number) => Promise<void>): Promise<number> {
      const room = await roomOf(submission.owner);
      let id = 0;
      let isHeld = false;
      try {
        await db.transaction(async (tx) => {
          const waiting = await store.countWaiting(tx, submission.owner, moments.begun());
          if (waiting.all >= WAITING_IN_ALL) throw new Fault(30021, { n: waiting.all }, { retryAfter: 5 });
          if (waiting.own >= room.waiting) throw new Fault(30604, { n: room.waiting }, { retryAfter: 5 });
          id = await store.insertRun(tx, submission, server);
          submitting.add(id);
          untold.set(id, submission.kind);
          await within?.(tx, id);
        });
        const own = workers.get(submission.kind);
        if (own) {
          const run = await store.runById(db, id);
          if (run) local.submit(run, own, room);
          return id;
        }
        const give = (): Promise<void> =>
          engine.submit({
            run_id: id,
            kind: submission.engineKind ?? submission.kind,
            payload: submission.secret ? { ...asRecord(submission.payload), ...submission.secret } : submission.payload,
            memory_mb: submission.memoryMb ?? 2048,
            timeout_s: submission.timeoutS ?? 300,
          });
        const { kind, id: ownerId } = submission.owner;
        const place = { id, owner: `${kind} ${ownerId}`, member: submission.userId, room };
        isHeld = !line.enter({ ...place, go: () => void giveOver(id, give).catch(complain) });
        if (isHeld) await tellPlaces();
        else await give();
        return id;
      } catch (error) {
        if (id !== 0) await endUnsubmitted(id, error);
        untold.delete(id);
        throw error;
      } finally {
        if (!isHeld) submitting.delete(id);
      }
    },

    wait: createWaiting({ db, watch, isUntold }),

    async read(owner: Owner, id: number): Promise<RunRow> {
      const run = await store.findRun(db, owner, id);
      if (!run) throw missing();
      return isOpen(run) ? { ...run, progress: running.get(id)?.row.progress ?? run.progress } : run;
    },

    list: (owner: Owner, page: store.RunPage) => store.listRuns(db, owner, page),

    /** Idempotent: an ended run stays as it is. The run ends here and now, whatever the engine still does. */
    async cancel(owner: Owner, id: number): Promise<RunRow> {
      const run = await this.read(owner, id);
      if (!isOpen(run)) return run;
      // Another server sees that it has ended, and drops its work itself.
      if (run.serverId === server) await dropWork(run);
      await end(id, { state: 'cancelled', result: null, refusal: null, error: null });
      return this.read(owner, id);
    },

    /** Ends everything a person has under way, e.g. after a ban. */
    async cancelAllOf(userId: number): Promise<void> {
      for (const run of await store.openRunsOf(db, userId)) await this.cancel(ownerOf(run), run.id);
    },

    /** The same in one enterprise only, for a member who may no longer work there. */
    async cancelIn(eid: number, userId: number): Promise<void> {
      for (const run of await store.openRunsOf(db, userId))
        if (run.ownerKind === 'enterprise' && run.ownerId === eid) await this.cancel(ownerOf(run), run.id);
    },

    usersWithOpenRuns: () => store.usersWithOpenRuns(db),

    /** 停止并保留: the engine ends the run with what it has; the ending arrives as an event. */
    async stop(owner: Owner, id: number): Promise<RunRow> {
      const run = await this.read(owner, id);
      if (!isOpen(run) || workers.has(run.kind)) throw new Fault(30602);
      if (run.serverId === server) await engine.stop(id);
      else await store.wantStop(db, id, true);
      return this.wait(id, 1);
    },

    /** Calls back on every event of a run until the returned function is called. */
    watch,

    isOpen,
    /** A run as it travels, for features whose calls answer with one. */
    wire: wireRun,

    /** Runs of servers that are no more; now and then, and before anything else at start. */
    takeOver,
    /** At start with an engine of our own: what was running died with the former process. */
    async recover(): Promise<void> {
      await takeOver();
      await loseAll();
    },
    /** What was asked for at other servers of the runs that this one works on; now and then. */
    heedOthers,
    /** The engine process ended. */
    engineDied: loseAll,
    /** Begins to follow the engine's events. */
    follow: (): void => engine.listen({ event: receive, connected: reconcile }),
    /** For the desk: whose runs they are is stated, what they were asked is not. */
    desk: {
      page: (wanted: Parameters<typeof pageOfRuns>[1]) => pageOfRuns(db, wanted),
      find: (executor: Db, id: number) => deskRun(executor, id),
    },
    waitingInAll: () => store.countAllWaiting(db),
    openInAll: () => store.countOpen(db),
    /** What this server works on. */
    openHere: async () => (await store.openRunIds(db, server)).length,
  };

  async function endUnsubmitted(id: number, error: unknown): Promise<void> {
    if (error instanceof EngineFault) {
      const refusal = RunRefusal.parse({ fields: error.fields });
      await end(id, { state: 'refused', result: null, refusal, error: null });
    } else if ((await store.runById(db, id)) !== null) {
      await lose(id);
    }
  }
}
