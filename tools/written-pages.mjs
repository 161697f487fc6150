// Writes the public pages (web/src/written.tsx) into web/dist/site at the build: first their script and styles beside those of
// the application, then the pages themselves, rendered once. The server fills in prices, limits and the operator.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { ROOT } from './setup.mjs';

const WEB = join(ROOT, 'web');
const DIST = join(WEB, 'dist');
const WORK = join(ROOT, '.cache', 'written-pages');
const MANIFEST = '.written.json';
/** Over the wire, with the page itself (site page, section 5). */
const BUDGET = { script: 20_000, all: 90_000 };

const wire = (content) => brotliCompressSync(content).length;

async function write_pages() {
  const { build } = await import('vite');
  const shared = { root: WEB, configFile: join(WEB, 'vite.config.ts'), logLevel: 'warn' };
  await build({
    ...shared,
    build: {
      outDir: DIST,
      emptyOutDir: false,
      copyPublicDir: false,
      manifest: MANIFEST,
      rolldownOptions: { input: join(WEB, 'src/written-script.ts') },
    },
  });
  const manifest = JSON.parse(readFileSync(join(DIST, MANIFEST), 'utf8'));
  rmSync(join(DIST, MANIFEST));
  const script = manifest['src/written-script.ts'].file;
  await build({
    ...shared,
    build: {
      outDir: WORK,
      emptyOutDir: true,
      copyPublicDir: false,
      ssr: join(WEB, 'src/written.tsx'),
      ssrEmitAssets: true,
      cssMinify: true,
    },
  });
  const styles = readdirSync(join(WORK, 'assets')).filter((name) => /^written-.*\.css/.test(name));
  for (const name of styles) copyFileSync(join(WORK, 'assets', name), join(DIST, 'assets', name));
  const style = `assets/${styles.find((name) => name.endsWith('.css'))}`;
  const { writePages } = await import(pathToFileURL(join(WORK, 'written.js')).href);
  const pages = writePages({ script: `/${script}`, style: `/${style}` });
  rmSync(join(DIST, 'site'), { recursive: true, force: true });
  mkdirSync(join(DIST, 'site'), { recursive: true });
  const weights = { script: wire(readFileSync(join(DIST, script))), style: wire(readFileSync(join(DIST, style))) };
  if (weights.script > BUDGET.script) throw new Error(`the script of the written pages has ${weights.script} bytes`);
  for (const [name, html] of Object.entries(pages)) {
    const all = weights.script + weights.style + wire(html);
    if (all > BUDGET.all) throw new Error(`${name} has ${all} bytes with its script and styles`);
    writeFileSync(join(DIST, 'site', name), html);
  }
}

await write_pages();
