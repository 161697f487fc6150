// Tests write and look in a temporary folder of their own: what else lies on the machine is none of their business.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default function set_up() {
  const before = process.env.TMPDIR;
  const folder = mkdtempSync(join(tmpdir(), 'hx-'));
  // The browser that prints runs as nobody and passes through.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  return () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}
