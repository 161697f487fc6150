/** One of everything an owner can have, written straight into the tables: for tests of who finds what. */
import { sql } from 'drizzle-orm';
import { Content } from '../features/expert-questionnaires/schema.ts';
import type { Owner } from '../lib/guard.ts';
import { rowsOf } from './build.ts';
import type { World } from './build.ts';

const STEPS = [
  { title: '筛选', op: 'process', changes: [], params: { path: 'data_processing/filter', form: {}, names: {} } },
];

export type Ids = Record<string, string>;

/** The first column of the row that a statement made. */
export const insertOne = async (world: World, statement: ReturnType<typeof sql>): Promise<string> =>
  String(Object.values((await rowsOf(world.db, statement))[0])[0]);

/** Content, made by this member (or person) and open to nobody else. */
export async function plant(world: World, { kind, id }: Owner, userId: number): Promise<Ids> {
  const insert = (statement: ReturnType<typeof sql>) => insertOne(world, statement);
  const owner = sql`${kind}, ${id}`;
  const mine = sql`${owner}, ${userId}`;
  const upload = await insert(sql`INSERT INTO uploads (owner_kind, owner_id, created_by, key, name, size)
    VALUES (${mine}, 'u_' || md5(random()::text), '表.csv', 9) RETURNING upload_id`);
  const fid = await insert(sql`INSERT INTO files (owner_kind, owner_id, created_by, name, format)
    VALUES (${mine}, '数据', 'csv') RETURNING fid`);
  const vid = await insert(sql`INSERT INTO versions (fid, number, table_key, size, rows, columns, step, summary, search)
    VALUES (${Number(fid)}, 1, 't_' || md5(random()::text), 1, 1, '[]', '{"kind":"import"}', '{}', '') RETURNING vid`);
  await world.db.execute(sql`UPDATE files SET head = ${Number(vid)} WHERE fid = ${Number(fid)}`);
  const coding = await insert(sql`INSERT INTO answer_codings
    (fid, vid, column_id, question, masked, total, answered, covered, characters, book, next_code, created_by)
    VALUES (${Number(fid)}, ${Number(vid)}, 'c1', '意见', true, 1, 1, 0, 1, '[]', 1, ${userId}) RETURNING id`);
  const round = await insert(sql`INSERT INTO coding_rounds (coding_id, kind, seed, book, book_version, ended_at)
    VALUES (${Number(coding)}, 'invited', 1, '[]', 1, now()) RETURNING id`);
  await world.db.execute(sql`INSERT INTO coded_answers (coding_id, at, text, rows, first_row)
    VALUES (${Number(coding)}, 0, '好', 1, 1)`);
  await world.db.execute(sql`INSERT INTO coding_round_answers (round_id, place, at, text, first)
    VALUES (${Number(round)}, 0, 0, '好', '{}')`);
  const filter = await insert(sql`INSERT INTO named_filters (fid, name, condition, filter_type, reduce_num)
    VALUES (${Number(fid)}, '条件', 'c1 > 1', 'keep', 3) RETURNING id`);
  const scheme = await insert(sql`INSERT INTO coding_schemes (owner_kind, owner_id, name, rules)
    VALUES (${owner}, md5(random()::text), '[]') RETURNING id`);
  const pid = await insert(sql`INSERT INTO projects (owner_kind, owner_id, created_by, name, place)
    VALUES (${mine}, '项目', 0) RETURNING id`);
  await world.db.execute(sql`INSERT INTO survey_reports (project_id, vid, left_out, run_id)
    VALUES (${Number(pid)}, ${Number(vid)}, '[]', 1)`);
  const rid =
    await insert(sql`INSERT INTO reports (owner_kind, owner_id, created_by, project_id, path, method, title, rev, revs)
    VALUES (${mine}, ${Number(pid)}, 'descriptive/frequency', '频数分析', '报告', 1, 1) RETURNING rid`);
  const document = await insert(sql`INSERT INTO report_documents (owner_kind, owner_id, key, document)
    VALUES (${owner}, 'k', '{}') RETURNING id`);
  await world.db.execute(sql`INSERT INTO report_revs (rid, rev, key, document_id, form)
    VALUES (${Number(rid)}, 1, 'k', ${Number(document)}, '{}')`);
  const share = await insert(sql`INSERT INTO shares (code, rid, rev, hide_small, title)
    VALUES (substr(md5(random()::text), 1, 22), ${Number(rid)}, 1, false, '报告') RETURNING code`);
  const model = await insert(sql`INSERT INTO models
    (owner_kind, owner_id, created_by, name, path, method, task, key, sha256, bytes, card, project_id)
    VALUES (${mine}, '模型', 'supervised_learning/x', '方法', 'classifier', 'm_' || md5(random()::text), 'x', 1, '{}', ${Number(pid)})
    RETURNING id`);
  const run = await insert(sql`INSERT INTO runs (owner_kind, owner_id, user_id, kind, state, payload)
    VALUES (${mine}, 'export', 'done', '{}') RETURNING id`);
  const dictionary =
    await insert(sql`INSERT INTO text_dictionaries (owner_kind, owner_id, created_by, kind, name, lines)
    VALUES (${mine}, 'words', md5(random()::text), '["衡析"]') RETURNING id`);
  const labels = await insert(sql`INSERT INTO text_dictionaries (owner_kind, owner_id, created_by, kind, name, lines)
    VALUES (${mine}, 'labels', substr(md5(random()::text), 1, 20), '["服务=热情"]') RETURNING id`);
  const picture = await insert(sql`INSERT INTO text_pictures (owner_kind, owner_id, created_by, mime, size, jpeg, shape)
    VALUES (${mine}, 'image/png', 1, '\\x00', '["1"]') RETURNING id`);
  const questionnaire =
    await insert(sql`INSERT INTO expert_projects (owner_kind, owner_id, created_by, kind, title, content)
    VALUES (${mine}, 'delphi', '问卷', ${JSON.stringify(Content.parse({}))}::jsonb) RETURNING id`);
  const recipe = await insert(sql`INSERT INTO step_recipes (owner_kind, owner_id, created_by, visibility, name, steps)
    VALUES (${mine}, 'private', md5(random()::text), ${JSON.stringify(STEPS)}::jsonb) RETURNING id`);
  const limits = await insert(sql`INSERT INTO control_limits (owner_kind, owner_id, created_by, visibility, name, path,
    method, rests_on, report, made_at, variable, project_id, rid, rev)
    VALUES (${mine}, 'private', md5(random()::text), 'quality_control/x', '方法', '{}', '报告', now(), '直径', ${Number(pid)},
      ${Number(rid)}, 1) RETURNING id`);
  const eid = await insert(sql`INSERT INTO expert_people (project_id, number, channel)
    VALUES (${Number(questionnaire)}, 1, 'personal') RETURNING id`);
  const compared =
    await insert(sql`INSERT INTO plagdet_documents (owner_kind, owner_id, created_by, name, text_key, consent)
    VALUES (${mine}, '论文.docx', 'p_' || md5(random()::text), 1) RETURNING id`);
  const check = await insert(sql`INSERT INTO plagdet_checks
    (owner_kind, owner_id, created_by, name, run_id, state, digest, documents, text_key, report_key, expires_at)
    VALUES (${mine}, '论文.docx', ${Number(run)}, 'failed', 'd', 1, 'p_' || md5(random()::text), 'p_' || md5(random()::text),
      now() + interval '30 days') RETURNING id`);
  return {
    compared,
    check,
    questionnaire,
    expert: eid,
    upload,
    fid,
    vid,
    filter,
    coding,
    round,
    scheme,
    dictionary,
    labels,
    picture,
    recipe,
    pid,
    rid,
    share,
    model,
    limits,
    run,
  };
}
