/** What the parts of this feature share. */
import type { Declaration } from '@hengxi/contracts/contract';
import type { Db } from '../../lib/db.ts';
import { Fault } from '../../lib/errors.ts';
import type { Files } from '../files/service.ts';
import type { Models } from '../models/service.ts';
import type { TextAnalysis } from '../text-analysis/service.ts';
import type { RunRow, Runs } from '../runs/service.ts';
import { StepMade } from './schema.ts';
import type { Stepped } from './schema.ts';

export interface StepsContext {
  db: Db;
  files: Files;
  runs: Runs;
  /** Saved models that a replayed prediction asks again. */
  models: Pick<Models, 'named'>;
  /** Dictionaries a replayed step reads again. */
  texts: Pick<TextAnalysis, 'named'>;
  /** The declaration of a method by its path; missing ones are thrown. */
  method: (path: string) => Declaration;
}

/** A run after the wait, as a call answers it: what the engine refuses is a 422 like any fault of the form. */
export function answerOf(run: RunRow): Stepped {
  if (run.state === 'refused') {
    const fields = run.refusal?.fields ?? [];
    throw new Fault(30601, { text: fields[0]?.text ?? '这份数据不能这样处理' }, { fields });
  }
  const made = StepMade.nullable().safeParse(run.result).data ?? null;
  const { fid = null, vid = null, warnings = [], report = null } = made ?? {};
  return { run_id: run.id, state: run.state, error: run.error, fid, vid, warnings, report };
}
