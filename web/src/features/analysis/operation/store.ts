/** One analysis on screen: settings with their history, the run, where the result lives, and what has been saved where. */
import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';

import type { Form } from '../../../fields/form.ts';
import { same, withValues } from '../../../fields/form.ts';
import type { History, Work } from '../../../fields/history.ts';
import { begin, commit, redo, undo } from '../../../fields/history.ts';
import type { Outside } from './run-control.ts';
import { RunControl } from './run-control.ts';
import type { Machine, Result } from './run-state.ts';
import { START } from './run-state.ts';

export interface SaveState {
  /** null: nothing was changed yet. */
  at: Date | null;
  where: 'server' | 'device';
  saving: boolean;
}

export interface OperationState {
  history: History;
  machine: Machine;
  project_id: number | null;
  report_id: number | null;
  selection: readonly string[];
  saved: SaveState;
}

export interface Deps {
  outside: Outside;
  /** On this device, at once. */
  keep(work: Work, report_id: number | null, at: Date): void;
  forget(report_id: number | null): void;
  /** The page was left while a run went on. */
  left(run_id: number, vid: number): void;
  /** With the report on the server. */
  save(place: { project_id: number; report_id: number }, work: Work, at: Date): Promise<void>;
}

export interface Begin {
  work: Work;
  project_id: number | null;
  report_id: number | null;
  result: Result | null;
  frozen: boolean;
  auto: boolean;
  /** An unsaved draft was restored: it is kept on this device until the server has it. */
  restored: boolean;
}

const SAVE_AFTER_MS = 1500;

export class Operation {
  readonly store: StoreApi<OperationState>;
  readonly run: RunControl;
  private saving: ReturnType<typeof setTimeout> | null = null;

  constructor(
    private readonly deps: Deps,
    from: Begin,
  ) {
    this.store = createStore<OperationState>(() => ({
      history: begin(from.work),
      machine: START,
      project_id: from.project_id,
      report_id: from.report_id,
      selection: [],
      saved: {
        at: from.restored ? new Date() : null,
        where: from.report_id === null ? 'device' : 'server',
        saving: false,
      },
    }));
    this.run = new RunControl(
      deps.outside,
      (machine) => this.ran(machine),
      () => this.place,
      (place) => this.store.setState(place),
    );
    this.run.setAuto(from.auto);
    if (from.result !== null) this.run.open(from.result, from.frozen);
  }

  /** On screen: the settings are judged, and run if they may. Also after a `dispose`, as React's double mounting asks. */
  start(): void {
    this.run.edit(this.work);
  }

  get work(): Work {
    const { vid, form } = this.store.getState().history.now;
    return { vid, form };
  }

  private get place(): { project_id: number | null; report_id: number | null } {
    const { project_id, report_id } = this.store.getState();
    return { project_id, report_id };
  }

  /** The report once it has a result; before that it is a draft the server forgets. */
  private get savedPlace(): { project_id: number; report_id: number } | null {
    return this.store.getState().machine.result;
  }

  select(selection: readonly string[]): void {
    this.store.setState({ selection });
  }

  set(key: string, value: unknown, how: { text?: string; tag?: string } = {}): void {
    const { vid, form } = this.work;
    this.commit({ vid, form: withValues(form, { [key]: value }) }, how.text ?? '修改设置', how.tag ?? null);
  }

  apply(form: Form, text: string): void {
    this.commit({ vid: this.work.vid, form }, text);
  }

  commit(work: Work, text: string, tag: string | null = null): void {
    this.go(commit(this.store.getState().history, work, text, Date.now(), tag));
  }

  undo(): void {
    this.go(undo(this.store.getState().history));
  }

  redo(): void {
    this.go(redo(this.store.getState().history));
  }

  /** Back (or on) to a moment of the history panel. */
  goTo(steps: number): void {
    let { history } = this.store.getState();
    for (let at = 0; at < Math.abs(steps); at += 1) history = steps < 0 ? undo(history) : redo(history);
    this.go(history);
  }

  private go(history: History): void {
    const before = this.work;
    this.store.setState({ history });
    const { work } = this;
    if (before.vid === work.vid && same(before.form, work.form)) return;
    this.run.edit(work);
    this.autosave();
  }

  private autosave(): void {
    const at = new Date();
    const place = this.savedPlace;
    this.deps.keep(this.work, place?.report_id ?? null, at);
    if (this.saving !== null) clearTimeout(this.saving);
    if (place === null) {
      this.store.setState({ saved: { at, where: 'device', saving: false } });
      return;
    }
    this.store.setState({ saved: { at, where: 'device', saving: true } });
    this.saving = setTimeout(() => void this.flush(), SAVE_AFTER_MS);
  }

  /** Sends what waits to be saved now; resolves when the server has it. False when it did not get there. */
  async flush(): Promise<boolean> {
    if (this.saving === null) return true;
    clearTimeout(this.saving);
    this.saving = null;
    const place = this.savedPlace;
    if (place === null) return false;
    const at = new Date();
    const sent = this.store.getState().history.now;
    try {
      await this.deps.save(place, this.work, at);
      if (this.store.getState().history.now === sent) {
        this.store.setState({ saved: { at, where: 'server', saving: false } });
      }
      return true;
    } catch {
      // The draft is on this device; the next change tries again.
      this.store.setState({ saved: { at, where: 'device', saving: false } });
      return false;
    }
  }

  /** A new result: what was only on this device is now with the report. */
  private ran(machine: Machine): void {
    const before = this.store.getState().machine.result;
    this.store.setState({ machine });
    if (machine.result === null || machine.result === before) return;
    const { project_id, report_id } = machine.result;
    this.store.setState({ project_id, report_id, saved: { at: new Date(), where: 'server', saving: false } });
    if (before === null) this.deps.keep(this.work, report_id, new Date());
  }

  /** Leaving without saving: nothing of it comes back. */
  discard(): void {
    if (this.saving !== null) clearTimeout(this.saving);
    this.saving = null;
    this.deps.forget(this.savedPlace?.report_id ?? null);
    this.store.setState({ saved: { at: null, where: 'server', saving: false } });
  }

  dispose(): void {
    void this.flush();
    const { going } = this.run.machine;
    if (going !== null && going.run_id !== null && going.ending === null) this.deps.left(going.run_id, this.work.vid);
    this.run.dispose();
  }
}

/** Is there anything the user made that only this device has? Then leaving asks. */
export function needsSave(state: OperationState): boolean {
  // A run under way ends in a report of the project, whoever looks.
  return state.machine.result === null && state.machine.going === null && state.history.past.length > 0;
}
