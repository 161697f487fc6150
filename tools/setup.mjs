// Makes a fresh machine able to run the product: node packages, Python environment, and for the tests a browser, fonts
// and a PostgreSQL. Plain JavaScript without packages, because it runs before any package is installed.
// Every step is skipped when its stamp under .cache/stamps matches the lock file that decides it.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const STAMPS = join(ROOT, '.cache', 'stamps');
export const VENV = join(ROOT, 'engine', '.venv');
export const PYTHON = join(VENV, 'bin', 'python');

/** Prints one line of progress; Chinese, because a user reads it. */
export function say(text) {
  process.stdout.write(`[衡析] ${text}\n`);
}

/** Ends the process with a message a person can act on. */
function give_up(text) {
  process.stderr.write(`\n[衡析] ${text}\n`);
  process.exit(1);
}

function digest(files, extra = '') {
  const hash = createHash('sha256').update(extra);
  for (const file of files) hash.update(readFileSync(join(ROOT, file)));
  return hash.digest('hex');
}

function is_done(name, value) {
  const file = join(STAMPS, name);
  return existsSync(file) && readFileSync(file, 'utf8') === value;
}

function mark_done(name, value) {
  mkdirSync(STAMPS, { recursive: true });
  writeFileSync(join(STAMPS, name), value);
}

/** Runs a command with its output shown; true when it ended well. */
export function run(command, args, options = {}) {
  const done = spawnSync(command, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'], ...options });
  return done.status === 0;
}

/** The same without waiting, its output kept: `{ok, output}` when it has ended. */
export function run_aside(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], ...options });
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.once('error', () => resolve({ ok: false, output: Buffer.concat(output).toString() }));
    child.once('close', (code) => resolve({ ok: code === 0, output: Buffer.concat(output).toString() }));
  });
}

function read(command, args) {
  const done = spawnSync(command, args, { encoding: 'utf8' });
  return done.status === 0 ? done.stdout.trim() : null;
}

/** Node packages by `npm ci`. */
export function ensure_node() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (!((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22)) {
    give_up(`需要 Node 20.19 以上，现在是 ${process.versions.node}。请安装后重试：https://nodejs.org`);
  }
  const stamp = digest(['package-lock.json', 'package.json'], process.version);
  if (existsSync(join(ROOT, 'node_modules')) && is_done('node', stamp)) return;
  say('安装 Node 软件包（首次约一分钟）…');
  if (!run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']))
    give_up('Node 软件包安装失败，请检查网络后重试。');
  mark_done('node', stamp);
}

function find_python() {
  for (const name of ['python3.11', 'python3', 'python']) {
    const version = read(name, ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])']);
    if (version === '3.11') return name;
  }
  return give_up(
    '找不到 Python 3.11。Debian/Ubuntu：apt-get install python3.11 python3.11-venv；macOS：brew install python@3.11',
  );
}

/** The engine's virtual environment from the lock with hashes; `dev` adds what only the tests need. */
export function ensure_python({ dev }) {
  const lock = dev ? 'engine/requirements-dev.lock' : 'engine/requirements.lock';
  const stamp = digest([lock]);
  // The lock with the test tools contains the other one: an environment made for tests serves the product too.
  if (
    existsSync(PYTHON) &&
    (is_done('python', stamp) || (!dev && is_done('python', digest(['engine/requirements-dev.lock']))))
  )
    return;
  const python = find_python();
  if (!existsSync(PYTHON)) {
    say('建立 Python 环境…');
    if (!run(python, ['-m', 'venv', VENV])) {
      const installed =
        can_install() && install_packages(['python3.11-venv']) && run(python, ['-m', 'venv', '--clear', VENV]);
      if (!installed) give_up('无法建立 Python 环境。Debian/Ubuntu 请先运行：apt-get install python3.11-venv');
    }
  }
  say('安装 Python 软件包（首次约两分钟）…');
  // pip compiles bytecode while installing; without it every start of the engine would be seven seconds longer.
  const args = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--require-hashes',
    '--compile',
    '-r',
    join(ROOT, lock),
  ];
  if (!run(PYTHON, args)) give_up('Python 软件包安装失败，请检查网络后重试。');
  ensure_openmp();
  mark_done('python', stamp);
}

/** LightGBM wants the system's OpenMP; without it that method alone refuses, so setting up goes on. */
function ensure_openmp() {
  const is_there = () => read(PYTHON, ['-c', 'import lightgbm']) !== null;
  if (is_there() || (can_install() && install_packages(['libgomp1']) && is_there())) return;
  say('LightGBM 缺少系统库，其余方法不受影响。Debian/Ubuntu：apt-get install libgomp1；macOS：brew install libomp');
}

function can_install() {
  return process.platform === 'linux' && process.getuid?.() === 0 && read('apt-get', ['--version']) !== null;
}

let is_list_fresh = false;
function install_packages(names) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  if (!is_list_fresh) is_list_fresh = run('apt-get', ['update', '-qq'], { env, stdio: 'ignore' });
  return run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

const BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of a Chromium for the browser tests, installed with Chinese fonts where that is allowed. */
export function ensure_browser() {
  const wanted = process.env.HENGXI_CHROMIUM;
  if (wanted) return existsSync(wanted) ? wanted : give_up(`HENGXI_CHROMIUM 指向的文件不存在：${wanted}`);
  let found = BROWSERS.find((path) => existsSync(path));
  const has_fonts = process.platform !== 'linux' || (read('fc-list', [':lang=zh-cn', 'family']) ?? '') !== '';
  if (found && has_fonts) return found;
  if (!can_install()) {
    return give_up(
      '浏览器测试需要 Chromium 和中文字体。Debian/Ubuntu：apt-get install chromium fonts-noto-cjk；其他系统请安装后用 HENGXI_CHROMIUM 指明路径。',
    );
  }
  say('安装 Chromium 与中文字体…');
  if (!install_packages(['chromium', 'fonts-noto-cjk', 'fontconfig']))
    give_up('Chromium 或中文字体安装失败，请检查网络后重试。');
  found = BROWSERS.find((path) => existsSync(path));
  return found ?? give_up('安装后仍找不到 Chromium。');
}

/** Folder with initdb and pg_ctl, or null with the reason said by the caller. */
export function find_postgres() {
  const base = '/usr/lib/postgresql';
  const versions = existsSync(base)
    ? (readdirSync(base).toSorted?.((a, b) => Number(b) - Number(a)) ?? readdirSync(base))
    : [];
  const debian = versions.map((version) => join(base, version, 'bin')).find((dir) => existsSync(join(dir, 'initdb')));
  if (debian) return debian;
  const onPath = read('sh', ['-c', 'command -v initdb']);
  return onPath ? dirname(onPath) : null;
}

/** Like find_postgres, after installing one where that is allowed. */
export function ensure_postgres() {
  const found = find_postgres();
  if (found || !can_install()) return found;
  say('安装 PostgreSQL（仅测试用）…');
  install_packages(['postgresql']);
  return find_postgres();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  ensure_node();
  ensure_python({ dev: true });
  ensure_browser();
  say('环境已就绪。');
}
