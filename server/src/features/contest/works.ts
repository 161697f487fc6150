/**
 * What teams send: resumable uploads, and submissions that name them. The deadline is held against the arrival of the call
 * that submits; files it names may go on arriving for ten minutes. What came in is judged by its bytes.
 */
import { and, asc, count, desc, eq, inArray, lt, ne, or, sql } from 'drizzle-orm';
import type { Readable } from 'node:stream';
import { KeyedMutex } from '../../lib/keyed-mutex.ts';
import { dayOf, dayRange } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db, Tx } from '../../lib/db.ts';
import { newUploadKey } from '../../lib/blobs.ts';
import type { Blobs } from '../../lib/blobs.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { GRACE_MS, demandAnswering, phaseOf, shownInstant } from './phase.ts';
import { PdfFault, readPdf } from './pdf.ts';
import { CONTEST_LIMITS, MIB } from './schema.ts';
import type { Submission, Submissions, SubmitBody, UploadBody, WorkUpload } from './schema.ts';
import type { Seasons } from './seasons.ts';
import { submissions, workUploads } from './tables.ts';
import type { ContestRow, SubmissionRow, TeamRow, WorkUploadRow } from './tables.ts';
import { numberText } from './teams.ts';
import type { Teams } from './teams.ts';
import { ZipFault, checkZip } from './zip.ts';

/** Begun and not yet submitted, of one team. */
const OPEN_UPLOADS = 10;
/** Numbers of one team, refused and withdrawn ones included. */
const NUMBERS_MOST = 99;
const UNUSED_HOURS = 24;
const KINDS = { report: '报告', support: '支撑材料' } as const;
const EXTENSIONS = { report: /\.pdf$/i, support: /\.zip$/i } as const;
const TAKEN = ['waiting', 'submitted'] as const;

const sizeText = (bytes: number): string => `${(Math.ceil((bytes / MIB) * 10) / 10).toFixed(1)} MB`;

const wire = (row: WorkUploadRow): WorkUpload => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  size: row.size,
  offset: row.received,
  chunk: CONTEST_LIMITS.chunk,
  sha256: row.sha256,
  state: row.state,
  reason: row.reason,
  pages: row.pages,
});

/** HX26-0137-04 */
export const receiptText = (contest: Pick<ContestRow, 'code'>, team: Pick<TeamRow, 'number'>, no: number): string =>
  `${numberText(contest, team)}-${String(no).padStart(2, '0')}`;

interface Parts {
  db: Db;
  blobs: Blobs;
  clock: Clock;
  seasons: Seasons;
  teams: Teams;
}

export type Works = ReturnType<typeof createWorks>;

export function createWorks({ db, blobs, clock, seasons, teams }: Parts) {
  const turns = new KeyedMutex();
  const filesOf = (row: SubmissionRow): number[] => [row.reportId, ...(row.supportId === null ? [] : [row.supportId])];

  async function loadUpload(contest: ContestRow, userId: number, id: number) {
    const team = await teams.teamOf(db, contest.id, userId);
    const [upload] = await db
      .select()
      .from(workUploads)
      .where(and(eq(workUploads.id, id), eq(workUploads.teamId, team.id)));
    if (!upload) throw missing();
    return upload;
  }

  const submissionOf = (executor: Db, uploadId: number) =>
    executor
      .select()
      .from(submissions)
      .where(or(eq(submissions.reportId, uploadId), eq(submissions.supportId, uploadId)));

  /** Before the deadline, or for ten minutes more where it was named in time. */
  async function demandArriving(contest: ContestRow, upload: WorkUploadRow, now: Date): Promise<void> {
    if (now < contest.answerTo) return;
    const [submission] = await submissionOf(db, upload.id);
    const isNamed = submission?.state === 'waiting';
    if (!isNamed || now.getTime() >= contest.answerTo.getTime() + GRACE_MS)
      throw new Fault(31305, { at: shownInstant(contest.answerTo) });
  }

  /** What the bytes are; the reason in words where they are not what they should be. */
  async function inspect(upload: WorkUploadRow): Promise<{ pages: number | null; reason: string | null }> {
    try {
      if (upload.kind === 'support') {
        await checkZip(blobs.pathOf(upload.key), upload.size);
        return { pages: null, reason: null };
      }
      const { pages } = readPdf(await blobs.read(upload.key));
      const most = CONTEST_LIMITS.report.pages;
      return { pages, reason: pages > most ? `报告最多 ${most} 页，这份有 ${pages} 页` : null };
    } catch (error) {
      if (error instanceof PdfFault || error instanceof ZipFault) return { pages: null, reason: error.message };
      throw error;
    }
  }

  /** All files of a waiting submission are here: it counts from now on. Or one of them is not what it should be. */
  async function settle(tx: Tx, contest: ContestRow, submission: SubmissionRow, now: Date): Promise<SubmissionRow> {
    const files = await tx
      .select()
      .from(workUploads)
      .where(inArray(workUploads.id, filesOf(submission)));
    const refused = files.find(({ state }) => state === 'refused');
    const isWhole = files.every(({ state }) => state === 'complete');
    if (!refused && !isWhole) return submission;
    const set = refused
      ? { state: 'refused' as const, reason: refused.reason }
      : { state: 'submitted' as const, completedAt: now, inGrace: now >= contest.answerTo };
    const [after] = await tx.update(submissions).set(set).where(eq(submissions.id, submission.id)).returning();
    return after ?? submission;
  }

  async function finish(contest: ContestRow, upload: WorkUploadRow): Promise<WorkUpload> {
    const actual = await blobs.checksum(upload.key, upload.size);
    if (actual !== upload.sha256) {
      // Sent anew from its beginning, under the same number and, where it was named, in the same submission.
      await db.update(workUploads).set({ received: 0 }).where(eq(workUploads.id, upload.id));
      throw new Fault(31307);
    }
    await blobs.seal(upload.key);
    const { pages, reason } = await inspect(upload);
    const now = await clock(db);
    const row = await db.transaction(async (tx) => {
      const [after] = await tx
        .update(workUploads)
        .set({ received: upload.size, state: reason === null ? 'complete' : 'refused', reason, pages, touchedAt: now })
        .where(eq(workUploads.id, upload.id))
        .returning();
      if (!after) throw missing();
      const [submission] = await submissionOf(tx, upload.id).for('update');
      if (submission?.state === 'waiting') await settle(tx, contest, submission, now);
      return after;
    });
    if (reason !== null) {
      await blobs.remove(upload.key);
      throw new Fault(31315, { detail: reason });
    }
    return wire(row);
  }

  async function append(contest: ContestRow, userId: number, id: number, offset: number, bytes: Buffer) {
    const upload = await loadUpload(contest, userId, id);
    await demandArriving(contest, upload, await clock(db));
    if (upload.state !== 'open' || offset !== upload.received)
      throw new Fault(30501, { offset: upload.received }, { data: { offset: upload.received } });
    if (bytes.length === 0) throw new Fault(30090, { detail: '分块是空的' });
    const received = offset + bytes.length;
    if (received > upload.size) throw new Fault(30090, { detail: '分块超出声明的文件大小' });
    await blobs.write(upload.key, offset, bytes);
    if (received === upload.size) return finish(contest, upload);
    const [after] = await db
      .update(workUploads)
      .set({ received, touchedAt: await clock(db) })
      .where(eq(workUploads.id, id))
      .returning();
    return wire(after ?? upload);
  }

  /** Refuses at once what can be told by name and size. */
  async function demandRoom(files: readonly UploadBody[]): Promise<void> {
    for (const { kind, name, size } of files) {
      const most = CONTEST_LIMITS[kind].bytes;
      if (size > most) throw new Fault(31322, { kind: KINDS[kind], limit: sizeText(most), size: sizeText(size) });
      if (!EXTENSIONS[kind].test(name))
        throw new Fault(31315, { detail: kind === 'report' ? '报告应是 PDF 文件' : '支撑材料应是 zip 文件' });
    }
    await blobs.demandSpace(files.reduce((sum, { size }) => sum + size, 0));
  }

  /** Under the lock of the team. The same file again goes on where it stopped, also after the page was closed. */
  async function openUpload(tx: Tx, team: TeamRow, userId: number, body: UploadBody, at: Date): Promise<WorkUploadRow> {
    const { kind, name, size, sha256 } = body;
    const named = tx
      .select({ id: submissions.id })
      .from(submissions)
      .where(or(eq(submissions.reportId, workUploads.id), eq(submissions.supportId, workUploads.id)));
    const open = await tx
      .select()
      .from(workUploads)
      .where(and(eq(workUploads.teamId, team.id), ne(workUploads.state, 'refused'), sql`NOT EXISTS ${named}`));
    const again = open.find((row) => row.kind === kind && row.sha256 === sha256 && row.size === size);
    if (again) return again;
    if (open.length >= OPEN_UPLOADS) throw new Fault(30507, { n: OPEN_UPLOADS }, { retryAfter: 60 });
    const [row] = await tx
      .insert(workUploads)
      .values({
        contestId: team.contestId,
        teamId: team.id,
        userId,
        kind,
        key: newUploadKey(),
        name,
        size,
        sha256,
        openedAt: at,
        touchedAt: at,
      })
      .returning();
    if (!row) throw new Error('INSERT gave no row');
    return row;
  }

  /** The uploads named, under their locks: a report and at most one zip, of this team, in no other submission. */
  async function demandFiles(tx: Tx, team: TeamRow, ids: readonly number[]): Promise<WorkUploadRow[]> {
    const files = await tx
      .select()
      .from(workUploads)
      .where(and(inArray(workUploads.id, [...ids]), eq(workUploads.teamId, team.id)))
      .orderBy(asc(workUploads.id))
      .for('update');
    if (files.length !== new Set(ids).size) throw missing();
    const reports = files.filter(({ kind }) => kind === 'report');
    if (reports.length !== 1 || files.length > 2)
      throw new Fault(31315, { detail: '一次提交要有一份报告，支撑材料最多一份' });
    const refused = files.find(({ state }) => state === 'refused');
    if (refused) throw new Fault(31315, { detail: refused.reason ?? '文件不符合要求' });
    for (const file of files)
      if ((await submissionOf(tx, file.id)).length > 0) throw new Fault(31318, { detail: '这份文件已经提交过' });
    return files;
  }

  /** Counted by the day of arrival in Shanghai; what was refused or withdrawn does not count. */
  async function demandTurn(tx: Tx, team: TeamRow, at: Date): Promise<number> {
    const { from, to } = dayRange(dayOf(at));
    const isTaken = inArray(submissions.state, [...TAKEN]);
    const isToday = sql`${submissions.arrivedAt} >= ${from} AND ${submissions.arrivedAt} < ${to}`;
    const [used] = await tx
      .select({
        all: count(sql`CASE WHEN ${isTaken} THEN 1 END`),
        today: count(sql`CASE WHEN ${isTaken} AND ${isToday} THEN 1 END`),
        last: sql<number>`coalesce(max(${submissions.no}), 0)::int`,
      })
      .from(submissions)
      .where(eq(submissions.teamId, team.id));
    const { all = 0, today = 0, last = 0 } = used ?? {};
    if (all >= CONTEST_LIMITS.inAll || last >= NUMBERS_MOST) throw new Fault(31316, { n: CONTEST_LIMITS.inAll });
    if (today >= CONTEST_LIMITS.perDay) throw new Fault(31306, { n: CONTEST_LIMITS.perDay });
    return last + 1;
  }

  /** Of each of these, what is shown of it and its files. */
  async function shown(contest: ContestRow, team: TeamRow, rows: readonly SubmissionRow[]): Promise<Submission[]> {
    const ids = rows.flatMap(filesOf);
    const files = ids.length > 0 ? await db.select().from(workUploads).where(inArray(workUploads.id, ids)) : [];
    const last = Math.max(0, ...rows.filter(({ state }) => state === 'submitted').map(({ no }) => no));
    return rows.map((row) => ({
      no: row.no,
      receipt: receiptText(contest, team, row.no),
      state: row.state,
      reason: row.reason,
      arrived_at: row.arrivedAt.toISOString(),
      completed_at: row.completedAt?.toISOString() ?? null,
      in_grace: row.inGrace,
      counts: row.no === last,
      files: files.filter(({ id }) => filesOf(row).includes(id)).map(wire),
    }));
  }

  async function fileOf(contest: ContestRow, teamId: number, no: number, kind: 'report' | 'support') {
    const [row] = await db
      .select()
      .from(submissions)
      .where(and(eq(submissions.teamId, teamId), eq(submissions.no, no), eq(submissions.contestId, contest.id)));
    const id = kind === 'report' ? row?.reportId : row?.supportId;
    const [file] = id ? await db.select().from(workUploads).where(eq(workUploads.id, id)) : [];
    if (file?.state !== 'complete') throw missing();
    return file;
  }

  return {
    async start(contest: ContestRow, userId: number, body: UploadBody): Promise<WorkUpload> {
      const now = await clock(db);
      demandAnswering(contest, now);
      const team = await teams.teamOf(db, contest.id, userId);
      await demandRoom([body]);
      return db.transaction(async (tx) => {
        await teams.lockTeam(tx, team.id);
        return wire(await openUpload(tx, team, userId, body, now));
      });
    },

    read: async (contest: ContestRow, userId: number, id: number): Promise<WorkUpload> =>
      wire(await loadUpload(contest, userId, id)),

    /** Chunks of one upload come one after the other, also when a browser sends them twice. */
    append: (contest: ContestRow, userId: number, id: number, offset: number, bytes: Buffer): Promise<WorkUpload> =>
      turns.run(id, () => append(contest, userId, id, offset, bytes)),

    /** `at` is when the call arrived. The same request is the same submission. */
    async submit(contest: ContestRow, userId: number, body: SubmitBody, at: Date): Promise<Submission> {
      const team = await teams.teamOf(db, contest.id, userId);
      const { files: fresh = [], upload_ids: known = [] } = body;
      await demandRoom(fresh);
      const row = await db.transaction(async (tx) => {
        await teams.lockTeam(tx, team.id);
        const [again] = await tx
          .select()
          .from(submissions)
          .where(and(eq(submissions.teamId, team.id), eq(submissions.requestId, body.request_id)));
        if (again) return again;
        // Under the lock the season is read anew: it may have been postponed meanwhile.
        const season = (await seasons.find(tx, contest.id)) ?? contest;
        demandAnswering(season, at);
        const opened: WorkUploadRow[] = [];
        for (const file of fresh) opened.push(await openUpload(tx, team, userId, file, at));
        const files = await demandFiles(tx, team, [...known, ...opened.map(({ id }) => id)]);
        const no = await demandTurn(tx, team, at);
        const isWhole = files.every(({ state }) => state === 'complete');
        const [made] = await tx
          .insert(submissions)
          .values({
            contestId: contest.id,
            teamId: team.id,
            no,
            userId,
            requestId: body.request_id,
            reportId: files.find(({ kind }) => kind === 'report')?.id ?? 0,
            supportId: files.find(({ kind }) => kind === 'support')?.id ?? null,
            state: isWhole ? 'submitted' : 'waiting',
            arrivedAt: at,
            completedAt: isWhole ? at : null,
          })
          .returning();
        if (!made) throw new Error('INSERT gave no row');
        return made;
      });
      const list = await db.select().from(submissions).where(eq(submissions.teamId, team.id));
      const found = (await shown(contest, team, list)).find(({ no }) => no === row.no);
      if (!found) throw missing();
      return found;
    },

    /** Only while its files are arriving: what was submitted stands, and a later one takes its place. */
    async withdraw(contest: ContestRow, userId: number, no: number): Promise<void> {
      const team = await teams.teamOf(db, contest.id, userId);
      await db.transaction(async (tx) => {
        const [row] = await tx
          .select()
          .from(submissions)
          .where(and(eq(submissions.teamId, team.id), eq(submissions.no, no)))
          .for('update');
        if (!row) throw missing();
        if (row.state !== 'waiting') throw new Fault(31318, { detail: '已经提交的作品不能撤回，可以再次提交新的版本' });
        await tx.update(submissions).set({ state: 'withdrawn' }).where(eq(submissions.id, row.id));
      });
    },

    async list(contest: ContestRow, userId: number): Promise<Submissions> {
      const team = await teams.teamOf(db, contest.id, userId);
      const rows = await db
        .select()
        .from(submissions)
        .where(eq(submissions.teamId, team.id))
        .orderBy(desc(submissions.no));
      const now = await clock(db);
      const taken = rows.filter(({ state }) => state === 'waiting' || state === 'submitted');
      const today = taken.filter(({ arrivedAt }) => dayOf(arrivedAt) === dayOf(now));
      const left = Math.max(0, CONTEST_LIMITS.inAll - taken.length);
      return {
        list: await shown(contest, team, rows),
        left_today: Math.min(left, Math.max(0, CONTEST_LIMITS.perDay - today.length)),
        left_in_all: left,
        server_now: now.toISOString(),
      };
    },

    async file(contest: ContestRow, userId: number, no: number, kind: 'report' | 'support') {
      const team = await teams.teamOf(db, contest.id, userId);
      const file = await fileOf(contest, team.id, no, kind);
      return { name: file.name, size: file.size, open: (): Readable => blobs.open(file.key) };
    },

    bytes: async (executor: Db, uploadId: number): Promise<Buffer> => {
      const [file] = await executor.select().from(workUploads).where(eq(workUploads.id, uploadId));
      if (file?.state !== 'complete') throw missing();
      return blobs.read(file.key);
    },

    /** The last submitted of every team: what is judged. */
    async final(executor: Db, cid: number): Promise<SubmissionRow[]> {
      const rows = await executor
        .select()
        .from(submissions)
        .where(and(eq(submissions.contestId, cid), eq(submissions.state, 'submitted')))
        .orderBy(asc(submissions.teamId), asc(submissions.no));
      return [...new Map(rows.map((row) => [row.teamId, row])).values()];
    },

    /** Nothing can arrive any more. */
    isClosed: (contest: ContestRow, now: Date): boolean =>
      phaseOf(contest, now) === 'review' && now.getTime() >= contest.answerTo.getTime() + GRACE_MS,

    /** What somebody sent, for the archive of the account. */
    sentBy: (executor: Db, userId: number) =>
      executor
        .select()
        .from(workUploads)
        .where(and(eq(workUploads.userId, userId), eq(workUploads.state, 'complete')))
        .orderBy(asc(workUploads.id)),

    open: (key: string): Readable => blobs.open(key),

    /** Files nobody submitted, and files no row knows any more. */
    async tidy(): Promise<void> {
      const now = await clock(db);
      const old = new Date(now.getTime() - UNUSED_HOURS * 3_600_000);
      const named = db
        .select({ id: submissions.id })
        .from(submissions)
        .where(or(eq(submissions.reportId, workUploads.id), eq(submissions.supportId, workUploads.id)));
      await db.delete(workUploads).where(and(lt(workUploads.touchedAt, old), sql`NOT EXISTS ${named}`));
      await db
        .update(submissions)
        .set({ state: 'refused', reason: '文件没有在截止后 10 分钟内传完' })
        .where(
          and(
            eq(submissions.state, 'waiting'),
            sql`EXISTS (SELECT 1 FROM contests WHERE contests.id = ${submissions.contestId} AND contests.answer_to <= ${new Date(now.getTime() - GRACE_MS)})`,
          ),
        );
    },
  };
}
