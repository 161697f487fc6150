/** What members of an enterprise hold, across the features that keep it: counted, handed over, opened to all, removed. */
import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Content, ContentItem } from '../../features/enterprise/service.ts';
import { forgetQuestionnaires } from '../../features/expert-questionnaires/service.ts';
import { expireFiles } from '../../features/files/service.ts';
import type { Models } from '../../features/models/service.ts';
import { expireProjects } from '../../features/projects/service.ts';
import { expireReports } from '../../features/reports/service.ts';
import type { Runs } from '../../features/runs/service.ts';
import type { Db } from '../../lib/db.ts';
import type { Owner } from '../../lib/guard.ts';

/** Everything a maker stands at; reports and models of a project move with it. */
const MADE: readonly SQL[] = [
  sql`files`,
  sql`expert_projects`,
  sql`uploads`,
  sql`projects`,
  sql`reports`,
  sql`models`,
  sql`downloads`,
  sql`step_recipes`,
  sql`control_limits`,
];
const FILES = { table: sql`files`, id: sql`fid` };
const PROJECTS = { table: sql`projects`, id: sql`id` };
type Kept = typeof FILES;

async function rowsOf<T>(db: Db, statement: SQL): Promise<T[]> {
  const answer: unknown = await db.execute(statement);
  // Both drivers answer with `rows`, which their common type does not say.
  return (answer as { rows: T[] }).rows;
}

/** int4[] of both drivers alike. */
const list = (ids: readonly number[]): SQL => sql`${`{${ids.join(',')}}`}::int[]`;

async function byMember(db: Db, statement: SQL): Promise<Map<number, number>> {
  const rows = await rowsOf<{ member: number | null; n: number | string }>(db, statement);
  return new Map(rows.flatMap(({ member, n }) => (member === null ? [] : [[member, Number(n)] as const])));
}

/** Condition of rows of an enterprise that one member made. */
const madeBy = (eid: number, userId: number): SQL =>
  sql`owner_kind = 'enterprise' AND owner_id = ${eid} AND created_by = ${userId}`;

export function createTenantContent({ runs, models }: { runs: () => Runs; models: () => Models }): Content {
  return {
    async holdings(db, eid, userId) {
      const [row] = await rowsOf<Awaited<ReturnType<Content['holdings']>>>(
        db,
        sql`SELECT
          (SELECT count(*)::int FROM sessions WHERE enterprise_id = ${eid} AND user_id = ${userId}
            AND ended_at IS NULL AND ends_at > now() AND (offered_until IS NULL OR offered_until > now())) AS sessions,
          (SELECT count(*)::int FROM runs WHERE owner_kind = 'enterprise' AND owner_id = ${eid} AND user_id = ${userId}
            AND ended_at IS NULL) AS runs,
          (SELECT count(*)::int FROM reports WHERE ${madeBy(eid, userId)} AND rev = 0) AS drafts,
          (SELECT count(*)::int FROM files WHERE ${madeBy(eid, userId)}) AS files,
          (SELECT count(*)::int FROM projects WHERE ${madeBy(eid, userId)} AND NOT draft) AS projects,
          (SELECT count(*)::int FROM reports WHERE ${madeBy(eid, userId)} AND rev > 0) AS reports,
          (SELECT count(*)::int FROM shares s JOIN reports r ON r.rid = s.rid
            WHERE r.owner_kind = 'enterprise' AND r.owner_id = ${eid} AND r.created_by = ${userId}
            AND s.ended_at IS NULL AND (s.ends_at IS NULL OR s.ends_at > now())) AS shares,
          (SELECT count(*)::int FROM models WHERE ${madeBy(eid, userId)} AND name IS NOT NULL) AS models`,
      );
      if (!row) throw new Error('A count gave no row');
      return row;
    },

    async handOver(tx, eid, from, to, { endShares }) {
      if (endShares)
        await tx.execute(sql`UPDATE shares SET ended_at = now() WHERE ended_at IS NULL
          AND rid IN (SELECT rid FROM reports WHERE ${madeBy(eid, from)})`);
      // Tickets are for whoever asked for them: they end instead of moving.
      await tx.execute(sql`DELETE FROM downloads WHERE ${madeBy(eid, from)}`);
      for (const table of MADE)
        await tx.execute(sql`UPDATE ${table} SET created_by = ${to} WHERE ${madeBy(eid, from)}`);
    },

    async reassign(tx, eid, from, to, { files = [], projects = [] }) {
      const move = async ({ table, id }: Kept, ids: readonly number[]): Promise<number> =>
        ids.length === 0
          ? 0
          : (
              await rowsOf(
                tx,
                sql`UPDATE ${table} SET created_by = ${to}
                  WHERE ${madeBy(eid, from)} AND ${id} = ANY(${list(ids)}) RETURNING 1`,
              )
            ).length;
      const moved = (await move(FILES, files)) + (await move(PROJECTS, projects));
      await move({ table: sql`reports`, id: sql`project_id` }, projects);
      await move({ table: sql`models`, id: sql`project_id` }, projects);
      // The bytes count for whom the file belongs to now.
      if (files.length > 0)
        await tx.execute(sql`UPDATE uploads SET created_by = ${to} WHERE ${madeBy(eid, from)}
          AND upload_id IN (SELECT upload_id FROM versions WHERE fid = ANY(${list(files)}))`);
      return moved;
    },

    storage: (db, eid) =>
      byMember(
        db,
        sql`SELECT created_by AS member, sum(size) AS n FROM uploads
          WHERE owner_kind = 'enterprise' AND owner_id = ${eid} GROUP BY 1`,
      ),

    analyses: (db, eid, since) =>
      byMember(
        db,
        sql`SELECT created_by AS member, count(*)::int AS n FROM usage_hits
          WHERE owner_kind = 'enterprise' AND owner_id = ${eid} AND at >= ${since.toISOString()}::timestamptz GROUP BY 1`,
      ),

    async openRuns(db, eid) {
      const [row] = await rowsOf<{ n: number }>(
        db,
        sql`SELECT count(*)::int AS n FROM runs WHERE owner_kind = 'enterprise' AND owner_id = ${eid} AND ended_at IS NULL`,
      );
      return row?.n ?? 0;
    },

    endRuns: (eid, userId) => runs().cancelIn(eid, userId),

    async remove(tx, eid) {
      const owner: Owner = { kind: 'enterprise', id: eid };
      await expireFiles(tx, owner);
      await expireReports(tx, owner);
      await expireProjects(tx, owner);
      await forgetQuestionnaires(tx, owner);
      await models().removeAll(tx, owner);
      for (const table of [
        sql`runs`,
        sql`analysis_calls`,
        sql`downloads`,
        sql`coding_schemes`,
        sql`text_dictionaries`,
        sql`text_pictures`,
        sql`step_recipes`,
        sql`plagdet_documents`,
        sql`plagdet_checks`,
        sql`plagdet_segments`,
        sql`control_limits`,
      ])
        await tx.execute(sql`DELETE FROM ${table} WHERE owner_kind = 'enterprise' AND owner_id = ${eid}`);
    },

    async list(db, eid, userId, { kind, limit, offset }) {
      const seen = sql`owner_kind = 'enterprise' AND owner_id = ${eid} AND deleted_at IS NULL
        AND (visibility = 'all' OR created_by = ${userId})`;
      const from =
        kind === 'file'
          ? sql`FROM files WHERE ${seen} AND head IS NOT NULL`
          : sql`FROM projects WHERE ${seen} AND NOT draft`;
      const { id } = kind === 'file' ? FILES : PROJECTS;
      const rows = await rowsOf<Omit<ContentItem, 'kind' | 'at'> & { at: Date | string }>(
        db,
        sql`SELECT ${id} AS id, name, created_by AS maker, visibility, updated_at AS at ${from}
          ORDER BY updated_at DESC, ${id} DESC LIMIT ${limit} OFFSET ${offset}`,
      );
      const [all] = await rowsOf<{ n: number }>(db, sql`SELECT count(*)::int AS n ${from}`);
      return { total: all?.n ?? 0, list: rows.map((row) => ({ ...row, kind, at: new Date(row.at) })) };
    },

    async open(tx, eid, userId, { files, projects, visibility }) {
      const change = async ({ table, id }: Kept, ids: readonly number[]): Promise<string[]> =>
        ids.length === 0
          ? []
          : (
              await rowsOf<{ name: string }>(
                tx,
                sql`UPDATE ${table} SET visibility = ${visibility}
                  WHERE ${madeBy(eid, userId)} AND deleted_at IS NULL AND ${id} = ANY(${list(ids)})
                  RETURNING name`,
              )
            ).map(({ name }) => name);
      return [...(await change(FILES, files)), ...(await change(PROJECTS, projects))];
    },

    async shares(db, eid, userId, { limit, offset }) {
      const where = sql`FROM shares s JOIN reports r ON r.rid = s.rid
        WHERE r.owner_kind = 'enterprise' AND r.owner_id = ${eid} AND r.deleted_at IS NULL
        AND s.ended_at IS NULL AND (s.ends_at IS NULL OR s.ends_at > now())
        ${userId === null ? sql`` : sql`AND r.created_by = ${userId}`}`;
      const rows = await rowsOf<{
        code: string;
        title: string;
        rid: number;
        sharer: number | null;
        at: Date | string;
        until: Date | string | null;
      }>(
        db,
        sql`SELECT s.code, s.title, s.rid, r.created_by AS sharer, s.created_at AS at, s.ends_at AS until ${where}
          ORDER BY s.created_at DESC, s.code LIMIT ${limit} OFFSET ${offset}`,
      );
      const [all] = await rowsOf<{ n: number }>(db, sql`SELECT count(*)::int AS n ${where}`);
      return {
        total: all?.n ?? 0,
        list: rows.map((row) => ({
          ...row,
          at: new Date(row.at),
          until: row.until === null ? null : new Date(row.until),
        })),
      };
    },

    async endShare(tx, eid, userId, code) {
      const [row] = await rowsOf<{ title: string }>(
        tx,
        sql`UPDATE shares s SET ended_at = now() FROM reports r
          WHERE s.code = ${code} AND s.ended_at IS NULL AND r.rid = s.rid
          AND r.owner_kind = 'enterprise' AND r.owner_id = ${eid}
          ${userId === null ? sql`` : sql`AND r.created_by = ${userId}`} RETURNING s.title`,
      );
      return row?.title ?? null;
    },
  };
}
