/**
 * AI readings of reports. A point is taken with the start and comes back when no reading results; a reading is stored with
 * the result it is about. The reading by rules costs nothing and is always there.
 */
import { errorText } from '@hengxi/contracts/http';
import { z } from 'zod';
import type { Tx } from '../../lib/db.ts';
import type { Deps } from '../../lib/deps.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { demandPersonal, ownerOf, refuseDemo } from '../../lib/guard.ts';
import type { Actor, Owner } from '../../lib/guard.ts';
import { json } from '../../lib/owner-data.ts';
import type { OwnerFile } from '../../lib/owner-data.ts';
import { ProviderFault } from '../../lib/provider-http.ts';
import type { Points } from '../points/service.ts';
import type { Reports } from '../reports/service.ts';
import type { Outcome, RunRow, Runs } from '../runs/service.ts';
import { modelOf } from './model.ts';
import type { Model } from './model.ts';
import { messagesFor, readingBy } from './reading.ts';
import { READING_PRICE, ReadingSentence } from './schema.ts';
import type { AiResult, AiStart } from './schema.ts';
import { rulesReading, statementsOf } from './statements.ts';
import * as store from './store.ts';

const KIND = 'ai_reading';
/** Two answers of the model, each with its own limit. */
const TIMEOUT_MS = 130_000;
/** Raised when what is sent changes: everybody is asked again. */
const CONSENT_VERSION = 1;
const TITLE = 'AI 解读';

const Payload = z.object({ reportId: z.number(), resultKey: z.string(), rev: z.number(), attempt: z.number() });
const Answer = z.object({ sentences: z.array(ReadingSentence) });

/** The same attempt was begun by another click. */
class Begun extends Error {}

export type AiReadings = ReturnType<typeof createAiReadings>;

interface Needs {
  points: Points;
  reports: Reports;
  runs: Runs;
  /** Tests bring their own. */
  model?: Model | null;
}

const spentKey = ({ reportId, resultKey, attempt }: store.Attempt): string =>
  `reading:${reportId}:${resultKey}:${attempt}`;

export function createAiReadings(deps: Pick<Deps, 'config' | 'db'> & Needs) {
  const { db, points, reports, runs } = deps;
  let model = deps.model === undefined ? modelOf(deps.config.providers.ai) : deps.model;

  runs.registerLocal(KIND, { work, timeoutMs: TIMEOUT_MS }, settle);

  async function open(owner: Owner, rid: number, rev?: number) {
    const report = await reports.read(owner, 0, rid, rev);
    const statements = statementsOf(report.document);
    return { report, statements, messages: messagesFor(report.method, statements) };
  }

  async function work(
    run: RunRow,
    {
      progress,
      signal,
    }: { progress: (p: { done: number; of: number | null; text: string }) => void; signal: AbortSignal },
  ): Promise<Outcome> {
    const { reportId, rev } = Payload.parse(run.payload);
    const failed = (text: string): Outcome => ({
      state: 'refused',
      result: null,
      refusal: { fields: [{ field: null, code: 'ai.failed', text }] },
      error: null,
    });
    if (!model) return failed(errorText(30102));
    progress({ done: 0, of: null, text: '读取报告' });
    const { statements, messages } = await open(ownerOf(run), reportId, rev);
    progress({ done: 0, of: null, text: '撰写并逐句核对' });
    try {
      const reading = await readingBy(model, messages, statements, signal);
      if ('failed' in reading) return failed(`AI解读未通过核对（${reading.failed}）`);
      return { state: 'done', result: reading, refusal: null, error: null };
    } catch (error) {
      if (error instanceof ProviderFault) return failed('AI服务没有给出可用的回答');
      throw error;
    }
  }

  /** Captured with the reading, or given back with the reason: in the transaction that ends the run. */
  async function settle(tx: Tx, run: RunRow, outcome: Outcome): Promise<unknown> {
    const attempt = Payload.parse(run.payload);
    const answer = Answer.safeParse(outcome.result);
    if (outcome.state === 'done' && answer.success) {
      await store.finish(tx, attempt, { state: 'done', sentences: answer.data.sentences, reason: null });
      return null;
    }
    await points.giveBack(tx, ownerOf(run), spentKey(attempt), `${TITLE}退回`);
    const why =
      outcome.state === 'cancelled'
        ? '已停止'
        : (outcome.refusal?.fields[0]?.text ?? outcome.error?.text ?? '没有完成');
    const reason = `${why}，已退回 ${READING_PRICE} 点。以下为规则解读。`;
    await store.finish(tx, attempt, { state: 'failed', sentences: [], reason });
    return null;
  }

  async function read(actor: Actor, rid: number): Promise<AiResult> {
    const { report, statements, messages } = await open(actor.owner, rid);
    const rows = await store.readingsOf(db, rid);
    const now = rows.filter(({ resultKey }) => resultKey === report.key);
    const [last] = now;
    // A reading that was paid for stays in sight while the next is written or fails, and after the result has changed.
    const shown =
      rows.find(({ state, resultKey }) => state === 'done' && resultKey === report.key) ??
      rows.find(({ state }) => state === 'done');
    const isPersonal = actor.owner.kind === 'user';
    // On the channel of an enterprise nothing leaves the machine.
    const provider = isPersonal ? (model?.title ?? null) : null;
    return {
      state: last?.state ?? 'none',
      attempt: last?.attempt ?? 0,
      run_id: last?.state === 'running' ? last.runId : null,
      price: READING_PRICE,
      balance: isPersonal ? (await points.account(db, actor.owner)).user_ai_point : 0,
      provider,
      consented: (await store.consentOf(db, actor.userId)) >= CONSENT_VERSION,
      sends: provider === null ? '' : JSON.stringify(messages, null, 2),
      sentences: shown?.sentences ?? [],
      rules: rulesReading(statements),
      reason: last?.reason ?? null,
      stale: shown !== undefined && shown.resultKey !== report.key,
      content_id: shown === undefined ? null : `AI-${shown.id}`,
      made_at: shown?.createdAt.toISOString() ?? null,
    };
  }

  async function start(actor: Actor, rid: number, { after, consent }: AiStart): Promise<AiResult> {
    const { report, statements } = await open(actor.owner, rid);
    demandPersonal(actor);
    refuseDemoOutsideSandbox(actor);
    if (!model) throw new Fault(30102);
    if (statements.length === 0) throw new Fault(30103);
    if (consent) await store.consent(db, actor.userId, CONSENT_VERSION);
    else if ((await store.consentOf(db, actor.userId)) < CONSENT_VERSION) throw new Fault(30106);
    const now = (await store.readingsOf(db, rid)).filter(({ resultKey }) => resultKey === report.key);
    const last = now[0]?.attempt ?? 0;
    if (after > last) throw missing();
    // Begun by another click or in another tab: that attempt is what is told of.
    if (after < last || now[0]?.state === 'running') return read(actor, rid);
    const payload = { reportId: rid, resultKey: report.key, rev: report.rev, attempt: last + 1 };
    const provider = model.title;
    await runs
      .submit({ owner: actor.owner, userId: actor.userId, kind: KIND, payload }, async (tx, runId) => {
        if (!(await store.begin(tx, payload, runId, provider))) throw new Begun();
        const occasion = { kind: 'use' as const, key: spentKey(payload), title: TITLE, ref: String(rid) };
        await points.spend(tx, actor.owner, READING_PRICE, occasion);
      })
      .catch((error: unknown) => {
        if (!(error instanceof Begun)) throw error;
      });
    return read(actor, rid);
  }

  /** The account all visitors share spends its points on the sandbox only. */
  function refuseDemoOutsideSandbox(actor: Actor): void {
    if (deps.config.providers.ai.kind === 'on') refuseDemo(actor);
  }

  return {
    read,
    start,

    /** GET with confirm=1: the next attempt, unless there is a reading or one under way. */
    async confirmed(actor: Actor, rid: number): Promise<AiResult> {
      const now = await read(actor, rid);
      const isThere = now.state === 'running' || (now.sentences.length > 0 && !now.stale);
      return isThere ? now : start(actor, rid, { after: now.attempt, consent: false });
    },

    withdraw: (actor: Actor): Promise<void> => store.withdraw(db, actor.userId),

    /** For tests: who answers from now on. */
    answerBy: (next: Model | null): void => void (model = next),

    async *belongings(owner: Owner): AsyncGenerator<OwnerFile> {
      const rows = await store.readingsOfOwner(db, owner);
      const list = rows.map(({ reportId, attempt, state, provider, sentences, reason, createdAt }) => ({
        report_id: reportId,
        attempt,
        state,
        provider,
        text: sentences.map((sentence) => sentence.map(({ text }) => text).join('')),
        reason,
        created_at: createdAt.toISOString(),
      }));
      if (list.length > 0) yield json('ai-readings.json', list);
    },

    forget: store.forget,
  };
}
