// `npm run new:method GROUP/KEY`: a method folder with failing tests, to be filled in (ARCHITECTURE.md, first tour).
import { join } from 'node:path';
import { ensure_python, PYTHON, ROOT, run } from './setup.mjs';

ensure_python({ dev: true });
const args = [join(ROOT, 'engine/tools/new_method.py'), ...process.argv.slice(2)];
process.exit(run(PYTHON, args, { cwd: join(ROOT, 'engine'), env: { ...process.env, PYTHONPATH: join(ROOT, 'engine') } }) ? 0 : 1);
