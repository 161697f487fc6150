/** All SQL of this feature. Whose a survey report is, its project says: callers ask there first. */
import { and, asc, desc, eq, inArray, isNull } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import { surveyReportParts, surveyReports } from './tables.ts';
import type { PartRow, SurveyReportRow } from './tables.ts';

export type NewPart = Pick<PartRow, 'place' | 'section' | 'title' | 'path' | 'form'>;

export async function insertSurvey(
  tx: Tx,
  fresh: Omit<SurveyReportRow, 'createdAt'>,
  parts: readonly NewPart[],
): Promise<void> {
  await tx.insert(surveyReports).values(fresh);
  await tx.insert(surveyReportParts).values(parts.map((part) => ({ ...part, projectId: fresh.projectId })));
}

export async function findSurvey(db: Db, projectId: number): Promise<SurveyReportRow | null> {
  const [row] = await db.select().from(surveyReports).where(eq(surveyReports.projectId, projectId));
  return row ?? null;
}

export function partsOf(db: Db, projectId: number): Promise<PartRow[]> {
  return db
    .select()
    .from(surveyReportParts)
    .where(eq(surveyReportParts.projectId, projectId))
    .orderBy(asc(surveyReportParts.place));
}

/** The newest first; whose they are is asked of each. */
export function surveysOf(db: Db, vid: number, most: number): Promise<SurveyReportRow[]> {
  return db
    .select()
    .from(surveyReports)
    .where(eq(surveyReports.vid, vid))
    .orderBy(desc(surveyReports.projectId))
    .limit(most);
}

export async function setPart(
  db: Db,
  { projectId, place }: Pick<PartRow, 'projectId' | 'place'>,
  change: Partial<Pick<PartRow, 'rid' | 'runId' | 'trouble'>>,
): Promise<void> {
  await db
    .update(surveyReportParts)
    .set(change)
    .where(and(eq(surveyReportParts.projectId, projectId), eq(surveyReportParts.place, place)));
}

export async function setDropped(tx: Tx, projectId: number, dropped: readonly number[]): Promise<void> {
  const own = eq(surveyReportParts.projectId, projectId);
  await tx.update(surveyReportParts).set({ dropped: false }).where(own);
  if (dropped.length > 0)
    await tx
      .update(surveyReportParts)
      .set({ dropped: true })
      .where(and(own, inArray(surveyReportParts.place, [...dropped])));
}

/**
 * Another run takes the work of `before` up; what was told as trouble of parts without a report is tried again. False:
 * somebody else has taken it up in between.
 */
export async function takeUp(
  tx: Tx,
  { projectId, runId: before }: Pick<SurveyReportRow, 'projectId' | 'runId'>,
  runId: number,
): Promise<boolean> {
  const taken = await tx
    .update(surveyReports)
    .set({ runId })
    .where(and(eq(surveyReports.projectId, projectId), eq(surveyReports.runId, before)))
    .returning({ projectId: surveyReports.projectId });
  if (taken.length === 0) return false;
  await tx
    .update(surveyReportParts)
    .set({ trouble: null })
    .where(and(eq(surveyReportParts.projectId, projectId), isNull(surveyReportParts.rid)));
  return true;
}
