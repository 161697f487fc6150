/** Everything of an enterprise as one archive, for its owner, in every state of the enterprise. A run of the server. */
import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { exportCodings } from '../../features/answer-coding/service.ts';
import { exportSchemes } from '../../features/coding/service.ts';
import type { Archiver, Enterprises } from '../../features/enterprise/service.ts';
import { exportQuestionnaires } from '../../features/expert-questionnaires/service.ts';
import { Exported } from '../../features/exports/schema.ts';
import type { Exports } from '../../features/exports/service.ts';
import type { Files } from '../../features/files/service.ts';
import { writeArchive } from '../../features/privacy/archive.ts';
import type { Plagdet } from '../../features/plagdet/service.ts';
import { exportProjects } from '../../features/projects/service.ts';
import { exportReports } from '../../features/reports/service.ts';
import { exportLimits } from '../../features/control-limits/service.ts';
import type { SurveyReports } from '../../features/survey-reports/service.ts';
import type { Recipes } from '../../features/recipes/service.ts';
import type { DownloadSource } from '../../features/runs/downloads.ts';
import type { Runs } from '../../features/runs/service.ts';
import { exportFolders } from '../../features/steps/service.ts';
import { exportDictionaries } from '../../features/text-analysis/service.ts';
import { json } from '../../lib/owner-data.ts';
import type { OwnerFile } from '../../lib/owner-data.ts';
import { dayOf } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import type { Owner } from '../../lib/guard.ts';

const KIND = 'enterprise_archive';
const TIMEOUT_MS = 3_600_000;
const Asked = z.object({ eid: z.number(), file: z.string(), name: z.string() });

interface Around {
  db: Db;
  enterprises: Enterprises;
  exports: Exports;
  files: Files;
  plagdet: Plagdet;
  recipes: Recipes;
  runs: Runs;
  surveyReports: SurveyReports;
}

export function createTenantArchive({
  db,
  enterprises,
  exports,
  files,
  plagdet,
  recipes,
  runs,
  surveyReports,
}: Around): Archiver {
  exports.handOut(KIND);

  async function* everything(eid: number): AsyncGenerator<OwnerFile> {
    const owner: Owner = { kind: 'enterprise', id: eid };
    yield json('enterprise.json', await enterprises.facts(eid));
    yield* files.export(owner);
    yield* exportQuestionnaires(db, owner);
    yield* exportFolders(db, owner);
    yield* exportSchemes(db, owner);
    yield* exportDictionaries(db, owner);
    yield* exportCodings(db, owner);
    yield* recipes.export(owner);
    yield* plagdet.belongings(owner);
    yield* exportLimits(db, owner);
    yield* exportProjects(db, owner);
    yield* surveyReports.export(owner);
    yield* exportReports(db, owner);
  }

  runs.registerLocal(
    KIND,
    {
      timeoutMs: TIMEOUT_MS,
      async work(run, hand) {
        const { eid, file, name } = Asked.parse(run.payload);
        const path = exports.made.path(file);
        let done = 0;
        await writeArchive(path, everything(eid), async (count) => {
          hand.signal.throwIfAborted();
          done = count;
          hand.progress({ done, of: null, text: '整理企业数据' });
        });
        const { size: bytes } = await stat(path);
        const result: Exported = { file, name, bytes, rows: done, notes: [] };
        return { state: 'done', result, refusal: null, error: null };
      },
    },
    async (_tx, run, outcome) => {
      if (outcome.state === 'done') return Exported.parse(outcome.result);
      const asked = Asked.safeParse(run.payload);
      if (asked.success) void exports.made.remove(asked.data.file).catch(() => undefined);
      return null;
    },
  );

  return async (actor, enterprise, day) => {
    await exports.made.demandSpace();
    const name = `${enterprise.name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '_')}_全部数据_${dayOf(day)}.zip`;
    const payload: z.infer<typeof Asked> = { eid: enterprise.id, file: exports.newFileKey(), name };
    const id = await runs.submit({ owner: actor.owner, userId: actor.userId, kind: KIND, payload });
    return runs.wire(await runs.read(actor.owner, id));
  };
}

/** An archive is handed to whoever owns the enterprise then, whatever its settings forbid its members. */
export function archivesOf(
  { runs, enterprises, db }: { runs: Runs; enterprises: () => Enterprises; db: Db },
  { archive, other }: Record<'archive' | 'other', DownloadSource>,
): DownloadSource {
  return async (owner, id) => {
    const run = await runs.read(owner, id).catch(() => null);
    if (run?.kind !== KIND) return other(owner, id);
    const { eid } = Asked.parse(run.payload);
    return (await enterprises().isOwner(db, run.userId, eid)) ? archive(owner, id) : null;
  };
}
