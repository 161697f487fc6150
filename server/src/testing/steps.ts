/** Steps of data processing as a page makes them, on an engine that adds a column for each. */
import { beforeEach } from 'vitest';
import type { World } from './build.ts';
import type { FakeEngine } from './fake-engine.ts';
import { call } from './makers.ts';
import type { Reply } from './makers.ts';
import { fileStage } from './stages.ts';
import type { FileStage } from './stages.ts';
import { COLUMNS, column, reportOf } from './tables.ts';

export const FILTER = '/algorithm/data_processing/filter';
export const FORM = { condition: '{c2} > 18' };
export const base = (vid: number): string => `/v1/user/file/versions/${vid}`;

export const meta = (columns: any[] = COLUMNS, rows = 3) => ({
  data: null,
  rows,
  columns,
  import: null,
  sha256: {},
  warnings: [],
});
const ref = ({ id, name }: { id: string; name: string }) => ({ id, name, label: null, measure: '定量' });

/** A processing method adds one column named after its form; a replay does so once for every step that is one. */
function teachSteps({ engine }: World, tables: Map<string, any>): void {
  engine.on('GET', '/tables/:key', (_, [key = '']) => ({ body: tables.get(key) ?? meta() }));
  engine.on('POST', '/tables/:key/cells', (body) => ({
    body: {
      ...meta(),
      changes: body.cells.map(({ row, column: id, value }: any) => ({ row, column: id, old: '男', new: value })),
    },
  }));
  engine.on('POST', '/tables/:key/carry', ({ cells }) => ({
    body: { gone: 0, both: cells.slice(0, 1).map((cell: any) => ({ ...cell, old: '男', now: '未知' })), both_total: 1 },
  }));
  const usual = engine.onRun;
  engine.onRun = (run) => {
    if (run.kind === 'replay') return replayed(run.payload, tables);
    if (!run.payload.path?.startsWith('data_processing/')) return usual?.(run) ?? null;
    const fresh = column('c5', '新列', { measure: '定量', storage: 'int' });
    if (!run.payload.preview) tables.set(run.payload.kept, meta([...COLUMNS, fresh]));
    return { state: 'done', result: { report: processed([fresh]) } };
  };
}

function processed(added: any[]): any {
  const report = reportOf();
  report.parts[0].elements.push({
    type: 'data',
    id: 'made',
    name: 'made',
    place: 'main',
    title: '新数据',
    at: null,
    vid: null,
    kept: null,
    rows: 3,
    columns: added.map(ref),
    changed: 0,
    preview: [],
    row_numbers: [],
    file: null,
    step: {
      rows_before: 3,
      rows_after: 3,
      columns_before: 4,
      columns_after: 5,
      missing_before: 0,
      missing_after: 0,
      cells: 0,
      added: added.map(ref),
      changed: [],
      removed: [],
      sampled: false,
      preview: { rows: [], columns: [], before: [], after: [], came: [] },
    },
  });
  return report;
}

function replayed(payload: any, tables: Map<string, any>): any {
  const columns: any[] = [...(tables.get(payload.table)?.columns ?? COLUMNS)];
  payload.steps.forEach((step: any, at: number) => {
    if (step.path)
      columns.push(column(`c${columns.length + 1}`, `新列${columns.length}`, { measure: '定量', storage: 'int' }));
    tables.set(payload.tables[at], meta([...columns]));
  });
  const steps = payload.tables.map((table: string) => ({ table, rows: 3, columns: 5, added: [], changed: 0 }));
  return { state: 'done', result: { tables: payload.tables, steps, columns: { c5: 'c5' } } };
}

interface StepTools {
  /** Filters a version (the first one); a query begins with &. */
  process(query?: string, form?: Record<string, unknown>, vid?: number): Promise<Reply>;
  steps(vid: number): Promise<any[]>;
  change(vid: number, ...ops: any[]): Promise<Reply>;
  file(): Promise<any>;
  runs(kind: string): FakeEngine['submitted'];
  /** The versions of three steps after the import. */
  three(): Promise<number[]>;
}

/** A fresh product with a file for each test, and short calls for its steps. */
export function stepStage(): FileStage & StepTools {
  const on = fileStage();
  beforeEach(() => teachSteps(on.world, new Map()));
  const tools: StepTools = {
    process: (query = '', form = FORM, vid = on.vid) =>
      call(on.world, on.person, 'POST', `${FILTER}?vid=${vid}${query}`, form),
    steps: async (vid) => (await call(on.world, on.person, 'GET', `${base(vid)}/steps`)).data.list,
    change: (vid, ...ops) => call(on.world, on.person, 'POST', `${base(vid)}/steps`, { ops }),
    file: async () => (await call(on.world, on.person, 'GET', `/v1/user/file/${on.fid}`)).data,
    runs: (kind) => on.world.engine.submitted.filter((run) => run.kind === kind),
    three: async () => {
      const first = (await tools.process()).data.vid;
      const second = (await tools.process('', { condition: '{c5} > 1' }, first)).data.vid;
      const columns = [{ id: 'c2', name: '岁数' }];
      const edit = await call(on.world, on.person, 'POST', `${base(second)}/edits`, { columns });
      return [first, second, edit.data.vid];
    },
  };
  return Object.assign(on, tools);
}
