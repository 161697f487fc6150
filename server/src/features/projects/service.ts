/** Projects. What lies in them belongs to others, who connect themselves here. */
import type { Db, Tx } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import type { Owner } from '../../lib/guard.ts';
import type { HistoryRow, Project, ProjectBody, ProjectQuery } from './schema.ts';
import * as store from './store.ts';
import type { NewEvent } from './store.ts';
import type { ProjectRow } from './tables.ts';

export { expireProjects, exportProjects } from './owner-data.ts';
export type Projects = ReturnType<typeof createProjects>;

/** What the owner of the contents tells and does. */
export interface Contents {
  /** Reports per project, without those in the bin. */
  count(projects: number[]): Promise<Map<number, number>>;
  /** Moves everything in a project to the bin. */
  toBin(tx: Tx, project: number): Promise<void>;
}

const NAME_MAX = 100;

export function createProjects({ db }: { db: Db }) {
  let contents: Contents | null = null;

  async function load(owner: Owner, id: number): Promise<ProjectRow> {
    const project = await store.loadProject(db, owner, id);
    if (!project) throw missing();
    return project;
  }

  function wire(row: ProjectRow, order: number, reports: number): Project {
    return {
      id: row.id,
      name: row.name,
      order,
      reports,
      created_at: row.createdAt.toISOString(),
      updated_at: row.updatedAt.toISOString(),
    };
  }

  const counted = async (ids: number[]): Promise<Map<number, number>> =>
    contents && ids.length > 0 ? contents.count(ids) : new Map();

  async function read(owner: Owner, id: number): Promise<Project> {
    const row = await load(owner, id);
    const order = await store.orderOf(db, owner);
    const reports = await counted([id]);
    return wire(row, order.get(id) ?? 0, reports.get(id) ?? 0);
  }

  return {
    connect(source: Contents): void {
      if (contents) throw new Error('The contents of projects belong to one feature');
      contents = source;
    },

    load,

    /** Null where it is gone, in the bin, or somebody else's. */
    find: (owner: Owner, id: number): Promise<ProjectRow | null> => store.loadProject(db, owner, id),

    async list(owner: Owner, query: ProjectQuery): Promise<{ total: number; list: Project[] }> {
      const { total, list } = await store.listProjects(db, owner, query);
      const order = await store.orderOf(db, owner);
      const reports = await counted(list.map(({ id }) => id));
      return { total, list: list.map((row) => wire(row, order.get(row.id) ?? 0, reports.get(row.id) ?? 0)) };
    },

    /** id 0 creates. */
    async save(owner: Owner, id: number, body: ProjectBody): Promise<Project> {
      const { name, order } = body;
      if (id === 0) {
        if (name === undefined) throw new Fault(30090, { detail: '请输入项目名称' });
        const row = await store.insertProject(db, owner, { name, draft: false });
        if (order !== undefined) await db.transaction((tx) => store.moveProject(tx, owner, row.id, order));
        return read(owner, row.id);
      }
      await load(owner, id);
      if (name === undefined && order === undefined) throw new Fault(30090, { detail: '没有任何修改' });
      await db.transaction(async (tx) => {
        if (name !== undefined) await store.renameProject(tx, id, name);
        if (order !== undefined) await store.moveProject(tx, owner, id, order);
      });
      return read(owner, id);
    },

    /** The project goes; its reports stay thirty days in the bin, and restoring one brings the project back. */
    async remove(owner: Owner, id: number): Promise<void> {
      await load(owner, id);
      await db.transaction(async (tx) => {
        await contents?.toBin(tx, id);
        await store.setDeleted(tx, id, true);
      });
    },

    /** A project for an analysis that names none: a draft until a result lies in it. */
    async draft(owner: Owner, name: string): Promise<number> {
      const row = await store.insertProject(db, owner, { name: name.slice(0, NAME_MAX), draft: true });
      return row.id;
    },

    /** A project for what is copied in from another space; its history begins with where it comes from. */
    async copied(tx: Tx, owner: Owner, name: string, text: string): Promise<number> {
      const { id } = await store.insertProject(tx, owner, { name: name.slice(0, NAME_MAX), draft: false });
      await store.insertEvent(tx, id, { act: 'created', text, rid: null, rev: null, title: null });
      return id;
    },

    /** Writes what was done into the history. */
    async log(tx: Tx, id: number, event: NewEvent): Promise<void> {
      await store.logEvent(tx, id, event);
    },

    revive: (tx: Tx, id: number): Promise<void> => store.setDeleted(tx, id, false),

    async history(
      owner: Owner,
      id: number,
      page: { limit: number; offset: number },
    ): Promise<{ total: number; list: HistoryRow[] }> {
      await load(owner, id);
      return store.listEvents(db, id, page.limit, page.offset);
    },

    expired: () => store.expiredProjects(db),
    removeForGood: (id: number) => store.deleteProject(db, id),
  };
}
