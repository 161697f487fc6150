/** What the step would do with the settings on screen: judged at once, computed on some rows when nothing is missing. */
import type { Report } from '@hengxi/contracts/contract';
import type { FieldFault } from '@hengxi/contracts/http';
import { useEffect, useState } from 'react';

import type { Form } from '../../../fields/form.ts';
import { finished, lookAhead } from '../../../fields/steps/queries.ts';
import { errorText } from '../../../lib/api.ts';
import { cancelRun } from '../../../lib/runs.ts';
import { judge } from '../queries.ts';

const SETTLE_MS = 400;

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
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    let run: number | null = null;
    const show = (change: Partial<Preview>): void => {
      if (!signal.aborted) setPreview((old) => ({ ...old, ...change }));
    };
    const look = async (): Promise<void> => {
      const { resolved, fields } = await judge(path, vid, form, signal);
      show({ resolved, faults: fields, trouble: null });
      if (fields.length > 0) {
        show({ state: 'open' });
        return;
      }
      const outcome = await finished(lookAhead(path, vid, form, signal), { signal, onRun: (id) => (run = id) });
      run = null;
      if (outcome.kind === 'done') show({ state: 'fresh', report: outcome.report });
      else show({ state: 'failed', trouble: outcome.text, faults: outcome.fields });
    };
    show({ state: 'asking' });
    const timer = setTimeout(() => {
      look().catch((error: unknown) => show({ state: 'failed', trouble: errorText(error) }));
    }, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
      // Nobody waits for it any more.
      if (run !== null) cancelRun(run).catch(() => undefined);
    };
  }, [path, vid, form]);
  return preview;
}
