/** Control limits kept from a report under a name, for charts of later data. A copy: it stays when the report goes. */
import type { Declaration, Part, TableElement } from '@hengxi/contracts/contract';
import { z } from 'zod';
import type { Db } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import type { Owner } from '../../lib/guard.ts';
import { json } from '../../lib/owner-data.ts';
import type { OwnerFile } from '../../lib/owner-data.ts';
import type { ReportDetail, ReportDocument } from '../reports/schema.ts';
import { LIMITS_MOST, RestsOn } from './schema.ts';
import type { KeptLimits, LimitsList, NewLimits } from './schema.ts';
import * as store from './store.ts';
import type { LimitsRow } from './tables.ts';

const Given = z.object({ id: z.number().int().positive().max(2_147_483_647) });

type Fields = Pick<Declaration, 'fields'>;

export interface Around {
  db: Db;
  /** null: there is no such method any more. */
  method: (path: string) => Fields | null;
  report: (owner: Owner, project: number, rid: number, rev: number) => Promise<ReportDetail>;
}

export type ControlLimits = ReturnType<typeof createControlLimits>;

function wire({ restsOn, ...row }: LimitsRow): KeptLimits {
  return {
    ...restsOn,
    id: row.id,
    name: row.name,
    path: row.path,
    method: row.method,
    report: row.report,
    made_at: row.madeAt.toISOString(),
    variable: row.variable,
    project_id: row.projectId,
    report_id: row.rid,
    created_at: row.createdAt.toISOString(),
  };
}

/** What the engine reads of a field that names kept limits. */
const asset = ({ restsOn, ...row }: LimitsRow) => ({
  ...restsOn,
  id: row.id,
  name: row.name,
  path: row.path,
  method: row.method,
  report: row.report,
  made_at: dayOf(row.madeAt),
  variable: row.variable,
});

/** The day in China, as the report's own page says it. */
const dayOf = (at: Date): string => at.toLocaleDateString('sv-SE', { timeZone: 'Asia/Shanghai' });

const frozenFields = ({ fields }: Fields) => fields.filter((field) => field.type === 'frozen');

export function createControlLimits({ db, method, report }: Around) {
  /** The rows of the report that limits can be kept from. */
  function standardsOf(document: ReportDocument): RestsOn[] {
    const known = method(document.path);
    const [field] = known === null ? [] : frozenFields(known);
    const [part, ...others] = document.parts;
    if (field === undefined || part === undefined)
      throw new Fault(30508, { text: '这份报告没有可以冻结的控制限；请打开一份控制图的报告' });
    if (others.length > 0)
      throw new Fault(30508, { text: '这份报告按分层变量分成了几组，每组各有控制限；请取消分层，重新运行后再冻结' });
    if (Given.safeParse(document.form[field.key]).success)
      throw new Fault(30508, {
        text: '这份报告用的就是已冻结的控制限，没有新的可以冻结；分析新数据时，直接选用原来那一份',
      });
    const table = tableOf(part, field.table);
    if (table === null)
      throw new Fault(30508, { text: '这份报告是旧版本算出的，没有记下控制限的依据；请重新运行后再冻结' });
    return table.rows.map((cells) =>
      RestsOn.parse(Object.fromEntries(table.columns.map(({ key }, at) => [key, cells[at] ?? null]))),
    );
  }

  function chosenOf(rows: readonly RestsOn[], phase: string | null): RestsOn {
    const [only, ...others] = rows;
    const found = others.length === 0 && phase === null ? only : rows.find((row) => row.phase === phase);
    if (found) return found;
    const text =
      phase === null
        ? '这份报告有几个阶段，各有控制限；请选择冻结哪个阶段的'
        : `这份报告没有阶段“${phase}”；请选择报告里的一个阶段`;
    throw new Fault(30508, { text }, { fields: [{ field: 'phase', code: 'limits.phase', text }] });
  }

  return {
    async list(owner: Owner, path?: string): Promise<LimitsList> {
      const list = (await store.listLimits(db, owner, path)).map(wire);
      return { total: list.length, list };
    },

    async keep(owner: Owner, { project_id, report_id, rev, name, phase }: NewLimits): Promise<KeptLimits> {
      const { document, title, made_at } = await report(owner, project_id, report_id, rev);
      const restsOn = chosenOf(standardsOf(document), phase);
      const row = await db.transaction(async (tx) => {
        if ((await store.lockLimits(tx, owner)) >= LIMITS_MOST)
          throw new Fault(30508, { text: `最多保存 ${LIMITS_MOST} 份控制限，请先删除不用的` });
        return store.insertLimits(tx, owner, {
          name,
          path: document.path,
          method: document.method.title,
          restsOn,
          report: title,
          madeAt: new Date(made_at ?? Date.now()),
          variable: variableOf(document),
          projectId: project_id,
          rid: report_id,
          rev,
        });
      });
      if (row) return wire(row);
      const text = `已有名为“${name}”的控制限，请换一个名称`;
      throw new Fault(30508, { text }, { fields: [{ field: 'name', code: 'limits.name', text }] });
    },

    async remove(owner: Owner, id: number): Promise<void> {
      if (!(await store.deleteLimits(db, owner, id))) throw missing();
    },

    /** For each field of a form that names kept limits: this owner's, or nothing. null: the method has no such field. */
    async named(
      owner: Owner,
      known: Fields,
      form: Record<string, unknown>,
    ): Promise<Record<string, Record<string, unknown>> | null> {
      const fields = frozenFields(known);
      if (fields.length === 0) return null;
      const found = fields.map(async ({ key }) => {
        const id = Given.safeParse(form[key]).data?.id;
        const row = id === undefined ? null : await store.findLimits(db, owner, id);
        return row === null ? [] : [[key, asset(row)] as const];
      });
      return Object.fromEntries((await Promise.all(found)).flat());
    },
  };
}

/** All frozen limits of one owner, for an archive. */
export async function* exportLimits(db: Db, owner: Owner): AsyncGenerator<OwnerFile> {
  const rows = await store.listLimits(db, owner);
  if (rows.length > 0) yield json('control-limits.json', rows.map(wire));
}

function tableOf(part: Part, name: string): TableElement | null {
  return part.elements.find((one): one is TableElement => one.type === 'table' && one.name === name) ?? null;
}

/** What is measured: the first box of the form that holds something. */
function variableOf({ roles }: ReportDocument): string {
  const [first = []] = Object.values(roles).filter((columns) => columns.length > 0);
  return first.map(({ label, name }) => label ?? name).join('、');
}
