/** What the operator must hear of money: messages that wait or were given up, and books that do not agree. */
import { Gauge } from 'prom-client';
import type { Db } from '../../lib/db.ts';
import type { Logger } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import type { Outbox } from '../../lib/outbox.ts';
import { reconcile } from './reconcile.ts';

/** Figures of the outbox, looked up when they are asked for. */
export function watchOutbox({ registry }: Pick<Metrics, 'registry'>, outbox: Outbox): void {
  const registers = [registry];
  const age: Gauge = new Gauge({
    name: 'hengxi_outbox_age_seconds',
    help: 'How long the oldest message is overdue',
    registers,
    collect: async () => {
      age.set((await outbox.health()).oldest_seconds);
    },
  });
  const dead: Gauge = new Gauge({
    name: 'hengxi_outbox_dead',
    help: 'Messages that were given up',
    registers,
    collect: async () => {
      dead.set((await outbox.health()).dead);
    },
  });
}

/** Compares all books; says what does not agree in the log and as `hengxi_ledger_mismatch`. */
export function watchLedgers({ registry }: Pick<Metrics, 'registry'>, db: Db, log: Logger): () => Promise<void> {
  const mismatch = new Gauge({
    name: 'hengxi_ledger_mismatch',
    help: 'Books of money, membership and points that do not agree',
    labelNames: ['book'],
    registers: [registry],
  });
  return async () => {
    for (const [book, n] of Object.entries(await reconcile(db))) {
      mismatch.set({ book }, n);
      if (n > 0) log.error({ event: 'ledger_mismatch', book, n }, 'books do not agree');
    }
  };
}
