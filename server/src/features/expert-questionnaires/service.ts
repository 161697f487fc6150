/** Expert questionnaires: put together here; other features see nothing but this face. */
import { and, eq } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import type { Deps } from '../../lib/deps.ts';
import type { Owner } from '../../lib/guard.ts';
import { json, pathPart } from '../../lib/owner-data.ts';
import type { OwnerFile } from '../../lib/owner-data.ts';
import type { Files } from '../files/service.ts';
import type { Membership } from '../membership/service.ts';
import { createAnswering } from './answering.ts';
import { createDatasets } from './dataset.ts';
import { createLinks, expertCode } from './links.ts';
import { createPanel } from './panel.ts';
import { createProjects } from './projects.ts';
import * as store from './store.ts';
import { projects as table } from './tables.ts';
import type { ProjectRow } from './tables.ts';

export type Questionnaires = ReturnType<typeof createQuestionnaires>;

export function createQuestionnaires({
  db,
  keys,
  limiter,
  log,
  files,
  membership,
}: Pick<Deps, 'db' | 'keys' | 'limiter' | 'log'> & { files: Files; membership: Membership }) {
  const links = createLinks(keys);
  const projects = createProjects({ db, links, membership });
  return {
    projects,
    panel: createPanel({ db, links, membership, projects }),
    answering: createAnswering({ db, links, limiter, membership }),
    datasets: createDatasets({ db, files, projects }),
    tidying: createTidying(projects, log),
  };
}

const HOUR_MS = 3_600_000;

/** Every hour: what has been thirty days in the bin goes, with its answers. */
function createTidying({ tidy }: { tidy: () => Promise<void> }, log: Deps['log']) {
  let timer: NodeJS.Timeout | null = null;
  const attempt = (): void => {
    tidy().catch((error: unknown) => log.warn({ event: 'sweep', err: error }, 'will be tried again in an hour'));
  };
  return {
    start: (): void => {
      timer = setInterval(attempt, HOUR_MS).unref();
    },
    stop: (): void => {
      if (timer) clearInterval(timer);
    },
  };
}

/** Everything of each questionnaire, the bin included: what was asked, the panel, every sheet by the expert's number. */
export async function* exportQuestionnaires(db: Db, owner: Owner): AsyncGenerator<OwnerFile> {
  for (const project of [...(await store.listProjects(db, owner)), ...(await store.listBin(db, owner))])
    yield json(`expert-questionnaires/${project.id}_${pathPart(project.title)}.json`, await everythingOf(db, project));
}

async function everythingOf(db: Db, { id, kind, title, state, content, createdAt, deletedAt }: ProjectRow) {
  const [versions, rounds, people, sheets] = [
    await store.listVersions(db, id),
    await store.listRounds(db, id),
    await store.listPeople(db, id),
    await store.listSheets(db, id),
  ];
  const numbers = new Map(people.map(({ expert }) => [expert.id, expert.number]));
  const answers = await store.readAnswers(
    db,
    sheets.map((sheet) => sheet.id),
  );
  return {
    kind,
    title,
    state,
    content,
    created_at: createdAt,
    deleted_at: deletedAt,
    versions: versions.map(({ projectId: _project, ...version }) => version),
    rounds: rounds.map(({ projectId: _project, ...round }) => round),
    panel: people.map(({ expert, name }) => ({
      code: expertCode(expert.number),
      name,
      channel: expert.channel,
      opened_at: expert.openedAt,
      consented_at: expert.consentedAt,
      withdrawn_at: expert.withdrawnAt,
    })),
    sheets: sheets.map((sheet) => ({
      expert: expertCode(numbers.get(sheet.expertId) ?? 0),
      round: sheet.round,
      started_at: sheet.startedAt,
      saved_at: sheet.savedAt,
      submitted_at: sheet.submittedAt,
      late: sheet.isLate,
      answers: Object.fromEntries(answers.get(sheet.id) ?? []),
    })),
  };
}

/** With everything asked and answered. */
export async function forgetQuestionnaires(tx: Tx, owner: Owner): Promise<void> {
  await tx.delete(table).where(and(eq(table.ownerKind, owner.kind), eq(table.ownerId, owner.id)));
}
