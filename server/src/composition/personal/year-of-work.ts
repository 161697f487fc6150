/** What somebody did in a year, for their year-end report: their own work in the personal version, on data still kept. */
import { sql } from 'drizzle-orm';
import { YearCount } from '../../features/year-end/schema.ts';
import type { Db } from '../../lib/db.ts';

export async function countYear(db: Db, userId: number, from: Date, to: Date): Promise<YearCount> {
  const done = sql`r.owner_kind = 'user' AND r.owner_id = ${userId} AND r.user_id = ${userId} AND r.state = 'done'
    AND r.created_at >= ${from.toISOString()}::timestamptz AND r.created_at < ${to.toISOString()}::timestamptz`;
  const isKept = sql`EXISTS (SELECT 1 FROM files f WHERE f.fid = v.fid AND f.deleted_at IS NULL)`;
  const answer: unknown = await db.execute(sql`
    WITH work AS (
      SELECT r.created_at AS at, r.id, c.plan ->> 'path' AS path, coalesce(v.rows, 0) AS rows
      FROM runs r
      JOIN analysis_calls c ON c.run_id = r.id
      LEFT JOIN versions v ON v.vid = (c.plan ->> 'vid')::int
      WHERE r.kind = 'analysis' AND ${done}
        AND (c.plan ->> 'fid' IS NULL
          OR EXISTS (SELECT 1 FROM files f WHERE f.fid = (c.plan ->> 'fid')::int AND f.deleted_at IS NULL))
    ), used AS (
      SELECT path, count(*) AS n FROM work GROUP BY path ORDER BY n DESC, min(at), min(id) LIMIT 1
    ), exported AS (
      SELECT r.id FROM runs r JOIN versions v ON v.table_key = r.payload ->> 'table'
      WHERE r.kind = 'export' AND ${done} AND ${isKept}
      UNION ALL
      SELECT r.id FROM runs r
      WHERE r.kind = 'report_export' AND ${done} AND EXISTS (
        SELECT 1 FROM jsonb_array_elements(r.payload -> 'reports') AS asked
        JOIN reports p ON p.rid = (asked ->> 'rid')::int
        WHERE p.deleted_at IS NULL)
    )
    SELECT count(DISTINCT (at AT TIME ZONE 'Asia/Shanghai')::date)::int AS days, count(*)::int AS runs,
      count(DISTINCT path)::int AS methods, (SELECT path FROM used) AS top,
      coalesce((SELECT n FROM used), 0)::int AS top_runs, coalesce(sum(rows), 0)::float8 AS rows,
      coalesce(max(rows), 0)::float8 AS largest, (SELECT count(*) FROM exported)::int AS exports
    FROM work`);
  // Both drivers answer with `rows`, which their common type does not say.
  const { rows } = answer as { rows: unknown[] };
  return YearCount.parse(rows[0]);
}
