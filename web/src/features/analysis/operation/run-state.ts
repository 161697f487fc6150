/**
 * The state machine of one analysis (ux: 运行). The phase is computed from facts (draft, run, failure, result), never stored, so
 * that a shown result can only look current when its key is the key of the settings on screen.
 */
import type { FieldFault } from '@hengxi/contracts/http';
import type { FormNote, Report } from '@hengxi/contracts/contract';

export type Phase = 'unready' | 'ready' | 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';

/** What the engine says of the settings on screen. */
export interface Judgement {
  key: string;
  fields: readonly FieldFault[];
  seconds: number | null;
  resolved: Readonly<Record<string, unknown>>;
  notes?: readonly FormNote[] | undefined;
}

export interface Progress {
  done: number;
  of: number | null;
  text: string;
  /** Of a search: the best value of the target so far. */
  best?: number | undefined;
}

export interface BestValue {
  done: number;
  best: number;
}

const MOST_VALUES = 200;

/** With the value of now; every second value goes when there are too many. */
export function grown(curve: readonly BestValue[], progress: Progress | null): readonly BestValue[] {
  if (progress?.best === undefined) return curve;
  const last = curve.at(-1);
  if (last !== undefined && progress.done <= last.done) return curve;
  const longer = [...curve, { done: progress.done, best: progress.best }];
  return longer.length <= MOST_VALUES ? longer : longer.filter((_, at) => at % 2 === 0 || at === longer.length - 1);
}

export interface Going {
  run_id: number | null;
  key: string;
  state: 'waiting' | 'running';
  position: number | null;
  progress: Progress | null;
  /** Best values of a search as they came, thinned. */
  curve?: readonly BestValue[] | undefined;
  /** Stop asked for: 停止并保留 or 取消 is on its way. */
  ending: 'cancel' | 'stop' | null;
}

/** `engine`: the server is there, the engine behind it is starting; asked again until it is. */
export type FailureKind = 'refused' | 'failed' | 'timeout' | 'memory' | 'lost' | 'network' | 'engine';

export interface Failure {
  /** Of the settings that were run; empty where they could not even be judged. */
  key: string;
  kind: FailureKind;
  text: string;
  fields: readonly FieldFault[];
  id: string | null;
}

export interface Result {
  key: string;
  project_id: number;
  report_id: number;
  rev: number;
  report: Report;
  cached: boolean;
  stopped: boolean;
}

export interface Machine {
  draft: Judgement | null;
  /** The settings changed since `draft` was given. */
  checking: boolean;
  going: Going | null;
  failure: Failure | null;
  /** Key of the settings whose run was cancelled by the user. */
  cancelled: string | null;
  result: Result | null;
  frozen: boolean;
  auto: boolean;
  /** The person may not run this method, or it is not known yet: nothing starts by itself, so that no refusal interrupts. */
  locked: boolean;
}

export const AUTO_SECONDS = 1.5;
export const QUIET_MS = 300;

export const START: Machine = {
  draft: null,
  checking: true,
  going: null,
  failure: null,
  cancelled: null,
  result: null,
  frozen: false,
  auto: true,
  locked: false,
};

export type Event =
  | { type: 'edited' }
  | { type: 'judged'; draft: Judgement }
  | { type: 'unjudged'; failure: Omit<Failure, 'key'> }
  | { type: 'sent'; key: string }
  | { type: 'going'; run_id: number; state: 'waiting' | 'running'; position: number | null; progress: Progress | null }
  | { type: 'done'; result: Result }
  | { type: 'failed'; failure: Failure }
  | { type: 'ending'; how: 'cancel' | 'stop' }
  | { type: 'cancelled' }
  | { type: 'dropped' }
  | { type: 'opened'; result: Result; frozen: boolean }
  | { type: 'frozen'; frozen: boolean }
  | { type: 'auto'; auto: boolean }
  | { type: 'locked'; locked: boolean };

/** A failure that is over as soon as settings are judged again. */
const isPassing = ({ failure }: Machine): boolean => failure?.key === '' || failure?.kind === 'engine';

export function step(machine: Machine, event: Event): Machine {
  switch (event.type) {
    case 'edited':
      return { ...machine, checking: true };
    case 'judged':
      return { ...machine, draft: event.draft, checking: false, failure: isPassing(machine) ? null : machine.failure };
    case 'unjudged':
      return { ...machine, checking: false, failure: { ...event.failure, key: '' } };
    case 'sent':
      return {
        ...machine,
        failure: null,
        cancelled: null,
        going: { run_id: null, key: event.key, state: 'waiting', position: null, progress: null, ending: null },
      };
    case 'going':
      if (machine.going === null) return machine;
      return {
        ...machine,
        going: {
          ...machine.going,
          run_id: event.run_id,
          state: event.state,
          position: event.position,
          progress: event.progress,
          curve: grown(machine.going.curve ?? [], event.progress),
        },
      };
    case 'done':
      return { ...machine, going: null, failure: null, cancelled: null, result: event.result };
    case 'failed':
      return { ...machine, going: null, failure: event.failure };
    case 'ending':
      return machine.going === null ? machine : { ...machine, going: { ...machine.going, ending: event.how } };
    case 'cancelled':
      return { ...machine, going: null, cancelled: machine.going?.key ?? machine.cancelled };
    case 'dropped':
      return { ...machine, going: null };
    case 'opened':
      return { ...machine, result: event.result, frozen: event.frozen };
    case 'frozen':
      return { ...machine, frozen: event.frozen };
    case 'auto':
      return { ...machine, auto: event.auto };
    case 'locked':
      return { ...machine, locked: event.locked };
  }
}

export function phaseOf(machine: Machine): Phase {
  const { going, draft, failure, cancelled, result } = machine;
  if (going !== null) return going.state;
  if (failure?.key === '') return 'failed';
  if (draft === null) return 'unready';
  if (draft.fields.length > 0) return 'unready';
  if (failure !== null && failure.key === draft.key) return 'failed';
  if (cancelled === draft.key) return 'cancelled';
  if (result !== null && result.key === draft.key) return 'done';
  return 'ready';
}

/** The result on screen belongs to other settings than those on screen. */
export function isStale(machine: Machine): boolean {
  const { result, draft } = machine;
  return result !== null && draft !== null && !machine.checking && result.key !== draft.key;
}

/** Should the settings run by themselves now? */
export function runsItself(machine: Machine): boolean {
  const { draft } = machine;
  if (!machine.auto || machine.locked || machine.frozen || machine.checking || draft === null) return false;
  if (draft.seconds === null || draft.seconds > AUTO_SECONDS) return false;
  if (machine.going !== null) return machine.going.key !== draft.key && draft.fields.length === 0;
  return phaseOf(machine) === 'ready';
}

/** Faults to show at the fields: the engine's judgement of these settings, or why their run was refused. */
export function faultsOf(machine: Machine): readonly FieldFault[] {
  const { draft, failure } = machine;
  if (draft !== null && draft.fields.length > 0) return draft.fields;
  if (failure !== null && draft !== null && failure.key === draft.key) return failure.fields;
  return [];
}

export function secondsText(seconds: number | null): string {
  if (seconds === null) return '时间未知';
  if (seconds < 0.1) return '不到 0.1 秒';
  if (seconds < 10) return `约 ${(Math.round(seconds * 10) / 10).toString()} 秒`;
  if (seconds < 90) return `约 ${Math.round(seconds)} 秒`;
  return `约 ${Math.round(seconds / 60)} 分钟`;
}
