/**
 * The demo account's content: two real tables and two finished reports, made through the product's own calls, so that
 * the first screen is never empty. Sandbox only. May be interrupted at any moment: each step looks at what is there.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Deps, App } from '../lib/deps.ts';
import { findDemo, insertDemo } from '../features/accounts/service.ts';
import type { Membership } from '../features/membership/service.ts';
import { z } from 'zod';

const NICKNAME = '演示账号';
const PROJECT = '示例：两份公开数据';

interface Table {
  file: string;
  name: string;
}

interface Analysis {
  file: string;
  path: string;
  title: string;
  /** Fields by the names of the columns; resolved to ids when the table is there. */
  form: Record<string, string | string[]>;
}

const TABLES: Table[] = [
  { file: 'anes96.sav', name: '1996 年美国选民调查（ANES）' },
  { file: 'wine.csv', name: '意大利葡萄酒的化学成分（UCI）' },
];

const ANALYSES: Analysis[] = [
  {
    file: 'anes96.sav',
    path: 'hypothesis_test/independent_t_test',
    title: '不同投票意向者的家庭收入',
    form: { group: 'VOTE', variables: ['INCOME'] },
  },
  {
    file: 'wine.csv',
    path: 'statistical/linear_regression',
    title: '葡萄酒颜色强度与化学成分',
    form: { y: '颜色强度', x: ['酒精度', '类黄酮', '色调'] },
  },
];

const Envelope = z.looseObject({ status_code: z.literal(1), data: z.unknown() });
const Token = z.looseObject({ token: z.string() });
const Upload = z.looseObject({ upload_id: z.number() });
const Run = z.looseObject({ state: z.string(), result: z.unknown(), error: z.unknown() });
const RunId = z.looseObject({ run_id: z.number() });
const Imported = z.looseObject({ vid: z.number() });
const Files = z.looseObject({ list: z.array(z.looseObject({ name: z.string(), vid: z.number() })) });
const Version = z.looseObject({ columns: z.array(z.looseObject({ id: z.string(), name: z.string() })) });
const Projects = z.looseObject({ list: z.array(z.looseObject({ id: z.number(), name: z.string() })) });
const Reports = z.looseObject({ list: z.array(z.looseObject({ title: z.string() })) });
const Made = z.looseObject({ id: z.number() });
const Started = z.looseObject({ report_id: z.number(), project_id: z.number(), state: z.string() });

/** A signed-in visitor of our own application, without a network between. */
class Visitor {
  readonly #app: App;
  #token = '';

  constructor(app: App) {
    this.#app = app;
  }

  async signIn(): Promise<void> {
    this.#token = (await this.call('POST', '/v1/login/demo', Token)).token;
  }

  async call<T>(method: 'GET' | 'POST' | 'PUT', url: string, shape: z.ZodType<T>, payload?: object | Buffer): Promise<T> {
    const reply = await this.#app.inject({
      method,
      url,
      headers: {
        ...(this.#token ? { authorization: `Bearer ${this.#token}` } : {}),
        ...(Buffer.isBuffer(payload) ? { 'content-type': 'application/octet-stream' } : {}),
      },
      ...(payload === undefined ? {} : { payload }),
    });
    const envelope = Envelope.safeParse(JSON.parse(reply.body));
    if (!envelope.success) throw new Error(`${method} ${url}: ${reply.statusCode} ${reply.body.slice(0, 300)}`);
    return shape.parse(envelope.data.data);
  }

  /** Waits for a run by asking; a sample is small, half a minute is ample. */
  async finished(runId: number): Promise<unknown> {
    for (let tries = 0; tries < 300; tries += 1) {
      const run = await this.call('GET', `/v1/runs/${runId}`, Run);
      if (run.state === 'done') return run.result;
      if (!['waiting', 'running'].includes(run.state)) throw new Error(`run ${runId}: ${run.state} ${JSON.stringify(run.error)}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`run ${runId} took too long`);
  }
}

async function importTable(visitor: Visitor, folder: string, { file, name }: Table): Promise<number> {
  const content = await readFile(join(folder, file));
  const sha256 = createHash('sha256').update(content).digest('hex');
  const upload = await visitor.call('POST', '/v1/user/file/uploads', Upload, { name: file, size: content.length, sha256 });
  await visitor.call('PUT', `/v1/user/file/uploads/${upload.upload_id}?offset=0`, z.unknown(), content);
  const run = await visitor.call('POST', `/v1/user/file/uploads/${upload.upload_id}/import`, RunId, { name, on_doubt: 'text' });
  return Imported.parse(await visitor.finished(run.run_id)).vid;
}

async function analyse(visitor: Visitor, projectId: number, vid: number, { path, title, form }: Analysis): Promise<void> {
  const { columns } = await visitor.call('GET', `/v1/user/file/versions/${vid}`, Version);
  const idOf = (name: string): string => {
    const column = columns.find((one) => one.name === name);
    if (!column) throw new Error(`the sample table has no column ${name}`);
    return column.id;
  };
  const body = Object.fromEntries(
    Object.entries(form).map(([key, names]) => [key, Array.isArray(names) ? names.map(idOf) : idOf(names)]),
  );
  const started = await visitor.call('POST', `/algorithm/${path}?vid=${vid}&project_id=${projectId}&wait=20`, Started, body);
  if (started.state !== 'done') throw new Error(`the sample analysis ${path} ended as ${started.state}`);
  await visitor.call('POST', `/v1/analysis/projects/${projectId}/reports/${started.report_id}`, z.unknown(), { name: title });
}

/** Makes what is missing of the demo account; nothing when all is there. */
export async function seedSample(
  app: App,
  { config, db, membership }: Pick<Deps, 'config' | 'db'> & { membership: Membership },
): Promise<void> {
  const demo = (await findDemo(db)) ?? (await insertDemo(db, NICKNAME));
  // Shared by everybody who looks around: the limits of one person would be used up by noon.
  const gift = { userId: demo.id, source: 'ops', ref: 'demo', days: null, lifetime: true } as const;
  await db.transaction((tx) => membership.grants.grant(tx, gift));
  const visitor = new Visitor(app);
  await visitor.signIn();
  const projects = await visitor.call('GET', '/v1/analysis/project', Projects);
  const known = projects.list.find((project) => project.name === PROJECT);
  const project = known ?? (await visitor.call('POST', '/v1/analysis/project/0', Made, { name: PROJECT }));
  const reports = await visitor.call('GET', `/v1/analysis/projects/${project.id}/report?page_size=200`, Reports);
  const wanted = ANALYSES.filter(({ title }) => !reports.list.some((report) => report.title === title));
  const files = await visitor.call('GET', '/v1/user/file?page_size=200', Files);
  for (const table of TABLES) {
    const vid = files.list.find(({ name }) => name === table.name)?.vid ?? (await importTable(visitor, join(config.root, 'server/sample'), table));
    for (const analysis of wanted.filter(({ file }) => file === table.file)) await analyse(visitor, project.id, vid, analysis);
  }
}
