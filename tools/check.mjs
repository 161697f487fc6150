// `npm run check`: types, lint, imports, generated files in step, fast tests; under two minutes.
import { ensure_node, ensure_python } from './setup.mjs';
import { build_web } from './web-build.mjs';
import { count_tests, pytest, run_steps, STATIC_STEPS, vitest } from './steps.mjs';

ensure_node();
ensure_python({ dev: true });
const failed = await run_steps([
  ...STATIC_STEPS,
  ['构建网页', build_web],
  ['引擎快速测试', pytest('engine-fast', '-m', 'not slow')],
  ['合同、网页与服务器测试', vitest('node-fast', ['--project', 'contracts', '--project', 'web', '--project', 'server'], { HENGXI_FAST: '1' })],
]);
const { passed, failed: bad, skipped } = count_tests(['engine-fast', 'node-fast']);
if (failed.length > 0) console.error(`\n未通过：${failed.join('、')}`);
console.log(`\n${passed} passed, ${bad} failed, ${skipped} skipped`);
process.exit(failed.length > 0 || bad > 0 ? 1 : 0);
