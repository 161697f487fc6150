/** Presentation and the unsaved form of a report: shaped by the web, bounded here. */
import type { Db } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import type { Owner } from '../../lib/guard.ts';
import { inProject } from './context.ts';
import type { Config, ConfigBody } from './schema.ts';
import { loadConfig, saveConfig } from './share-store.ts';
import { loadEntry } from './store.ts';

const MOST_CHARACTERS = 256 * 1024;

export function createConfigs({ db }: { db: Db }) {
  /** Also of a report whose first run has not ended: its form is what must not be lost. */
  async function demand(owner: Owner, project: number, rid: number): Promise<void> {
    if (!(await loadEntry(db, owner, inProject(project), rid))) throw missing();
  }

  async function read(owner: Owner, project: number, rid: number, type: Config['report_type']): Promise<Config> {
    await demand(owner, project, rid);
    return (await loadConfig(db, rid, type)) ?? { report_type: type, presentation: {}, form: null, updated_at: null };
  }

  return {
    read,
    async save(
      owner: Owner,
      project: number,
      rid: number,
      type: Config['report_type'],
      body: ConfigBody,
    ): Promise<Config> {
      await demand(owner, project, rid);
      if (JSON.stringify(body).length > MOST_CHARACTERS) throw new Fault(30097);
      const { presentation, form } = body;
      await saveConfig(db, rid, type, {
        ...(presentation === undefined ? {} : { presentation }),
        ...(form === undefined
          ? {}
          : { form: form && { form: form.form, saved_at: form.saved_at ?? new Date().toISOString() } }),
      });
      return read(owner, project, rid, type);
    },
  };
}
