// What `npm run check` and `npm test` are made of: named steps, each a command with its time; all run, the failed ones are named at the end.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PYTHON, ROOT, run, run_aside, say } from './setup.mjs';

const REPORTS = join(ROOT, '.cache', 'reports');
const ENGINE = join(ROOT, 'engine');

/** Runs steps in order, `[name, () => ok]`; returns the names of those that failed. */
export async function run_steps(steps) {
  const failed = [];
  for (const [name, step] of steps) {
    const started = performance.now();
    say(`▶ ${name}`);
    const ok = await step();
    say(`${ok ? '✓' : '✗'} ${name}  ${((performance.now() - started) / 1000).toFixed(1)} s`);
    if (!ok) failed.push(name);
  }
  return failed;
}

/** Runs several rows of steps beside one another (a check uses both cores); a step's output appears whole when it ends. */
export async function run_lanes(...lanes) {
  const lane = async (steps) => {
    const failed = [];
    for (const [name, step] of steps) {
      const started = performance.now();
      const { ok, output } = await step.aside();
      if (output.trim()) process.stdout.write(`${output.trimEnd()}\n`);
      say(`${ok ? '✓' : '✗'} ${name}  ${((performance.now() - started) / 1000).toFixed(1)} s`);
      if (!ok) failed.push(name);
    }
    return failed;
  };
  return (await Promise.all(lanes.map(lane))).flat();
}

/** A step that runs a program from the root: called, it shows its output; `aside` keeps it. */
export function command(program, args, options) {
  return Object.assign(() => run(program, args, options), { aside: () => run_aside(program, args, options) });
}

const engine_env = { ...process.env, PYTHONPATH: ENGINE, PYTHONDONTWRITEBYTECODE: '' };

/** A step that runs a Python module inside the engine. */
export const python = (...args) => command(PYTHON, args, { cwd: ENGINE, env: engine_env });

function report_file(name) {
  mkdirSync(REPORTS, { recursive: true });
  const file = join(REPORTS, name);
  rmSync(file, { force: true });
  return file;
}

/** pytest over the engine; counts go to the report named after the step. */
export const pytest = (name, ...args) =>
  command(PYTHON, ['-m', 'pytest', `--junitxml=${report_file(`${name}.xml`)}`, ...args], { cwd: ENGINE, env: engine_env });

/** vitest over some projects. */
export const vitest = (name, args, env = {}) =>
  command('npx', ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report_file(`${name}.json`)}`, ...args], {
    env: { ...process.env, ...env },
  });

/** The names of the tests that failed, each with the first lines of what it said; a long output ends with them. */
export function failed_tests(names) {
  const first_lines = (text) => text.split('\n').filter((line) => !line.includes('node_modules')).slice(0, 12).join('\n');
  const found = [];
  for (const name of names) {
    const json = join(REPORTS, `${name}.json`);
    const xml = join(REPORTS, `${name}.xml`);
    if (existsSync(json)) {
      for (const file of JSON.parse(readFileSync(json, 'utf8')).testResults) {
        const bad = file.assertionResults.filter((one) => one.status === 'failed');
        for (const one of bad) found.push(`${file.name} › ${one.fullName}\n${first_lines(one.failureMessages.join('\n'))}`);
        if (file.status === 'failed' && bad.length === 0) found.push(`${file.name}\n${first_lines(file.message)}`);
      }
    } else if (existsSync(xml)) {
      const cases = /<testcase classname="([^"]*)" name="([^"]*)"[^>]*>\s*<(?:failure|error) message="([^"]*)"/g;
      for (const [, file, test, text] of readFileSync(xml, 'utf8').matchAll(cases)) {
        found.push(`${file} › ${test}\n${first_lines(text.replaceAll('&#10;', '\n'))}`);
      }
    }
  }
  return found;
}

/** Adds up what the runners wrote; a runner that wrote nothing counts as one failure. */
export function count_tests(names) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const name of names) {
    const json = join(REPORTS, `${name}.json`);
    const xml = join(REPORTS, `${name}.xml`);
    if (existsSync(json)) {
      const report = JSON.parse(readFileSync(json, 'utf8'));
      total.passed += report.numPassedTests;
      total.failed += report.numFailedTests + report.testResults.filter((one) => one.status === 'failed' && one.assertionResults.length === 0).length;
      total.skipped += report.numPendingTests + report.numTodoTests;
    } else if (existsSync(xml)) {
      const suite = /<testsuite [^>]*>/.exec(readFileSync(xml, 'utf8'))?.[0] ?? '';
      const number = (key) => Number(new RegExp(`\\b${key}="(\\d+)"`).exec(suite)?.[1] ?? 0);
      const bad = number('failures') + number('errors');
      total.failed += bad;
      total.skipped += number('skipped');
      total.passed += number('tests') - bad - number('skipped');
    } else {
      total.failed += 1;
    }
  }
  return total;
}

/** Types, lint, import rules of the TypeScript side. */
export const NODE_STEPS = [
  ['类型', command('npx', ['tsc', '-b'])],
  ['代码规则', command('npx', ['oxlint', '--type-aware', '--quiet'])],
  ['引用规则', command(process.execPath, ['tools/check-imports.mjs'])],
];

/** Generated files in step, style and types of the engine. */
export const ENGINE_STEPS = [
  ['生成文件一致', python('tools/export_contracts.py', '--check')],
  ['Python 代码规则', python('-m', 'ruff', 'check', '.')],
  ['Python 类型', python('-m', 'mypy', 'hengxi')],
];
