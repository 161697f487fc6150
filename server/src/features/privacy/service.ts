/** Taking everything away as one archive, and our own events of people who agreed to them. */
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { and, desc, eq, lt, sql } from 'drizzle-orm';
import { json } from '../../lib/owner-data.ts';
import type { OwnerFile, Exporter } from '../../lib/owner-data.ts';
import { databaseClock } from '../../lib/clock.ts';
import type { Deps } from '../../lib/deps.ts';
import { Fault } from '../../lib/errors.ts';
import { owned } from '../../lib/guard.ts';
import { isOrphan } from '../../lib/servers.ts';
import type { Actor, Owner } from '../../lib/guard.ts';
import { configOf, demandStepUp, findUser, listSessions, openPhone, waysOf } from '../accounts/service.ts';
import { writeArchive } from './archive.ts';
import type { AccountExport } from './schema.ts';
import { accountExports, events } from './tables.ts';

export const KEPT_HOURS = 24;
const EVENT_DAYS = 180;
const HOUR_MS = 3_600_000;
const KEY = /^[0-9a-f]{32}$/;

export type Privacy = ReturnType<typeof createPrivacy>;

export function createPrivacy(deps: Pick<Deps, 'config' | 'db' | 'keys' | 'log' | 'server'>) {
  const { config, db, keys, log, server } = deps;
  const folder = join(config.data, 'account-exports');
  const exporters: Exporter[] = [];
  const working = new Set<Promise<void>>();

  /** Files first, so that a row never promises an archive that is not there. */
  async function make(id: number, actor: Actor): Promise<void> {
    const key = randomBytes(16).toString('hex');
    const file = join(folder, key);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeArchive(file, everything(actor), async (count) => {
        await db.update(accountExports).set({ done: count }).where(eq(accountExports.id, id));
      });
      const { size } = await stat(file);
      await end(id, { state: 'done', fileKey: key, size });
    } catch (error) {
      log.error({ event: 'bug', err: error, uid: actor.userId }, 'an export of an account failed');
      await rm(file, { force: true });
      await end(id, { state: 'failed', fileKey: null, size: null });
    }
  }

  const end = async (
    id: number,
    outcome: { state: 'done' | 'failed'; fileKey: string | null; size: number | null },
  ): Promise<void> => {
    await db
      .update(accountExports)
      .set({ ...outcome, endedAt: sql`now()` })
      .where(eq(accountExports.id, id));
  };

  async function* everything(actor: Actor): AsyncGenerator<OwnerFile> {
    const user = await findUser(db, actor.userId);
    if (!user) throw new Error(`User ${actor.userId} has a session and no row`);
    yield json('account.json', {
      id: user.id,
      nickname: user.nickname,
      phone: user.phoneSealed ? openPhone(keys, user.phoneSealed) : null,
      ways: await waysOf(db, user.id),
      config: configOf(user),
      utm_source: user.utmSource,
      created_at: user.createdAt.toISOString(),
      sessions: (await listSessions(db, actor)).list,
    });
    const seen = await db.select().from(events).where(eq(events.userId, user.id)).orderBy(events.id);
    yield json('events.json', seen);
    for (const exporter of exporters) yield* exporter(actor.owner);
  }

  const latest = async (owner: Owner, id?: number) => {
    const [row] = await db
      .select()
      .from(accountExports)
      .where(owned(accountExports, owner, id === undefined ? undefined : eq(accountExports.id, id)))
      .orderBy(desc(accountExports.id))
      .limit(1);
    return row ?? null;
  };

  return {
    /** Each feature adds what it holds; called while the application is put together. */
    include(...more: Exporter[]): void {
      exporters.push(...more);
    },

    /** Begins an archive, or tells of the one that is being made. */
    async begin(actor: Actor): Promise<AccountExport> {
      if (actor.owner.kind !== 'user') throw new Fault(30201);
      await demandStepUp(deps, actor);
      const [row] = await db
        .insert(accountExports)
        .values({ ownerKind: 'user', ownerId: actor.userId, userId: actor.userId, state: 'working', serverId: server })
        .onConflictDoNothing()
        .returning();
      if (row) {
        const job = make(row.id, actor).finally(() => working.delete(job));
        working.add(job);
      }
      const found = row ?? (await latest(actor.owner));
      if (!found) throw new Error('The export that was just begun is missing');
      return wire(found);
    },

    async read(owner: Owner): Promise<AccountExport | null> {
      const row = await latest(owner);
      return row ? wire(row) : null;
    },

    /** For downloads: null for a foreign, unfinished or outdated archive. */
    async download(owner: Owner, id: number) {
      const row = await latest(owner, id);
      if (row?.state !== 'done' || !row.fileKey || !row.endedAt) return null;
      if (endsAt(row.endedAt) <= (await databaseClock(db))) return null;
      const file = join(folder, row.fileKey);
      const stats = await stat(file).catch(() => null);
      const day = row.createdAt.toISOString().slice(0, 10);
      return stats
        ? {
            name: `衡析账号数据_${day}.zip`,
            type: 'application/zip',
            size: stats.size,
            open: () => createReadStream(file),
          }
        : null;
    },

    /** Keeps what was told by somebody who agreed; the number kept. */
    async note(actor: Actor, noted: { name: string; path: string }[]): Promise<number> {
      const user = await findUser(db, actor.userId);
      if (!user?.analyticsConsent) return 0;
      await db.insert(events).values(noted.map((event) => ({ ...event, userId: actor.userId })));
      return noted.length;
    },

    /** At start and now and then: what was being made died with its server. */
    async recover(): Promise<void> {
      await db
        .update(accountExports)
        .set({ state: 'failed', endedAt: sql`now()` })
        .where(and(eq(accountExports.state, 'working'), isOrphan(accountExports.serverId)));
    },

    /** Archives after a day, events after half a year; run now and then. */
    async tidy(): Promise<void> {
      const old = await db
        .update(accountExports)
        .set({ fileKey: null })
        .where(
          and(
            sql`${accountExports.fileKey} IS NOT NULL`,
            lt(accountExports.endedAt, sql`now() - make_interval(hours => ${KEPT_HOURS})`),
          ),
        )
        .returning({ id: accountExports.id });
      if (old.length > 0) await sweep();
      await db.delete(events).where(lt(events.at, sql`now() - make_interval(days => ${EVENT_DAYS})`));
    },

    /** Removes what is known of a person here, with the archives. */
    async forget(tx: typeof db, userId: number): Promise<void> {
      await tx.delete(events).where(eq(events.userId, userId));
      await tx.delete(accountExports).where(eq(accountExports.userId, userId));
    },

    /** Waits for archives that are being made; for stopping and tests. */
    settled: async (): Promise<void> => {
      await Promise.all(working);
    },
  };

  /** Removes archives that no row names. */
  async function sweep(): Promise<void> {
    const rows = await db.select({ key: accountExports.fileKey }).from(accountExports);
    const named = new Set(rows.map(({ key }) => key));
    for (const name of await readdir(folder).catch(() => []))
      if (KEY.test(name) && !named.has(name) && !(await isBeingMade(join(folder, name))))
        await rm(join(folder, name), { force: true });
  }
}

/** An archive gets its row's word for it when it is whole; until then it grows. */
const isBeingMade = async (file: string): Promise<boolean> =>
  Date.now() - ((await stat(file).catch(() => null))?.mtimeMs ?? 0) < HOUR_MS;

const endsAt = (ended: Date): Date => new Date(ended.getTime() + KEPT_HOURS * 3_600_000);

function wire(row: typeof accountExports.$inferSelect): AccountExport {
  return {
    id: row.id,
    state: row.state,
    done: row.done,
    size: row.size,
    created_at: row.createdAt.toISOString(),
    ends_at: row.state === 'done' && row.endedAt ? endsAt(row.endedAt).toISOString() : null,
  };
}
