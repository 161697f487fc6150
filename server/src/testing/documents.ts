/** Documents opened again by other means than they were written by (read_document.py). */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');
export const PYTHON = process.env['HENGXI_ENGINE_PYTHON'] ?? join(ROOT, 'engine/.venv/bin/python');
const READER = join(import.meta.dirname, 'read_document.py');

/** What the reader prints about a document; the file is put into `folder`. */
export function readDocument(folder: string, made: { bytes: Uint8Array; extension: string }): any {
  const file = join(folder, `read${made.extension}`);
  writeFileSync(file, made.bytes);
  return JSON.parse(execFileSync(PYTHON, [READER, file], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }));
}
