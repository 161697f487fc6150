// `npm test`: sets up what is missing, then everything: static checks, engine, contracts, web and server (the server on the
// embedded database and again on PostgreSQL), and the browser journeys on the real product.
import { availableParallelism } from 'node:os';
import { ensure_browser, ensure_node, ensure_postgres, ensure_python, say } from './setup.mjs';
import { start_cluster } from './postgres.mjs';
import { count_tests, ENGINE_STEPS, failed_tests, NODE_STEPS, pytest, run_steps, vitest } from './steps.mjs';
import { build_server, build_web } from './build.mjs';

ensure_node();
ensure_python({ dev: true });
const chromium = ensure_browser();

/** The server's tests on PostgreSQL: the one named in TEST_DATABASE_URL, else a temporary cluster, else skipped with the reason. */
async function on_postgres() {
  const given = process.env.TEST_DATABASE_URL;
  const bin = given ? null : ensure_postgres();
  if (!given && !bin) {
    say('跳过 PostgreSQL 测试：本机没有 PostgreSQL，也不能安装。可用 TEST_DATABASE_URL 指定一个。');
    return true;
  }
  const cluster = given ? null : await start_cluster(bin);
  try {
    reports.push('server-postgres');
    return vitest('server-postgres', ['--project', 'server'], { TEST_DATABASE_URL: given ?? cluster.url })();
  } finally {
    cluster?.stop();
  }
}

/** A worker a core, all from one queue, the longest first (engine/conftest.py). */
const workers = String(Math.max(2, Math.min(4, availableParallelism())));
const engine_tests = pytest('engine', '-n', workers, '--dist', 'loadgroup', '--no-loadscope-reorder');

const reports = ['engine', 'node', 'e2e'];
const failed = await run_steps([
  ...NODE_STEPS,
  ...ENGINE_STEPS,
  ['构建网页', build_web],
  ['构建服务器', build_server],
  ['引擎测试', engine_tests],
  ['合同、网页与服务器测试（嵌入式数据库）', vitest('node', ['--project', 'tools', '--project', 'contracts', '--project', 'web', '--project', 'server'], { TEST_DATABASE_URL: '' })],
  ['服务器测试（PostgreSQL）', on_postgres],
  ['浏览器流程', vitest('e2e', ['--config', 'e2e/vitest.config.ts'], { HENGXI_CHROMIUM: chromium })],
]);
const { passed, failed: bad, skipped } = count_tests(reports);
if (failed.length > 0) console.error(`\n未通过：${failed.join('、')}`);
for (const test of failed_tests(reports)) console.error(`\n✗ ${test}`);
console.log(`\n${passed} passed, ${bad} failed, ${skipped} skipped`);
process.exit(failed.length > 0 || bad > 0 ? 1 : 0);
