/** Every hour: removes for good what has been thirty days in the bin, and drafts that were left alone for a day. */
import type { Logger } from '../../lib/log.ts';
import type { Reports } from './service.ts';

const HOUR_MS = 3_600_000;

export function createSweeper({ reports, log }: { reports: Reports; log: Logger }) {
  let timer: NodeJS.Timeout | null = null;
  const attempt = (): void => {
    reports
      .sweep()
      .catch((error: unknown) => log.warn({ event: 'sweep', err: error }, 'will be tried again in an hour'));
  };
  return {
    start: (): void => {
      timer = setInterval(attempt, HOUR_MS);
      timer.unref();
    },
    stop: (): void => {
      if (timer) clearInterval(timer);
    },
  };
}
