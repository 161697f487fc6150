/** What every feature may use; handed in by app.ts, never reached for. */
import type { FastifyInstance } from 'fastify';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Db } from './db.ts';
import type { EngineClient } from './engine-client.ts';
import type { Keys } from './keys.ts';
import type { Limiter } from './limits.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';

export type App = FastifyInstance;

export interface Deps {
  config: Config;
  /** Time of decisions; the database's unless a test brings its own (the embedded one takes it from this process). */
  clock?: Clock;
  db: Db;
  engine: EngineClient;
  keys: Keys;
  limiter: Limiter;
  log: Logger;
  metrics: Metrics;
  /** The number this server holds its lease under; what it works on carries it. */
  server: string;
}
