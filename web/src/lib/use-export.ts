/** One export from the click to the download: started, followed, cancelled when the dialog goes. */
import type { Exported } from '@hengxi/server/exports/schema';
import type { DownloadLink, Run as WireRun } from '@hengxi/server/runs/schema';
import { useEffect, useRef, useState } from 'react';

import { api, ApiError } from './api.ts';
import { cancelRun, followRun, type Run } from './runs.ts';

export type ExportState =
  | { at: 'choosing' }
  | { at: 'working'; share: number; text: string }
  | { at: 'done'; runId: number; file: Exported }
  | { at: 'failed'; text: string };

export interface ExportControl<Body> {
  state: ExportState;
  start: (body: Body) => Promise<void>;
  download: (runId: number) => Promise<void>;
  back: () => void;
  /** Ends what is under way; for the moment the dialog closes. */
  cancel: () => void;
}

interface Underway {
  controller: AbortController;
  runId: number | null;
}

/** `begin` asks the server for the run. */
export function useExport<Body>(begin: (body: Body) => Promise<WireRun>): ExportControl<Body> {
  const [state, setState] = useState<ExportState>({ at: 'choosing' });
  const underway = useRef<Underway | null>(null);

  const cancel = () => {
    const work = underway.current;
    underway.current = null;
    if (!work) return;
    work.controller.abort();
    // The run ends by itself in the end; that it could not be told is nobody's concern.
    if (work.runId !== null) cancelRun(work.runId).catch(() => undefined);
  };
  const latest = useRef(cancel);
  useEffect(() => {
    latest.current = cancel;
  });
  useEffect(() => () => latest.current(), []);

  const start = async (body: Body): Promise<void> => {
    const work: Underway = { controller: new AbortController(), runId: null };
    underway.current = work;
    setState({ at: 'working', share: 0, text: '准备' });
    try {
      const { run_id } = await begin(body);
      work.runId = run_id;
      if (work.controller.signal.aborted) return void (await cancelRun(run_id));
      const run = await followRun<Exported>(run_id, (step) => setState(stateOf(step)), work.controller.signal);
      underway.current = null;
      if (run.state !== 'done' || !run.result) return setState({ at: 'failed', text: faultOf(run) });
      setState({ at: 'done', runId: run_id, file: run.result });
      await download(run_id);
    } catch (error) {
      if (work.controller.signal.aborted) return;
      underway.current = null;
      // What a call says itself has been shown already; the choices stand.
      setState(error instanceof ApiError ? { at: 'choosing' } : { at: 'failed', text: '导出没有完成，请重试' });
    }
  };

  return { state, start, download, cancel, back: () => setState({ at: 'choosing' }) };
}

function stateOf({ progress, position, state }: Partial<Run<Exported>>): ExportState {
  const share = progress?.of ? progress.done / progress.of : 0;
  const text = state === 'waiting' && position ? `前面还有 ${position} 个任务` : progress?.text || '准备';
  return { at: 'working', share, text };
}

function faultOf({ refusal, error, state }: Run<Exported>): string {
  if (state === 'cancelled') return '导出已取消';
  return refusal?.fields[0]?.text ?? error?.text ?? '导出没有完成，请重试';
}

async function download(runId: number): Promise<void> {
  // An address that can be fetched once: a browser's download cannot carry the token.
  const { url } = await api.post<DownloadLink>('/v1/downloads', { kind: 'run', id: runId });
  const link = document.createElement('a');
  link.href = url;
  // The server names the file; with the attribute the page is not left, and asks nothing.
  link.download = '';
  link.click();
}
