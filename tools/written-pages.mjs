// Writes the public pages (web/src/written.tsx) into web/dist/site at the build: first their script and styles beside those of
// the application, then the pages themselves, rendered once. The server fills in prices, limits and the operator.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { ROOT } from './setup.mjs';
import { write_pictures } from './share-pictures.mjs';

const WEB = join(ROOT, 'web');
const DIST = join(WEB, 'dist');
const WORK = join(ROOT, '.cache', 'written-pages');
const MANIFEST = '.written.json';
/** Over the wire, with the page itself (site page, section 5). */
const BUDGET = { script: 20_000, all: 90_000, names: 60_000, words: 300_000 };
const METHODS = join(ROOT, 'engine/hengxi/methods');
const DECLARED = join(ROOT, 'contracts/generated/methods');
const KATEX = join(ROOT, 'node_modules/katex');

const wire = (content) => brotliCompressSync(content).length;

const read = (path, otherwise) => (existsSync(path) ? readFileSync(path, 'utf8') : otherwise);

/** Every method as the help centre shows it (server/src/features/help), in the order of the menus. */
function help_pages() {
  const paths = readdirSync(DECLARED, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
  const methods = paths.map((name) => JSON.parse(readFileSync(join(DECLARED, name), 'utf8')));
  const place = ({ order: [family, section, at] }) => family * 1e6 + section * 1e3 + at;
  return methods
    .toSorted((a, b) => place(a) - place(b) || (a.path < b.path ? -1 : 1))
    .map((declaration) => {
      const { slug, path, title, title_en, family, tier, purpose, aliases, version, needs, help } = declaration;
      const folder = join(METHODS, path);
      const { cases = [], sources = [] } = JSON.parse(read(join(folder, 'oracle.json'), '{}'));
      const record = { video_link: help?.video_link ?? null, example_data: help?.example_data ?? null };
      const text = read(join(folder, 'help.md'), '');
      const oracle = { cases: cases.length, sources, list: cases };
      const known = { slug, path, title, title_en, family, tier, purpose, aliases, version, needs: needs ?? '' };
      return { ...known, record, text, declaration, oracle };
    });
}

/** A file under its digest, with its compressed forms; its address and its size over the wire. */
function write_asset(name, value) {
  const content = JSON.stringify(value);
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 10);
  const file = join(DIST, 'assets', `${name}-${digest}.json`);
  writeFileSync(file, content);
  const compressed = brotliCompressSync(content);
  writeFileSync(`${file}.br`, compressed);
  writeFileSync(`${file}.gz`, gzipSync(content));
  return { address: `/assets/${name}-${digest}.json`, bytes: compressed.length };
}

/** Styles and fonts of formulas; the application has its own. */
function copy_katex() {
  const { version } = JSON.parse(readFileSync(join(KATEX, 'package.json'), 'utf8'));
  const folder = join(DIST, 'assets', `katex-${version}`);
  mkdirSync(join(folder, 'fonts'), { recursive: true });
  // Every browser that reads these pages takes woff2.
  const style = readFileSync(join(KATEX, 'dist/katex.min.css'), 'utf8').replace(
    /,url\([^)]*\.(?:woff|ttf)\) format\("[^"]*"\)/g,
    '',
  );
  writeFileSync(join(folder, 'katex.css'), style);
  writeFileSync(join(folder, 'katex.css.br'), brotliCompressSync(style));
  for (const name of readdirSync(join(KATEX, 'dist/fonts')).filter((font) => font.endsWith('.woff2')))
    copyFileSync(join(KATEX, 'dist/fonts', name), join(folder, 'fonts', name));
  return { address: `/assets/katex-${version}/katex.css`, bytes: wire(style) };
}

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
  const { contents, pictured, searchFiles, writePages } = await import(pathToFileURL(join(WORK, 'written.js')).href);
  const help = help_pages();
  const search = searchFiles(help);
  const [names, words] = [write_asset('help-index', search.index), write_asset('help-words', search.words)];
  if (names.bytes > BUDGET.names) throw new Error(`the index of the help search has ${names.bytes} bytes`);
  if (words.bytes > BUDGET.words) throw new Error(`the words of the help pages have ${words.bytes} bytes`);
  const formulas = copy_katex();
  const assets = { script: `/${script}`, style: `/${style}`, formulas: formulas.address };
  const found = { index: names.address, words: words.address };
  const drawn = pictured(found, help).map(({ file, ...words }) => ({ name: file, ...words }));
  const pictures = await write_pictures(join(DIST, 'og'), drawn);
  const pages = writePages({ ...assets, ...found, pictures }, help);
  rmSync(join(DIST, 'site'), { recursive: true, force: true });
  mkdirSync(join(DIST, 'site'), { recursive: true });
  const weights = { script: wire(readFileSync(join(DIST, script))), style: wire(readFileSync(join(DIST, style))) };
  if (weights.script > BUDGET.script) throw new Error(`the script of the written pages has ${weights.script} bytes`);
  for (const [name, html] of Object.entries(pages)) {
    const all = weights.script + weights.style + wire(html) + (html.includes(formulas.address) ? formulas.bytes : 0);
    if (all > BUDGET.all) throw new Error(`${name} has ${all} bytes with its script and styles`);
    writeFileSync(join(DIST, 'site', name), html);
  }
  writeFileSync(join(DIST, 'site', 'contents.json'), JSON.stringify(contents(found, help)));
}

await write_pages();
