/** The AI reading of a report: what is stored, starting another, following and stopping it. */
import type { AiResult, AiStart } from '@hengxi/server/ai/schema';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { api, errorText } from '../../lib/api.ts';
import { reloadMe } from '../../lib/me.ts';
import { cancelRun, followRun } from '../../lib/runs.ts';
import { toast } from '../../lib/toast.ts';

const address = (rid: number): string => `/v1/analysis/reports/${rid}/ai-result`;

/** A report that is computed anew (another key) has another reading. */
function aiResultQuery(rid: number, key: string) {
  return queryOptions({
    queryKey: ['ai-result', rid, key],
    queryFn: ({ signal }) => api.get<AiResult>(address(rid), { signal, quiet: true }),
    staleTime: 0,
  });
}

export interface AiReadingState {
  result: AiResult | undefined;
  error: unknown;
  retry: () => void;
  /** What it does just now, in words; null when it does nothing. */
  working: string | null;
  start: (consent: boolean) => Promise<void>;
  stop: () => void;
  withdraw: () => void;
}

export function useAiReading(rid: number, key: string): AiReadingState {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(aiResultQuery(rid, key));
  const [progress, setProgress] = useState<string | null>(null);
  const run = data?.run_id ?? null;
  useEffect(() => {
    if (run === null) return undefined;
    const left = new AbortController();
    followRun(run, (change) => setProgress(change.progress?.text ?? null), left.signal)
      .then(async () => {
        await client.invalidateQueries({ queryKey: ['ai-result', rid] });
        await reloadMe();
      })
      // Left or offline: looking at the page again asks anew.
      .catch(() => undefined);
    return () => left.abort();
  }, [run, client, rid]);
  return {
    result: data,
    error: data === undefined ? error : null,
    retry: () => void refetch(),
    working: run === null ? null : (progress ?? '等待中'),
    async start(consent) {
      const body: AiStart = { after: data?.attempt ?? 0, consent };
      setProgress(null);
      const begun = await api.post<AiResult>(address(rid), body, { quiet: true });
      client.setQueryData(aiResultQuery(rid, key).queryKey, begun);
    },
    stop() {
      if (run !== null) cancelRun(run).catch((fault: unknown) => toast.warn(errorText(fault)));
    },
    withdraw() {
      api
        .delete('/v1/ai/consent')
        .then(() => refetch())
        .then(() => toast.done('已撤回同意，下次解读前会再问'))
        .catch(() => undefined);
    },
  };
}
