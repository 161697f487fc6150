/** Tables of this feature (migrations/0163_survey_reports.sql). */
import { boolean, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

export const surveyReports = pgTable('survey_reports', {
  projectId: integer('project_id').primaryKey(),
  vid: integer('vid').notNull(),
  leftOut: jsonb('left_out').$type<string[]>().notNull(),
  runId: integer('run_id').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});
export type SurveyReportRow = typeof surveyReports.$inferSelect;

export const surveyReportParts = pgTable(
  'survey_report_parts',
  {
    projectId: integer('project_id').notNull(),
    place: integer('place').notNull(),
    section: text('section').notNull(),
    title: text('title').notNull(),
    path: text('path').notNull(),
    form: jsonb('form').$type<Record<string, unknown>>().notNull(),
    dropped: boolean('dropped').notNull().default(false),
    rid: integer('rid'),
    runId: integer('run_id'),
    trouble: text('trouble'),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.place] })],
);
export type PartRow = typeof surveyReportParts.$inferSelect;
