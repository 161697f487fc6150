// What a browser loads before the first page shows: index.html with its scripts, preloads and style sheets, in kB of
// brotli. Run after a build: node bench/first_page.mjs
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const DIST = join(import.meta.dirname, '../web/dist');
const page = readFileSync(join(DIST, 'index.html'), 'utf8');
const files = [...page.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map((found) => found[1]);
let whole = brotliCompressSync(page).length;
for (const file of new Set(files)) {
  const size = brotliCompressSync(readFileSync(join(DIST, file))).length;
  whole += size;
  console.log(`${(size / 1000).toFixed(1).padStart(7)} kB  ${file}`);
}
console.log(`${(whole / 1000).toFixed(1).padStart(7)} kB  in all, with index.html (aim 220)`);
