/** Which process is which: a number is used again, a number with the time of its start is not. */
import { readFileSync } from 'node:fs';

export interface ProcessMark {
  pid: number;
  /** Start time of the process in clock ticks. */
  started: string;
}

export const ownMark = (): ProcessMark => ({ pid: process.pid, started: startOf(process.pid) ?? '' });

export const isAlive = ({ pid, started }: ProcessMark): boolean => startOf(pid) === started;

/** Start time of a living process; null when there is none. A killed process stays visible as a zombie: that is dead. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}
