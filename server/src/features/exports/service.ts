/** Exports: a version becomes a file in a run of the engine; its owner downloads it within a day. */
import type { Deps } from '../../lib/deps.ts';
import type { Actor, Owner } from '../../lib/guard.ts';
import type { Files, VersionFacts } from '../files/service.ts';
import type { Run } from '../runs/schema.ts';
import type { Runs } from '../runs/service.ts';
import { MadeFiles, newFileKey } from './made-files.ts';
import { ExportCheck, Exported } from './schema.ts';
import type { ExportBody } from './schema.ts';

const KIND = 'export';
/** A workbook of twenty million cells takes minutes. */
const EXPORT_SECONDS = 1800;
/** SPSS and Stata files are written from memory, in MiB: a million rows of fifty columns fit. */
const EXPORT_MEMORY = 3072;
const CHECK_MS = 20_000;
const HOUR_MS = 3_600_000;

const TYPES: Record<string, string> = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pdf: 'application/pdf',
  html: 'text/html; charset=utf-8',
  zip: 'application/zip',
  png: 'image/png',
  tiff: 'image/tiff',
  svg: 'image/svg+xml',
};

export type Exports = ReturnType<typeof createExports>;

export function createExports(deps: Pick<Deps, 'config' | 'engine' | 'log'> & { files: Files; runs: Runs }) {
  const { config, engine, log, files, runs } = deps;
  const exportFiles = new MadeFiles(config.data);
  /** Kinds of runs whose result is a file of `made`. */
  const kinds = new Set([KIND]);
  let timer: NodeJS.Timeout | null = null;

  runs.register(KIND, async (_tx, run, outcome) => {
    if (outcome.state === 'done') return Exported.parse(outcome.result);
    // Written at the very moment the run was cancelled: nobody can ask for it, and the sweeper would only come later.
    const key = keyOf(run.payload);
    if (key) void exportFiles.remove(key).catch(() => undefined);
    return null;
  });

  const sweep = (): void => {
    exportFiles
      .sweep()
      .catch((error: unknown) => log.warn({ event: 'sweep', err: error }, 'will be tried again in an hour'));
  };

  return {
    made: exportFiles,
    newFileKey,
    /** Files of another kind of run are kept, handed out and swept with these; its result is an Exported. */
    handOut: (kind: string): void => void kinds.add(kind),

    async start(actor: Actor, vid: number, body: ExportBody): Promise<Run> {
      const version = await files.versions.facts(actor.owner, vid);
      await exportFiles.demandSpace();
      const { format, options, filtered } = body;
      const id = await runs.submit({
        owner: actor.owner,
        userId: actor.userId,
        kind: KIND,
        payload: {
          table: version.tableKey,
          name: nameOf(version, filtered),
          format,
          options,
          filter: filterOf(version, filtered),
          file: newFileKey(),
        },
        memoryMb: EXPORT_MEMORY,
        timeoutS: EXPORT_SECONDS,
      });
      return runs.wire(await runs.read(actor.owner, id));
    },

    /** What the person should know before choosing: how many rows, and texts that look like formulas. */
    async check(owner: Owner, vid: number, filtered: boolean): Promise<ExportCheck> {
      const version = await files.versions.facts(owner, vid);
      const body = { filter: filterOf(version, filtered) };
      return engine.call('POST', `/tables/${version.tableKey}/export-check`, body, ExportCheck, {
        timeoutMs: CHECK_MS,
      });
    },

    /** The file of a run, as downloads hand it out: null for a foreign run, one of another kind, or a file that is gone. */
    async download(owner: Owner, runId: number) {
      const run = await runs.read(owner, runId).catch(() => null);
      const result = run && kinds.has(run.kind) && run.state === 'done' ? Exported.safeParse(run.result) : null;
      if (!result?.success) return null;
      const { file, name } = result.data;
      const size = await exportFiles.size(file);
      const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
      return size === null ? null : { name, type, size, open: () => exportFiles.open(file) };
    },

    async startSweeper(): Promise<void> {
      await exportFiles.prepare();
      sweep();
      timer = setInterval(sweep, HOUR_MS).unref();
    },
    stopSweeper: (): void => {
      if (timer) clearInterval(timer);
    },
  };
}

const filterOf = ({ filter }: VersionFacts, filtered: boolean): unknown =>
  filtered && filter ? { condition: filter.condition, filter_type: filter.filter_type } : null;

/** 调查, 调查_v2 for a version that is not the shown one, 调查_筛选; without what file systems refuse. */
function nameOf(version: VersionFacts, filtered: boolean): string {
  const { name, vid, head, number, filter } = version;
  const parts = [name, vid === head ? '' : `v${number}`, filtered && filter ? '筛选' : ''].filter(Boolean);
  const clean = parts.join('_').replace(/[\\/:*?"<>|\p{Cc}]+/gu, '_');
  return Array.from(clean).slice(0, 120).join('');
}

function keyOf(payload: unknown): string | null {
  return typeof payload === 'object' && payload !== null && 'file' in payload && typeof payload.file === 'string'
    ? payload.file
    : null;
}
