/** Resumable uploads: the server alone knows how far a file has come, and says so whenever the browser is wrong. */
import { Fault, missing } from '../../lib/errors.ts';
import type { Db } from '../../lib/db.ts';
import { whole } from '../../lib/guard.ts';
import type { Owner } from '../../lib/guard.ts';
import { KeyedMutex } from '../../lib/keyed-mutex.ts';
import { newUploadKey } from '../../lib/blobs.ts';
import type { Blobs } from '../../lib/blobs.ts';
import { FOREIGN_FORMATS, UPLOAD_FORMATS } from '@hengxi/contracts/upload-formats';
import type { Membership } from '../membership/service.ts';
import { CHUNK, UPLOADS_AT_ONCE, UPLOADS_AT_ONCE_EACH, requireStorage, extensionOf } from './limits.ts';
import type { OpenUpload, Upload, UploadBody } from './schema.ts';
import { countFiles } from './store.ts';
import type { UploadRow } from './tables.ts';
import {
  advanceUpload,
  busyUploads,
  completeUpload,
  deleteUpload,
  endOf,
  insertUpload,
  loadUpload,
  openUploads,
  usedBytes,
} from './upload-store.ts';

function wire(row: UploadRow): Upload {
  const { uploadId, name, size, received, sha256, state } = row;
  return { upload_id: uploadId, name, size, offset: received, chunk: CHUNK, complete: state !== 'open', sha256 };
}

export class Uploads {
  readonly #db: Db;
  readonly #blobs: Blobs;
  readonly #editions: Membership['editions'];
  /** Chunks of one upload are written one after the other, also when a browser sends them twice. */
  readonly #turns = new KeyedMutex();

  constructor(db: Db, blobs: Blobs, editions: Membership['editions']) {
    this.#db = db;
    this.#blobs = blobs;
    this.#editions = editions;
  }

  async start(owner: Owner, body: UploadBody): Promise<Upload> {
    const extension = extensionOf(body.name);
    const foreign = FOREIGN_FORMATS[extension];
    if (foreign !== undefined) throw new Fault(30508, { text: foreign });
    if (!UPLOAD_FORMATS.includes(extension))
      throw new Fault(30504, { ext: extension ? `.${extension}` : '没有扩展名的' });
    if (body.size === 0) throw new Fault(30506);
    const used = await usedBytes(this.#db, whole(owner));
    await requireStorage(this.#db, this.#editions, owner, {
      size: body.size,
      used,
      usedByMember: await usedBytes(this.#db, owner),
      files: await countFiles(this.#db, owner),
    });
    if ((await busyUploads(this.#db, owner)) >= UPLOADS_AT_ONCE_EACH)
      throw new Fault(30507, { n: UPLOADS_AT_ONCE_EACH }, { retryAfter: 5 });
    if ((await busyUploads(this.#db, null)) >= UPLOADS_AT_ONCE)
      throw new Fault(30507, { n: UPLOADS_AT_ONCE }, { retryAfter: 5 });
    await this.#blobs.demandSpace(body.size);
    return wire(
      await insertUpload(this.#db, owner, {
        key: newUploadKey(),
        name: body.name,
        size: body.size,
        declaredSha256: body.sha256?.toLowerCase() ?? null,
      }),
    );
  }

  async read(owner: Owner, id: number): Promise<Upload> {
    return wire(await this.load(owner, id));
  }

  async load(owner: Owner, id: number): Promise<UploadRow> {
    const row = await loadUpload(this.#db, owner, id);
    if (!row) throw missing();
    return row;
  }

  /** What the person sent, wholly or in part, and made no file of yet; `runs`: the imports under way by upload. */
  async open(owner: Owner, runs: ReadonlyMap<number, number>): Promise<OpenUpload[]> {
    const rows = await openUploads(this.#db, owner);
    return rows.map((row) => ({
      ...wire(row),
      run_id: runs.get(row.uploadId) ?? null,
      ends_at: endOf(row).toISOString(),
    }));
  }

  /** What is made of an upload needs about its size once more. */
  demandSpace({ size }: UploadRow): Promise<void> {
    return this.#blobs.demandSpace(size);
  }

  async append(owner: Owner, id: number, offset: number, bytes: Uint8Array): Promise<Upload> {
    await this.load(owner, id);
    return this.#turns.run(id, () => this.#append(owner, id, offset, bytes));
  }

  async #append(owner: Owner, id: number, offset: number, bytes: Uint8Array): Promise<Upload> {
    const row = await this.load(owner, id);
    if (row.state !== 'open' || offset !== row.received)
      throw new Fault(30501, { offset: row.received }, { data: { offset: row.received } });
    if (bytes.length === 0) throw new Fault(30090, { detail: '分块是空的' });
    const received = offset + bytes.length;
    if (received > row.size) throw new Fault(30090, { detail: '分块超出声明的文件大小' });
    await this.#blobs.write(row.key, offset, bytes);
    if (received < row.size) {
      await advanceUpload(this.#db, id, received);
      return wire({ ...row, received });
    }
    return this.#finish(row);
  }

  /** All bytes are here: checked, then named for good. A file with a wrong checksum is not kept. */
  async #finish(row: UploadRow): Promise<Upload> {
    const sha256 = await this.#blobs.checksum(row.key, row.size);
    if (row.declaredSha256 && row.declaredSha256 !== sha256) {
      await deleteUpload(this.#db, row.uploadId);
      await this.#blobs.remove(row.key);
      throw new Fault(30502);
    }
    await this.#blobs.seal(row.key);
    await completeUpload(this.#db, row.uploadId, sha256);
    return wire({ ...row, received: row.size, sha256, state: 'complete' });
  }

  /** Ends an upload that no file was made of; a source of a version stays with that version. */
  async cancel(owner: Owner, id: number): Promise<void> {
    const row = await this.load(owner, id);
    if (row.state === 'used') throw new Fault(30509);
    await deleteUpload(this.#db, id);
    await this.#blobs.remove(row.key);
  }

  /** Stores bytes that did not come through the network, e.g. the example of a method. */
  async put(owner: Owner, name: string, bytes: Uint8Array): Promise<UploadRow> {
    await this.#blobs.demandSpace(bytes.length);
    const key = newUploadKey();
    const row = await insertUpload(this.#db, owner, { key, name, size: bytes.length, declaredSha256: null });
    await this.#blobs.write(key, 0, bytes);
    await this.#finish(row);
    return this.load(owner, row.uploadId);
  }
}
