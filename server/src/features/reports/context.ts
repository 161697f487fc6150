/** What the parts of this feature share. */
import { keepText, withString } from '../../lib/json-text.ts';
import type { Db } from '../../lib/db.ts';
import type { Owner } from '../../lib/guard.ts';
import type { Files } from '../files/service.ts';
import type { Projects } from '../projects/service.ts';
import { ReportDocument } from './schema.ts';
import type { ListedReport, Rev } from './store.ts';

/** A revision with its document; `kept`: the folder of columns it made and of rows beyond its tables. */
export interface Shown {
  rev: Rev;
  document: ReportDocument;
  kept: string | null;
  /** Folder of a whole new table that no file holds yet. */
  made: string | null;
}

export interface ReportsContext {
  db: Db;
  files: Files;
  projects: Projects;
  /** A finished report of the owner, else 404; `bin`: also from the bin. */
  load: (owner: Owner, project: number, rid: number, bin?: boolean) => Promise<ListedReport>;
  shown: (row: ListedReport, rev?: number) => Promise<Shown>;
}

/** Calls with project id 0 mean: whichever project it is in. */
export const inProject = (id: number): number | null => (id === 0 ? null : id);

export function parseDocument(text: string, madeAt: Date): ReportDocument {
  const value: unknown = JSON.parse(text);
  return withString(keepText(ReportDocument.parse(value), text), 'made_at', madeAt.toISOString());
}
