// `npm start`: sets up what is missing, builds web and server, starts the server (which starts the engine), prints one line
// with the address, and ends with everything on Ctrl-C or SIGTERM. Killed with SIGKILL it leaves nothing behind: the
// server sees its message channel close and ends, the engine sees its standard input close.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { ensure_node, ensure_python, PYTHON, ROOT } from './setup.mjs';
import { ensure_built, program } from './build.mjs';

ensure_node();
ensure_python({ dev: false });
await ensure_built();

/** The embedded database could not write its log, usually for want of disk space: the server says so and is begun anew. */
const IO_ERROR = 74;
const PAUSE_MS = 10_000;

/** Room for what is young: with the default of 16 MiB the collector takes a tenth of the server's time under load. */
const MEMORY = '--max-semi-space-size=64';

function launch() {
  const child = spawn(process.execPath, [MEMORY, program('main')], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, HENGXI_ENGINE_PYTHON: process.env.HENGXI_ENGINE_PYTHON ?? PYTHON },
  });
  child.on('exit', (code, signal) => {
    server = null;
    if (is_ending) process.exit(0);
    if (code !== IO_ERROR) process.exit(code ?? (signal ? 1 : 0));
    setTimeout(() => {
      server = launch();
    }, PAUSE_MS);
  });
  return child;
}

let is_ending = false;
let server = launch();
function end(signal) {
  if (is_ending) return;
  is_ending = true;
  if (server) server.kill(signal);
  else process.exit(0);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end('SIGTERM'));

/** The process id of the npm that runs us, or null: killed with SIGKILL it cannot tell us, so it is watched. */
function npm_ancestor() {
  if (process.platform !== 'linux' || !process.env.npm_lifecycle_event) return null;
  let pid = process.ppid;
  for (let step = 0; step < 3 && pid > 1; step += 1) {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('npm')) return pid;
      pid = Number(
        readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')[1],
      );
    } catch {
      return null;
    }
  }
  return null;
}

function is_alive(pid) {
  try {
    return !/^.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

const npm = npm_ancestor();
if (npm !== null) {
  setInterval(() => {
    if (!is_alive(npm)) end('SIGTERM');
  }, 1000).unref();
}
