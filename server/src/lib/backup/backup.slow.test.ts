import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { build, emptyPostgres, testScript } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { makePerson } from '../../testing/makers.ts';
import { makeFile, teachEngine } from '../../testing/tables.ts';
import { migrationFiles, openScript } from '../db.ts';
import type { Script, Snapshot } from '../db.ts';
import { backUp, dumpInto } from './backup.ts';
import { askForDump, openDumpSocket } from './dump-socket.ts';
import { dump } from './dump.ts';
import { digestOf, load } from './load.ts';
import { restore, whatIsThere } from './restore.ts';

const postgres = process.env['TEST_DATABASE_URL'] ?? '';
const NOW = new Date('2026-11-23T08:00:00Z');

let world: World;
let base = '';
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  world = await build();
});
beforeEach(async () => {
  await world.reset();
  base = mkdtempSync(join(tmpdir(), 'hengxi-backup-'));
  await fillWorld();
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
  rmSync(base, { recursive: true, force: true });
  rmSync(join(world.deps.config.data, 'tables'), { recursive: true, force: true });
});
afterAll(() => world.close());

/** A person with a table, and what texts, numbers and times can be. */
async function fillWorld(): Promise<void> {
  teachEngine(world);
  const person = await makePerson(world, '张"三\\, 👩‍🔬\n\t{}');
  await makeFile(world, person);
  await world.db.execute(sql`UPDATE users SET created_at = '2024-02-29 23:59:59.123457+08' WHERE id = ${person.id}`);
  await world.db.execute(sql`INSERT INTO runs (owner_kind, owner_id, user_id, kind, state, payload, note)
    SELECT 'user', ${person.id}, ${person.id}, 'probe', 'done', jsonb_build_object('n', n, 'x', 0.1, 'long', repeat('表', 500)), NULL
    FROM generate_series(1, 130) n`);
  put(world.deps.config.data, 'tables/t_1/columns/c1.arrow', '一列');
  put(world.deps.config.data, 'tables/t_1/files/empty.bin', '');
  put(world.deps.config.data, 'tables/.work-abc/half.arrow', '未完成');
}

function put(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const back = (data: string, snapshot: Snapshot, name = 'b.tar.gz'): Promise<string> =>
  backUp(data, join(base, name), (to) => dumpInto(to, snapshot), NOW).then(() => join(base, name));

interface Target {
  data: string;
  script: Script;
}

async function target(name: string, url: string | null = null): Promise<Target> {
  const data = join(base, name);
  mkdirSync(data);
  const script = url ? await openScript({ url, folder: '' }) : await testScript();
  closing.push(script.close);
  return { data, script };
}

async function postgresTarget(): Promise<Target> {
  const { url, drop } = await emptyPostgres(postgres);
  closing.push(drop);
  return target('postgres', url);
}

const alone =
  ({ rows, run }: Script): Snapshot =>
  async (act) => {
    await run('BEGIN');
    try {
      return await act(rows);
    } finally {
      await run('COMMIT');
    }
  };

const linesOf = (snapshot: Snapshot): Promise<string[]> =>
  snapshot(async (rows) => {
    const lines: string[] = [];
    for await (const line of dump(rows)) lines.push(line);
    return lines;
  });

const filesOf = (data: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(data, { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(data, path)).isFile() && !/^(?:db|run)\/|\/\.|^installation\.json$/.test(path))
      .sort()
      .map((path) => [path, readFileSync(join(data, path)).toString('hex')]),
  );

/**
 * What keeps the rows in order: it must be there again, and in the same state. NOT NULL is a constraint with a name only
 * since PostgreSQL 18, which the embedded database is.
 */
const guardsOf = (rows: Script['rows']): Promise<unknown[]> =>
  rows(`SELECT conrelid::regclass::text AS owner, conname::text AS name, pg_get_constraintdef(oid) AS what FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
    UNION ALL SELECT tgrelid::regclass::text, tgname::text, tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT tablename::text, indexname::text, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1, 2, 3`);

describe('a backup', () => {
  test('restored into an empty folder is the same, row by row and byte by byte', async () => {
    const { data } = world.deps.config;
    const to = await target('again');
    const done = await restore(await back(data, world.snapshot), to.data, to.script);
    const before = await linesOf(world.snapshot);
    expect(await linesOf(alone(to.script))).toEqual(before);
    expect(await guardsOf(to.script.rows)).toEqual(await world.snapshot(guardsOf));
    expect(filesOf(to.data)).toEqual(filesOf(data));
    expect(readFileSync(join(to.data, 'tables/t_1/columns/c1.arrow'), 'utf8')).toBe('一列');
    expect(done.rows).toBe(before.filter((line) => line.startsWith('[')).length);
    expect(existsSync(join(to.data, 'tables/.work-abc'))).toBe(false);
    // Numbers go on where they were.
    const [next] = await to.script.rows(`INSERT INTO users (nickname) VALUES ('下一位') RETURNING id`);
    const [last] = await to.script.rows(`SELECT max(id) AS id FROM users WHERE nickname <> '下一位'`);
    expect(Number(next?.['id'])).toBeGreaterThan(Number(last?.['id']));
    expect(readdirSync(join(data, 'run')).filter((name) => name.startsWith('backup-'))).toEqual([]);
    expect(readdirSync(join(to.data, 'run'))).toEqual([]);
  });

  test.runIf(postgres)('goes from the embedded database to PostgreSQL and back', async () => {
    const embedded = await target('embedded');
    await restore(await back(world.deps.config.data, world.snapshot), embedded.data, embedded.script);
    const other = await postgresTarget();
    await restore(await back(embedded.data, alone(embedded.script), 'to.tar.gz'), other.data, other.script);
    const again = await target('again');
    await restore(await back(other.data, alone(other.script), 'back.tar.gz'), again.data, again.script);
    const before = await linesOf(world.snapshot);
    for (const { data, script } of [embedded, other, again]) {
      expect(await linesOf(alone(script))).toEqual(before);
      expect(filesOf(data)).toEqual(filesOf(world.deps.config.data));
    }
  });

  test('sees the database at one moment, and loses no file that goes meanwhile', async () => {
    const { data } = world.deps.config;
    const writes: Promise<unknown>[] = [];
    await world.snapshot(async (rows) => {
      const count = async (): Promise<unknown> => (await rows('SELECT count(*)::int AS n FROM users'))[0]?.['n'];
      const before = await count();
      writes.push(Promise.resolve(world.db.execute(sql`INSERT INTO users (nickname) VALUES ('后来的')`)));
      if (postgres) await Promise.all(writes);
      expect(await count()).toBe(before);
    });
    await Promise.all(writes);
    const file = join(base, 'moving.tar.gz');
    await backUp(
      data,
      file,
      async (to) => {
        rmSync(join(data, 'tables/t_1'), { recursive: true });
        put(data, 'tables/t_2/new.arrow', '新');
        await dumpInto(to, world.snapshot);
      },
      NOW,
    );
    const to = await target('moved');
    await restore(file, to.data, to.script);
    expect(readFileSync(join(to.data, 'tables/t_1/columns/c1.arrow'), 'utf8')).toBe('一列');
    expect(readFileSync(join(to.data, 'tables/t_2/new.arrow'), 'utf8')).toBe('新');
  });

  test('asks a running server for the rows of the embedded database; without one it is told so', async () => {
    const { data } = world.deps.config;
    const file = join(base, 'rows.ndjson');
    expect(await askForDump(data, file)).toBe(false);
    const close = await openDumpSocket(data, world.snapshot, world.deps.log);
    expect(await askForDump(data, file)).toBe(true);
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toEqual(await linesOf(world.snapshot));
    await expect(askForDump(data, join(base, 'absent/rows.ndjson'))).rejects.toThrow('服务器不能写出数据库');
    await close();
    expect(await askForDump(data, file)).toBe(false);
  });

  test("is closed to others and takes nobody else's place", async () => {
    const file = await back(world.deps.config.data, world.snapshot);
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    writeFileSync(`${join(base, 'other.tar.gz')}.part`, 'mine');
    await expect(back(world.deps.config.data, world.snapshot, 'other.tar.gz')).rejects.toThrow('EEXIST');
    expect(readFileSync(`${join(base, 'other.tar.gz')}.part`, 'utf8')).toBe('mine');
  });
});

describe('a restoration', () => {
  test('finds what would be lost: rows, or files without them', async () => {
    const { data, script } = await target('full');
    expect(await whatIsThere(data, script)).toBeNull();
    put(data, 'uploads/u_1', '原有');
    expect(await whatIsThere(data, script)).toContain('已有 uploads');
    const file = await back(world.deps.config.data, world.snapshot);
    await restore(file, data, script);
    expect(existsSync(join(data, 'uploads/u_1'))).toBe(false);
    rmSync(join(data, 'tables'), { recursive: true });
    rmSync(join(data, 'uploads'), { recursive: true, force: true });
    rmSync(join(data, 'files'), { recursive: true, force: true });
    rmSync(join(data, 'keys'), { recursive: true, force: true });
    expect(await whatIsThere(data, script)).toBe('数据库里已有用户');
  });

  test('that fails leaves database and folder as they were', async () => {
    const { data, script } = await target('kept');
    const file = await back(world.deps.config.data, world.snapshot);
    await restore(file, data, script);
    await script.run(`INSERT INTO users (nickname) VALUES ('恢复之后')`);
    put(data, 'tables/t_9/after.arrow', '之后');
    const [before, files] = [await linesOf(alone(script)), filesOf(data)];
    const lines = await linesOf(world.snapshot);
    const given = async (changed: string[], digest?: string): Promise<unknown> => {
      const each = async function* (): AsyncGenerator<string> {
        yield* changed;
      };
      return load(script, each(), digest ?? (await digestOf(each())));
    };
    await expect(given(lines, 'f'.repeat(64))).rejects.toThrow('恢复后的数据库与备份不一致');
    await expect(given(lines.slice(0, -1))).rejects.toThrow('不完整');
    await expect(given([lines[0] ?? '', '["1"]'])).rejects.toThrow('无法识别');
    const table = (name: string, type: string): string =>
      JSON.stringify({ table: { name, columns: [{ name: 'id', type }] } });
    await expect(given([lines[0] ?? '', table('users; DROP TABLE users', 'integer')])).rejects.toThrow(
      '与它的版本不符',
    );
    await expect(given([lines[0] ?? '', table('users', 'integer); DROP TABLE users; --')])).rejects.toThrow(
      '与它的版本不符',
    );
    const broken = lines.filter((line) => !line.includes('"table":{"name":"users"') && !line.includes('张'));
    await expect(given(broken)).rejects.toThrow('violates foreign key constraint');
    const later = JSON.stringify({ migrations: [{ name: '9999_later.sql', hash: '0'.repeat(64) }] });
    await expect(given([later, ...lines.slice(1)])).rejects.toThrow(
      '备份来自更新的版本（9999_later.sql），请先升级程序再恢复',
    );
    expect(await linesOf(alone(script))).toEqual(before);
    expect(filesOf(data)).toEqual(files);
  });

  test('brings the backup of an older version up to this one', async () => {
    const older = await target('older');
    const [last] = migrationFiles().slice(-1);
    await older.script.run('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await older.script.run(
      'CREATE TABLE migrations (name text PRIMARY KEY, hash text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    for (const { name, text, hash } of migrationFiles().slice(0, -1))
      await older.script.run(`${text}\n;INSERT INTO migrations (name, hash) VALUES ('${name}', '${hash}')`);
    await older.script.run(`INSERT INTO users (nickname) VALUES ('老用户')`);
    const lines = await linesOf(alone(older.script));
    const { script } = await target('newer');
    const each = async function* (): AsyncGenerator<string> {
      yield* lines;
    };
    await load(script, each(), await digestOf(each()));
    expect(await script.rows('SELECT nickname FROM users')).toEqual([{ nickname: '老用户' }]);
    expect(await script.rows('SELECT max(name) AS name FROM migrations')).toEqual([{ name: last?.name }]);
  });
});
