/** What a person keeps beside reports: presentation, the unsaved form (shaped by the web, bounded here), pinned numbers. */
import type { Db } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import type { Actor, Owner } from '../../lib/guard.ts';
import { inProject } from './context.ts';
import { readPins, savePins } from './pins.ts';
import type { Config, ConfigBody, PinnedNumber } from './schema.ts';
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
    pins: {
      read: (actor: Actor, project: number) => readPins(db, actor, project),
      save: (actor: Actor, project: number, list: PinnedNumber[]) => savePins(db, actor, project, list),
    },
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
