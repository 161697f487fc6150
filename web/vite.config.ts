import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** First page over the wire (stack page, rule 5): the entry, what it imports statically, and its styles. */
const FIRST_PAGE_KB = 220;

/** Fails the build when the first page has grown past its budget: found here, not by a visitor on a poor phone. */
function sizeBudget(): Plugin {
  return {
    name: 'size-budget',
    apply: 'build',
    generateBundle(_options, bundle) {
      const entry = Object.values(bundle).find((part) => part.type === 'chunk' && part.isEntry);
      if (entry?.type !== 'chunk') return;
      const first = new Set<string>([entry.fileName]);
      for (const name of first) {
        const part = bundle[name];
        if (part?.type !== 'chunk') continue;
        for (const next of part.imports) first.add(next);
        for (const style of part.viteMetadata?.importedCss ?? []) first.add(style);
      }
      let bytes = 0;
      for (const name of first) {
        const part = bundle[name];
        const source = part?.type === 'chunk' ? part.code : (part?.source ?? '');
        bytes += brotliCompressSync(source, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).length;
      }
      const kb = bytes / 1000;
      this.info(`first page: ${kb.toFixed(0)} kB brotli of ${FIRST_PAGE_KB}`);
      if (kb > FIRST_PAGE_KB) this.error(`first page is ${kb.toFixed(0)} kB brotli, budget ${FIRST_PAGE_KB} kB`);
    },
  };
}

const TEXT = /\.(?:js|css|html|svg)$/u;
const SMALL = 1000;

/** Puts every text of the page beside itself compressed once, at the build: the server sends what the browser takes. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle({ dir }, bundle) {
      for (const [name, part] of Object.entries(bundle)) {
        const source = Buffer.from(part.type === 'chunk' ? part.code : part.source);
        if (dir === undefined || !TEXT.test(name) || source.length < SMALL) continue;
        const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
        writeFileSync(join(dir, `${name}.br`), brotliCompressSync(source, brotli));
        writeFileSync(join(dir, `${name}.gz`), gzipSync(source));
      }
    },
  };
}

const api = `http://${process.env['HOST'] ?? '127.0.0.1'}:${process.env['PORT'] ?? '3000'}`;
const served = ['/v1', '/algorithm', '/api', '/data/', '/sandbox', '/health', '/openapi.json'];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), sizeBudget(), compressed()],
  server: {
    port: Number(process.env['WEB_PORT'] ?? 5173),
    strictPort: true,
    proxy: Object.fromEntries(served.map((path) => [path, { target: api, changeOrigin: false }])),
  },
  build: {
    outDir: 'dist',
    target: 'es2022',
    sourcemap: false,
    chunkSizeWarningLimit: 900,
    // The CSP has no data: for scripts and fonts; small files stay files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Just above the budget for one lazy file together; loaded side by side they are not.
            { name: 'zrender', test: /node_modules[\\/]zrender[\\/]/ },
            {
              name: 'react',
              test: /node_modules[\\/](react|react-dom|react-router|scheduler|zustand|@tanstack[\\/](react-query|query-core))[\\/]/,
            },
          ],
        },
      },
    },
  },
});
