/** What is counted, under the names of the security page, section 5.6. Labels are route patterns, never addresses. */
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
    runWait: new Histogram({ name: 'hengxi_run_wait_seconds', help: 'Time a run waited before it started', buckets, registers }),
    queueDepth: new Gauge({ name: 'hengxi_queue_depth', help: 'Waiting runs', labelNames: ['queue'], registers }),
    childDeaths: new Counter({
      name: 'hengxi_child_deaths_total',
      help: 'Ended child processes and calculations that died',
      labelNames: ['reason'],
      registers,
    }),
    imports: new Counter({ name: 'hengxi_import_total', help: 'Imports', labelNames: ['format', 'outcome'], registers }),
    smsSent: new Counter({ name: 'hengxi_sms_sent_total', help: 'Messages sent', registers }),
    authFailures: new Counter({ name: 'hengxi_auth_failures_total', help: 'Failed sign-ins', labelNames: ['kind'], registers }),
    authzDenied: new Counter({ name: 'hengxi_authz_denied_total', help: 'Refused calls', labelNames: ['kind'], registers }),
    rateLimited: new Counter({ name: 'hengxi_rate_limited_total', help: 'Calls above a limit', labelNames: ['class'], registers }),
    captchaFallback: new Counter({ name: 'hengxi_captcha_fallback_total', help: 'Sends passed by fallback 1001', registers }),
  };
}
