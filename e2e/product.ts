import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = dirname(import.meta.dirname);
/** Who has all roles at the operator's desk: one for each journey that goes there, for a code is sent once a minute. */
const OPERATORS = {
  HENGXI_E2E_OPERATOR: '13800000001',
  HENGXI_E2E_CREDITS_OPERATOR: '13800000002',
  HENGXI_E2E_CONTEST_OPERATOR: '13800000003',
  HENGXI_E2E_YEAR_OPERATOR: '13800000004',
};

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

/**
 * Starts the real product as `npm start` does, on an empty folder, tells every journey its address by HENGXI_ADDRESS, ends it afterwards.
 * When that is set already, the product that runs there is used: quicker while writing a journey.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.HENGXI_ADDRESS) return undefined;
  const data = mkdtempSync(join(tmpdir(), 'hengxi-e2e-'));
  const port = await freePort();
  const env = {
    ...process.env,
    HENGXI_DATA: data,
    HENGXI_SAMPLE: 'off',
    DATABASE_URL: '',
    PORT: String(port),
    NODE_ENV: undefined,
    VITEST: undefined,
  };
  // Staff are made by the command only, and on the embedded database only while no server runs.
  for (const [name, phone] of Object.entries(OPERATORS)) {
    const staff = ['tools/command.mjs', 'operator', 'add', '--phone', phone];
    execFileSync(process.execPath, [...staff, '--roles', '客服,财务,内容,运维,审计'], {
      cwd: ROOT,
      env,
      stdio: 'ignore',
    });
    process.env[name] = phone;
  }
  const server = spawn(process.execPath, ['tools/start.mjs'], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'], env });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const address = await new Promise<string>((resolve, reject) => {
    createInterface(server.stdout).on('line', (line) => {
      if (process.env.HENGXI_E2E_LOG) process.stdout.write(`${line}\n`);
      const address = /^衡析已就绪：(\S+)$/.exec(line)?.[1];
      if (address) resolve(address);
    });
    server.once('exit', (code) => reject(new Error(`the server ended with ${code} before it was ready`)));
  });
  process.env.HENGXI_ADDRESS = address;
  return async () => {
    server.kill('SIGTERM');
    await ended;
    rmSync(data, { recursive: true, force: true });
  };
}
