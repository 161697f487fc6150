// A throw-away PostgreSQL cluster for the tests: own folder, own port, no fsync, gone afterwards.
import { spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

function free_port() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** initdb and postgres refuse root, so as root they run as the user `postgres`, else `nobody`. */
function other_user() {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout.trim() || NaN));
    if (Number.isInteger(uid) && Number.isInteger(gid)) return { uid, gid };
  }
  return {};
}

/** Starts a cluster from the programs in `bin`; returns its URL and how to stop it. */
export async function start_cluster(bin) {
  const user = other_user();
  const folder = mkdtempSync(join(tmpdir(), 'hengxi-pg-'));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const port = await free_port();
  const call = (program, args) => {
    // The server inherits no pipe of ours: a pipe it kept open would never end this call.
    const done = spawnSync(join(bin, program), args, { ...user, cwd: folder, stdio: 'ignore', env: { ...process.env, HOME: folder, LC_ALL: 'C.UTF-8' } });
    if (done.status !== 0) throw new Error(`${program} ended with ${done.status ?? done.error?.message}`);
  };
  const stop = () => {
    spawnSync(join(bin, 'pg_ctl'), ['-D', data, '-m', 'immediate', '-w', 'stop'], { ...user, cwd: folder, stdio: 'ignore' });
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    call('initdb', ['-D', data, '-U', 'hengxi', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']);
    const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c max_connections=60`;
    call('pg_ctl', ['-D', data, '-w', '-t', '60', '-l', join(folder, 'log'), '-o', options, 'start']);
  } catch (error) {
    stop();
    throw error;
  }
  return { url: `postgres://hengxi@127.0.0.1:${port}/postgres`, stop };
}
