/** What can be seen of a version and made of it. A version never changes; what is active on it may. */
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import type { Actor, Owner } from '../../lib/guard.ts';
import { usersByIds } from '../accounts/service.ts';
import { demandSplit, demandWeight } from './active.ts';
import type { Membership } from '../membership/service.ts';
import { newTableKey } from '../../lib/blobs.ts';
import { describeEdit } from './edits.ts';
import { keepCondition, warningTexts } from './engine.ts';
import type { TableMeta, Tables } from './engine.ts';
import { checkTable, findingsOf } from './health-counts.ts';
import { asIn, demandQuestionnaire, questionnaireLeft, turnedLeft } from './questionnaire/kept.ts';
import { demandUnlocked } from './lock.ts';
import { saveConflict } from './save-conflict.ts';
import type { Branching } from './save-conflict.ts';
import { REDUCE_NUM } from './schema.ts';
import type {
  Active,
  ActiveBody,
  ActiveFilter,
  AgainstItem,
  AnswerSet,
  Column,
  ColumnEdit,
  Edited,
  FilterBody,
  FilterCount,
  FilterState,
  FilterType,
  Edge,
  EdgeBody,
  TextPreview,
  FindBody,
  Found,
  Health,
  ImportReport,
  Questionnaire,
  QuestionnaireState,
  Rows,
  RowsBody,
  Step,
  StepRow,
  Version,
} from './schema.ts';
import {
  insertVersion,
  loadColumns,
  loadImportReport,
  loadVersion,
  lockHead,
  setActive,
  setQuestionnaire,
  withoutQuestionnaire,
  setStep,
  versionsOf,
} from './store.ts';
import type { NewVersion, VersionFacts } from './store.ts';
import { searchText, summarise } from './summary.ts';
import { addGarbage } from './upload-store.ts';
import type { Usage } from './usage.ts';

/** A set loses columns that are gone; with fewer than two there is no question with several answers. */
function setsLeft(sets: AnswerSet[], columns: Column[]): AnswerSet[] {
  const ids = new Set(columns.map(({ id }) => id));
  return sets
    .map((set) => ({ ...set, columns: set.columns.filter((id) => ids.has(id)) }))
    .filter((set) => set.columns.length > 1);
}

export type Versions = ReturnType<typeof createVersions>;

const HEALTH_KEPT = 200;

/** A table the engine wrote, and the step that made it. */
export interface MadeTable {
  key: string;
  meta: TableMeta;
  step: Step;
}

export interface PlannedVersion {
  fid: number;
  fresh: NewVersion;
  warnings: string[];
}

export function createVersions(deps: { db: Db; tables: Tables; usage: Usage; editions: Membership['editions'] }) {
  const { db, tables, usage, editions } = deps;
  /** The table of a version never changes, so neither does its examination. */
  const examined = new Map<string, Health>();

  async function facts(owner: Owner, vid: number): Promise<VersionFacts> {
    const version = await loadVersion(db, owner, vid);
    if (!version) throw missing();
    return version;
  }

  /** From the version up to its import, newest first. */
  async function chain(version: VersionFacts): Promise<VersionFacts[]> {
    const all = new Map((await versionsOf(db, version.fid)).map((one) => [one.vid, one]));
    const ancestors = [version];
    for (let at = version; at.parent !== null;) {
      const parent = all.get(at.parent);
      if (!parent) break;
      ancestors.push(parent);
      at = parent;
    }
    return ancestors;
  }

  /** What the next version will be: a table the engine has just written. What was active stays so where it still fits. */
  async function plan(parent: VersionFacts, made: MadeTable): Promise<PlannedVersion> {
    const { key, meta, step } = made;
    const { active, warnings } = await carriedOver(parent, key, meta.columns);
    const sets = setsLeft(meta.sets ?? parent.sets, meta.columns);
    const findings = await findingsOf(tables, { key, columns: meta.columns, rows: meta.rows, sets });
    const fresh = {
      parent: parent.vid,
      tableKey: key,
      dataKey: meta.data,
      uploadId: parent.uploadId,
      size: parent.size,
      rows: meta.rows,
      columns: meta.columns,
      sets,
      questionnaire: await questionnaireAfter(parent, meta.columns),
      importReport: null,
      step,
      summary: summarise(meta.columns, findings),
      search: searchText(meta.columns),
      ...active,
    };
    return { fid: parent.fid, fresh, warnings: [...warningTexts(meta), ...warnings] };
  }

  /** What is kept of the questionnaire in the next version. */
  async function questionnaireAfter(parent: VersionFacts, columns: Column[]): Promise<Questionnaire | null> {
    const left = questionnaireLeft(parent.questionnaire, columns);
    const hasReversed = left?.dimensions.some(({ reversed }) => reversed.length > 0) === true;
    return hasReversed ? turnedLeft(left, await loadColumns(db, parent.vid), columns) : left;
  }

  /** Stores planned versions, each the child of the one before; the last is shown then. Null when the file is gone. */
  async function insert(tx: Tx, owner: Owner, planned: PlannedVersion[]): Promise<number | null> {
    const [first] = planned;
    const shown = first ? await lockHead(tx, owner, first.fid) : null;
    const replaces = shown === first?.fresh.parent ? null : shown;
    let vid: number | null = null;
    for (const [at, { fid, fresh }] of planned.entries()) {
      const isLast = at === planned.length - 1;
      const place = isLast ? { replaces } : { passing: replaces !== null };
      vid = await insertVersion(tx, owner, fid, { ...fresh, ...place, parent: vid ?? fresh.parent });
      if (vid === null) break;
    }
    if (vid === null) {
      const keys = planned.map(({ fresh }) => fresh.tableKey);
      await addGarbage(tx, keys, 0);
    }
    return vid;
  }

  async function add(
    owner: Owner,
    parent: VersionFacts,
    newTable: MadeTable,
    { branch }: Branching,
  ): Promise<{ vid: number; warnings: string[] }> {
    const planned = await plan(parent, newTable);
    let head: number | null = parent.vid;
    const vid = await db.transaction(async (tx) => {
      if (!branch) head = await lockHead(tx, owner, parent.fid);
      return head === parent.vid ? insert(tx, owner, [planned]) : null;
    });
    if (vid === null) {
      await addGarbage(db, [newTable.key], 0);
      throw head === null || head === parent.vid ? missing() : await saveConflict(db, await facts(owner, head));
    }
    return { vid, warnings: planned.warnings };
  }

  /** The version that the file stands at, where it is not this one. */
  async function newer(owner: Owner, { vid, head }: VersionFacts): Promise<VersionFacts | null> {
    return head === null || head === vid ? null : loadVersion(db, owner, head);
  }

  async function demandHead(owner: Owner, version: VersionFacts, how: Branching): Promise<void> {
    const head = how.branch ? null : await newer(owner, version);
    if (head) throw await saveConflict(db, head);
  }

  /** A version once more, in the place of the one shown now: undo leads back to that one, as after any change. */
  async function again(
    owner: Owner,
    version: VersionFacts,
    also: (tx: Tx, vid: number) => Promise<void>,
  ): Promise<{ vid: number; warnings: string[] }> {
    const { parent, sets, step, createdAt, tableKey } = version;
    const key = newTableKey();
    const meta = await tables.edit(tableKey, key, [], sets);
    const made = { ...step, at: step.at ?? createdAt.toISOString() };
    const planned = await plan(version, { key, meta: { ...meta, sets }, step: made });
    const fresh = { ...planned.fresh, parent, importReport: await loadImportReport(db, version.vid) };
    const vid = await db.transaction(async (tx) => {
      const found = await insert(tx, owner, [{ ...planned, fresh }]);
      if (found !== null) await also(tx, found);
      return found;
    });
    if (vid === null) throw missing();
    return { vid, warnings: planned.warnings };
  }

  /** A filter or weight that the new version cannot honour is ended, and said so; it is never kept unseen. */
  async function carriedOver(
    parent: VersionFacts,
    key: string,
    columns: Column[],
  ): Promise<{ active: Active; warnings: string[] }> {
    const active: Active = { filter: parent.filter, weight: parent.weight, split: parent.split };
    const warnings: string[] = [];
    const attempt = async (what: keyof Active, name: string, check: () => unknown): Promise<void> => {
      try {
        await check();
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        active[what] = null;
        warnings.push(`${name}已取消：${error.message}`);
      }
    };
    const { filter, weight, split } = parent;
    if (filter) await attempt('filter', '筛选', async () => (active.filter = await recount(key, filter)));
    if (weight) await attempt('weight', '加权', () => demandWeight(columns, weight));
    if (split) await attempt('split', '分层', () => demandSplit(columns, split));
    return { active, warnings };
  }

  async function recount(key: string, filter: ActiveFilter): Promise<ActiveFilter> {
    const condition = keepCondition(filter.condition, filter.filter_type);
    const { count } = await tables.count(key, condition ?? '');
    return { ...filter, filter_count: count };
  }

  /**
   * More columns of the same rows. The new version is built on the shown one where that one stems from the version the
   * columns belong to, so that later work is not left behind: edits and added columns never move a row.
   */
  async function extend(
    owner: Owner,
    vid: number,
    make: (base: VersionFacts, key: string) => Promise<Omit<MadeTable, 'key'>>,
  ): Promise<{ vid: number; warnings: string[] }> {
    const origin = await facts(owner, vid);
    demandUnlocked(origin);
    const head = origin.head === null || origin.head === vid ? origin : await facts(owner, origin.head);
    const isBuiltOn = (await chain(head)).some((one) => one.vid === vid) && head.rows === origin.rows;
    const base = isBuiltOn ? head : origin;
    const key = newTableKey();
    return add(owner, base, { key, ...(await make(base, key)) }, { branch: true });
  }

  return {
    /** Null where it is gone, in the bin, or somebody else's. */
    find: (owner: Owner, vid: number): Promise<VersionFacts | null> => loadVersion(db, owner, vid),
    facts,
    chain,
    plan,
    insert,
    add,
    newer,
    demandHead,
    again,

    columns: async (owner: Owner, vid: number): Promise<Column[]> => {
      await facts(owner, vid);
      return loadColumns(db, vid);
    },

    async read(owner: Owner, vid: number): Promise<Version> {
      const version = await facts(owner, vid);
      const columns = await loadColumns(db, vid);
      const { fid, name, format, size, parent, number, rows, step, filter, weight, split, createdAt } = version;
      const used = await usage.byVersion([vid]);
      return {
        vid,
        fid,
        name,
        format,
        size,
        parent,
        number,
        is_head: version.head === vid,
        locked: version.lockedAt !== null,
        rows,
        rows_limit: (await editions.limitsOf(db, owner)).rows,
        step,
        active: { filter, weight, split },
        columns,
        sets: version.sets,
        questionnaire: questionnaireLeft(version.questionnaire, columns),
        reports: used.get(vid) ?? 0,
        created_at: createdAt.toISOString(),
      };
    },

    async importReport(owner: Owner, vid: number): Promise<ImportReport> {
      const lineage = await chain(await facts(owner, vid));
      const first = lineage.at(-1);
      const report = first ? await loadImportReport(db, first.vid) : null;
      if (!report) throw missing();
      return report;
    },

    async health(owner: Owner, vid: number): Promise<Health> {
      const version = await facts(owner, vid);
      const { rows, sets, tableKey: key } = version;
      const known = examined.get(key);
      if (known) return known;
      const columns = await loadColumns(db, vid);
      const health = await checkTable(tables, { columns, rows, sets, key });
      if (examined.size >= HEALTH_KEPT) examined.clear();
      examined.set(key, health);
      return health;
    },

    async steps(owner: Owner, vid: number): Promise<StepRow[]> {
      const lineage = await chain(await facts(owner, vid));
      const authors = await usersByIds(db, [...new Set(lineage.flatMap(({ step }) => step.by ?? []))]);
      const nicknames = new Map(authors.map(({ id, nickname }) => [id, nickname]));
      return lineage.toReversed().map(({ step: { by, at, ...step }, vid: id, rows, createdAt }) => ({
        ...step,
        step_id: id,
        vid: id,
        rows,
        author: by === undefined ? null : (nicknames.get(by) ?? null),
        made_at: at ?? createdAt.toISOString(),
        created_at: createdAt.toISOString(),
      }));
    },

    async rows(owner: Owner, vid: number, body: RowsBody): Promise<Rows> {
      const { tableKey } = await facts(owner, vid);
      const { filter_type, ...request } = body;
      return tables.rows(tableKey, { ...request, condition: keepCondition(body.condition, filter_type) });
    },

    async seek(owner: Owner, vid: number, body: FindBody): Promise<Found> {
      const { tableKey } = await facts(owner, vid);
      const { filter_type, ...request } = body;
      return tables.find(tableKey, { ...request, condition: keepCondition(body.condition, filter_type) });
    },

    async edge(owner: Owner, vid: number, body: EdgeBody): Promise<Edge> {
      const { tableKey } = await facts(owner, vid);
      const { filter_type, ...request } = body;
      return tables.edge(tableKey, { ...request, condition: keepCondition(body.condition, filter_type) });
    },

    async textPreview(owner: Owner, vid: number, column: string): Promise<TextPreview> {
      const { tableKey } = await facts(owner, vid);
      const columns = await loadColumns(db, vid);
      if (!columns.some(({ id }) => id === column))
        throw new Fault(30508, { text: '这份数据里没有这个变量，它可能已被删除' });
      return tables.textPreview(tableKey, column);
    },

    async count(owner: Owner, vid: number, condition: string, type: FilterType): Promise<FilterCount> {
      const { tableKey, rows } = await facts(owner, vid);
      const kept = keepCondition(condition, type);
      return kept === null ? { count: rows, rows } : tables.count(tableKey, kept);
    },

    async filter(owner: Owner, vid: number, body: FilterBody): Promise<FilterState> {
      const { tableKey } = await facts(owner, vid);
      const { condition, filter_type: type, reduce_num } = body;
      const storedCondition = type === '' ? null : keepCondition(condition, type);
      if (storedCondition === null || type === '') {
        await setActive(db, vid, { filter: null });
        return { is_filtered: false, filter_count: 0, condition: '', filter_type: null, reduce_num: REDUCE_NUM };
      }
      const { count } = await tables.count(tableKey, storedCondition);
      const filter = { condition: condition.trim(), filter_type: type, reduce_num, filter_count: count };
      await setActive(db, vid, { filter });
      return { is_filtered: true, ...filter };
    },

    /** What is kept of the questionnaire, and what its columns look like. */
    async questionnaire(owner: Owner, vid: number): Promise<QuestionnaireState> {
      const { tableKey, sets, questionnaire } = await facts(owner, vid);
      const kept = questionnaireLeft(questionnaire, await loadColumns(db, vid));
      return { kept, proposed: await tables.questionnaire(tableKey, sets) };
    },

    async keepQuestionnaire(owner: Owner, vid: number, wanted: Questionnaire | null): Promise<Questionnaire | null> {
      const { fid } = await facts(owner, vid);
      if (wanted === null) {
        await setQuestionnaire(db, vid, null);
        return null;
      }
      const columns = await loadColumns(db, vid);
      demandQuestionnaire(wanted, columns);
      await db.transaction(async (tx) => {
        await setQuestionnaire(tx, vid, wanted);
        // The other versions take it over: undo does not ask again.
        for (const other of await withoutQuestionnaire(tx, fid))
          await setQuestionnaire(tx, other, asIn(wanted, columns, await loadColumns(tx, other)));
      });
      return wanted;
    },

    /** Items of a group that run against the others. */
    async against(owner: Owner, vid: number, asked: string[]): Promise<AgainstItem[]> {
      const { tableKey } = await facts(owner, vid);
      const known = new Set((await loadColumns(db, vid)).map(({ id }) => id));
      if (asked.some((id) => !known.has(id)))
        throw new Fault(30508, { text: '所选变量在这份数据中不存在，请重新选择' });
      return tables.against(tableKey, asked);
    },

    async activate(owner: Owner, vid: number, body: ActiveBody): Promise<Active> {
      const { filter, weight, split } = await facts(owner, vid);
      if (body.weight || body.split) {
        const columns = await loadColumns(db, vid);
        if (body.weight) demandWeight(columns, body.weight);
        if (body.split) demandSplit(columns, body.split);
      }
      await setActive(db, vid, body);
      return {
        filter,
        weight: body.weight === undefined ? weight : body.weight,
        split: body.split === undefined ? split : body.split,
      };
    },

    /** Only the name or the note of the step changes, not what it did. */
    retitle: (vid: number, step: Step): Promise<void> => setStep(db, vid, step),

    async edit({ owner, userId }: Actor, vid: number, columns: ColumnEdit[], how: Branching): Promise<Edited> {
      const version = await facts(owner, vid);
      demandUnlocked(version);
      await demandHead(owner, version, how);
      const key = newTableKey();
      const meta = await tables.edit(version.tableKey, key, columns);
      const step = describeEdit(await loadColumns(db, vid), meta.columns, columns);
      if (!step) {
        await addGarbage(db, [key], 0);
        return { vid, warnings: warningTexts(meta) };
      }
      return add(owner, version, { key, meta, step: { ...step, by: userId } }, how);
    },

    /**
     * Columns that an analysis made and kept in a folder of its own become part of the data: a new version.
     */
    append: (
      owner: Owner,
      vid: number,
      derived: { from: string; columns: string[]; step: (added: Column[]) => Step },
    ): Promise<{ vid: number; warnings: string[] }> =>
      extend(owner, vid, async (base, key) => {
        const before = new Set((await loadColumns(db, base.vid)).map(({ id }) => id));
        const meta = await tables.append(base.tableKey, { table: key, from: derived.from, columns: derived.columns });
        return { meta, step: derived.step(meta.columns.filter(({ id }) => !before.has(id))) };
      }),

    extend,
  };
}
