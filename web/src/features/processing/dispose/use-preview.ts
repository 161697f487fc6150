/** What the step would do with the settings on screen: judged at once, computed on some rows when nothing is missing. */
import type { Report } from '@hengxi/contracts/contract';
import type { FieldFault } from '@hengxi/contracts/http';
import { useEffect, useState } from 'react';

import type { Form } from '../../../fields/form.ts';
import { finished } from '../../../fields/steps/queries.ts';
import { ApiError, errorText } from '../../../lib/api.ts';
import { randomHex } from '../../../lib/random.ts';
import { cancelRun } from '../../../lib/runs.ts';
import { lookAhead } from '../queries.ts';

/** Shorter than the pause between two thoughts, longer than that between two keys of one who types fast. */
const SETTLE_MS = 80;

export interface Preview {
  resolved: Form | null;
  faults: readonly FieldFault[];
  /** The newest look ahead; it stays, marked as old, while the next one is on its way. */
  report: Report | null;
  state: 'asking' | 'open' | 'fresh' | 'failed';
  trouble: string | null;
}

const NOTHING: Preview = { resolved: null, faults: [], report: null, state: 'asking', trouble: null };

export function usePreview(path: string, vid: number, form: Form): Preview {
  const [preview, setPreview] = useState(NOTHING);
  const [page] = useState(() => randomHex(8));
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    let run: number | null = null;
    const show = (change: Partial<Preview>): void => {
      if (!signal.aborted) setPreview((old) => ({ ...old, ...change }));
    };
    const look = async (): Promise<void> => {
      const { resolved, fields, step } = await lookAhead(path, vid, form, page, signal);
      if (step === null) {
        show({ resolved, faults: fields, trouble: null, state: 'open' });
        return;
      }
      const outcome = await finished(Promise.resolve(step), { signal, onRun: (id) => (run = id) });
      run = null;
      if (outcome.kind === 'done')
        show({ resolved, faults: [], trouble: null, state: 'fresh', report: outcome.report });
      else show({ resolved, state: 'failed', trouble: outcome.text, faults: outcome.fields });
    };
    const failed = (error: unknown): void =>
      show({ state: 'failed', trouble: errorText(error), faults: error instanceof ApiError ? error.fields : [] });
    show({ state: 'asking' });
    const timer = setTimeout(() => {
      look().catch(failed);
    }, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
      // Nobody waits for it any more.
      if (run !== null) cancelRun(run).catch(() => undefined);
    };
  }, [path, vid, form, page]);
  return preview;
}
