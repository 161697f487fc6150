/**
 * The one door for every change. Right, own account, proof and four eyes are judged here for all acts alike; act and row
 * of the log are one transaction. What a second operator must see waits as a request and happens in the transaction of
 * the approval, on the version of the target that was asked about.
 */
import { createHash } from 'node:crypto';
import { and, eq, lte } from 'drizzle-orm';
import { logAct } from '../../lib/act-log.ts';
import { violates } from '../../lib/db.ts';
import type { Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { work } from '../../lib/idempotency.ts';
import { demandStepUp } from '../accounts/service.ts';
import { demandRole, mayAsk, mayDo, roleFor } from './access.ts';
import type { Operator } from './access.ts';
import type { Act, Looked } from './act.ts';
import type { Acts } from './acts/index.ts';
import type { Context } from './context.ts';
import type { ActBody, ActDone } from './schema.ts';
import { opsRequests } from './tables.ts';
import type { RequestRow } from './tables.ts';

const REASON_MIN = 5;
const REQUEST_HOURS = 24;
const NOBODY: Looked = { name: '', owner: null, version: null, before: null };

const hashOf = (row: Pick<RequestRow, 'act' | 'target' | 'targetVersion' | 'payload'>): string => {
  const sorted = (value: unknown): unknown =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, one]) => [key, sorted(one)]),
        )
      : value;
  return createHash('sha256')
    .update(JSON.stringify([row.act, row.target, row.targetVersion, sorted(row.payload)]))
    .digest('hex');
};

export function demandReason(reason: string): string {
  const text = reason.trim();
  if ([...text].length < REASON_MIN) throw new Fault(30405);
  return text;
}

export function createDesk(context: Context, acts: Acts, isSingle: boolean) {
  const { db, keys, clock } = context;

  const actOf = (name: string): Act => {
    const act = acts.get(name);
    if (!act) throw new Fault(30090, { detail: '没有这个操作' });
    return act;
  };

  async function lookAt(act: Act, target: string): Promise<Looked> {
    if (act.makes) return NOBODY;
    const looked = await act.look(db, target);
    if (!looked) throw missing();
    return looked;
  }

  function demandOther(looked: Looked, userId: number): void {
    if (looked.owner === userId) throw new Fault(30406);
  }

  async function write(tx: Tx, operator: Operator, entry: Omit<Parameters<typeof logAct>[1], 'scope' | 'actor'>) {
    const { userId, net, rid } = operator;
    await logAct(tx, { scope: 'ops', actor: userId, net, rid, ...entry });
  }

  async function ask(act: Act, body: ActBody, looked: Looked, why: string, operator: Operator): Promise<number> {
    const reason = demandReason(body.reason);
    const facts = { act: act.act, target: body.target, targetVersion: body.version, payload: body.payload };
    try {
      return await work(db, async (tx) => {
        const now = await clock(tx);
        await expire(tx, now);
        const [row] = await tx
          .insert(opsRequests)
          .values({
            ...facts,
            kind: act.kind,
            targetName: looked.name,
            payloadHash: hashOf(facts),
            before: looked.before,
            why,
            reason,
            askedBy: operator.userId,
            createdAt: now,
            endsAt: new Date(now.getTime() + REQUEST_HOURS * 3_600_000),
          })
          .returning({ id: opsRequests.id });
        if (!row) throw new Error('INSERT gave no row');
        await write(tx, operator, {
          role: roleFor(operator, [...act.roles, ...act.asks]),
          act: 'request.make',
          kind: 'request',
          target: row.id,
          after: { act: act.act, kind: act.kind, target: body.target, payload: body.payload, why },
          reason,
          requestId: row.id,
        });
        return row.id;
      });
    } catch (error) {
      if (violates(error, 'ops_requests_one_waiting')) throw new Fault(30408, { detail: '相同的申请正在等待审批' });
      throw error;
    }
  }

  async function expire(tx: Tx, now: Date): Promise<void> {
    await tx
      .update(opsRequests)
      .set({ state: 'expired', decidedAt: now })
      .where(and(eq(opsRequests.state, 'waiting'), lte(opsRequests.endsAt, now)));
  }

  async function load(id: number, operator: Operator): Promise<{ row: RequestRow; act: Act }> {
    await db.transaction(async (tx) => expire(tx, await clock(tx)));
    const [row] = await db.select().from(opsRequests).where(eq(opsRequests.id, id));
    const act = row ? acts.get(row.act) : undefined;
    if (!row || !act) throw missing();
    if (row.askedBy !== operator.userId) demandRole(mayDo(operator, act), act.roles);
    if (row.state !== 'waiting') throw new Fault(30403);
    return { row, act };
  }

  /** Takes a waiting request for good; two approvers at once never both get it. */
  async function take(tx: Tx, row: RequestRow, set: Partial<RequestRow>): Promise<void> {
    const taken = await tx
      .update(opsRequests)
      .set({ ...set, decidedAt: await clock(tx) })
      .where(and(eq(opsRequests.id, row.id), eq(opsRequests.state, 'waiting')))
      .returning({ id: opsRequests.id });
    if (taken.length === 0) throw new Fault(30403);
  }

  return {
    async act(body: ActBody, operator: Operator): Promise<ActDone> {
      const act = actOf(body.act);
      demandRole(mayAsk(operator, act), act.roles);
      const looked = await lookAt(act, body.target);
      demandOther(looked, operator.userId);
      const reason = act.reason ? demandReason(body.reason) : body.reason.trim() || null;
      act.check(body.payload);
      if (looked.version !== null && looked.version !== body.version) throw new Fault(30309);
      if (act.isMoney) await demandStepUp({ db, keys }, operator.actor);
      const facts = { db, target: body.target, payload: body.payload, by: operator.userId };
      await act.demand(facts);
      const why = (await act.fourEyes(facts)) ?? (mayDo(operator, act) ? null : `由${act.roles.join('或')}审批`);
      if (why !== null) {
        const requestId = await ask(act, body, looked, why, operator);
        return { state: 'waiting', request_id: requestId, msg: '需要另一位操作员审批，已提交' };
      }
      await act.outside(body.target);
      await work(db, async (tx) => {
        const done = await act.run({
          tx,
          target: body.target,
          version: body.version ?? 0,
          payload: body.payload,
          reason: reason ?? '',
          by: operator.userId,
          approvedBy: null,
        });
        await write(tx, operator, {
          role: roleFor(operator, act.roles),
          act: act.act,
          kind: act.kind,
          target: done.target ?? body.target,
          before: done.before,
          after: done.after,
          reason,
        });
      });
      return { state: 'done', request_id: null, msg: '操作成功' };
    },

    /** Approves and carries out. */
    async approve(id: number, operator: Operator): Promise<ActDone> {
      const { row, act } = await load(id, operator);
      demandRole(mayDo(operator, act), act.roles);
      if (row.askedBy === operator.userId && !isSingle) throw new Fault(30402);
      demandOther(await lookAt(act, row.target), operator.userId);
      await demandStepUp({ db, keys }, operator.actor);
      if (hashOf(row) !== row.payloadHash) throw new Error(`The request ${id} is not what was asked for`);
      try {
        await work(db, async (tx) => {
          await take(tx, row, { state: 'done', decidedBy: operator.userId });
          const done = await act.run({
            tx,
            target: row.target,
            version: row.targetVersion ?? 0,
            payload: row.payload,
            reason: row.reason,
            by: row.askedBy,
            approvedBy: operator.userId,
          });
          await write(tx, operator, {
            role: roleFor(operator, act.roles),
            act: act.act,
            kind: act.kind,
            target: done.target ?? row.target,
            before: done.before,
            after: done.after,
            reason: row.reason,
            requestId: id,
          });
        });
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== 30309) throw error;
        await db.transaction(async (tx) => {
          await take(tx, row, { state: 'moved' });
          await write(tx, operator, {
            role: roleFor(operator, act.roles),
            act: 'request.moved',
            kind: 'request',
            target: id,
            requestId: id,
          });
        });
        throw new Fault(30403);
      }
      return { state: 'done', request_id: id, msg: '已批准并执行' };
    },

    /** Refuses, or (by who asked) withdraws. */
    async refuse(id: number, given: string, operator: Operator): Promise<ActDone> {
      const { row, act } = await load(id, operator);
      const reason = demandReason(given);
      await work(db, async (tx) => {
        await take(tx, row, { state: 'refused', decidedBy: operator.userId, answer: reason });
        await write(tx, operator, {
          role: roleFor(operator, [...act.roles, ...act.asks]),
          act: 'request.refuse',
          kind: 'request',
          target: id,
          before: { state: 'waiting' },
          after: { state: 'refused' },
          reason,
          requestId: id,
        });
      });
      return { state: 'done', request_id: id, msg: row.askedBy === operator.userId ? '已撤回' : '已驳回' };
    },

    /** Acts somebody may approve, for the list of requests. */
    approvable: (operator: Operator): string[] =>
      [...acts.values()].filter((act) => mayDo(operator, act)).map((act) => act.act),

    /** Looking at personal papers, or at all that one customer has, leaves a trace, too. */
    async seen(operator: Operator, kind: string, target: number, act = 'proof.view'): Promise<void> {
      await db.transaction((tx) => write(tx, operator, { role: operator.roles.join('、'), act, kind, target }));
    },

    async exported(tx: Tx, operator: Operator, list: string, after: unknown, reason: string): Promise<void> {
      await write(tx, operator, {
        role: operator.roles.join('、'),
        act: 'list.export',
        kind: 'list',
        target: list,
        after,
        reason,
      });
    },
  };
}
export type Desk = ReturnType<typeof createDesk>;
