/** The engine as a child of the server: started, watched, started again. Its stdin is its lifeline (EOF ends it). */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ConfigFault } from './config.ts';
import type { Config } from './config.ts';
import type { EngineAddress } from './engine-http.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';

export interface EngineChild {
  address: EngineAddress;
  /** Process number of the present child, null between two. */
  pid(): number | null;
  stop(graceMs: number): Promise<void>;
}

interface EngineAbout {
  modelKey: string;
  /** Ours, and all that work on this folder: each has an engine with a socket of its own. */
  server: string;
  living: string[];
}

const socketName = (server: string): string => `engine-${server.slice(0, 8)}.sock`;

/** A server that was killed takes its engine along, but not the engine's socket. */
async function removeLeftSockets(folder: string, living: string[]): Promise<void> {
  const used = new Set(living.map(socketName));
  for (const name of await readdir(folder))
    if (/^engine.*\.sock$/.test(name) && !used.has(name)) await rm(join(folder, name), { force: true });
}

/** Where the engine of this configuration listens: elsewhere by HENGXI_ENGINE, else as our child. */
export async function startEngine(
  config: Config,
  log: Logger,
  metrics: Metrics,
  { modelKey, server, living }: EngineAbout,
  onDeath: () => void,
): Promise<EngineChild> {
  if (config.engine.url)
    return {
      address: remote(config.engine.url, config.engine.secret ?? ''),
      pid: () => null,
      stop: async () => undefined,
    };
  if (!existsSync(config.engine.python))
    throw new ConfigFault(`找不到分析引擎的 Python 环境（${config.engine.python}），请先运行 npm run setup`);
  const run = join(config.data, 'run');
  await mkdir(run, { recursive: true, mode: 0o700 });
  await removeLeftSockets(run, living);
  const port = config.engine.port;
  const address: EngineAddress = {
    socket: port ? null : join(run, socketName(server)),
    host: '127.0.0.1',
    port: port ?? 0,
    secret: config.engine.secret ?? randomBytes(32).toString('hex'),
  };
  return new Child(config, { ...address, modelKey }, log, metrics, onDeath);
}

function remote(url: string, secret: string): EngineAddress {
  const { hostname, port } = new URL(url);
  return { socket: null, host: hostname, port: Number(port || 80), secret };
}

const FIRST_PAUSE_MS = 100;
/** Python itself needs some seconds to start: together with them analyses go on within ten. */
const LONGEST_PAUSE_MS = 2000;
const SOUND_MS = 30_000;

/** How long the next engine is waited with: at first hardly at all, longer for one that never lives for long. */
export const pauseBefore = (due: number, livedMs: number): number =>
  livedMs > SOUND_MS ? FIRST_PAUSE_MS : Math.min(due, LONGEST_PAUSE_MS);

class Child implements EngineChild {
  readonly address: EngineAddress & { modelKey: string };
  readonly #config: Config;
  readonly #log: Logger;
  readonly #metrics: Metrics;
  readonly #onDeath: () => void;
  #process: ChildProcess | null = null;
  #isStopping = false;
  #pause = FIRST_PAUSE_MS;
  #timer: NodeJS.Timeout | null = null;

  constructor(
    config: Config,
    address: EngineAddress & { modelKey: string },
    log: Logger,
    metrics: Metrics,
    onDeath: () => void,
  ) {
    this.#config = config;
    this.address = address;
    this.#log = log;
    this.#metrics = metrics;
    this.#onDeath = onDeath;
    this.#start();
  }

  pid(): number | null {
    return this.#process?.pid ?? null;
  }

  #start(): void {
    const startedAt = performance.now();
    const child = spawn(this.#config.engine.python, ['-m', 'hengxi.main'], {
      cwd: join(this.#config.root, 'engine'),
      env: engineEnvironment(this.#config, this.address),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#process = child;
    // The lifeline breaks when the engine dies first; that is told by 'exit'.
    child.stdin.on('error', () => undefined);
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) =>
        this.#log.info({ event: 'engine_log' }, line.slice(0, 2000)),
      );
    const ended = (reason: string): void => {
      if (this.#process !== child) return;
      this.#process = null;
      if (this.#isStopping) return;
      this.#log.error({ event: 'engine_death', reason }, 'the engine ended');
      this.#metrics.childDeaths.inc({ reason: 'engine' });
      this.#onDeath();
      const pause = pauseBefore(this.#pause, performance.now() - startedAt);
      this.#timer = setTimeout(() => this.#start(), pause);
      this.#pause = pause * 2;
    };
    child.once('error', (error) => ended(error.message));
    child.once('exit', (code, signal) => ended(signal ?? String(code)));
  }

  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    if (this.#timer) clearTimeout(this.#timer);
    const child = this.#process;
    if (child && child.exitCode === null && child.signalCode === null) {
      const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.stdin?.end();
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
      await gone;
      clearTimeout(timer);
    }
    if (this.address.socket) await rm(this.address.socket, { force: true });
  }
}

/** Only what the engine needs: no database address, and of our keys only the one that seals models. */
function engineEnvironment(config: Config, address: EngineAddress & { modelKey: string }): NodeJS.ProcessEnv {
  const kept = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'];
  const own = Object.entries(process.env).filter(
    ([name]) => kept.includes(name) || name.startsWith('HENGXI_WORKER') || name.endsWith('_NUM_THREADS'),
  );
  return {
    ...Object.fromEntries(own),
    HENGXI_DATA: config.data,
    HENGXI_ENV: config.isProduction ? 'production' : 'development',
    HENGXI_ENGINE_SECRET: address.secret,
    HENGXI_MODEL_KEY: address.modelKey,
    ...(address.socket ? { HENGXI_ENGINE_SOCKET: address.socket } : { HENGXI_ENGINE_PORT: String(address.port) }),
    PYTHONUNBUFFERED: '1',
  };
}
