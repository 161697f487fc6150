/** SQL on codings. Who may see a coding is who may see its file: every read of one goes through the file. */
import { and, asc, count, desc, eq, inArray, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Db, Tx } from '../../lib/db.ts';
import { missing } from '../../lib/errors.ts';
import { whole } from '../../lib/guard.ts';
import type { Owner } from '../../lib/guard.ts';
import { visibleFiles } from '../files/service.ts';
import { loneIn } from './marks.ts';
import type { AnswerQuery, Code, Progress } from './schema.ts';
import { acts, answers, codings } from './tables.ts';
import type { ActKind, ActRow, AnswerRow, CodingRow, Marks } from './tables.ts';

const BATCH = 5_000;
const UNDO_MOST = 200;

export type FoundCoding = CodingRow & { file: string };

/** `lock`: until the transaction ends, so that two changes come one after the other. */
export async function findCoding(db: Db, owner: Owner, id: number, lock = false): Promise<FoundCoding> {
  const file = visibleFiles(db, owner);
  const query = db
    .select({ coding: codings, file: file.name })
    .from(codings)
    .innerJoin(file, eq(file.fid, codings.fid))
    .where(eq(codings.id, id));
  const [row] = lock ? await query.for('update', { of: codings }) : await query;
  if (!row) throw missing();
  return { ...row.coding, file: row.file };
}

export async function listCodings(
  db: Db,
  owner: Owner,
  { fid, bin = false }: { fid?: number | undefined; bin?: boolean } = {},
): Promise<FoundCoding[]> {
  const file = visibleFiles(db, owner, { bin });
  const rows = await db
    .select({ coding: codings, file: file.name })
    .from(codings)
    .innerJoin(file, eq(file.fid, codings.fid))
    .where(fid === undefined ? undefined : eq(codings.fid, fid))
    .orderBy(desc(codings.updatedAt), desc(codings.id));
  return rows.map(({ coding, file: name }) => ({ ...coding, file: name }));
}

/** All of the owner's, in the bin too: what is kept is kept. */
export async function usedBy(db: Db, owner: Owner): Promise<{ codings: number; characters: number }> {
  const file = visibleFiles(db, whole(owner), { bin: true });
  const [row] = await db
    .select({ codings: count(), characters: sql<number>`coalesce(sum(${codings.characters}), 0)::int` })
    .from(codings)
    .innerJoin(file, eq(file.fid, codings.fid));
  return row ?? { codings: 0, characters: 0 };
}

export interface ReadAnswers {
  texts: string[];
  rows: number[];
  first: number[];
}

export async function insertCoding(
  tx: Tx,
  fresh: typeof codings.$inferInsert,
  { texts, rows, first }: ReadAnswers,
): Promise<number> {
  const [row] = await tx.insert(codings).values(fresh).returning({ id: codings.id });
  if (!row) throw new Error('A coding was not stored');
  for (let from = 0; from < texts.length; from += BATCH) {
    const part = texts
      .slice(from, from + BATCH)
      .map((text, i) => ({ at: from + i, text, rows: rows[from + i], first: first[from + i] }));
    await tx.execute(sql`INSERT INTO coded_answers (coding_id, at, text, rows, first_row)
      SELECT ${row.id}, x.at, x.text, x.rows, x.first FROM jsonb_to_recordset(${JSON.stringify(part)}::jsonb)
        AS x(at integer, text text, rows integer, first integer)`);
  }
  return row.id;
}

/** For a second coder, who sees nothing else of the coding. */
export async function questionOf(db: Db, id: number): Promise<string> {
  const [row] = await db.select({ question: codings.question }).from(codings).where(eq(codings.id, id));
  if (!row) throw missing();
  return row.question;
}

export async function deleteCoding(db: Db, id: number): Promise<void> {
  await db.delete(codings).where(eq(codings.id, id));
}

export async function updateCoding(db: Db, id: number, set: Partial<typeof codings.$inferInsert>): Promise<void> {
  await db
    .update(codings)
    .set({ ...set, updatedAt: sql`now()` })
    .where(eq(codings.id, id));
}

const array = (ids: readonly number[]): SQL => sql`${`{${ids.join(',')}}`}::integer[]`;
const goneOf = (book: readonly Code[]): SQL => array(book.filter(({ gone }) => gone).map(({ id }) => id));
const isCoded = (gone: SQL): SQL => sql`NOT (${answers.codes} <@ ${gone})`;
const hasOpen = (book: readonly Code[]): SQL =>
  sql`(NOT (${answers.suggested} <@ (${answers.codes} || ${answers.rejected} || ${goneOf(book)}))
    AND NOT (${answers.codes} && ${array(loneIn(book))}))`;

export async function progressOf(
  db: Db,
  { id, book }: Pick<CodingRow, 'id' | 'book'>,
): Promise<Progress & { open: number }> {
  const gone = goneOf(book);
  const [row] = await db
    .select({
      answers: count(),
      rows: sql<number>`coalesce(sum(${answers.rows}), 0)::int`,
      coded_answers: sql<number>`count(*) FILTER (WHERE ${isCoded(gone)})::int`,
      coded_rows: sql<number>`coalesce(sum(${answers.rows}) FILTER (WHERE ${isCoded(gone)}), 0)::int`,
      open: sql<number>`count(*) FILTER (WHERE ${hasOpen(book)})::int`,
    })
    .from(answers)
    .where(eq(answers.codingId, id));
  return row ?? { answers: 0, rows: 0, coded_answers: 0, coded_rows: 0, open: 0 };
}

async function rowsOf<T>(db: Db, statement: SQL): Promise<T[]> {
  const answer: unknown = await db.execute(statement);
  // Both drivers answer with `rows`, which their common type does not say.
  return (answer as { rows: T[] }).rows;
}

export interface CodeCount {
  code: number;
  answers: number;
  rows: number;
}

export async function countsOf(db: Db, id: number): Promise<CodeCount[]> {
  return rowsOf<CodeCount>(
    db,
    sql`SELECT code, count(*)::int AS answers, sum(rows)::int AS rows
    FROM coded_answers, unnest(codes) AS code WHERE coding_id = ${id} GROUP BY code`,
  );
}

/** Open suggestions of each code by tenths of their probability, rounded down. */
export async function openCounts(
  db: Db,
  { id, book }: Pick<CodingRow, 'id' | 'book'>,
): Promise<{ code: number; tenth: number; n: number }[]> {
  return rowsOf<{ code: number; tenth: number; n: number }>(
    db,
    sql`SELECT s.code, floor(s.p::numeric * 10)::int AS tenth, count(*)::int AS n
    FROM coded_answers, unnest(suggested, likely) AS s(code, p)
    WHERE coding_id = ${id} AND NOT s.code = ANY(codes) AND NOT s.code = ANY(rejected)
      AND NOT codes && ${array(loneIn(book))} GROUP BY 1, 2`,
  );
}

const pattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

export async function pageOfAnswers(
  db: Db,
  { id, book }: Pick<CodingRow, 'id' | 'book'>,
  { q, state, code, sort, offset, limit }: AnswerQuery,
): Promise<{ total: number; rows: number; list: AnswerRow[] }> {
  const gone = goneOf(book);
  const byState = {
    all: undefined,
    uncoded: sql`NOT ${isCoded(gone)}`,
    coded: isCoded(gone),
    suggested: hasOpen(book),
  };
  const where = and(
    eq(answers.codingId, id),
    byState[state],
    q ? sql`${answers.text} ILIKE ${pattern(q)}` : undefined,
    code === undefined
      ? undefined
      : sql`(${code} = ANY(${answers.codes}) OR (${code} = ANY(${answers.suggested}) AND NOT ${code} = ANY(${answers.rejected})))`,
  );
  const order = {
    place: [asc(answers.at)],
    rows: [desc(answers.rows), asc(answers.at)],
    length: [sql`length(${answers.text}) DESC`, asc(answers.at)],
  };
  const [sum] = await db
    .select({ total: count(), rows: sql<number>`coalesce(sum(${answers.rows}), 0)::int` })
    .from(answers)
    .where(where);
  const list = await db
    .select()
    .from(answers)
    .where(where)
    .orderBy(...order[sort])
    .offset(offset)
    .limit(limit);
  return { total: sum?.total ?? 0, rows: sum?.rows ?? 0, list };
}

export async function answersAt(db: Db, id: number, at: readonly number[]): Promise<AnswerRow[]> {
  if (at.length === 0) return [];
  return db
    .select()
    .from(answers)
    .where(and(eq(answers.codingId, id), inArray(answers.at, [...at])));
}

/** Those a condition on their marks holds for, without their texts, which may be many millions of letters. */
export async function marksWhere(db: Db, id: number, where: SQL) {
  const { at, codes, byHand, rejected, suggested, likely } = answers;
  return db
    .select({ at, codes, byHand, rejected, suggested, likely })
    .from(answers)
    .where(and(eq(answers.codingId, id), where))
    .orderBy(asc(answers.at));
}

/** Coded answers with their codes that are in use. */
export async function usedMarks(
  db: Db,
  { id, book }: Pick<CodingRow, 'id' | 'book'>,
): Promise<[at: number, codes: number[]][]> {
  const gone = new Set(book.flatMap((code) => (code.gone ? [code.id] : [])));
  const rows = await marksWhere(db, id, isCoded(goneOf(book)));
  return rows.map(({ at, codes }) => [at, codes.filter((code) => !gone.has(code))]);
}

export const openMarks = (db: Db, { id, book }: Pick<CodingRow, 'id' | 'book'>) => marksWhere(db, id, hasOpen(book));
export const marksWith = (db: Db, id: number, code: number) =>
  marksWhere(
    db,
    id,
    sql`(${code} = ANY(${answers.codes}) OR ${code} = ANY(${answers.rejected}) OR ${code} = ANY(${answers.byHand}))`,
  );

export async function putMarks(tx: Tx, id: number, userId: number, marks: readonly Marks[]): Promise<void> {
  for (let from = 0; from < marks.length; from += BATCH) {
    const part = marks
      .slice(from, from + BATCH)
      .map(([at, codes, byHand, rejected]) => ({ at, codes, by_hand: byHand, rejected }));
    await tx.execute(sql`UPDATE coded_answers AS a SET codes = x.codes, by_hand = x.by_hand, rejected = x.rejected,
        version = a.version + 1, changed_by = ${userId}, changed_at = now()
      FROM jsonb_to_recordset(${JSON.stringify(part)}::jsonb)
        AS x(at integer, codes integer[], by_hand integer[], rejected integer[])
      WHERE a.coding_id = ${id} AND a.at = x.at`);
  }
}

/** In the place of all suggestions there were. What people have decided stays. */
export async function putSuggestions(
  tx: Tx,
  id: number,
  suggestions: ReadonlyMap<number, { codes: number[]; likely: number[] }>,
): Promise<void> {
  await tx.execute(sql`UPDATE coded_answers SET suggested = '{}', likely = '{}'
    WHERE coding_id = ${id} AND suggested <> '{}'`);
  const all = [...suggestions].map(([at, { codes, likely }]) => ({ at, codes, likely }));
  for (let from = 0; from < all.length; from += BATCH)
    await tx.execute(sql`UPDATE coded_answers AS a SET suggested = x.codes, likely = x.likely
      FROM jsonb_to_recordset(${JSON.stringify(all.slice(from, from + BATCH))}::jsonb)
        AS x(at integer, codes integer[], likely real[])
      WHERE a.coding_id = ${id} AND a.at = x.at`);
}

export interface NewAct {
  kind: ActKind;
  title: string;
  marks: number;
  before: Marks[];
  after: Marks[];
}

/** What this person had undone can no longer be redone; what is long ago can no longer be undone. */
export async function addAct(tx: Tx, id: number, userId: number, act: NewAct): Promise<void> {
  const own = and(eq(acts.codingId, id), eq(acts.userId, userId));
  await tx.delete(acts).where(and(own, eq(acts.undone, true)));
  const [last] = await tx
    .select({ number: sql<number>`coalesce(max(${acts.number}), 0)::int` })
    .from(acts)
    .where(eq(acts.codingId, id));
  const number = (last?.number ?? 0) + 1;
  await tx.insert(acts).values({ ...act, codingId: id, number, userId });
  await tx
    .update(acts)
    .set({ before: null, after: null })
    .where(and(eq(acts.codingId, id), sql`${acts.number} <= ${number - UNDO_MOST}`, sql`${acts.before} IS NOT NULL`));
}

/** The act this person would undo, or redo. */
export async function nextAct(db: Db, id: number, userId: number, undone: boolean): Promise<ActRow | null> {
  const [row] = await db
    .select()
    .from(acts)
    .where(
      and(eq(acts.codingId, id), eq(acts.userId, userId), eq(acts.undone, undone), sql`${acts.before} IS NOT NULL`),
    )
    .orderBy(undone ? asc(acts.number) : desc(acts.number))
    .limit(1);
  return row ?? null;
}

export async function setUndone(tx: Tx, { codingId, number }: ActRow, undone: boolean): Promise<void> {
  await tx
    .update(acts)
    .set({ undone })
    .where(and(eq(acts.codingId, codingId), eq(acts.number, number)));
}

/** Marks that were suggestions taken all at once, and not undone. */
export async function takenAtOnce(db: Db, id: number): Promise<number> {
  const [row] = await db
    .select({ n: sql<number>`coalesce(sum(${acts.marks}), 0)::int` })
    .from(acts)
    .where(and(eq(acts.codingId, id), eq(acts.kind, 'accept'), eq(acts.undone, false)));
  return row?.n ?? 0;
}

/** Who left is named nowhere; what they coded stays with the file. */
export async function forgetCoder(tx: Tx, userId: number): Promise<void> {
  await tx.update(answers).set({ changedBy: null }).where(eq(answers.changedBy, userId));
  await tx.update(acts).set({ userId: null }).where(eq(acts.userId, userId));
  await tx.update(codings).set({ createdBy: null }).where(eq(codings.createdBy, userId));
}
