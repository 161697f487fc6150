/** How runs end: in the engine's words, or in ours where it has none. */
import { randomBytes } from 'node:crypto';
import { errorText } from '@hengxi/contracts/http';
import { isFull } from '../../lib/errors.ts';
import type { Logger } from '../../lib/log.ts';
import type { EngineEvent } from '../../lib/engine-client.ts';
import { RunRefusal } from './schema.ts';
import type { RunState } from './schema.ts';

/** How a run ended, as the engine said it. */
export interface Outcome {
  state: RunState;
  result: unknown;
  refusal: RunRefusal | null;
  error: { code: string; text: string; id: string | null } | null;
}

/** Messages of endings that the engine does not word itself. */
const ENDING_TEXTS: Partial<Record<RunState, string>> = {
  lost: '计算服务重新启动，本次任务已中断，请重试',
  timeout: '计算超出时间限制，请减少数据量或变量后重试',
  memory: '内存超出限制，请减少变量或行数',
  failed: '计算进程意外结束，本次任务未完成',
};

export function outcomeText(state: RunState): Outcome['error'] {
  const text = ENDING_TEXTS[state];
  return text ? { code: `run.${state}`, text, id: null } : null;
}

export function outcomeOf(event: EngineEvent): Outcome {
  const refusal = event.refusal ? RunRefusal.safeParse(event.refusal) : null;
  const { error } = event;
  return {
    state: event.state,
    result: event.result ?? null,
    refusal: refusal?.success ? refusal.data : null,
    error: error
      ? {
          code: error.code,
          text: error.text,
          id: error.id === null || error.id === undefined ? null : String(error.id),
        }
      : null,
  };
}

/** A full disk is told as what it is; a mistake of ours gets a number to quote. */
export function failedOutcome(log: Logger, error: unknown, id: number, what: string): Outcome {
  const errorId = randomBytes(4).toString('hex');
  log.error({ event: isFull(error) ? 'disk_full' : 'bug', err: error, err_id: errorId, run_id: id }, what);
  const text = isFull(error)
    ? { code: 'disk.full', text: `${errorText(30022)}。原有的数据和报告未受影响。`, id: null }
    : { code: 'server.bug', text: `服务器端出错（编号 ${errorId}）`, id: errorId };
  return { state: 'failed', result: null, refusal: null, error: text };
}
