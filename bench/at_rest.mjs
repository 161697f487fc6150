// What the product costs while nobody uses it: seconds of a second start, memory of the server and of all engine
// processes, size of /openapi.json. Starts `tools/start.mjs` twice on a data folder of its own (the first start makes
// database and samples) and ends it again. Linux only. From the root:
//
//     node bench/at_rest.mjs [seconds at rest, 60]
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const REST_S = Number(process.argv[2] ?? 60);
const MIB = 1024;

const port = await new Promise((resolve) => {
  const probe = createServer().listen(0, () => {
    const { port } = probe.address();
    probe.close(() => resolve(port));
  });
});
const address = `http://127.0.0.1:${port}`;
const folder = mkdtempSync(join(tmpdir(), 'hengxi-rest-'));

/** Starts the product; its launcher and the seconds until it said that it is ready. */
function start() {
  const begun = performance.now();
  const launcher = spawn(process.execPath, ['tools/start.mjs'], {
    env: { ...process.env, PORT: String(port), HENGXI_DATA: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    launcher.once('exit', (code) => reject(new Error(`the product ended with ${code}`)));
    launcher.stdout.on('data', (text) => {
      if (String(text).includes('衡析已就绪')) resolve({ launcher, seconds: (performance.now() - begun) / 1000 });
    });
  });
}

function stop(launcher) {
  return new Promise((resolve) => {
    launcher.removeAllListeners('exit');
    launcher.once('exit', resolve);
    launcher.kill('SIGTERM');
  });
}

/** All processes below one: id, command line, resident and proportional MiB. */
function below(pid) {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parent_of(name)]);
  const children = parents.filter(([, parent]) => parent === pid).map(([child]) => child);
  return children.flatMap((child) => [memory_of(child), ...below(child)]);
}

function parent_of(pid) {
  try {
    return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
  } catch {
    return 0;
  }
}

function memory_of(pid) {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const mib = (name) => Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(rollup)[1]) / MIB;
  return {
    pid,
    command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '),
    rss: mib('Rss'),
    pss: mib('Pss'),
  };
}

const total = (processes, what) => processes.reduce((sum, process) => sum + process[what], 0).toFixed(0);

try {
  const first = await start();
  let isReady = false;
  while (!isReady) {
    await pause(500);
    const answer = await fetch(`${address}/health/ready`).then((response) => response.json());
    isReady = answer.ok && answer.sample === 'ok';
  }
  await stop(first.launcher);

  const second = await start();
  console.log(`second start ${second.seconds.toFixed(1)} s`);
  await pause(REST_S * 1000);
  const processes = below(second.launcher.pid);
  const isEngine = (process) => /hengxi|multiprocessing/.test(process.command) && /python/.test(process.command);
  const server = processes.filter((process) => !isEngine(process));
  const engine = processes.filter(isEngine);
  console.log(`after ${REST_S} s: ${server.length} processes of the server ${total(server, 'rss')} MiB resident`);
  console.log(`${engine.length} of the engine ${total(engine, 'pss')} MiB (shared pages counted once)`);
  if (process.env.DETAILS)
    for (const one of processes) console.log(one.rss.toFixed(0), one.pss.toFixed(0), one.command.slice(0, 90));
  const openapi = await fetch(`${address}/openapi.json`).then((response) => response.text());
  console.log(
    `/openapi.json ${(openapi.length / 1000).toFixed(0)} kB, ${Object.keys(JSON.parse(openapi).paths).length} paths`,
  );
  await stop(second.launcher);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
