/**
 * Which servers work on this database. Each holds a lease that runs out by the database's clock; what a server worked on
 * when its lease was over is taken over by another one, and by nobody before.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { readFileSync, readlinkSync } from 'node:fs';
import { and, eq, lte, ne, sql } from 'drizzle-orm';
import type { AnyColumn, SQL } from 'drizzle-orm';
import { integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { Db } from './db.ts';
import type { Logger } from './log.ts';
import { isAlive, ownMark } from './processes.ts';

const at = (name: string) => timestamp(name, { withTimezone: true });

const servers = pgTable('servers', {
  id: uuid('id').primaryKey(),
  machine: text('machine').notNull(),
  pid: integer('pid').notNull(),
  started: text('started').notNull(),
  beats: integer('beats').notNull().default(0),
  begunAt: at('begun_at').notNull().defaultNow(),
  endsAt: at('ends_at').notNull(),
});

const LEASE_SECONDS = 30;
export const BEAT_MS = 5000;

/** A lease further ahead than this was given before the clock was set back. */
const AHEAD_SECONDS = LEASE_SECONDS + 5;
const leaseEnd = sql`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`;

export const newServerId = (): string => randomUUID();

/** What a column names is no server any more, or was none ever. */
export const isOrphan = (column: AnyColumn): SQL =>
  sql`(${column} IS NULL OR NOT EXISTS (SELECT 1 FROM servers WHERE servers.id = ${column}))`;

/** Numbers of processes mean something within one boot and one space of numbers only. */
function machineName(): string {
  const part = (read: () => string): string => {
    try {
      return read().trim();
    } catch {
      return '';
    }
  };
  const boot = part(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));
  return [hostname(), boot, part(() => readlinkSync('/proc/self/ns/pid'))].join(' ');
}

export type Lease = ReturnType<typeof createLease>;

/** `isAlone`: the database is nobody else's (the embedded one is locked), so that all other leases are over. */
export function createLease(deps: { db: Db; log: Logger; server: string; isAlone: boolean }) {
  const { db, log, server, isAlone } = deps;
  const machine = machineName();
  /** Leases that were over when last looked at, with their renewals then. */
  let doubted = new Map<string, number>();

  const mine = { id: server, machine, ...ownMark(), endsAt: leaseEnd };

  /** True when it was still known: a server that was stopped for too long has lost its runs to others. */
  async function renew(): Promise<boolean> {
    const [row] = await db
      .insert(servers)
      .values(mine)
      .onConflictDoUpdate({ target: servers.id, set: { endsAt: leaseEnd, beats: sql`${servers.beats} + 1` } })
      .returning({ beats: servers.beats });
    return row !== undefined && row.beats > 0;
  }

  async function remove(id: string, beats: number): Promise<void> {
    const gone = await db
      .delete(servers)
      .where(and(eq(servers.id, id), eq(servers.beats, beats)))
      .returning({ machine: servers.machine, pid: servers.pid });
    for (const { pid } of gone) log.warn({ event: 'server_gone', server: id, pid }, 'the lease of a server is over');
  }

  /** A process of this machine can be looked at; that of another one cannot, its lease decides. */
  const isSurelyGone = (row: typeof servers.$inferSelect): boolean =>
    isAlone || (row.machine === machine && !isAlive(row));

  /**
   * Ends the leases that are over. One that only ran out is looked at twice: where the database's clock was set forward
   * all of them are over at once, and a server that lives renews its own in between.
   */
  async function endOthers(): Promise<void> {
    await db
      .update(servers)
      .set({ endsAt: leaseEnd })
      .where(sql`${servers.endsAt} > clock_timestamp() + make_interval(secs => ${AHEAD_SECONDS})`);
    for (const row of await db.select().from(servers).where(ne(servers.id, server)))
      if (isSurelyGone(row)) await remove(row.id, row.beats);
    const over = await db
      .select({ id: servers.id, beats: servers.beats })
      .from(servers)
      .where(and(ne(servers.id, server), lte(servers.endsAt, sql`clock_timestamp()`)));
    for (const { id, beats } of over) if (doubted.get(id) === beats) await remove(id, beats);
    doubted = new Map(over.map(({ id, beats }) => [id, beats]));
  }

  return {
    /** At start, before anything is taken over. */
    async begin(): Promise<void> {
      await renew();
      await endOthers();
    },

    async beat(): Promise<void> {
      if (!(await renew())) log.warn({ event: 'lease_lost', server }, 'this server had been taken for dead');
      await endOthers();
    },

    /** Numbers of all servers whose leases stand. */
    living: async (): Promise<string[]> => (await db.select({ id: servers.id }).from(servers)).map(({ id }) => id),

    /** What is still open may be taken over at once. */
    end: async (): Promise<void> => void (await db.delete(servers).where(eq(servers.id, server))),
  };
}

/** Servers whose leases stand, as a person would look for them. */
export async function livingServers(db: Db): Promise<{ host: string; pid: number }[]> {
  const rows = await db
    .select({ machine: servers.machine, pid: servers.pid, started: servers.started })
    .from(servers)
    .where(sql`${servers.endsAt} > clock_timestamp()`);
  const here = machineName();
  return rows
    .filter((row) => row.machine !== here || isAlive(row))
    .map(({ machine, pid }) => ({ host: machine.split(' ')[0] ?? '', pid }));
}
