/** What is counted, under the names of the security page, section 5.6. Labels are route patterns, never addresses. */
import { statfs } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

const buckets = [0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 25];

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: 'hengxi_' });
  return {
    registry,
    http: new Histogram({
      name: 'hengxi_http_request_seconds',
      help: 'Duration of requests',
      labelNames: ['route', 'method', 'status'],
      buckets,
      registers,
    }),
    runs: new Counter({ name: 'hengxi_runs_total', help: 'Ended runs', labelNames: ['method', 'outcome'], registers }),
    runWait: new Histogram({
      name: 'hengxi_run_wait_seconds',
      help: 'Time a run waited before it started',
      buckets,
      registers,
    }),
    childDeaths: new Counter({
      name: 'hengxi_child_deaths_total',
      help: 'Ended child processes and calculations that died',
      labelNames: ['reason'],
      registers,
    }),
    imports: new Counter({
      name: 'hengxi_import_total',
      help: 'Imports',
      labelNames: ['format', 'outcome'],
      registers,
    }),
    smsSent: new Counter({ name: 'hengxi_sms_sent_total', help: 'Messages sent', registers }),
    authFailures: new Counter({
      name: 'hengxi_auth_failures_total',
      help: 'Failed sign-ins',
      labelNames: ['kind'],
      registers,
    }),
    authzDenied: new Counter({
      name: 'hengxi_authz_denied_total',
      help: 'Refused calls',
      labelNames: ['kind'],
      registers,
    }),
    rateLimited: new Counter({
      name: 'hengxi_rate_limited_total',
      help: 'Calls above a limit',
      labelNames: ['class'],
      registers,
    }),
    clockJumps: new Counter({
      name: 'hengxi_clock_jump_total',
      help: 'Jumps of the clock by more than two seconds',
      registers,
    }),
    payAnomalies: new Counter({
      name: 'hengxi_pay_anomaly_total',
      help: 'Genuine payments that fit no order',
      registers,
    }),
    captchaFallback: new Counter({
      name: 'hengxi_captcha_fallback_total',
      help: 'Sends passed by fallback 1001',
      registers,
    }),
  };
}

/** Figures that are looked up when they are asked for. Returns what ends the watching. */
export function watchProcess(metrics: Metrics, folder: string, waiting: () => Promise<number>): () => void {
  const registers = [metrics.registry];
  const lag = monitorEventLoopDelay({ resolution: 20 });
  lag.enable();
  const loop = new Gauge({
    name: 'hengxi_event_loop_lag_seconds',
    help: 'Longest delay of the event loop since the last reading',
    registers,
    collect: () => {
      loop.set(lag.max / 1e9);
      lag.reset();
    },
  });
  const disk = new Gauge({
    name: 'hengxi_disk_free_bytes',
    help: 'Free space where data is kept',
    registers,
    collect: async () => {
      const { bavail, bsize } = await statfs(folder);
      disk.set(bavail * bsize);
    },
  });
  const queue: Gauge<'queue'> = new Gauge({
    name: 'hengxi_queue_depth',
    help: 'Waiting runs',
    labelNames: ['queue'],
    registers,
    collect: async (): Promise<void> => {
      queue.set({ queue: 'runs' }, await waiting());
    },
  });
  const clock = setInterval(watchClock(metrics), CLOCK_MS).unref();
  return () => {
    lag.disable();
    clearInterval(clock);
  };
}

const CLOCK_MS = 5000;

/** The wall clock against the monotonic one: durations here never use the former, but a jump explains odd records. */
function watchClock(metrics: Metrics): () => void {
  let offset = Date.now() - performance.now();
  return () => {
    const now = Date.now() - performance.now();
    if (Math.abs(now - offset) > 2000) metrics.clockJumps.inc();
    offset = now;
  };
}
