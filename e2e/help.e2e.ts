import { AxeBuilder } from '@axe-core/playwright';
import { brotliCompressSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADDRESS, launch, picture, watch } from './browser.ts';

const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;
const METHOD = `${ADDRESS}/help/independent-t-test/`;

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => browser.close());

async function look(page: Page, name: string): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport);
      // These pages take their colours when they open; an answer that is shown would be lost by opening them anew.
      await page.evaluate((theme) => (document.documentElement.dataset['theme'] = theme), colorScheme);
      await picture(page, `help-${name}-${size}-${colorScheme}`);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([name, size, over <= 0]).toEqual([name, size, true]);
      // Each colour and each size once: the index has a thousand elements to go through.
      if ((size === 'desktop') !== (colorScheme === 'light')) continue;
      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'])
        .analyze();
      const faults = violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .map((node) => node.html)
            .slice(0, 3)
            .join(' ')}`,
      );
      expect([name, size, colorScheme, faults]).toEqual([name, size, colorScheme, []]);
    }
  await page.setViewportSize(SIZES.desktop);
  await page.evaluate(() => (document.documentElement.dataset['theme'] = 'light'));
}

test('the index and a page read without a script: headings, formulas, links that answer', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 320, height: 800 } });
  const { page } = await watch(context);
  await page.goto(`${ADDRESS}/help/`);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('帮助中心');
  expect(await page.getByRole('search').isVisible()).toBe(false);
  expect(await page.locator('main a[href^="/help/"]').count()).toBeGreaterThan(300);
  await page.goto(METHOD);
  const sections = await page.getByRole('heading', { level: 2 }).allTextContents();
  expect(sections.slice(0, 6)).toEqual(['用途', '数据要求', '操作', '结果解读', '公式', '参考文献']);
  expect(await page.locator('.katex').count()).toBeGreaterThan(2);
  expect(await page.locator('[data-formula]').count()).toBe(0);
  expect(await page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0);
  const links = await page
    .locator('main a[href^="/"]')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  for (const link of new Set(links)) {
    const { status } = await fetch(ADDRESS + String(link), { redirect: 'manual' });
    expect([link, [200, 302].includes(status)]).toEqual([link, true]);
  }
  const anchors = await page
    .locator('main a[href^="#"]')
    .evaluateAll(
      (all) =>
        all.filter((link) => !document.getElementById(decodeURIComponent(link.getAttribute('href')?.slice(1) ?? '')))
          .length,
    );
  expect(anchors).toBe(0);
  await context.close();
});

test('a page is at most 90 kB over the wire, of it 20 kB script, and 60 kB fonts', async () => {
  const context = await browser.newContext({ viewport: SIZES.desktop });
  const { page, troubles } = await watch(context);
  const got: { url: string; kind: string; bytes: number }[] = [];
  page.on('response', (response) => {
    const kind = response.request().resourceType();
    void response.body().then(
      (body) =>
        got.push({ url: response.url(), kind, bytes: kind === 'font' ? body.length : brotliCompressSync(body).length }),
      () => undefined,
    );
  });
  await page.goto(METHOD, { waitUntil: 'networkidle' });
  const sum = (kinds: readonly string[]) =>
    got.filter(({ kind }) => kinds.includes(kind)).reduce((all, { bytes }) => all + bytes, 0);
  expect(sum(['document', 'stylesheet', 'script'])).toBeLessThan(90_000);
  expect(sum(['script'])).toBeLessThan(20_000);
  expect(sum(['font'])).toBeLessThan(60_000);
  expect(got.filter(({ url }) => url.includes('/v1/') || !url.startsWith(ADDRESS))).toEqual([]);
  expect(troubles).toEqual([]);
  const canonical = await page.locator('link[rel=canonical]').getAttribute('href');
  expect(canonical).toBe(METHOD);
  const drawn = await page.locator('meta[property="og:image"]').getAttribute('content');
  const png = await (await fetch(String(drawn))).arrayBuffer();
  expect([Buffer.from(png).subarray(1, 4).toString(), png.byteLength < 60_000]).toEqual(['PNG', true]);
  const data = await page.locator('script[type="application/ld+json"]').allTextContents();
  expect(data.map((text) => (JSON.parse(text) as { '@type': string })['@type'])).toEqual([
    'BreadcrumbList',
    'WebPage',
    'TechArticle',
  ]);
  await look(page, 'method');
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('navigation', { name: '本页目录' }).isVisible()).toBe(false);
  expect((await page.pdf({ format: 'A4' })).subarray(0, 4).toString()).toBe('%PDF');
  await context.close();
});

test('search: by question, initials and slip; by keyboard; offline once it is loaded', async () => {
  const context = await browser.newContext({ viewport: SIZES.desktop });
  const { page, troubles } = await watch(context);
  await page.goto(`${ADDRESS}/help/`);
  await look(page, 'index');
  const field = page.getByRole('searchbox', { name: '搜索帮助' });
  const found = page.locator('[data-help-found] a');
  const asked = {
    两组比较用什么: '独立样本t检验',
    dlyb: '独立样本t检验',
    χ2: '卡方检验',
    独力样本: '独立样本t检验',
  };
  for (const [query, title] of Object.entries(asked)) {
    await field.fill(query);
    await found.filter({ hasText: title }).first().waitFor();
    expect((await found.allTextContents()).slice(0, 3)).toContain(title);
  }
  await field.fill('三组比较');
  await page.getByText(/^找到 \d+ 页$/).waitFor();
  await look(page, 'found');
  await field.fill('一个没有人写过的怪词');
  await page.getByText('没有找到“一个没有人写过的怪词”').waitFor();
  await look(page, 'nothing');
  await context.setOffline(true);
  await field.fill('kfjy');
  await found.filter({ hasText: '卡方检验' }).first().waitFor();
  await context.setOffline(false);
  await field.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/help\/[a-z-]+\/$/);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('button', { name: '有', exact: true }).click();
  await page.getByText('谢谢，已记下。').waitFor();
  expect(troubles).toEqual([]);
  await context.close();
});

test('a page that does not exist is a 404 with the nearest addresses, with and without a script', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: SIZES.desktop });
  const { page } = await watch(context);
  for (const [path, near] of [
    ['/nonsense', '/'],
    ['/help/nonsense/', '/help/'],
    ['/help/independent-ttest/', '/help/independent-t-test/'],
    ['/prices/', '/price/'],
  ] as const) {
    const reply = await page.goto(ADDRESS + path);
    expect([path, reply?.status()]).toEqual([path, 404]);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('没有这个页面');
    expect(await page.locator(`main a[href="${near}"]`).count()).toBeGreaterThan(0);
  }
  await picture(page, 'help-absent');
  await context.close();
});

test('the application leaves for the index and shows a page from within; a film that is missing is said', async () => {
  const context = await browser.newContext({ viewport: SIZES.desktop });
  const { page, troubles } = await watch(context);
  await page.goto(`${ADDRESS}/dochelpempty?method=frequency`);
  await page.getByRole('heading', { name: '这个方法还没有操作视频' }).waitFor();
  await page.getByRole('button', { name: '希望有视频' }).click();
  await page.getByText('谢谢，已记下。').waitFor();
  await page.getByRole('link', { name: '看图文步骤' }).click();
  await page.waitForURL('**/help/frequency/**');
  await page.getByRole('heading', { name: '频数分析', level: 1 }).waitFor();
  expect(troubles).toEqual([]);
  await context.close();
});
