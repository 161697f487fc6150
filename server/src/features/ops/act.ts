/** What an act at the desk states about itself. Everything else (rights, log, four eyes) follows from it in desk.ts. */
import { z } from 'zod';
import type { ZodType } from 'zod';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import type { Choice, Field, Role } from './schema.ts';

/** The target as it is before an act. */
export interface Looked {
  /** How people call it. */
  name: string;
  /** Whose it is: nobody acts on the own account. */
  owner: number | null;
  /** null: the target carries none; its state is checked by the act itself. */
  version: number | null;
  /** Masked, for the request and its approver. */
  before: unknown;
}

export interface Doing<P> {
  tx: Tx;
  target: string;
  version: number;
  payload: P;
  reason: string;
  /** Who asked for it, and who approved (null: nobody had to). */
  by: number;
  approvedBy: number | null;
}

/** Masked rows for the log; `target` where the act made something new. */
export interface Done {
  before: unknown;
  after: unknown;
  target?: string;
}

interface Statement {
  act: string;
  title: string;
  /** Kind of the target in the log. */
  kind: string;
  roles: readonly Role[];
  /** May ask for it; somebody of `roles` approves. */
  asks?: readonly Role[];
  /** Moves money or what is worth money: wants a proof of the last ten minutes. */
  isMoney?: boolean;
  danger?: boolean;
  /** False only for what changes nothing but who is looking. */
  reason?: boolean;
  /** Makes something new: there is no target yet. */
  makes?: boolean;
  fields: readonly Field[];
  look(db: Db, target: string): Promise<Looked | null>;
}

interface Typed<P> extends Statement {
  payload: ZodType<P>;
  /** Refuses at once what is known to be impossible, before another operator is troubled with it. */
  demand?(facts: { db: Db; target: string; payload: P }): Promise<void>;
  /** Why a second operator must approve; null: nobody must. */
  fourEyes?(facts: { db: Db; target: string; payload: P; by: number }): Promise<string | null>;
  /** Asked of a provider before the transaction that writes it down. */
  outside?(target: string): Promise<void>;
  run(doing: Doing<P>): Promise<Done>;
}

export interface Act extends Required<Omit<Statement, 'look'>> {
  look: Statement['look'];
  check(raw: unknown): void;
  demand(facts: { db: Db; target: string; payload: unknown }): Promise<void>;
  fourEyes(facts: { db: Db; target: string; payload: unknown; by: number }): Promise<string | null>;
  outside(target: string): Promise<void>;
  run(doing: Doing<unknown>): Promise<Done>;
}

/** 行数不能小于 0, 生效时间：请选择时间; what names its field already stands alone. */
function joined(label: string, words: string): string {
  if (words.startsWith(label)) return words;
  return `${label}${/^(?:应|不能|必填|最多|至少)/.test(words) ? '' : '：'}${words}`;
}

export function define<P>(typed: Typed<P>): Act {
  const { payload: shape, demand, fourEyes, outside, run, fields } = typed;
  const read = (raw: unknown): P => {
    const parsed = shape.safeParse(raw);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const label = fields.find(({ key }) => key === issue?.path[0])?.label;
    throw new Fault(30090, { detail: joined(label ?? '', issue?.message ?? '内容有误') });
  };
  return {
    asks: [],
    isMoney: false,
    danger: false,
    reason: true,
    makes: false,
    ...typed,
    check: (raw) => void read(raw),
    demand: async (facts) => demand?.({ ...facts, payload: read(facts.payload) }),
    fourEyes: async (facts) => (fourEyes ? fourEyes({ ...facts, payload: read(facts.payload) }) : null),
    outside: async (target) => outside?.(target),
    run: async (doing) => run({ ...doing, payload: read(doing.payload) }),
  };
}

export const nothing = z.strictObject({});

export const field = (
  key: string,
  label: string,
  kind: Field['kind'],
  more: { choices?: readonly Choice[]; optional?: boolean; hint?: string } = {},
): Field => ({
  key,
  label,
  kind,
  choices: more.choices ? [...more.choices] : null,
  optional: more.optional ?? false,
  hint: more.hint ?? null,
});

export const choicesOf = (labels: Record<string, string>): Choice[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** Shapes that many forms share. */
export const fen = z.number().int().min(0).max(100_000_000);
export const line = (most: number) => z.string().trim().min(1, '不能为空').max(most);
export const instant = z.iso.datetime({ offset: true, message: '请选择时间' }).transform((text) => new Date(text));
