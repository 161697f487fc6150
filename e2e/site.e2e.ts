import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADDRESS, call, launch, picture, watch } from './browser.ts';

const PAGES = [
  ['/introduction/', '从一张表到一份报告'],
  ['/price/', '先免费用，不够再升级'],
  ['/promo/', '优惠活动'],
  ['/solution/industry/', '把业务问题，变成说得清的数字'],
  ['/solution/edu/', '把统计课，用在自己的数据上'],
  ['/client/', '装在电脑上，或装在自己的服务器上'],
  ['/business-cooperation/', '说说你要解决的问题'],
  ['/about/', '关于衡析'],
  ['/plagdet/', '文本查重'],
] as const;

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => browser.close());

async function faults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'])
    .analyze();
  return violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html).join(' ')}`);
}

test('every page reads without a script, its links answer, nobody is asked who they are', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  const { page } = await watch(context);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const links = new Set<string>();
  for (const [path, heading] of PAGES) {
    await page.goto(ADDRESS + path);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(heading);
    expect(await page.getByRole('contentinfo').isVisible()).toBe(true);
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(ADDRESS + path);
    const wide = await page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth);
    expect(wide, path).toBe(0);
    for (const link of await page.locator('a[href^="/"]').all()) links.add(String(await link.getAttribute('href')));
  }
  expect(asked.filter((path) => /^\/(?:v1|algorithm)\//.test(path))).toEqual([]);
  const { envelope } = await call(null, 'GET', '/v1/user/subscriptions?page=0&page_size=99');
  await page.goto(`${ADDRESS}/price/`);
  for (const { title, price } of envelope.data.list as { title: string; price: number }[])
    expect(await page.getByRole('listitem').filter({ hasText: title }).first().textContent()).toContain(
      (price / 100).toFixed(2),
    );
  for (const link of links) {
    const reply = await fetch(ADDRESS + link, { redirect: 'manual' });
    expect([200, 302], link).toContain(reply.status);
  }
  const methods = [...links].flatMap((link) => /^\/help\/([^/]+)\/$/.exec(link)?.[1] ?? []);
  expect(methods.length).toBeGreaterThan(10);
  for (const slug of methods) expect((await call(null, 'GET', `/v1/help/${slug}`)).status, slug).toBe(200);
  await context.close();
});

test('menus by keyboard, the sheet of phones, and the way back from the application', async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  const { page, troubles } = await watch(context);
  for (const [path] of PAGES) {
    await page.goto(ADDRESS + path);
    expect(await faults(page), path).toEqual([]);
  }
  const more = page.locator('summary', { hasText: '更多服务' });
  await more.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  expect(await more.evaluate((summary) => document.activeElement === summary)).toBe(true);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: '价格' }).first().click();
  await page.getByRole('heading', { name: '先免费用，不够再升级' }).waitFor();
  await page.getByRole('link', { name: '登录 / 注册' }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  // From the application to a page that is not drawn by it.
  await page.locator('header summary', { hasText: '更多服务' }).click();
  await page
    .getByRole('navigation', { name: '网站' })
    .getByRole('link', { name: /客户端/ })
    .click();
  await page.getByRole('heading', { name: '装在电脑上，或装在自己的服务器上' }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: '关闭提示' }).click();
  await page.reload();
  expect(await page.getByRole('button', { name: '关闭提示' }).isVisible()).toBe(false);
  await page.locator('summary', { hasText: '菜单' }).click();
  await picture(page, 'site-1-sheet');
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  expect(await page.locator('header').getByRole('link', { name: '商务合作' }).isVisible()).toBe(false);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.reload();
  expect(await faults(page)).toEqual([]);
  expect(troubles).toEqual([]);
  await context.close();
});

test('the form: each fault at its field, then the puzzle, then a number; a failure loses nothing', async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const { page, troubles } = await watch(context);
  await page.goto(`${ADDRESS}/business-cooperation/?topic=school&utm_source=${'x'.repeat(10_240)}`);
  await page.getByRole('button', { name: '提交' }).click();
  await page.getByText('请填写称呼').waitFor();
  expect(await page.getByLabel('称呼').evaluate((input) => document.activeElement === input)).toBe(true);
  expect(await faults(page)).toEqual([]);
  expect(await page.getByLabel('方向').inputValue()).toBe('school');
  await page.getByLabel('称呼').fill('<b>王</b>');
  await page.getByLabel('手机').fill('13800138000');
  await page.getByLabel('说明').fill('想给统计课的两百名学生使用。<script>alert(1)</script>');
  await page.getByRole('checkbox').check();
  // The server is down, then it is there again.
  await page.route('**/v1/cooperation', (route) => route.abort(), { times: 1 });
  await page.route('**/v1/captcha/slider', async (route) => {
    if (route.request().method() === 'GET') await route.continue();
    else await route.fulfill({ json: { status_code: 1, data: { ticket: 'sandbox', rand: '' } } });
  });
  const solve = async () => {
    await page.getByRole('button', { name: '提交' }).click();
    const slider = page.getByRole('slider', { name: '拼图位置' });
    await slider.waitFor();
    await picture(page, 'site-2-puzzle');
    expect(await faults(page)).toEqual([]);
    await slider.press('ArrowRight');
    await slider.press('Enter');
  };
  await solve();
  await page.getByText(/没有提交成功。内容还在/).waitFor();
  expect(await page.getByLabel('称呼').inputValue()).toBe('<b>王</b>');
  await solve();
  await page.getByText(/已收到，编号 C\d{6}-\w{4}/).waitFor();
  await picture(page, 'site-3-taken');
  expect(troubles.filter((trouble) => !trouble.includes('net::ERR_FAILED'))).toEqual([]);
  await context.close();
});
