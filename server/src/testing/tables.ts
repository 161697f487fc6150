/** Makers of files and reports through the application's own calls, and an engine that knows one small table. */
import { plainColumn } from '@hengxi/contracts/report/plain-column';
import type { Column } from '../features/files/schema.ts';
import type { World } from './build.ts';
import { call } from './makers.ts';
import type { Person } from './makers.ts';

const profile = { n: 3, missing: 0, distinct: 2, unique: false, whole: false, non_negative: false, positive: false };

export function column(id: string, name: string, parts: Record<string, unknown> = {}): any {
  return {
    id,
    name,
    label: null,
    measure: '定类',
    ordered: false,
    flags: [],
    storage: 'text',
    decimals: 0,
    unit: null,
    why: '文本',
    levels: null,
    missing: { values: [], ranges: [] },
    ...parts,
    profile: {
      ...profile,
      min: null,
      max: null,
      mean: null,
      sd: null,
      median: null,
      q1: null,
      q3: null,
      histogram: [],
      top: [],
      ...(parts['profile'] as object),
    },
  };
}

/** 性别, 年龄, 满意度 and a weight: enough for every rule of the server. */
export const COLUMNS: Column[] = [
  column('c1', '性别', {
    levels: [
      { value: '男', label: '男', count: 2 },
      { value: '女', label: '女', count: 1 },
    ],
  }),
  column('c2', '年龄', {
    measure: '定量',
    storage: 'int',
    profile: { min: 18, max: 40, whole: true, non_negative: true, positive: true, q1: 20, q3: 30, distinct: 30 },
  }),
  column('c3', '满意度', {
    measure: '定量',
    storage: 'float',
    flags: ['量表'],
    profile: { min: -1, max: 5, q1: 2, q3: 4, distinct: 5 },
  }),
  column('c4', '份数', {
    measure: '定量',
    storage: 'int',
    profile: { min: 1, max: 3, whole: true, non_negative: true, positive: true },
  }),
];

const importReport = (columns: Column[]): unknown => ({
  kind: 'csv',
  settings: { encoding: 'UTF-8', delimiter: ',' },
  columns: columns.map(({ id, name }) => ({
    id,
    name,
    type: '定类',
    why: '文本',
    missing: 0,
    tokens: {},
    odd: 0,
    samples: [],
  })),
  check: {
    raw_rows: 3,
    raw_columns: columns.length,
    rows: 3,
    columns: columns.length,
    sums: 'same',
    checked_rows: 3,
    text: '与原文件一致',
  },
  warnings: [],
  seconds: 0.1,
});

/** A document with a conclusion, a counted table, a sentence, a chart, a warning and (on request) saved columns. */
export function reportOf(parts: { title?: string; key?: string; data?: string | null; counts?: number[] } = {}): any {
  const { title = '性别的频数', data = null, counts = [3, 40, 60] } = parts;
  const total = counts.reduce((sum, n) => sum + n, 0);
  const rows = counts.map((n, index) => [`第${index + 1}组`, n, n / total]);
  const columns = [
    plainColumn('level', 'text', { title: '取值' }),
    plainColumn('n', 'integer', { title: '频数' }),
    plainColumn('share', 'percent', { title: '百分比' }),
  ];
  const base = { at: null, place: 'main' };
  const elements = [
    {
      ...base,
      type: 'lead',
      id: 'lead',
      place: 'lead',
      text: '最少的一组有 {n:integer} 例，占 {share:percent}。',
      facts: { n: counts[0], share: (counts[0] ?? 0) / total },
      figures: [{ title: '最少', value: '{n:integer}', note: null }],
    },
    {
      ...base,
      type: 'table',
      id: 'counts',
      name: 'counts',
      title: '频数',
      layout: 'long',
      turned: false,
      merge: [],
      hidden: false,
      columns,
      rows: [...rows, ['合计', total, 1]],
      depth: [],
      totals: [counts.length],
      marks: {},
      matrix: null,
      more: { rows: 1500, file: 'r0_1' },
    },
    {
      ...base,
      type: 'chart',
      id: 'bars',
      name: 'bars',
      title: '条形图',
      kind: 'bar',
      of: 'counts',
      x: 'level',
      y: 'n',
      series: null,
      start: null,
      low: null,
      high: null,
      second: null,
      arrange: 'grouped',
      facet: [],
      over: [],
      titles: {},
      thinned: null,
    },
    {
      ...base,
      type: 'text',
      id: 'text',
      place: 'text',
      text: '共 {total:integer} 例。',
      facts: { total },
      voice: null,
      about: null,
    },
    {
      ...base,
      type: 'warning',
      id: 'warning',
      place: 'check',
      code: 'data.odd',
      text: '有异常行',
      facts: {},
      columns: ['c1'],
      rows: [17],
    },
    ...(data
      ? [
          {
            ...base,
            type: 'data',
            id: 'saved',
            name: 'saved',
            title: '预测值',
            vid: null,
            kept: data,
            rows: 3,
            columns: [{ id: 'c1', name: '预测值', measure: '定量' }],
            changed: 3,
            preview: [[1.5]],
            row_numbers: [],
            file: null,
          },
        ]
      : []),
  ];
  const sample = {
    file: 106,
    filter: 106,
    weight: 106,
    missing: 103,
    used: 103,
    weighted: null,
    chosen: null,
    either: null,
    why: [{ column: 'c1', name: '性别', rows: 3, reason: null }],
    columns: ['c1'],
  };
  return {
    contract: 1,
    path: 'descriptive/frequency',
    version: 1,
    title,
    method: { path: 'descriptive/frequency', title: '频数分析', version: 1 },
    form: { variables: ['c1'] },
    seed: null,
    libraries: {},
    parts: [{ group: null, sample, elements, refusal: null }],
    sample,
    conventions: [],
    references: [],
    roles: { variables: [{ id: 'c1', name: '性别', label: null, measure: '定类' }] },
    filter: null,
    split: null,
    weight: null,
    fill_missing: false,
    elapsed: 0.01,
    stopped: false,
  };
}

/** The fake engine answers everything about one small table; a form's key is the form itself. */
export function teachEngine(world: World, columns: Column[] = COLUMNS): void {
  const { engine } = world;
  const meta = (data: string | null, list: Column[]): unknown => ({
    data,
    rows: 3,
    columns: list,
    import: null,
    sha256: {},
    warnings: [],
  });
  engine.on('POST', '/draft', (body) => ({
    body: {
      resolved: body.form,
      fields: [],
      seconds: 0.1,
      key: JSON.stringify([body.path, body.form, body.table, body.filter, body.split, body.weight, body.fill_missing]),
    },
  }));
  engine.on('POST', '/preview', (body) => ({
    body: {
      kind: 'csv',
      settings: { encoding: 'UTF-8' },
      candidates: {},
      columns: [{ name: '性别', measure: '定类', why: '文本' }],
      rows: [['男']],
      total_rows: body.partial ? null : 3,
    },
  }));
  engine.on('POST', '/tables/:key/rows', () => ({ body: { total: 1, rows: [['男', 20, 3]], index: [0] } }));
  engine.on('POST', '/tables/:key/count', () => ({ body: { count: 2, rows: 3 } }));
  engine.on('POST', '/tables/:key/edit', (body, [key = '']) => ({
    body: meta(
      key,
      columns.map((one) => ({ ...one, ...body.columns.find((edit: { id: string }) => edit.id === one.id) })),
    ),
  }));
  engine.on('POST', '/tables/:key/append', (body) => ({
    body: meta(null, [...columns, column('c9', '预测值', { measure: '定量', storage: 'float', from: body.from })]),
  }));
  engine.on('DELETE', '/tables/:key', (_, [key]) => ({ body: { deleted: key } }));
  engine.on('POST', '/recommend', () => ({ body: [{ path: 'descriptive/frequency', why: '一个定类变量' }] }));
  engine.on('GET', '/selectors', () => ({
    body: [
      {
        key: 'difference',
        title: '差异性分析',
        question: '要比较什么？',
        groups: [
          {
            key: 'SingleSample',
            title: '单样本',
            hint: '与给定的值比',
            question: '',
            methods: [{ path: 'descriptive/frequency', when: '看分布' }],
          },
        ],
      },
    ],
  }));
  engine.onRun = (run) =>
    run.kind === 'import'
      ? {
          state: 'done',
          result: { table: run.payload.table, rows: 3, columns, report: importReport(columns), sha256: {} },
        }
      : { state: 'done', result: { report: reportOf() } };
}

export const CSV = '性别,年龄,满意度,份数\n男,20,3,1\n女,30,4,2\n男,40,,3\n';

export async function makeUpload(
  world: World,
  person: Person,
  text: string | Buffer = CSV,
  name = '调查.csv',
): Promise<number> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const { data } = await call(world, person, 'POST', '/v1/user/file/uploads', { name, size: bytes.length });
  await putChunk(world, person, data.upload_id, 0, bytes);
  return data.upload_id;
}

export async function putChunk(
  world: World,
  person: Person,
  id: number,
  offset: number,
  bytes: Buffer,
): Promise<{ status: number; body: any }> {
  const response = await world.app.inject({
    method: 'PUT',
    url: `/v1/user/file/uploads/${id}?offset=${offset}`,
    payload: bytes,
    headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/octet-stream' },
  });
  return { status: response.statusCode, body: response.json() };
}

/** An imported file of the person's. */
export async function makeFile(world: World, person: Person, name = '调查.csv'): Promise<{ fid: number; vid: number }> {
  const upload = await makeUpload(world, person, CSV, name);
  const { data } = await call(world, person, 'POST', `/v1/user/file/uploads/${upload}/import`, {});
  const run = await world.runs.wait(data.run_id, 5);
  return run.result as { fid: number; vid: number };
}

/** A finished report; every call with another form is another result. */
export async function makeReport(
  world: World,
  person: Person,
  vid: number,
  query = '',
  form: Record<string, unknown> = { variables: ['c1'] },
): Promise<{ project_id: number; report_id: number; rev: number }> {
  const { data } = await call(world, person, 'POST', `/algorithm/descriptive/frequency?vid=${vid}${query}`, form);
  return data;
}
