import { AxeBuilder } from '@axe-core/playwright';
import type { Result } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { build, preview, type PreviewServer } from 'vite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch, watch } from './browser.ts';

/** The gallery is no page of the product: it is built and served here alone. */
const WEB = join(import.meta.dirname, '../web');
let folder: string;
let server: PreviewServer;
let browser: Browser;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hengxi-gallery-'));
  const common = { root: WEB, configFile: false, logLevel: 'error' } as const;
  await build({
    ...common,
    build: { outDir: folder, target: 'es2022', rolldownOptions: { input: join(WEB, 'gallery.html') } },
  });
  server = await preview({ ...common, build: { outDir: folder }, preview: { port: 0, host: '127.0.0.1' } });
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const inWords = (violations: Result[]): string[] =>
  violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`);

/** A fresh page in one colour scheme: switching a page that stands would measure colours halfway through their transitions. */
const open = async (page: Page, colorScheme: 'light' | 'dark'): Promise<void> => {
  await page.emulateMedia({ colorScheme });
  await page.goto(`${server.resolvedUrls?.local[0] ?? ''}gallery.html`);
  await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
  await page.getByRole('heading', { name: '部件陈列' }).waitFor({ timeout: 30_000 });
  await page.getByRole('heading', { name: 'model', exact: true }).waitFor();
  for (const fold of await page.getByRole('button', { name: /^明细/ }).all()) await fold.click();
};

for (const width of [1440, 390]) {
  test(`every field type and element in every state is accessible at ${width} px, light and dark`, async () => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: 'light' });
    const { page, troubles } = await watch(context);
    await page.route('**/v1/**', (route) =>
      route.fulfill({ json: { status_code: 200, data: { list: [], total: 0 } } }),
    );
    await open(page, 'light');
    // The same control stands here once for each state, which no page of the product does.
    const light = await new AxeBuilder({ page }).disableRules(['landmark-unique']).analyze();
    expect(inWords(light.violations)).toEqual([]);
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(wider).toBeLessThanOrEqual(0);
    await open(page, 'dark');
    const dark = await new AxeBuilder({ page }).withRules(['color-contrast']).analyze();
    expect(inWords(dark.violations)).toEqual([]);
    expect(troubles).toEqual([]);
    await context.close();
  }, 300_000);
}
