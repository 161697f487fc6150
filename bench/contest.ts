/**
 * The last minute of a contest: 1,000 teams upload a report of 1 MB in pieces and submit it, each at a moment of its own
 * within the minute before the deadline, over HTTP with the limits of the product. None may be lost: every call that the
 * server answered stands in the table, whole or finished within the ten minutes of grace. Aim: submitting takes less than
 * 500 ms for 95 of 100.
 *
 *   npx tsx bench/contest.ts [teams] [seconds]
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../server/src/app.ts';
import { signToken } from '../server/src/features/accounts/tokens.ts';
import { plantSeeds } from '../server/src/composition/seeds/seeds.ts';
import { readConfig } from '../server/src/lib/config.ts';
import { openDatabase } from '../server/src/lib/db.ts';
import { EngineClient } from '../server/src/lib/engine-client.ts';
import { loadKeys } from '../server/src/lib/keys.ts';
import { Limiter } from '../server/src/lib/limits.ts';
import { createLog } from '../server/src/lib/log.ts';
import { createMetrics } from '../server/src/lib/metrics.ts';

const TEAMS = Number(process.argv[2] ?? 1000);
const SECONDS = Number(process.argv[3] ?? 60);
const BYTES = 1024 * 1024;
const CHUNK = 4 * 1024 * 1024;
/** The last one calls so long before the deadline: caller and server share a process here, and its timers may be late. */
const MARGIN_MS = 500;

const data = mkdtempSync(join(tmpdir(), 'hengxi-bench-'));
const config = readConfig({ HENGXI_DATA: data, HENGXI_LOG_LEVEL: 'silent' });
const keys = await loadKeys({ folder: join(data, 'keys'), sessionKeys: [], dataKey: null });
const database = await openDatabase({ url: process.env['DATABASE_URL'] || null, folder: join(data, 'db') });
const { db } = database;
const log = createLog('silent');
const engine = new EngineClient({ socket: null, host: '127.0.0.1', port: 9, secret: 'none' }, log);
const metrics = createMetrics();
const application = await createApp({
  config,
  db,
  engine,
  keys,
  limiter: new Limiter(),
  log,
  metrics,
  server: 'bench',
});
const { app, contests } = application;

/** Both drivers answer with `rows`, which their common type does not say. */
async function rowsOf(statement: string): Promise<Record<string, unknown>[]> {
  const answer: unknown = await db.execute(statement);
  return (answer as { rows: Record<string, unknown>[] }).rows;
}

interface Member {
  token: string;
  bytes: Buffer;
}

/** A season that is open for works, with its teams and a session of each captain. */
async function fill(): Promise<{ cid: number; members: Member[]; end: number }> {
  await plantSeeds(db);
  const end = Date.now() + SECONDS * 1000 + 5000 + TEAMS * 8;
  const at = (ms: number): string => `'${new Date(end + ms).toISOString()}'`;
  const [season] = await rowsOf(`INSERT INTO contests
    (code, title, rules, signup_from, signup_to, answer_from, answer_to, results_at, opened_at)
    VALUES ('HX26', '大赛', '规则', ${at(-9e8)}, ${at(-8e8)}, ${at(-7e8)}, ${at(0)}, ${at(9e8)}, now()) RETURNING id`);
  const cid = Number(season?.['id']);
  const sealed = contests.teams.seal('某人');
  await rowsOf(`WITH person AS (INSERT INTO users (nickname) SELECT 'u' || n FROM generate_series(1, ${TEAMS}) n RETURNING id),
    team AS (INSERT INTO contest_teams (contest_id, number, name, code, captain_id)
      SELECT ${cid}, row_number() OVER (), 'team ' || id, 'code' || id, id FROM person RETURNING id, captain_id)
    INSERT INTO contest_people (contest_id, user_id, team_id, name_sealed, school_sealed, rules_version, created_at)
      SELECT ${cid}, captain_id, id, '${sealed}', '${sealed}', 1, now() FROM team`);
  const sessions =
    await rowsOf(`INSERT INTO sessions (user_id, platform, device_id, net_digest, net_shown, agent, ends_at)
    SELECT user_id, 'pri', 'd', 'n', '127.*', 'x', now() + interval '1 day' FROM contest_people RETURNING id, user_id, ends_at`);
  const members: Member[] = [];
  for (const { id, user_id: userId, ends_at: ends } of sessions) {
    const payload = {
      oid: Number(userId),
      nickname: 'u',
      avatar: null,
      is_vip: false,
      platform: 'pri',
      enterprise_name: null,
    };
    const token = await signToken(keys, payload, Number(id), new Date(String(ends)));
    members.push({ token, bytes: report(Number(userId)) });
  }
  return { cid, members, end };
}

/** A PDF of ten pages with a stream that makes up its size. */
function report(mark: number): Buffer {
  const kids = Array.from({ length: 10 }, (_, page) => `${page + 4} 0 R`).join(' ');
  const pages = Array.from(
    { length: 10 },
    (_, page) => `${page + 4} 0 obj\n<< /Type /Page /Parent 2 0 R /Tag (${mark}) >>\nendobj\n`,
  );
  const head = `%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [${kids}] /Count 10 >>\nendobj\n${pages.join('')}3 0 obj\n<< /Length ${BYTES} >>\nstream\n`;
  return Buffer.concat([
    Buffer.from(head),
    Buffer.alloc(BYTES, mark % 251),
    Buffer.from('\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\nstartxref\n9\n%%EOF\n'),
  ]);
}

const { cid, members, end } = await fill();
const address = await app.listen({ host: '127.0.0.1', port: 0 });
const answered = { submitted: 0, late: 0, failed: [] as string[] };
const times: number[] = [];

interface Answer {
  status_code: number;
  err_code?: number;
  msg?: string;
  data: { files: { id: number }[] };
}

async function call(member: Member, method: string, path: string, body: Buffer | object): Promise<Answer> {
  const isBytes = Buffer.isBuffer(body);
  const reply = await fetch(`${address}/v1/contest/${cid}/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${member.token}`,
      'content-type': isBytes ? 'application/octet-stream' : 'application/json',
    },
    body: isBytes ? new Uint8Array(body) : JSON.stringify(body),
  });
  return (await reply.json()) as Answer;
}

/** As the page does it: one call names the file and submits it, then its bytes follow. */
async function send(member: Member, index: number): Promise<void> {
  const { bytes } = member;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const files = [{ kind: 'report', name: '报告.pdf', size: bytes.length, sha256 }];
  const begun = performance.now();
  const submitted = await call(member, 'POST', 'submissions', { files, request_id: `bench-${index}-0000` });
  times.push(performance.now() - begun);
  if (submitted.err_code === 31305) answered.late += 1;
  else if (submitted.status_code !== 1) answered.failed.push(submitted.msg ?? '');
  else {
    answered.submitted += 1;
    for (let from = 0; from < bytes.length; from += CHUNK) {
      const sent = await call(
        member,
        'PUT',
        `uploads/${submitted.data.files[0]?.id ?? 0}?offset=${from}`,
        bytes.subarray(from, from + CHUNK),
      );
      if (sent.status_code !== 1) answered.failed.push(sent.msg ?? '');
    }
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
await Promise.all(
  members.map(async (member, index) => {
    // More of them the nearer the deadline is: the square root of an even lot.
    const before = SECONDS * 1000 * (1 - Math.sqrt((index + 0.5) / members.length));
    await pause(end - before - MARGIN_MS - Date.now());
    await send(member, index).catch((error: unknown) => answered.failed.push(String(error)));
  }),
);
const finished = Date.now();
const [stored] = await rowsOf(`SELECT count(*) FILTER (WHERE state = 'submitted')::int AS submitted,
  count(*) FILTER (WHERE state = 'waiting')::int AS waiting, count(*) FILTER (WHERE in_grace)::int AS in_grace,
  count(DISTINCT team_id)::int AS teams FROM contest_submissions`);
times.sort((a, b) => a - b);
const quantile = (share: number): string => `${Math.round(times[Math.floor(share * (times.length - 1))] ?? 0)} ms`;
console.log(`${TEAMS} teams within ${SECONDS} s, ${database.kind === 'postgres' ? 'PostgreSQL' : 'embedded database'}`);
console.log(
  `answered: ${answered.submitted} submitted, ${answered.late} late, ${answered.failed.length} failed`,
  answered.failed.slice(0, 3),
);
console.log('stored:', stored, `all bytes were there ${((finished - end) / 1000).toFixed(1)} s after the deadline`);
console.log(`submit call: median ${quantile(0.5)}, 95 of 100 ${quantile(0.95)}, longest ${quantile(1)}`);
const isLost = answered.submitted !== stored?.['submitted'];
if (isLost) console.log('LOST ENTRIES');
await app.close();
await database.close();
rmSync(data, { recursive: true, force: true });
process.exit(isLost || answered.failed.length > 0 ? 1 : 0);
