/** From a whole upload to a version: the preview, the import as a run, and what is kept when it is done. */
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { ownerOf } from '../../lib/guard.ts';
import type { Actor, Owner } from '../../lib/guard.ts';
import { happened } from '../../lib/product-events.ts';
import type { Run } from '../runs/schema.ts';
import type { Finisher, Outcome, RunRow, Runs } from '../runs/service.ts';
import { newTableKey } from '../../lib/blobs.ts';
import { catalogueOf, demandWhole } from './catalogues.ts';
import { ImportResult } from './engine.ts';
import type { RowsFileQuery, Tables } from './engine.ts';
import { TEXT_FORMATS } from '@hengxi/contracts/upload-formats';
import { demandUnlocked } from './lock.ts';
import { bytesText, extensionOf, titleOf } from './limits.ts';
import type { Finding, ImportBody, Imported, OpenUpload, Preview, PreviewBody, Step } from './schema.ts';
import { findExample, insertFile, insertVersion, loadFile, lockHead } from './store.ts';
import { findingsOf } from './health-counts.ts';
import { searchText, summarise } from './summary.ts';
import type { UploadRow } from './tables.ts';
import { addGarbage, useUpload } from './upload-store.ts';
import type { Uploads } from './uploads.ts';

/** Memory of the child that reads the file, in MiB: a million rows of fifty columns fit. */
const IMPORT_LIMITS = { memoryMb: 3072, timeoutS: 600 };

/** What the finisher must know besides the engine's result; kept with the run. */
const Note = z.object({
  uploadId: z.number(),
  size: z.number(),
  source: z.string(),
  name: z.string(),
  fid: z.number().nullable(),
  example: z.string().nullable(),
  table: z.string(),
});
type Note = z.infer<typeof Note>;

/** What is not certain without a person: `{id, column, kind, choices, samples, …}`, worded by the engine. */
const Asking = z.object({ questions: z.array(z.record(z.string(), z.unknown())) });

export type Imports = ReturnType<typeof createImports>;

export function createImports(deps: { db: Db; runs: Runs; tables: Tables; uploads: Uploads }) {
  const { db, runs, tables, uploads } = deps;

  runs.registerPrepared('import', prepare);
  // Half an import is taken up again by itself: the upload is whole, and the table is published in one piece.
  runs.retryOnce('import', IMPORT_LIMITS);

  async function submit(
    actor: Actor,
    upload: UploadRow,
    body: ImportBody,
    more: { example: string | null; catalogue?: RowsFileQuery | null },
  ): Promise<number> {
    const { settings, answers, on_doubt, password } = body;
    const table = newTableKey();
    const note: Note = {
      uploadId: upload.uploadId,
      size: upload.size,
      source: upload.name,
      name: body.name ?? titleOf(upload.name),
      fid: body.fid ?? null,
      example: more.example,
      table,
    };
    return runs.submit({
      owner: actor.owner,
      userId: actor.userId,
      kind: 'import',
      payload: {
        upload: upload.key,
        name: upload.name,
        settings,
        answers,
        on_doubt,
        table,
        ...(more.catalogue ? { catalogue: more.catalogue } : {}),
      },
      ...(password === undefined ? {} : { secret: { password } }),
      note,
      ...IMPORT_LIMITS,
    });
  }

  async function prepare(run: RunRow, outcome: Outcome): Promise<Finisher> {
    const note = Note.parse(run.note);
    if (outcome.state !== 'done')
      return async (tx) => {
        await addGarbage(tx, [note.table], 0);
        return outcome.state === 'asking' ? Asking.parse(outcome.result) : null;
      };
    const result = ImportResult.parse(outcome.result);
    const { columns, rows, sets } = result;
    const findings = await findingsOf(tables, { key: note.table, columns, rows, sets: sets ?? [] });
    return (tx) => keep(tx, { owner: ownerOf(run), userId: run.userId }, note, result, findings);
  }

  async function keep(
    tx: Tx,
    { owner, userId }: { owner: Owner; userId: number },
    note: Note,
    result: ImportResult,
    findings: readonly Finding[],
  ): Promise<Imported> {
    if (note.example) {
      // Two clicks on the same example make one file.
      await tx.execute(
        sql`SELECT pg_advisory_xact_lock(hashtext(${`example ${owner.kind} ${owner.id} ${note.example}`}))`,
      );
      const known = await findExample(tx, owner, note.example);
      if (known) {
        await addGarbage(tx, [note.table], 0);
        return known;
      }
    }
    const target = note.fid === null ? null : await loadFile(tx, owner, note.fid);
    const { kind } = result.report;
    const { columns, rows, sets } = result;
    const fid = target?.fid ?? (await insertFile(tx, owner, { name: note.name, format: kind, example: note.example }));
    const vid = await insertVersion(tx, owner, fid, {
      parent: null,
      replaces: await lockHead(tx, owner, fid),
      tableKey: note.table,
      dataKey: null,
      uploadId: note.uploadId,
      size: note.size,
      rows,
      columns,
      sets: sets ?? [],
      importReport: result.report,
      step: { ...importStep(note, result), by: userId },
      summary: summarise(columns, findings),
      search: searchText(columns),
    });
    if (vid === null) throw new Error('A file made a moment ago is gone');
    await useUpload(tx, note.uploadId);
    if (!note.example) await happened(tx, owner, { kind: 'file_imported', subject: vid });
    return { fid, vid };
  }

  /** The catalogue named with a file. */
  const beside = async (owner: Owner, id: number | undefined): Promise<RowsFileQuery | null> =>
    id === undefined ? null : catalogueOf(uploads, owner, id);

  /** Imports of the owner that are under way, by the upload they read. */
  async function underWay(owner: Owner): Promise<Map<number, number>> {
    const { list } = await runs.list(owner, { onlyOpen: true, rid: null, limit: 200, offset: 0 });
    return new Map(list.filter(({ kind }) => kind === 'import').map(({ id, note }) => [Note.parse(note).uploadId, id]));
  }

  /** A file that is small enough to wait for. */
  async function atOnce(runId: number, otherwise: string): Promise<Imported> {
    const run = await runs.wait(runId, 20);
    if (runs.isOpen(run)) throw new Fault(30012);
    const text = run.refusal?.fields[0]?.text ?? run.error?.text ?? otherwise;
    if (run.state !== 'done') throw new Fault(30508, { text });
    return z.object({ fid: z.number(), vid: z.number() }).parse(run.result);
  }

  return {
    /** Uploads no file was made of yet, and what is being made of them: a page that was loaded anew finds them again. */
    open: async (owner: Owner): Promise<OpenUpload[]> => uploads.open(owner, await underWay(owner)),

    async preview(actor: Actor, id: number, body: PreviewBody): Promise<Preview> {
      const upload = await uploads.load(actor.owner, id);
      const isPartial = upload.state === 'open';
      const isText = TEXT_FORMATS.some((format) => format === extensionOf(upload.name));
      if (isPartial && (!isText || upload.received === 0))
        throw new Fault(30505, { left: upload.size - upload.received });
      const catalogue = await beside(actor.owner, body.catalogue);
      return tables.preview({ upload: upload.key, name: upload.name, partial: isPartial, ...body, catalogue });
    },

    async start(actor: Actor, id: number, body: ImportBody): Promise<Run> {
      const upload = await uploads.load(actor.owner, id);
      demandWhole(upload);
      const catalogue = await beside(actor.owner, body.catalogue);
      const target = body.fid === undefined ? undefined : await loadFile(db, actor.owner, body.fid);
      if (target === null) throw missing();
      if (target) demandUnlocked(target);
      await uploads.demandSpace(upload);
      const runId = await submit(actor, upload, body, { example: null, catalogue });
      return runs.wire(await runs.read(actor.owner, runId));
    },

    /** The example of a method as a file of the person's own: the same one however often it is asked for. */
    async example(actor: Actor, path: string, title: string, bytes: Uint8Array): Promise<Imported> {
      const known = await findExample(db, actor.owner, path);
      if (known) return known;
      const upload = await uploads.put(actor.owner, `${title}（示例数据）.csv`, bytes);
      const runId = await submit(actor, upload, { settings: {}, answers: {}, on_doubt: 'text' }, { example: path });
      return atOnce(runId, '示例数据暂时无法读取');
    },

    /** A table the product wrote as text: a new version of this file, or a new file where that one is gone. */
    async written(actor: Actor, table: { title: string; csv: string; fid: number | null }): Promise<Imported> {
      const target = table.fid === null ? null : await loadFile(db, actor.owner, table.fid);
      if (target) demandUnlocked(target);
      const upload = await uploads.put(actor.owner, `${table.title}.csv`, new TextEncoder().encode(table.csv));
      const body = { settings: {}, answers: {}, on_doubt: 'text' as const, ...(target ? { fid: target.fid } : {}) };
      const runId = await submit(actor, upload, body, { example: null });
      return atOnce(runId, '答卷暂时无法读取');
    },
  };
}

type ImportResult = z.infer<typeof ImportResult>;

function importStep(note: Note, { rows, columns, report }: ImportResult): Step {
  const size = `${rows} 行 × ${columns.length} 列`;
  return {
    op: note.example ? 'example' : 'import',
    title: note.example ? '导入示例数据' : '导入',
    changes: [`从“${note.source}”（${bytesText(note.size)}）读取 ${size}`, report.check.text].filter(Boolean),
    params: { settings: report.settings },
  };
}
