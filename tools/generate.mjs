// `npm run generate`: writes contracts/generated from the engine's methods; `--check` fails when that would change anything.
import { join } from 'node:path';
import { ensure_python, PYTHON, ROOT, run } from './setup.mjs';

ensure_python({ dev: false });
const args = [join(ROOT, 'engine/tools/export_contracts.py'), ...process.argv.slice(2)];
process.exit(run(PYTHON, args, { cwd: join(ROOT, 'engine'), env: { ...process.env, PYTHONPATH: join(ROOT, 'engine') } }) ? 0 : 1);
