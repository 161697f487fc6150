/** The application with the real engine as its child: what only both together can show. Slow: some seconds to start. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../app.ts';
import type { Application } from '../app.ts';
import { readConfig } from '../lib/config.ts';
import type { Db } from '../lib/db.ts';
import type { Deps } from '../lib/deps.ts';
import { startEngine } from '../lib/engine-child.ts';
import type { EngineChild } from '../lib/engine-child.ts';
import { EngineClient } from '../lib/engine-client.ts';
import { loadKeys } from '../lib/keys.ts';
import { Limiter } from '../lib/limits.ts';
import { createLog } from '../lib/log.ts';
import { createMetrics } from '../lib/metrics.ts';
import { newServerId } from '../lib/servers.ts';
import { plantSeeds } from '../composition/seeds/seeds.ts';
import { testDatabase, until } from './build.ts';

export interface RealWorld extends Application {
  db: Db;
  deps: Deps;
  child: EngineChild;
  close(): Promise<void>;
}

export async function buildWithEngine(): Promise<RealWorld> {
  const data = mkdtempSync(join(tmpdir(), 'hengxi-real-'));
  const config = readConfig({ HENGXI_DATA: data, HENGXI_LOG_LEVEL: 'silent' });
  const database = await testDatabase();
  await plantSeeds(database.db);
  const keys = await loadKeys({ folder: join(data, 'keys'), sessionKeys: [], dataKey: null });
  const log = createLog(config.logLevel);
  const metrics = createMetrics();
  const server = newServerId();
  let died = async (): Promise<void> => undefined;
  const child = await startEngine(
    config,
    log,
    metrics,
    { modelKey: keys.models, server, living: [] },
    () => void died().catch(() => undefined),
  );
  const client = new EngineClient(child.address, log);
  const limiter = new Limiter(() => 0, Number.POSITIVE_INFINITY);
  const deps: Deps = { config, db: database.db, engine: client, keys, limiter, log, metrics, server };
  const application = await createApp(deps);
  died = () => application.runs.engineDied();
  await application.app.ready();
  application.runs.follow();
  await until(() => client.isConnected, 90_000);
  return {
    ...application,
    db: database.db,
    deps,
    child,
    close: async () => {
      await application.app.close();
      await client.close();
      await child.stop(5000);
      await database.close();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
