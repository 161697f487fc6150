/** Starts the server and everything it needs, and ends it all again. One line on stdout says that it is ready. */
import { join } from 'node:path';
import { createApp } from './app.ts';
import { tidyPasses } from './features/accounts/captcha.ts';
import { tidyCodes } from './features/accounts/codes.ts';
import { bannedAmong, removeLeft, tidyOffers } from './features/accounts/service.ts';
import { openDumpSocket } from './lib/backup/dump-socket.ts';
import { demandWhole } from './lib/backup/restore.ts';
import type { Runs } from './features/runs/service.ts';
import { databaseClock, processClock } from './lib/clock.ts';
import { ConfigFault, readConfig } from './lib/config.ts';
import type { Config } from './lib/config.ts';
import { prepareDataFolder } from './lib/data-folder.ts';
import { openDatabase } from './lib/db.ts';
import type { Db } from './lib/db.ts';
import { startEngine } from './lib/engine-child.ts';
import { EngineClient } from './lib/engine-client.ts';
import { tidyIdempotency } from './lib/idempotency.ts';
import { bindFolder } from './lib/installation.ts';
import { loadKeys } from './lib/keys.ts';
import { Limiter } from './lib/limits.ts';
import { demandPort } from './lib/listening.ts';
import { createLog } from './lib/log.ts';
import type { Logger } from './lib/log.ts';
import { createMetrics, watchProcess } from './lib/metrics.ts';
import { sweepTemporaryFolders } from './lib/temporary-folders.ts';
import { BEAT_MS, createLease, newServerId } from './lib/servers.ts';
import { runMoney } from './composition/money/money.ts';
import { seedSample } from './sample/seed.ts';
import { plantSeeds } from './composition/seeds/seeds.ts';
import { runTenancy } from './composition/enterprises/tenancy.ts';

/** Everything is over after this, whatever still hangs (the promise is 20 s). */
const LAST_RESORT_MS = 18_000;
const ENGINE_READY_MS = 60_000;
/** Requests in flight may end within this time, then runs within the next. */
const REQUESTS_MS = 8000;
const RUNS_MS = 3000;

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  // Whoever read our output may be gone; that must not end the server.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  process.on('unhandledRejection', (error) => log.error({ event: 'bug', err: error }, 'unhandled rejection'));
  await demandPort(config);
  // What is written is nobody else's business; processes of ours inherit it.
  process.umask(0o077);
  await prepareDataFolder(config.data);
  await sweepTemporaryFolders();
  const database = await openDatabase({ url: config.databaseUrl, folder: join(config.data, 'db') });
  const { db } = database;
  await demandWhole(config.data);
  await bindFolder(db, config.data);
  const server = newServerId();
  const lease = createLease({ db, log, server, isAlone: database.kind === 'embedded' });
  await lease.begin();
  const keys = await loadKeys({
    folder: join(config.data, 'keys'),
    sessionKeys: config.sessionKeys,
    dataKey: config.dataKey,
  });
  await plantSeeds(db);
  const metrics = createMetrics();

  let engineDied = async (): Promise<void> => undefined;
  const child = await startEngine(
    config,
    log,
    metrics,
    { modelKey: keys.models, server, living: await lease.living() },
    () => {
      engineDied().catch((error: unknown) => log.error({ event: 'bug', err: error }, 'marking lost runs failed'));
    },
  );
  const engine = new EngineClient(child.address, log);
  const {
    app,
    contests,
    cooperation,
    enterprises,
    feedbacks,
    helpFeedback,
    money,
    people,
    plagdet,
    privacy,
    recipes,
    runs,
    readiness,
  } = await createApp({
    config,
    clock: database.kind === 'embedded' ? processClock : databaseClock,
    db,
    engine,
    keys,
    limiter: new Limiter(),
    log,
    metrics,
    server,
  });
  const closeDoor = database.kind === 'embedded' ? await openDumpSocket(config.data, database.snapshot, log) : null;
  const stopMoney = runMoney(money, { db, log });
  const stopTenancy = runTenancy(enterprises, { log });
  const unwatch = watchProcess(metrics, config.data, () => runs.waitingInAll());
  engineDied = () => runs.engineDied();
  await (config.engine.url ? runs.adoptOrphans() : runs.recover());
  const stopBeating = inRounds(BEAT_MS, log, async () => {
    await lease.beat();
    await runs.adoptOrphans();
    await runs.applyRemoteRequests();
  });
  await tidyIdempotency(db);
  await privacy.recover();
  const tidying = setInterval(() => {
    const rest = [
      privacy.recover(),
      tidyOffers(db),
      removeLeft({ db, log, people }),
      privacy.tidy(),
      feedbacks.tidy(),
      contests.tidy(),
      cooperation.tidy(),
      recipes.tidy(),
      helpFeedback.tidy(),
      plagdet.tidy(),
    ];
    Promise.all([tidyIdempotency(db), tidyCodes(db), tidyPasses(db), ...rest]).catch((error: unknown) =>
      log.error({ event: 'tidy', err: error }, 'tidying failed'),
    );
  }, 600_000);

  // A ban is written by another process; what the person has under way ends with it.
  const watchingBans = setInterval(() => {
    cancelBanned(db, runs).catch((error: unknown) =>
      log.error({ event: 'bans', err: error }, 'cancelling runs of banned accounts failed'),
    );
  }, 5000);

  await app.listen({ host: config.host, port: config.port });
  runs.follow();

  let stopping: Promise<void> | null = null;
  const stop = (): void => {
    stopping ??= (async () => {
      setTimeout(() => process.exit(1), LAST_RESORT_MS).unref();
      readiness.isStopping = true;
      clearInterval(tidying);
      clearInterval(watchingBans);
      await Promise.all([stopMoney(), stopTenancy(), stopBeating()]);
      // A proxy in front reads the 503 before connections are refused.
      if (config.isProduction) await pause(1000);
      const closing = app.close();
      await Promise.race([closing, pause(REQUESTS_MS)]);
      app.server.closeAllConnections();
      await closing;
      await untilIdle(runs);
      if (!config.engine.url) await runs.engineDied();
      unwatch();
      await engine.close();
      await child.stop(5000);
      await closeDoor?.();
      await lease.end();
      await database.close();
      process.exit(0);
    })();
    stopping.catch((error: unknown) => {
      log.error({ event: 'stop', err: error }, 'stopping failed');
      process.exit(1);
    });
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGHUP', stop);

  // Our launcher is gone, however that came: nothing may stay behind.
  process.on('disconnect', stop);

  await untilReady(engine, log);
  if (stopping) return;
  process.stdout.write(`衡析已就绪：${addressOf(config)}\n`);
  process.send?.({ ready: true, address: addressOf(config) });
  if (config.hasSample) {
    readiness.sample = 'being made';
    seedSample(app, { config, db, membership: money.membership }).then(
      () => (readiness.sample = 'ok'),
      (error: unknown) => {
        readiness.sample = `not made: ${error instanceof Error ? error.message : 'see the log'}`;
        log.error({ event: 'sample', err: error }, 'the sample content could not be made');
      },
    );
  }
}

async function cancelBanned(db: Db, runs: Runs): Promise<void> {
  for (const userId of await bannedAmong(db, await runs.usersWithOpenRuns())) await runs.cancelAllOf(userId);
}

/** Does the same every so often, one round after the other, until stopped. */
function inRounds(ms: number, log: Logger, round: () => Promise<void>): () => Promise<void> {
  let under: Promise<void> = Promise.resolve();
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    under = round()
      .catch((error: unknown) => log.error({ event: 'lease', err: error }, 'renewing the lease failed'))
      .finally(() => (isBusy = false));
  }, ms);
  return async () => {
    clearInterval(timer);
    await under;
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Short runs end; what is still open then is marked as interrupted. */
async function untilIdle(runs: Runs): Promise<void> {
  const until = performance.now() + RUNS_MS;
  while (performance.now() < until && (await runs.openHere()) > 0) await pause(50);
}

async function untilReady(engine: EngineClient, log: Logger): Promise<void> {
  const until = performance.now() + ENGINE_READY_MS;
  while (performance.now() < until) {
    const health = await engine.health().catch(() => null);
    if (health?.ok && engine.isConnected) return;
    await pause(200);
  }
  log.error({ event: 'engine_slow' }, 'the engine is not ready yet; analyses will wait for it');
}

const addressOf = (config: Config): string =>
  config.publicUrl?.origin ?? `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port}`;

main().catch((error: unknown) => {
  process.stderr.write(
    error instanceof ConfigFault
      ? `${error.message}\n`
      : `启动失败：${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
});
