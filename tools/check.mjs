// `npm run check`: types, lint, imports, generated files in step, fast tests; under two minutes on two cores.
import { ensure_node, ensure_python } from './setup.mjs';
import { count_tests, ENGINE_STEPS, NODE_STEPS, pytest, run_lanes, vitest } from './steps.mjs';

ensure_node();
ensure_python({ dev: true });
// The engine's lane is the shorter one; it takes the rules of the TypeScript side along.
const [types, ...rules] = NODE_STEPS;
const failed = await run_lanes(
  [types, ['合同、网页与服务器快速测试', vitest('node-fast', [], { HENGXI_FAST: '1', TEST_DATABASE_URL: '' })]],
  [...ENGINE_STEPS, ...rules, ['引擎快速测试', pytest('engine-fast', '-m', 'not slow')]],
);
const { passed, failed: bad, skipped } = count_tests(['engine-fast', 'node-fast']);
if (failed.length > 0) console.error(`\n未通过：${failed.join('、')}`);
console.log(`\n${passed} passed, ${bad} failed, ${skipped} skipped`);
process.exit(failed.length > 0 || bad > 0 ? 1 : 0);
