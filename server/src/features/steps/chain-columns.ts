/** What a chain of steps asks of the data it is run on: which variables, by which steps, and which steps lack one. */
import type { Declaration } from '@hengxi/contracts/contract';
import type { Column, Step } from '../files/schema.ts';
import { renumbered } from './names.ts';

/** Ids a step asks for: what is looked up when they are replaced, of those that have a name. */
class Asked extends Map<string, string> {
  readonly ids = new Set<string>();

  override has(id: string): boolean {
    this.ids.add(id);
    return false;
  }

  override get(id: string): string | undefined {
    this.ids.add(id);
    return undefined;
  }
}

export function namesOf(step: Step): Record<string, string> {
  const names = step.params['names'];
  return typeof names === 'object' && names !== null
    ? Object.fromEntries(Object.entries(names).filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
    : {};
}

export function idsUsed(step: Step, method: Declaration | null): string[] {
  const asked = new Asked();
  renumbered(step, asked, method);
  return Object.keys(namesOf(step)).filter((id) => asked.ids.has(id));
}

export interface NeededColumn {
  /** As the chain calls it. */
  name: string;
  /** Places of the steps that ask for it, from 1. */
  steps: number[];
}

export interface StepNeeds {
  number: number;
  /** Ids of the step → names in the data, as far as they are found. */
  found: ReadonlyMap<string, string>;
  /** Variables of the data that are not there. */
  missing: string[];
  /** Variables of the chain's own, with the step that would make or name them and does not run. */
  unmade: { name: string; by: number }[];
  /** Everything it uses is as it was in the data: no step before it has touched any of it. */
  isFirstUse: boolean;
}

interface Named {
  /** Null: whatever is asked of the data is there. */
  columns: readonly Pick<Column, 'name'>[] | null;
  /** Names of the chain → names of the data, where a person said so. */
  chosen: ReadonlyMap<string, string>;
  declared: (path: string) => Declaration | null;
}

const methodOf = (step: Step, declared: Named['declared']): Declaration | null => {
  const { path } = step.params;
  return typeof path === 'string' ? declared(path) : null;
};

/** New names that a step of names and types gives, by id. */
function renames(step: Step): Map<string, string> {
  const list: unknown[] = step.op === 'edit' && Array.isArray(step.params['columns']) ? step.params['columns'] : [];
  return new Map(
    list.flatMap((item): [string, string][] => {
      if (typeof item !== 'object' || item === null || !('id' in item) || !('name' in item)) return [];
      return typeof item.id === 'string' && typeof item.name === 'string' ? [[item.id, item.name]] : [];
    }),
  );
}

const madeBy = (step: Step): string[] | null => {
  const { made } = step.params;
  return Array.isArray(made) ? made.filter((name): name is string => typeof name === 'string') : null;
};

/**
 * The chain walked as the engine will: a variable is found by its name, else by what a step before found under the same
 * id. Steps that are off make nothing.
 */
export function walkChain(
  steps: readonly Step[],
  { columns, chosen, declared }: Named,
): { columns: NeededColumn[]; steps: StepNeeds[] } {
  const here = new Set((columns ?? []).map(({ name }) => name));
  const found = new Map<string, string>();
  /** Id → what the chain calls the variable of the data that it stands for. */
  const origins = new Map<string, string>();
  const unmade = new Map<string, number>();
  const ofChain = new Set<string>();
  const touched = new Set<string>();
  const needed = new Map<string, number[]>();
  /** A step that does not say what it made: names that are not known may be its own. */
  let isOpen = false;
  const needs = steps.map((step, at): StepNeeds => {
    const number = at + 1;
    const method = methodOf(step, declared);
    const names = namesOf(step);
    const own = new Map<string, string>();
    const missing: string[] = [];
    const lacking: StepNeeds['unmade'] = [];
    const ids = step.disabled ? [] : idsUsed(step, method);
    for (const id of ids) {
      const name = names[id] ?? '';
      const before = found.get(id);
      const by = unmade.get(name);
      if (ofChain.has(name) && here.has(name)) own.set(id, name);
      else if (before !== undefined) own.set(id, before);
      else if (by !== undefined && !here.has(name)) lacking.push({ name, by });
      else {
        const inData = chosen.get(name) ?? name;
        const isThere = columns === null || here.has(inData);
        if (isThere) own.set(id, inData);
        else if (!isOpen) missing.push(name);
        if (isThere || !isOpen) origins.set(id, name);
      }
      const origin = origins.get(id);
      if (origin !== undefined) needed.set(origin, [...new Set([...(needed.get(origin) ?? []), number])]);
    }
    const isFirstUse = [...own.values()].every((name) => !touched.has(name));
    for (const [id, name] of own) {
      found.set(id, name);
      touched.add(name);
    }
    const runs = !step.disabled && missing.length === 0 && lacking.length === 0;
    const made = madeBy(step);
    if (step.op === 'process' && made === null && runs) isOpen = true;
    for (const name of made ?? []) {
      if (runs) {
        here.add(name);
        ofChain.add(name);
        touched.add(name);
        unmade.delete(name);
      } else if (!here.has(name)) unmade.set(name, number);
    }
    for (const [id, name] of renames(step)) {
      if (!runs) {
        if (!here.has(name)) unmade.set(name, number);
        continue;
      }
      const old = found.get(id);
      if (old !== undefined) here.delete(old);
      here.add(name);
      ofChain.add(name);
      touched.add(name);
      found.set(id, name);
    }
    return { number, found: own, missing, unmade: lacking, isFirstUse };
  });
  return { columns: [...needed].map(([name, places]) => ({ name, steps: places })), steps: needs };
}

/** The chain with the names that a person chose for variables of its own data; what the chain makes keeps its name. */
export function withChosen(steps: readonly Step[], chosen: ReadonlyMap<string, string>): Step[] {
  if (chosen.size === 0) return [...steps];
  const made = new Set<string>();
  return steps.map((step) => {
    const names = Object.fromEntries(
      Object.entries(namesOf(step)).map(([id, name]) => [id, made.has(name) ? name : (chosen.get(name) ?? name)]),
    );
    for (const name of [...(madeBy(step) ?? []), ...renames(step).values()]) made.add(name);
    return { ...step, params: { ...step.params, names } };
  });
}
