/** Dictionaries and pictures that forms name, and the state of a person's text jobs. */
import type { Declaration } from '@hengxi/contracts/contract';
import { z } from 'zod';
import type { Db } from '../../lib/db.ts';
import type { Deps } from '../../lib/deps.ts';
import { Fault, missing } from '../../lib/errors.ts';
import type { Actor, Owner } from '../../lib/guard.ts';
import { json } from '../../lib/owner-data.ts';
import type { OwnerFile } from '../../lib/owner-data.ts';
import { drawnShape, pictureType, redraw } from '../../lib/pictures.ts';
import type { RunRow, Runs } from '../runs/service.ts';
import { labelOf, lineOf } from './labels.ts';
import { PICTURE_BYTES } from './schema.ts';
import type {
  DictionaryChange,
  DictionaryDetail,
  DictionaryEntry,
  DictionaryKind,
  JobState,
  LabelRule,
  LabelSet,
  NewDictionary,
  PictureMade,
  StatusQuery,
  TextJob,
  TextStatus,
} from './schema.ts';
import * as store from './store.ts';
import type { DictionaryRow } from './tables.ts';

const DICTIONARIES_MOST = 100;
const PICTURES_MOST = 50;
/** Cells of a side of the shape a picture gives. */
const SHAPE_SIDE = 96;
const STALE = '已在别处修改，请刷新后合并';

export type TextAnalysis = ReturnType<typeof createTextAnalysis>;

/** What a form says of a dictionary or a picture; the engine judges the rest. */
const Named = z.looseObject({
  id: z.number().int().positive().max(2_147_483_647).nullish(),
  file_id: z
    .string()
    .regex(/^u[1-9]\d{0,8}$/)
    .nullish(),
});

type Asset = Record<string, unknown> | null;

const entry = ({ id, kind, name, version, lines, updatedAt }: DictionaryRow): DictionaryEntry => ({
  id,
  kind,
  name,
  version,
  size: lines.length,
  updated_at: updatedAt.toISOString(),
});

const detail = (row: DictionaryRow): DictionaryDetail => ({ ...entry(row), lines: row.lines });

const STATES: Partial<Record<string, JobState>> = {
  waiting: '等待中',
  running: '运行中',
  done: '已完成',
  cancelled: '已终止',
};

function jobOf(run: RunRow): TextJob {
  const { progress } = run;
  const share = progress?.of ? Math.round((100 * progress.done) / progress.of) : null;
  return {
    job_id: run.id,
    method: z.looseObject({ path: z.string() }).safeParse(run.note).data?.path ?? null,
    state: STATES[run.state] ?? '失败',
    position: run.position,
    progress: run.state === 'done' ? 100 : share,
    stage: progress?.text ?? '',
  };
}

export function createTextAnalysis({ db, runs }: Pick<Deps, 'db'> & { runs: Runs }) {
  async function load(owner: Owner, id: number, kind?: DictionaryKind): Promise<DictionaryRow> {
    const row = await store.findDictionary(db, owner, id);
    if (!row || (kind !== undefined && row.kind !== kind)) throw missing();
    return row;
  }

  async function add(owner: Owner, fresh: NewDictionary): Promise<DictionaryRow> {
    if ((await store.countDictionaries(db, owner)) >= DICTIONARIES_MOST)
      throw new Fault(30508, { text: `最多保存 ${DICTIONARIES_MOST} 个词典，请先删除不用的` });
    const row = await store.insertDictionary(db, owner, fresh);
    if (!row) throw new Fault(30508, { text: `已有名为“${fresh.name}”的词典，请换一个名称` });
    return row;
  }

  async function change(owner: Owner, id: number, to: DictionaryChange, kind?: DictionaryKind): Promise<DictionaryRow> {
    const known = await load(owner, id, kind);
    if (await store.hasNamesake(db, owner, known, to.name))
      throw new Fault(30508, { text: `已有名为“${to.name}”的词典，请换一个名称` });
    const row = await store.updateDictionary(db, owner, id, to);
    if (!row) throw new Fault(30508, { text: `${kind === 'labels' ? '标签组' : '词典'}${STALE}` });
    return row;
  }

  /** What a form names by id, of this owner or nothing at all. */
  async function asset(owner: Owner, type: string, given: unknown): Promise<Asset> {
    const named = Named.safeParse(given).data;
    if (type === 'dictionary' && named?.id) {
      const row = await store.findDictionary(db, owner, named.id);
      return row && { id: row.id, kind: row.kind, name: row.name, version: row.version, lines: row.lines };
    }
    if (type === 'upload' && named?.file_id) {
      const row = await store.findPicture(db, owner, Number(named.file_id.slice(1)));
      return row && { file_id: named.file_id, mime: row.mime, bytes: row.size, shape: row.shape };
    }
    return null;
  }

  const labelSet = (row: DictionaryRow): LabelSet => ({
    id: row.id,
    name: row.name,
    version: row.version,
    labels: row.lines.flatMap((line) => labelOf(line) ?? []),
    updated_at: row.updatedAt.toISOString(),
  });

  return {
    async list(owner: Owner, kind?: DictionaryKind): Promise<{ total: number; list: DictionaryEntry[] }> {
      const rows = await store.listEntries(db, owner, kind);
      const list = rows.map(({ updatedAt, ...row }) => ({ ...row, updated_at: updatedAt.toISOString() }));
      return { total: list.length, list };
    },

    read: async (owner: Owner, id: number): Promise<DictionaryDetail> => detail(await load(owner, id)),
    add: async (owner: Owner, fresh: NewDictionary): Promise<DictionaryDetail> => detail(await add(owner, fresh)),
    change: async (owner: Owner, id: number, to: DictionaryChange): Promise<DictionaryDetail> =>
      detail(await change(owner, id, to)),

    async remove(owner: Owner, id: number, kind?: DictionaryKind): Promise<void> {
      if (!(await store.deleteDictionary(db, owner, id, kind))) throw missing();
    },

    labels: {
      list: async (owner: Owner): Promise<LabelSet[]> =>
        (await store.listDictionaries(db, owner, 'labels')).map(labelSet),
      add: (owner: Owner, name: string, labels: LabelRule[]): Promise<DictionaryRow> =>
        add(owner, { kind: 'labels', name, lines: labels.map(lineOf) }),
      change: (owner: Owner, id: number, name: string, labels: LabelRule[], version: number): Promise<DictionaryRow> =>
        change(owner, id, { name, version, lines: labels.map(lineOf) }, 'labels'),
    },

    /** By content, not by name: a bomb of pixels is refused before it is decoded. */
    async addPicture(owner: Owner, bytes: Buffer): Promise<PictureMade> {
      const mime = bytes.length <= PICTURE_BYTES ? pictureType(bytes) : null;
      const jpeg = mime === null ? null : await redraw(bytes);
      const shape = jpeg === null ? null : await drawnShape(bytes, SHAPE_SIDE);
      if (mime === null || jpeg === null || shape === null) throw new Fault(31514);
      if (!shape.some((row) => row.includes('1')))
        throw new Fault(30508, { text: '图片是空白的，词云没有地方放词；请用深色图形、浅色背景的图片' });
      const fresh = { mime, size: bytes.length, jpeg: new Uint8Array(jpeg), shape };
      const id = await db.transaction((tx) => store.insertPicture(tx, owner, fresh, PICTURES_MOST));
      return { file_id: `u${id}` };
    },

    async picture(owner: Owner, id: number): Promise<Buffer> {
      const row = await store.findPicture(db, owner, id);
      if (!row) throw missing();
      return Buffer.from(row.jpeg);
    },

    async removePicture(owner: Owner, id: number): Promise<void> {
      if (!(await store.deletePicture(db, owner, id))) throw missing();
    },

    /** For each field of a method that names something kept here, what the engine may read; null: nothing of these. */
    async named(
      owner: Owner,
      method: Pick<Declaration, 'fields'>,
      form: Record<string, unknown>,
    ): Promise<Record<string, Asset> | null> {
      const fields = method.fields.filter(({ type }) => type === 'dictionary' || type === 'upload');
      if (fields.length === 0) return null;
      const found = fields.map(async ({ key, type }) => [key, await asset(owner, type, form[key])] as const);
      return Object.fromEntries((await Promise.all(found)).filter(([, one]) => one !== null));
    },

    async status(actor: Actor, { is_wait: waits, in_pro_model: pro }: StatusQuery): Promise<TextStatus> {
      const list = await runs.ofQueue(actor, 'text', pro === '1');
      const open = list.filter(({ endedAt }) => endedAt === null).toSorted((a, b) => a.id - b.id);
      const running = open.find(({ state }) => state === 'running');
      const last = list.find(({ endedAt }) => endedAt !== null);
      return {
        running: running && waits !== '1' ? jobOf(running) : null,
        waiting: open.filter(({ state }) => state === 'waiting').map(jobOf),
        last: last && waits !== '1' ? jobOf(last) : null,
      };
    },

    /** Ends the running job; the next that waits begins. Nothing runs: nothing happens. */
    async kill(actor: Actor): Promise<{ killed: number | null }> {
      const list = await runs.ofQueue(actor, 'text', false);
      const running = list.filter(({ state }) => state === 'running').at(-1);
      if (!running) return { killed: null };
      await runs.cancel(actor.owner, running.id);
      return { killed: running.id };
    },
  };
}

/** All dictionaries of one owner, for an archive. */
export async function* exportDictionaries(db: Db, owner: Owner): AsyncGenerator<OwnerFile> {
  const rows = await store.listDictionaries(db, owner);
  if (rows.length > 0) yield json('text-dictionaries.json', rows.map(detail));
}
