/** Drives the machine: waits for quiet, asks for the judgement, runs, follows the run, cancels what a newer setting superseded. */
import { randomHex } from '../../../lib/random.ts';
import type { Work } from '../../../fields/history.ts';
import type { Event, Failure, FailureKind, Judgement, Machine, Result } from './run-state.ts';
import { QUIET_MS, runsItself, START, step } from './run-state.ts';

export interface RunNews {
  run_id: number;
  state: 'waiting' | 'running' | 'asking' | 'done' | 'refused' | 'failed' | 'cancelled' | 'timeout' | 'memory' | 'lost';
  position: number | null;
  progress: { done: number; of: number | null; text: string } | null;
  refusal: { fields: Failure['fields'] } | null;
  error: { code: string; text: string; id: string | null } | null;
  result: { project_id: number; report_id: number; rev: number; stopped: boolean } | null;
}

export type Started =
  | { kind: 'done'; result: Omit<Result, 'key' | 'stopped'> }
  | { kind: 'going'; run_id: number; state: 'waiting' | 'running'; project_id: number; report_id: number };

/** A run under way, as this device remembers it over a reload: the settings it belongs to and where its report will be. */
export interface Underway {
  run_id: number;
  key: string;
  project_id: number;
  report_id: number;
}

/** What the controller needs of the outside; the real one is api.ts. */
export interface Outside {
  draft(work: Work, signal: AbortSignal): Promise<Judgement>;
  start(work: Work, at: { project_id: number | null; report_id: number | null }, id: string): Promise<Started>;
  /** Calls `news` for each change; resolves with the run once it has ended. */
  follow(run_id: number, news: (run: RunNews) => void, signal: AbortSignal): Promise<RunNews>;
  read(at: { project_id: number; report_id: number; rev: number }): Promise<Omit<Result, 'key' | 'cached' | 'stopped'>>;
  cancel(run_id: number): Promise<void>;
  stop(run_id: number): Promise<void>;
  /** null: nothing is under way any more. */
  remember(run: Underway | null): void;
  remembered(): Underway | null;
  /** Turns whatever was thrown into a failure; null when it was an abort or was already shown (20002, 401). */
  explain(error: unknown): Pick<Failure, 'kind' | 'text' | 'fields' | 'id'> | null;
}

export const FAILURE_TEXT: Record<FailureKind, string> = {
  refused: '这组数据不能这样分析',
  failed: '计算出错了，数据和设置都还在',
  timeout: '超过了时间上限，已停止。减少变量或行数后再运行',
  memory: '超过了内存上限，已停止。减少变量或行数后再运行',
  lost: '运行中的任务随服务重启丢失了，重新运行即可',
  network: '连不上服务器，设置保存在这台设备上',
  engine: '好了会自动继续，设置都还在',
};

/** How soon what did not answer is asked again. */
const AGAIN_MS = 2000;

interface Place {
  project_id: number | null;
  report_id: number | null;
}

export class RunControl {
  machine: Machine = START;
  private work: Work | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private asking: AbortController | null = null;
  private following: AbortController | null = null;
  /** Counts runs sent, so that the answer to a superseded one is thrown away. */
  private turn = 0;
  private starting: Promise<void> | null = null;

  constructor(
    private readonly outside: Outside,
    private readonly changed: (machine: Machine) => void,
    private readonly place: () => Place,
    /** The report has its number: the next run is its next revision, and supersedes this one on the server. */
    private readonly placed: (place: { project_id: number; report_id: number }) => void,
  ) {}

  private apply(event: Event): void {
    this.machine = step(this.machine, event);
    this.changed(this.machine);
  }

  /** The settings on screen are now these. */
  edit(work: Work): void {
    this.work = work;
    this.apply({ type: 'edited' });
    this.asking?.abort();
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.judge(), QUIET_MS);
  }

  /** An earlier result of this analysis was loaded. */
  open(result: Result, frozen: boolean): void {
    this.apply({ type: 'opened', result, frozen });
    this.settle();
  }

  setAuto(auto: boolean): void {
    this.apply({ type: 'auto', auto });
    this.settle();
  }

  setLocked(locked: boolean): void {
    this.apply({ type: 'locked', locked });
    this.settle();
  }

  setFrozen(frozen: boolean): void {
    this.apply({ type: 'frozen', frozen });
    this.settle();
  }

  dispose(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.asking?.abort();
    // The run goes on: leaving the page must not lose it. Its report is in the project when it is done.
    this.following?.abort();
    this.turn += 1;
  }

  private async judge(): Promise<void> {
    const { work } = this;
    if (work === null) return;
    this.timer = null;
    const asking = new AbortController();
    this.asking = asking;
    try {
      const draft = await this.outside.draft(work, asking.signal);
      if (asking.signal.aborted) return;
      const { failure } = this.machine;
      this.apply({ type: 'judged', draft });
      if (failure?.kind === 'engine' && failure.key === draft.key) void this.run();
      else if (!this.rejoin(draft.key)) this.settle();
    } catch (error) {
      if (asking.signal.aborted) return;
      const unexplained = { kind: 'network', text: FAILURE_TEXT.network, fields: [], id: null } as const;
      this.apply({ type: 'unjudged', failure: this.outside.explain(error) ?? unexplained });
      this.askAgain();
    }
  }

  /** The server or its engine did not answer: it is asked again until it does, and the settings go on from there. */
  private askAgain(): void {
    const { failure } = this.machine;
    const isPassing = failure?.kind === 'engine' || (failure?.kind === 'network' && failure.key === '');
    if (isPassing && this.timer === null) this.timer = setTimeout(() => void this.judge(), AGAIN_MS);
  }

  /** The page was reloaded in mid-run, or left and opened again: the run of these very settings is followed, not sent anew. */
  private rejoin(key: string): boolean {
    const run = this.outside.remembered();
    if (run === null || run.key !== key || this.machine.going !== null) return false;
    const { report_id } = this.place();
    if (report_id !== null && report_id !== run.report_id) return false;
    this.turn += 1;
    this.placed({ project_id: run.project_id, report_id: run.report_id });
    this.apply({ type: 'sent', key });
    this.apply({ type: 'going', run_id: run.run_id, state: 'running', position: null, progress: null });
    void this.watch(run.run_id, key, this.turn);
    return true;
  }

  private settle(): void {
    if (runsItself(this.machine)) void this.run();
  }

  /** Runs the settings on screen; judged first when they are newer than the last judgement. */
  async run(): Promise<boolean> {
    if (this.timer !== null || this.machine.checking || this.machine.draft === null) {
      if (this.timer !== null) clearTimeout(this.timer);
      await this.judge();
      if (this.machine.going !== null) return true;
    }
    const { draft } = this.machine;
    const { work } = this;
    if (draft === null || work === null || this.machine.checking || draft.fields.length > 0 || this.machine.frozen)
      return false;
    this.supersede();
    this.turn += 1;
    const { turn } = this;
    this.apply({ type: 'sent', key: draft.key });
    // One start at a time: two first runs at once would make two reports of one analysis.
    if (this.starting !== null) await this.starting;
    if (turn !== this.turn) return false;
    this.starting = this.send(work, draft.key, turn);
    await this.starting;
    this.starting = null;
    const { going } = this.machine;
    if (turn === this.turn && going !== null && going.run_id !== null) void this.watch(going.run_id, draft.key, turn);
    return true;
  }

  private async send(work: Work, key: string, turn: number): Promise<void> {
    try {
      const started = await this.outside.start(work, this.place(), randomHex(16));
      const current = turn === this.turn;
      this.placed(started.kind === 'done' ? started.result : started);
      if (started.kind === 'done') {
        if (current) this.apply({ type: 'done', result: { ...started.result, key, stopped: false } });
      } else if (current) {
        const { run_id, project_id, report_id } = started;
        this.outside.remember({ run_id, key, project_id, report_id });
        this.apply({ type: 'going', run_id: started.run_id, state: started.state, position: null, progress: null });
      } else void this.outside.cancel(started.run_id).catch(() => undefined);
    } catch (error) {
      if (turn === this.turn) this.fail(error, key);
    }
  }

  private fail(error: unknown, key: string): void {
    this.outside.remember(null);
    const told = this.outside.explain(error);
    if (told === null) this.apply({ type: 'dropped' });
    else this.apply({ type: 'failed', failure: { ...told, key } });
    this.askAgain();
  }

  /** A newer setting runs: the run under way is cancelled on the server, not ignored. */
  private supersede(): void {
    const { going } = this.machine;
    if (going === null) return;
    this.following?.abort();
    this.outside.remember(null);
    if (going.run_id !== null) void this.outside.cancel(going.run_id).catch(() => undefined);
    this.apply({ type: 'dropped' });
  }

  private async watch(run_id: number, key: string, turn: number): Promise<void> {
    // A cancel pressed before the server had given the run a number.
    if (this.machine.going?.ending === 'cancel') void this.outside.cancel(run_id).catch(() => undefined);
    const following = new AbortController();
    this.following = following;
    try {
      const last = await this.outside.follow(
        run_id,
        (news) => {
          if (turn !== this.turn || (news.state !== 'waiting' && news.state !== 'running')) return;
          this.apply({ type: 'going', run_id, state: news.state, position: news.position, progress: news.progress });
        },
        following.signal,
      );
      if (turn === this.turn && !following.signal.aborted) await this.end(last, key);
    } catch (error) {
      if (turn === this.turn && !following.signal.aborted) this.fail(error, key);
    }
  }

  private async end(run: RunNews, key: string): Promise<void> {
    this.outside.remember(null);
    if (run.state === 'cancelled') {
      this.apply({ type: 'cancelled' });
      return;
    }
    if (run.state === 'done' && run.result !== null) {
      const read = await this.outside.read(run.result);
      const result = { ...read, key, cached: false, stopped: run.result.stopped };
      this.apply({ type: 'done', result });
      this.settle();
      return;
    }
    const kind: FailureKind =
      run.state === 'refused' || run.state === 'timeout' || run.state === 'memory' || run.state === 'lost'
        ? run.state
        : 'failed';
    const fields = run.refusal?.fields ?? [];
    const text = fields[0]?.text ?? run.error?.text ?? FAILURE_TEXT[kind];
    this.apply({ type: 'failed', failure: { key, kind, text, fields, id: run.error?.id ?? null } });
    this.settle();
  }

  async cancel(): Promise<void> {
    const { going } = this.machine;
    if (going === null) return;
    this.apply({ type: 'ending', how: 'cancel' });
    if (going.run_id !== null) await this.outside.cancel(going.run_id).catch(() => undefined);
  }

  async stop(): Promise<void> {
    const { going } = this.machine;
    if (going === null || going.run_id === null) return;
    this.apply({ type: 'ending', how: 'stop' });
    await this.outside.stop(going.run_id).catch(() => undefined);
  }
}
