/** Removes from disk what nobody refers to any more; soon after the start and then every hour. */
import type { Db } from '../../lib/db.ts';
import type { Logger } from '../../lib/log.ts';
import type { Blobs } from '../../lib/blobs.ts';
import type { Tables } from './engine.ts';
import type { Library } from './library.ts';
import { expiredFiles } from './store.ts';
import { abandonedUploads, deleteUpload, dueGarbage, forgetGarbage, openKeys } from './upload-store.ts';

const HOUR_MS = 3_600_000;
/** The engine is up by then. */
const FIRST_MS = 60_000;

export type Sweeper = ReturnType<typeof createSweeper>;

export function createSweeper(deps: { db: Db; blobs: Blobs; tables: Tables; library: Library; log: Logger }) {
  const { db, blobs, tables, library, log } = deps;
  let first: NodeJS.Timeout | null = null;
  let timer: NodeJS.Timeout | null = null;

  async function sweep(): Promise<void> {
    for (const fid of await expiredFiles(db)) await library.removeForGood(fid);
    for (const upload of await abandonedUploads(db)) {
      await deleteUpload(db, upload.uploadId);
      await blobs.remove(upload.key);
    }
    for (const key of await dueGarbage(db)) {
      // Tables are the engine's: it may have them open.
      if (key.startsWith('t_')) await tables.remove(key);
      else if (key.startsWith('m_')) await tables.removeModel(key);
      else await blobs.remove(key);
      await forgetGarbage(db, key);
    }
  }

  const attempt = (): void => {
    sweep().catch((error: unknown) =>
      log.warn({ event: 'sweep', err: error }, 'removal from disk will be tried again'),
    );
  };

  return {
    sweep,
    /** Parts left by a killed server go at once, the rest as usual. */
    async start(): Promise<void> {
      await blobs.prepare();
      await blobs.removeStrayParts(await openKeys(db));
      first = setTimeout(attempt, FIRST_MS).unref();
      timer = setInterval(attempt, HOUR_MS).unref();
    },
    stop: (): void => {
      if (first) clearTimeout(first);
      if (timer) clearInterval(timer);
    },
  };
}
