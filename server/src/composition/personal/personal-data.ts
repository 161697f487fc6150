/** Tells accounts and privacy what the other features hold of a person: to find out, to take away, to remove. */
import { sql } from 'drizzle-orm';
import type { People } from '../../features/accounts/service.ts';
import { exportCodings } from '../../features/answer-coding/service.ts';
import { exportSchemes } from '../../features/coding/service.ts';
import { exportQuestionnaires, forgetQuestionnaires } from '../../features/expert-questionnaires/service.ts';
import { expireFiles, holdsFiles } from '../../features/files/service.ts';
import type { Files } from '../../features/files/service.ts';
import type { Privacy } from '../../features/privacy/service.ts';
import { expireProjects, exportProjects } from '../../features/projects/service.ts';
import { endSharesOf, expireReports, exportReports } from '../../features/reports/service.ts';
import { exportLimits } from '../../features/control-limits/service.ts';
import type { SurveyReports } from '../../features/survey-reports/service.ts';
import type { Recipes } from '../../features/recipes/service.ts';
import type { Runs } from '../../features/runs/service.ts';
import { exportFolders } from '../../features/steps/service.ts';
import { exportDictionaries } from '../../features/text-analysis/service.ts';
import type { Db } from '../../lib/db.ts';
import type { Owner } from '../../lib/guard.ts';
import { forgetMoney } from './anonymize-orders.ts';

interface Parts {
  db: Db;
  files: Files;
  people: People;
  privacy: Privacy;
  recipes: Recipes;
  runs: Runs;
  surveyReports: SurveyReports;
}

const personal = (id: number): Owner => ({ kind: 'user', id });

export function connectPersonal({ db, files, people, privacy, recipes, runs, surveyReports }: Parts): void {
  people.holds.push((at, userId) => holdsFiles(at, personal(userId)));
  people.onLeave.push((tx, userId) => endSharesOf(tx, personal(userId)));
  people.afterLeave.push((userId) => runs.cancelAllOf(userId));
  people.removers.push(
    (tx, userId) => expireFiles(tx, personal(userId)),
    (tx, userId) => expireReports(tx, personal(userId)),
    (tx, userId) => expireProjects(tx, personal(userId)),
    (tx, userId) => forgetQuestionnaires(tx, personal(userId)),
    (tx, userId) => privacy.forget(tx, userId),
    forgetMoney,
    async (tx, userId) => {
      // What was asked for (names of columns, forms) goes; the bare runs are needed by nobody either.
      await tx.execute(sql`DELETE FROM runs WHERE owner_kind = 'user' AND owner_id = ${userId}`);
      await tx.execute(sql`DELETE FROM coding_schemes WHERE owner_kind = 'user' AND owner_id = ${userId}`);
      for (const table of [sql`text_dictionaries`, sql`text_pictures`, sql`step_recipes`, sql`control_limits`])
        await tx.execute(sql`DELETE FROM ${table} WHERE owner_kind = 'user' AND owner_id = ${userId}`);
      await tx.execute(sql`DELETE FROM analysis_calls WHERE owner_kind = 'user' AND owner_id = ${userId}`);
    },
  );
  privacy.include(
    files.export,
    (owner) => exportFolders(db, owner),
    (owner) => exportSchemes(db, owner),
    recipes.export,
    (owner) => exportLimits(db, owner),
    (owner) => exportDictionaries(db, owner),
    (owner) => exportCodings(db, owner),
    (owner) => exportQuestionnaires(db, owner),
    (owner) => exportProjects(db, owner),
    surveyReports.export,
    (owner) => exportReports(db, owner),
  );
}
