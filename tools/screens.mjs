// `npm run screens`: pictures of every screen from the sample content, 1440×900 and 390×844, light and dark, into screens/.
// An argument narrows it: `npm run screens -- result` takes only the screens whose name contains it.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensure_browser, ensure_node, ensure_python, PYTHON, ROOT, say } from './setup.mjs';
import { ensure_built, program } from './build.mjs';

ensure_node();
ensure_python({ dev: true });
const executablePath = ensure_browser();
await ensure_built();
const { chromium } = await import('playwright-core');

const OUT = join(ROOT, 'screens');
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

/** The product on an empty folder with its sample content; resolves when the content is there. */
async function start() {
  const data = mkdtempSync(join(tmpdir(), 'hengxi-screens-'));
  const server = spawn(process.execPath, [program('main')], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, HENGXI_DATA: data, HENGXI_ENGINE_PYTHON: PYTHON, DATABASE_URL: '', PORT: process.env.PORT ?? '3999' },
  });
  const address = await new Promise((resolve, reject) => {
    server.on('message', (message) => message.ready && resolve(message.address));
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const stop = () =>
    new Promise((resolve) => {
      server.once('exit', () => {
        rmSync(data, { recursive: true, force: true });
        resolve();
      });
      server.kill('SIGTERM');
    });
  return { address, stop };
}

async function content(address) {
  const ask = async (path, token, options = {}) => {
    const reply = await fetch(address + path, {
      ...options,
      headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...(options.body ? { 'content-type': 'application/json' } : {}) },
    });
    return (await reply.json()).data;
  };
  for (let tries = 0; tries < 120; tries += 1) {
    const token = (await ask('/v1/login/demo', null, { method: 'POST' }))?.token;
    const project = token ? (await ask('/v1/analysis/project', token)).list[0] : null;
    const reports = project ? (await ask(`/v1/analysis/projects/${project.id}/report`, token)).list : [];
    if (reports.length >= 2) {
      const shares = [];
      for (const { rid } of reports) {
        const share = await ask(`/v1/analysis/report/share?rid=${rid}&pid=${project.id}`, token, {
          method: 'POST',
          body: JSON.stringify({ days: 7, blocks: null, hide_small: false }),
        });
        shares.push(share.code);
      }
      return { token, project, reports, shares };
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error('the sample content did not appear');
}

/** Every screen: name → address and whether one must be signed in. */
function screens({ project, reports, shares }) {
  const report = ({ rid, vid }) => `/analysis/result/${vid}?project_id=${project.id}&report_id=${rid}`;
  const operation = ({ rid, vid, path }) => `/analysis/operation/${vid}?method=${path}&project_id=${project.id}&report_id=${rid}`;
  const [first, second] = reports;
  return [
    ['home', '/', false],
    ['mydata', '/mydata/index', true],
    ['data-detail', `/mydata/detail/${first.vid}`, true],
    ['processing-index', '/dataprocessing/index', true],
    ['processing-dispose', `/dataprocessing/dispose/${first.vid}?method=data_processing/value_coding`, true],
    ['analysis-index', '/analysis/index', true],
    ['analysis-operation-1', operation(first), true],
    ['analysis-operation-2', operation(second), true],
    ['result-1', report(first), true],
    ['result-2', report(second), true],
    ['share-1', `/s/${shares[0]}`, false],
    ['share-2', `/s/${shares[1]}`, false],
    ['share-ended', '/s/none', false],
    ['help', '/help/', false],
    ['help-method', '/help/independent-t-test/', false],
    ['terms', '/terms', false],
    ['not-found', '/no-such-page', false],
  ];
}

const product = await start();
try {
  const found = await content(product.address);
  const wanted = screens(found).filter(([name]) => name.includes(process.argv[2] ?? ''));
  mkdirSync(OUT, { recursive: true });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  for (const colorScheme of ['light', 'dark']) {
    for (const viewport of SIZES) {
      const signed = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
      await signed.addInitScript((token) => localStorage.setItem('spss_token', token), found.token);
      const visitor = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
      for (const [name, path, isSigned] of wanted) {
        const page = await (isSigned ? signed : visitor).newPage();
        await page.goto(product.address + path, { waitUntil: 'networkidle' });
        await page.screenshot({ path: join(OUT, `${name}-${viewport.width}-${colorScheme}.png`), fullPage: name.startsWith('share') });
        await page.close();
      }
      await signed.close();
      await visitor.close();
    }
  }
  await browser.close();
  say(`${wanted.length * SIZES.length * 2} 张截图在 ${OUT}`);
} finally {
  await product.stop();
}
