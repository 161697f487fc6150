// `npm run check`: types, lint, imports, generated files in step, fast tests; under two minutes on two cores.
// `npm run check -- hypothesis_test/variance`: one method alone, with everything it owes, slow tests too.
import { ensure_node, ensure_python } from './setup.mjs';
import { count_tests, ENGINE_STEPS, NODE_STEPS, pytest, python, run_lanes, run_steps, vitest } from './steps.mjs';

ensure_node();
ensure_python({ dev: true });
const path = process.argv[2]?.replace(/^engine\/hengxi\/methods\//, '').replace(/\/$/, '');

/** All checks of one method: rules of its folder, its own tests, what every method owes, its oracle where its program is there. */
async function check_method() {
  const folder = `hengxi/methods/${path}`;
  return run_steps([
    ['生成文件一致', python('tools/export_contracts.py', '--check')],
    ['Python 代码规则', python('-m', 'ruff', 'check', folder)],
    ['Python 类型', python('-m', 'mypy', 'hengxi')],
    ['方法的测试', pytest('method', folder, 'tests/test_every_method.py', '-k', path.split('/').at(-1))],
    ['参照数重算', python('tools/run_oracles.py', path)],
  ]);
}

async function check_all() {
  // The engine's lane is the shorter one; it takes the rules of the TypeScript side along.
  const [types, ...rules] = NODE_STEPS;
  return run_lanes(
    [types, ['合同、网页与服务器快速测试', vitest('node-fast', [], { HENGXI_FAST: '1', TEST_DATABASE_URL: '' })]],
    [...ENGINE_STEPS, ...rules, ['引擎快速测试', pytest('engine-fast', '-m', 'not slow')]],
  );
}

const failed = path ? await check_method() : await check_all();
const { passed, failed: bad, skipped } = count_tests(path ? ['method'] : ['engine-fast', 'node-fast']);
if (failed.length > 0) console.error(`\n未通过：${failed.join('、')}`);
console.log(`\n${passed} passed, ${bad} failed, ${skipped} skipped`);
process.exit(failed.length > 0 || bad > 0 ? 1 : 0);
