/** A chain of steps judged on a version before it is run: which variables are found, and which steps cannot run and why. */
import type { Declaration } from '@hengxi/contracts/contract';
import { z } from 'zod';
import type { EngineClient } from '../../lib/engine-client.ts';
import { EngineFault, Fault } from '../../lib/errors.ts';
import type { Owner } from '../../lib/guard.ts';
import type { Column, Step } from '../files/schema.ts';
import { namedTables } from '../files/service.ts';
import type { Files, VersionFacts } from '../files/service.ts';
import type { Membership } from '../membership/service.ts';
import { walkChain, withChosen } from './chain-columns.ts';
import type { StepNeeds } from './chain-columns.ts';
import { renumbered } from './names.ts';
import { nearNames } from './near-names.ts';
import type { ChainChoice, ChainMatch, ChainStep } from './schema.ts';

interface Context {
  engine: EngineClient;
  files: Files;
  declared: (path: string) => Declaration | null;
  /** Methods that only members may use: a chain that somebody else has made holds them too. */
  membership: Pick<Membership, 'usage' | 'unlocks'>;
}

const Judged = z.looseObject({ fields: z.array(z.looseObject({ text: z.string() })) });

const list = (names: readonly string[]): string =>
  `${names
    .slice(0, 5)
    .map((name) => `“${name}”`)
    .join('、')}${names.length > 5 ? `等 ${names.length} 个` : ''}`;

export function createMatching({ engine, files, declared, membership }: Context) {
  const { versions } = files;

  /** Ids that a person chose, as names of the version; refused where it has no such variable, or one stands for two. */
  function chosenNames(columns: readonly Column[], choice: ChainChoice): Map<string, string> {
    const names = new Map(columns.map(({ id, name }) => [id, name]));
    const chosen = new Map<string, string>();
    const taken = new Map<string, string>();
    for (const [of, id] of Object.entries(choice.columns)) {
      const name = names.get(id);
      if (name === undefined) throw new Fault(30601, { text: `为“${of}”选的变量在这份数据里不存在，请重新选择` });
      const twin = taken.get(name);
      if (twin !== undefined) throw new Fault(30601, { text: `“${twin}”和“${of}”都对应到了“${name}”，请分别选择` });
      taken.set(name, of);
      chosen.set(of, name);
    }
    return chosen;
  }

  const switched = (steps: readonly Step[], { disabled }: ChainChoice): Step[] => {
    const off = new Set(disabled);
    return steps.map((step, at) => (off.has(at + 1) ? { ...step, disabled: true } : step));
  };

  const methodOf = (step: Step): Declaration | null =>
    typeof step.params['path'] === 'string' ? declared(step.params['path']) : null;

  async function verdictOn(owner: Owner, version: VersionFacts, step: Step) {
    const method = methodOf(step);
    return membership.usage.judge({
      owner,
      method: method && { path: method.path, title: method.title, tier: method.tier },
      table: { bytes: version.size, rows: version.rows, used: async () => version.rows },
      limitsRows: false,
      counts: false,
    });
  }

  /** The engine's word on the settings of a step, where all it works on stands in the data as it is. */
  async function wordOf(
    owner: Owner,
    version: VersionFacts,
    columns: readonly Column[],
    step: Step,
    { found }: StepNeeds,
  ): Promise<string | null> {
    const method = methodOf(step);
    const own = step.params['version'];
    // Settings of an older form are brought up to date where they are run.
    if (!method || (typeof own === 'number' && own !== method.version)) return null;
    const ids = new Map(columns.map(({ id, name }) => [name, id]));
    const here = new Map([...found].flatMap(([id, name]): [string, string][] => [[id, ids.get(name) ?? id]]));
    const { form: asked, filter = null } = renumbered(step, here, method);
    const form = z.record(z.string(), z.unknown()).catch({}).parse(asked);
    const datasets = await namedTables(versions.find, owner, method, form);
    const question = { path: method.path, table: version.tableKey, form, filter, fill_missing: 0 };
    try {
      const { fields } = await engine.call(
        'POST',
        '/draft',
        { ...question, ...(datasets === null ? {} : { datasets }) },
        Judged,
      );
      return fields[0]?.text ?? null;
    } catch (error) {
      if (error instanceof EngineFault) return error.message;
      throw error;
    }
  }

  async function judged(
    owner: Owner,
    version: VersionFacts,
    columns: readonly Column[],
    step: Step,
    needs: StepNeeds,
  ): Promise<Pick<ChainStep, 'state' | 'why'>> {
    const { missing, unmade, isFirstUse } = needs;
    if (step.disabled) return { state: 'off', why: null };
    if (step.op === 'process' && methodOf(step)?.kind !== 'processing')
      return { state: 'unfit', why: '本站已没有这个处理方法，可能已改名' };
    if (missing.length > 0) return { state: 'unfit', why: `这份数据里没有变量${list(missing)}` };
    const { fault } = await verdictOn(owner, version, step);
    if (fault) return { state: 'unfit', why: fault.message };
    const [first] = unmade;
    if (first) return { state: 'unfit', why: `要用第 ${first.by} 步得到的“${first.name}”，那一步不运行` };
    if (!isFirstUse) return { state: 'later', why: null };
    if (step.op !== 'process') return { state: 'fit', why: null };
    const why = await wordOf(owner, version, columns, step, needs);
    return { state: why === null ? 'fit' : 'unfit', why };
  }

  return {
    /** What a chain does and asks for, whatever the data. */
    outline(chain: readonly Step[]) {
      const { columns } = walkChain(chain, { columns: null, chosen: new Map(), declared });
      return {
        steps: chain.map((step) => ({
          title: step.title,
          method: methodOf(step)?.title ?? null,
          note: step.note ?? null,
          disabled: step.disabled === true,
        })),
        columns: columns.map(({ name }) => name),
      };
    },

    async match(owner: Owner, vid: number, chain: readonly Step[], choice: ChainChoice): Promise<ChainMatch> {
      const version = await versions.facts(owner, vid);
      const columns = await versions.columns(owner, vid);
      const chosen = chosenNames(columns, choice);
      const steps = switched(chain, choice);
      const walked = walkChain(steps, { columns, chosen, declared });
      const byName = new Map(columns.map((column) => [column.name, column]));
      const target = (name: string): Column | null => byName.get(chosen.get(name) ?? name) ?? null;
      const absent = walked.columns.filter(({ name }) => !target(name)).map(({ name }) => name);
      const near = nearNames(absent, columns);
      const told: ChainStep[] = [];
      for (const [at, needs] of walked.steps.entries()) {
        const step = steps[at];
        if (!step) continue;
        const { state, why } = await judged(owner, version, columns, step, needs);
        const method = methodOf(step)?.title ?? null;
        told.push({ number: needs.number, title: step.title, method, note: step.note ?? null, state, why });
      }
      return {
        columns: walked.columns.map(({ name, steps: places }) => {
          const to = target(name);
          return {
            name,
            to: to && { id: to.id, name: to.name },
            chosen: chosen.has(name),
            steps: places,
            near: (near.get(name) ?? []).map(({ id, name: word }) => ({ id, name: word })),
          };
        }),
        steps: told,
        ready: told.some(({ state }) => state !== 'off') && told.every(({ state }) => state !== 'unfit'),
      };
    },

    /** The chain as it is run on this version: with the variables that were chosen, and steps switched off. */
    async fitted(owner: Owner, vid: number, chain: readonly Step[], choice: ChainChoice): Promise<Step[]> {
      const steps = switched(chain, choice);
      if (steps.every(({ disabled }) => disabled))
        throw new Fault(30601, { text: '所有步骤都停用了，没有可以套用的内容' });
      const version = await versions.facts(owner, vid);
      for (const step of steps.filter(({ disabled, op }) => !disabled && op === 'process')) {
        const { fault, reason } = await verdictOn(owner, version, step);
        if (fault) throw fault;
        if (reason === 'unlocked') await membership.unlocks.use(owner, String(step.params['path']));
      }
      return withChosen(steps, chosenNames(await versions.columns(owner, vid), choice));
    },
  };
}
