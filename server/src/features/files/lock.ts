/** 锁定数据: a file that shall stay as it is, until somebody lifts the lock. Reading, analysing and exporting go on. */
import { Fault } from '../../lib/errors.ts';

/** 30510 for a locked file. What was begun before the lock may still end. */
export function demandUnlocked({ lockedAt }: { lockedAt: Date | null }): void {
  if (lockedAt) throw new Fault(30510);
}
