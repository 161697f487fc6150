/**
 * Runs: every long piece of work, from its submission to its one ending. Knows no other feature: features register a
 * finisher per kind, which is called exactly once, in the transaction that ends the run.
 */
import { EventEmitter } from 'node:events';
import type { Db, Tx } from '../../lib/db.ts';
import type { EngineClient, EngineEvent } from '../../lib/engine-client.ts';
import { EngineFault, Fault, missing } from '../../lib/errors.ts';
import { ownerOf } from '../../lib/guard.ts';
import type { Actor, Owner } from '../../lib/guard.ts';
import type { Logger } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { createCancellation } from './cancellation.ts';
import { failedOutcome, outcomeOf, outcomeText } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import { FairQueue, PERSONAL } from './queue.ts';
import type { RunLimit } from './queue.ts';
import { deskRun, pageOfRuns } from './desk.ts';
import { createPolling } from './polling.ts';
import { createRecovery } from './recovery.ts';
import type { RunLimits } from './recovery.ts';
import { createLocalQueue, INTERRUPTED } from './local-jobs.ts';
import type { LocalCallbacks, LocalHandler } from './local-jobs.ts';
import { ThrottledWrites } from './throttled-writes.ts';
import { OPEN_STATES, RunRefusal } from './schema.ts';
import type { RunEventName, RunProgress } from './schema.ts';
import * as store from './store.ts';
import { createAwaitRun, isOpen } from './await-run.ts';
import type { Finisher, Preparation, Submission } from './run-kind.ts';
import type { RunRow } from './tables.ts';
import { asRecord, serializeRun } from './serialize.ts';

export type { Outcome } from './outcome.ts';
export type { Finisher, Preparation, Submission } from './run-kind.ts';
export type { DeskRun } from './desk.ts';
export type { RunRow } from './tables.ts';
export { isOpen } from './await-run.ts';
export type { RunListener } from './await-run.ts';

const WAITING_IN_ALL = 500;
/** Documents the server writes at once: each is a process, and a browser may print in it. */
const LOCAL_AT_ONCE = 2;
/** Runs that only wait for others. */
const CONDUCTED_AT_ONCE = 50;
/** Progress is told at once but written at most this often. */
const PROGRESS_MS = 1000;

function progressOf({ progress }: EngineEvent): RunProgress | null {
  if (!progress) return null;
  const { done, of, text, best } = progress;
  return { done, of: of ?? null, text: text ?? '', ...(typeof best === 'number' ? { best } : {}) };
}

export type Runs = ReturnType<typeof createRuns>;

export function createRuns(deps: { db: Db; engine: EngineClient; log: Logger; metrics: Metrics; server: string }) {
  const { db, engine, log, metrics, server } = deps;
  const finishers = new Map<string, Finisher>();
  const preparations = new Map<string, Preparation>();
  const isRegistered = (kind: string): boolean => finishers.has(kind) || preparations.has(kind);
  /** Kinds that are retried once when the engine died under them. */
  const retryable = new Map<string, RunLimits>();
  /** Handlers of the kinds that the server itself works on (no engine). */
  const workers = new Map<string, LocalHandler>();
  const channel = new EventEmitter().setMaxListeners(0);
  /** Runs not yet submitted to the engine; reconciling must not call them lost. */
  const submitting = new Set<number>();
  /** Runs of this process that have not ended, with their kinds: whoever waits for one is notified and need not poll. */
  const unfinished = new Map<number, string>();
  const queue = new FairQueue();
  let limitOf = async (_owner: Owner): Promise<RunLimit> => PERSONAL;
  /** Runs being calculated: when their progress was last written, and the row with the progress of now. */
  const running = new Map<number, { at: number; row: RunRow }>();

  const logBug = (error: unknown): void => log.error({ event: 'bug', err: error }, 'moving a run on failed');
  const throttled = new ThrottledWrites((event) => void advance(event).catch(logBug));
  const notify = (name: RunEventName, run: RunRow): void => void channel.emit(String(run.id), name, run);

  async function end(id: number, outcome: Outcome): Promise<void> {
    let run: RunRow | null;
    const worked = throttled.cancel(id);
    try {
      run = await endOnce(id, outcome, true, worked);
    } catch (error) {
      const failed = failedOutcome(log, error, id, 'finishing a run failed');
      // The finisher gets a second chance to tidy up; when even that fails, the run still has to end.
      run = await endOnce(id, failed, true, worked).catch(() => endOnce(id, failed, false, worked));
    }
    release(id);
    // Another ending came first, here or at another server.
    if (!run) return;
    if (worked !== null) waited(run);
    metrics.runs.inc({ method: run.kind, outcome: run.state });
    if (run.state === 'failed' || run.state === 'memory') metrics.childDeaths.inc({ reason: run.state });
    notify('end', run);
  }

  /** Drops every in-memory record of a run that has ended. */
  function release(id: number): void {
    throttled.cancel(id);
    unfinished.delete(id);
    running.delete(id);
    submitting.delete(id);
    queue.remove(id);
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
      const error = outcome.error ?? outcomeText(state);
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
    const known = unfinished.get(id) ?? running.get(id)?.row.kind;
    if (known !== undefined && !preparations.has(known)) return null;
    const run = await store.runById(db, id);
    return run && isOpen(run) ? (preparations.get(run.kind)?.(run, outcome) ?? null) : null;
  }

  const localEvents: LocalCallbacks = {
    onWaiting: (id, position) => receive({ run_id: id, state: 'waiting', position }),
    onRunning: (id, progress) => receive({ run_id: id, state: 'running', ...(progress ? { progress } : {}) }),
    onEnd: end,
    onError: (id, error) => failedOutcome(log, error, id, 'work of the server failed'),
  };
  const local = createLocalQueue(LOCAL_AT_ONCE, localEvents);
  const conducting = createLocalQueue(CONDUCTED_AT_ONCE, localEvents);

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
      return notify('progress', known.row);
    }
    if (!known || !progress) return throttled.schedule(event);
    throttled.cancel(id);
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
    notify(known && progress ? 'progress' : 'state', row);
  }

  function waited({ startedAt, createdAt }: RunRow): void {
    if (startedAt) metrics.runWait.observe((startedAt.getTime() - createdAt.getTime()) / 1000);
  }

  /** Reports to every queued run its position in the queue. */
  async function reportPositions(): Promise<void> {
    for (const [position, id] of queue.ids().entries()) await receive({ run_id: id, state: 'waiting', position });
  }

  /** Submits a queued run to the engine when its turn has come; not awaited by anybody. */
  async function submitQueued(id: number, submit: () => Promise<void>): Promise<void> {
    try {
      await submit();
    } catch (error) {
      await endUnsubmitted(id, error);
    } finally {
      submitting.delete(id);
    }
    await reportPositions();
  }

  const isUnfinished = (id: number): boolean => unfinished.has(id);
  const watch = createPolling({ db, channel, isUnfinished, notify });

  const { dropWork, applyRemoteRequests } = createCancellation({
    db,
    engine,
    log,
    queue,
    isLocalKind: (kind) => workers.has(kind),
    local: {
      cancel(id) {
        conducting.cancel(id);
        local.cancel(id);
      },
    },
    unfinished,
    submitting,
    release,
    notify,
  });

  const { loseRunning, reconcile, adoptOrphans } = createRecovery({
    db,
    server,
    engine,
    log,
    queue,
    retryable,
    submitting,
    isLocal,
    lose,
    interrupt: (id) => end(id, INTERRUPTED),
    receive,
    notify,
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
     * Retries runs of this kind once, under the same number, when the engine died under them: their handler must be
     * idempotent and need the payload only. The secret of a submission is not stored and is missing at the retry.
     */
    retryOnce(kind: string, limits: RunLimits): void {
      retryable.set(kind, limits);
    },

    /** States what an owner may have at once; called once while the application is put together. */
    limitBy(rule: (owner: Owner) => Promise<RunLimit | null>): void {
      limitOf = async (owner) => (await rule(owner)) ?? PERSONAL;
    },

    /** The server itself does what runs of this kind ask for; `finisher` as in register. */
    registerLocal(kind: string, work: LocalHandler, finisher: Finisher): void {
      this.register(kind, finisher);
      workers.set(kind, work);
    },

    /** Discards the throttled writes: the server ends, or its database was emptied. */
    forget: (): void => throttled.clear(),
    /** Conductors first: what they wait for ends with the others. */
    async closeLocal(): Promise<void> {
      await conducting.close();
      await local.close();
    },

    /**
     * Makes a run and hands it to the engine, or to the server's own queue. `within` writes what belongs to the run in the same transaction; it must
     * use the `tx` it gets, as any other connection would wait for it (the embedded database has only one).
     * When the engine cannot take it the run ends as lost (its finisher is called) and 30095 is thrown.
     */
    async submit(submission: Submission, within?: (tx: Tx, runId: number) => Promise<void>): Promise<number> {
      const limit = await limitOf(submission.owner);
      let id = 0;
      let isQueued = false;
      try {
        await db.transaction(async (tx) => {
          const waiting = await store.countWaiting(tx, submission.owner, throttled.begun());
          if (waiting.all >= WAITING_IN_ALL) throw new Fault(30021, { n: waiting.all }, { retryAfter: 5 });
          if (waiting.own >= limit.waiting) throw new Fault(30604, { n: limit.waiting }, { retryAfter: 5 });
          id = await store.insertRun(tx, submission, server);
          submitting.add(id);
          unfinished.set(id, submission.kind);
          await within?.(tx, id);
        });
        const localHandler = workers.get(submission.kind);
        if (localHandler) {
          const run = await store.runById(db, id);
          if (run) (localHandler.conducts === true ? conducting : local).submit(run, localHandler, limit);
          return id;
        }
        const submitToEngine = (): Promise<void> =>
          engine.submit({
            run_id: id,
            kind: submission.engineKind ?? submission.kind,
            payload: submission.secret ? { ...asRecord(submission.payload), ...submission.secret } : submission.payload,
            memory_mb: submission.memoryMb ?? 2048,
            timeout_s: submission.timeoutS ?? 300,
          });
        const { kind, id: ownerId } = submission.owner;
        const entry = {
          id,
          owner: `${kind} ${ownerId}`,
          member: submission.userId,
          limit,
          lane: submission.queue ?? null,
        };
        isQueued = !queue.enqueue({ ...entry, start: () => void submitQueued(id, submitToEngine).catch(logBug) });
        if (isQueued) await reportPositions();
        else await submitToEngine();
        return id;
      } catch (error) {
        if (id !== 0) await endUnsubmitted(id, error);
        unfinished.delete(id);
        throw error;
      } finally {
        if (!isQueued) submitting.delete(id);
      }
    },

    wait: createAwaitRun({ db, watch, isUnfinished }),

    async read(owner: Owner, id: number): Promise<RunRow> {
      const run = await store.findRun(db, owner, id);
      if (!run) throw missing();
      return isOpen(run) ? { ...run, progress: running.get(id)?.row.progress ?? run.progress } : run;
    },

    list: (owner: Owner, page: store.RunPage) => store.listRuns(db, owner, page),

    /** Runs of a person in a queue of its own, with the progress of now; the newest first. */
    async ofQueue({ owner, userId }: Pick<Actor, 'owner' | 'userId'>, queue: string, inProModel: boolean) {
      const rows = await store.runsOfQueue(db, owner, userId, queue);
      return rows
        .filter(({ note }) => !inProModel || asRecord(note)['in_pro_model'] === true)
        .map((run) => ({ ...run, progress: running.get(run.id)?.row.progress ?? run.progress }));
    },

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
    wire: serializeRun,

    /** Runs of servers that are no more; now and then, and before anything else at start. */
    adoptOrphans,
    /** At start with an engine of our own: what was running died with the former process. */
    async recover(): Promise<void> {
      await adoptOrphans();
      await loseRunning();
    },
    /** Applies cancel and stop requests that other servers received for runs of this one; called periodically. */
    applyRemoteRequests,
    /** The engine process ended. */
    engineDied: loseRunning,
    /** Begins to follow the engine's events. */
    follow: (): void => engine.listen({ event: receive, connected: reconcile }),
    /** For the desk: whose runs they are is stated, what they were asked is not. */
    desk: {
      page: (wanted: Parameters<typeof pageOfRuns>[1]) => pageOfRuns(db, wanted),
      find: (executor: Db, id: number) => deskRun(executor, id),
    },
    waitingInAll: () => store.countAllWaiting(db),
    openInAll: () => store.countOpen(db),
    /** What somebody has run so far, of one kind, and whether anything of theirs runs now. */
    workOf: (owner: Owner, userId: number, kind: string) => store.workOf(db, owner, userId, kind),
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
