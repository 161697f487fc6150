/** Tables of the year-end report; migrations 0176 and 0177 hold the same with their constraints. */
import { boolean, integer, jsonb, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { at } from '../../lib/columns.ts';
import type { YearCount } from './schema.ts';

export const yearReports = pgTable(
  'year_reports',
  {
    userId: integer('user_id').notNull(),
    year: integer('year').notNull(),
    consentAt: at('consent_at').notNull(),
    numbers: jsonb('numbers').$type<YearCount>(),
    rangeFrom: at('range_from'),
    rangeTo: at('range_to'),
    methodVersion: integer('method_version'),
  },
  (t) => [primaryKey({ columns: [t.userId, t.year] })],
);

export const yearSeasons = pgTable('year_seasons', {
  year: integer('year').primaryKey(),
  opensAt: at('opens_at').notNull(),
  closesAt: at('closes_at').notNull(),
  isOn: boolean('is_on').notNull(),
  version: integer('version').notNull().default(1),
  updatedAt: at('updated_at').notNull().defaultNow(),
});
