/** Writes an archive piece by piece: nothing is ever held whole in memory. */
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import type { OwnerFile } from '../../lib/owner-data.ts';

/** What is packed already gains nothing from being packed again. */
const PACKED = /\.(?:xlsx|ods|zip|gz|zsav|parquet|feather|png|jpe?g|pdf|rds|rdata)$/i;
/** The format's own limit is 4 GiB; what does not fit is named instead of being left out silently. */
const ARCHIVE_MAX = 3.5 * 1024 ** 3;

export async function writeArchive(
  file: string,
  belongings: AsyncIterable<OwnerFile>,
  onEntry: (count: number) => Promise<void>,
): Promise<void> {
  const out = createWriteStream(file, { mode: 0o600 });
  let written = 0;
  let failure: Error | null = null;
  out.on('error', (error) => {
    failure = error;
  });
  const zip = new Zip((error, chunk) => {
    if (error) failure = error;
    else {
      written += chunk.length;
      out.write(chunk);
    }
  });
  const settle = async (): Promise<void> => {
    if (failure) throw failure;
    if (out.writableNeedDrain) await once(out, 'drain');
  };
  const used = new Set<string>();
  const left: string[] = [];
  let count = 0;
  for await (const { path, content } of belongings) {
    if (written > ARCHIVE_MAX) {
      left.push(path);
      continue;
    }
    const name = used.has(path) ? `${count}-${path}` : path;
    used.add(name);
    const entry = PACKED.test(name) ? new ZipPassThrough(name) : new ZipDeflate(name, { level: 6 });
    zip.add(entry);
    for await (const part of content instanceof Uint8Array ? Readable.from([Buffer.from(content)]) : content()) {
      entry.push(new Uint8Array(part), false);
      await settle();
    }
    entry.push(new Uint8Array(), true);
    await settle();
    count += 1;
    await onEntry(count);
  }
  if (left.length > 0) {
    const note = new ZipPassThrough('未包含的文件.txt');
    zip.add(note);
    note.push(new TextEncoder().encode(`压缩包已到上限，下列内容请在产品中单独下载：\n${left.join('\n')}\n`), true);
  }
  zip.end();
  await settle();
  out.end();
  await once(out, 'close');
  if (failure) throw failure;
}
