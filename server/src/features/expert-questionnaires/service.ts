/** Expert questionnaires: put together here; other features see nothing but this face. */
import { and, eq } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import type { Deps } from '../../lib/deps.ts';
import type { Owner } from '../../lib/guard.ts';
import { json } from '../../lib/owner-data.ts';
import type { OwnerFile } from '../../lib/owner-data.ts';
import type { Files } from '../files/service.ts';
import type { Membership } from '../membership/service.ts';
import { createAnswering } from './answering.ts';
import { createDatasets } from './dataset.ts';
import { createLinks } from './links.ts';
import { createPanel } from './panel.ts';
import { createProjects } from './projects.ts';
import * as store from './store.ts';
import { projects as table } from './tables.ts';

export type Questionnaires = ReturnType<typeof createQuestionnaires>;

export function createQuestionnaires({
  db,
  keys,
  limiter,
  files,
  membership,
}: Pick<Deps, 'db' | 'keys' | 'limiter'> & { files: Files; membership: Membership }) {
  const links = createLinks(keys);
  const projects = createProjects({ db, links, membership });
  return {
    projects,
    panel: createPanel({ db, links, membership, projects }),
    answering: createAnswering({ db, links, limiter, membership }),
    datasets: createDatasets({ db, files, projects }),
  };
}

/** Titles, questions and rounds; answers are the experts' and leave as the data file they were sent to. */
export async function* exportQuestionnaires(db: Db, owner: Owner): AsyncGenerator<OwnerFile> {
  const rows = await store.listProjects(db, owner);
  if (rows.length > 0)
    yield json(
      'expert-questionnaires.json',
      rows.map(({ kind, title, state, content, createdAt }) => ({
        kind,
        title,
        state,
        content,
        created_at: createdAt,
      })),
    );
}

/** With everything asked and answered. */
export async function forgetQuestionnaires(tx: Tx, owner: Owner): Promise<void> {
  await tx.delete(table).where(and(eq(table.ownerKind, owner.kind), eq(table.ownerId, owner.id)));
}
