import { AxeBuilder } from '@axe-core/playwright';
import type { Result } from 'axe-core';
import type { Browser } from 'playwright-core';
import { createServer, type ViteDevServer } from 'vite';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch, watch } from './browser.ts';

/** The gallery is no page of the product: it is served as developers see it. */
let server: ViteDevServer;
let browser: Browser;
let address: string;
beforeAll(async () => {
  const web = join(import.meta.dirname, '../web');
  server = await createServer({
    root: web,
    configFile: join(web, 'vite.config.ts'),
    cacheDir: join(import.meta.dirname, '../.cache/vite-gallery'),
    server: { port: 0, strictPort: false, hmr: false },
    logLevel: 'error',
  });
  await server.listen();
  address = `${server.resolvedUrls?.local[0] ?? ''}gallery.html`;
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

const inWords = (violations: Result[]): string[] =>
  violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`);

for (const width of [1440, 390]) {
  test(`every field type and element in every state is accessible at ${width} px, light and dark`, async () => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: 'light' });
    const { page, troubles } = await watch(context);
    await page.route('**/v1/**', (route) => route.fulfill({ json: { status_code: 200, data: { list: [], total: 0 } } }));
    await page.goto(address);
    await page.getByRole('heading', { name: '部件陈列' }).waitFor({ timeout: 60_000 });
    await page.getByRole('heading', { name: 'model', exact: true }).waitFor();
    for (const fold of await page.getByRole('button', { name: /^明细/ }).all()) await fold.click();
    // The same control stands here once for each state, which no page of the product does.
    const light = await new AxeBuilder({ page }).disableRules(['landmark-unique']).analyze();
    expect(inWords(light.violations)).toEqual([]);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(wider).toBeLessThanOrEqual(0);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html[data-theme=dark]').waitFor();
    const dark = await new AxeBuilder({ page }).withRules(['color-contrast']).analyze();
    expect(inWords(dark.violations)).toEqual([]);
    expect(troubles).toEqual([]);
    await context.close();
  });
}
