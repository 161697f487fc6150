// `npm run dev`: the server restarted on changes, the web with hot reload; both end together.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensure_node, ensure_python, PYTHON, ROOT } from './setup.mjs';

ensure_node();
ensure_python({ dev: true });

const start = (program, args, cwd) =>
  spawn(program, args, { cwd, stdio: 'inherit', env: { ...process.env, HENGXI_ENGINE_PYTHON: process.env.HENGXI_ENGINE_PYTHON ?? PYTHON } });
const children = [
  start(process.execPath, [join(ROOT, 'node_modules/tsx/dist/cli.mjs'), 'watch', '--clear-screen=false', 'server/src/main.ts'], ROOT),
  start('npx', ['vite'], join(ROOT, 'web')),
];
const end = () => children.forEach((child) => child.kill('SIGTERM'));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end);
for (const child of children) child.on('exit', end);
