import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { ADDRESS, codeFor, drag, file, launch, newPhone, picture, watch } from './browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => browser.close());

/** A stranger's whole way: sign in, upload, analyse, read, share; the visitor reads on a phone. */
test('from the first visit to a report that somebody else reads', async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  const { page, troubles } = await watch(context);
  // The puzzle itself is tested on the server; here any slide counts.
  await page.route('**/v1/captcha/slider*', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    return route.fulfill({ json: { status_code: 1, data: { ticket: 'sandbox', rand: 'x' } } });
  });

  await page.goto(ADDRESS);
  await page.getByRole('button', { name: '登录' }).first().click();
  // WeChat comes first; the phone is one of the other ways.
  await page.getByRole('dialog', { name: '微信登录' }).getByRole('button', { name: '手机号' }).click();
  const phone = newPhone();
  await page.getByRole('textbox', { name: '手机号' }).fill(phone);
  await page.getByRole('button', { name: '发送验证码' }).click();
  await page.getByRole('slider').focus();
  for (let step = 0; step < 12; step += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /重新发送/ }).waitFor();
  await page.getByLabel('验证码', { exact: false }).fill(await codeFor(phone));
  await page.getByRole('dialog').getByRole('button', { name: '登录', exact: true }).click();

  await page.waitForURL('**/analysis/index');
  await page.getByRole('link', { name: '我的数据' }).click();
  await page.getByText('还没有数据').waitFor();
  await picture(page, 'main-1-empty');
  await page.getByLabel('选择数据文件').first().setInputFiles(file('运动与睡眠.csv'));
  await page.getByText('GB18030').waitFor();
  await page.getByText('每周运动时长').first().waitFor();
  await picture(page, 'main-2-preview');
  await page.getByRole('button', { name: /^导入/ }).click();

  await page.waitForURL('**/mydata/**');
  await picture(page, 'main-3-data');
  await page
    .getByRole('button', { name: '开始分析' })
    .or(page.getByRole('link', { name: '开始分析' }))
    .first()
    .click();
  await page.waitForURL('**/analysis/**');
  await page.getByRole('region', { name: '选择方法' }).waitFor();
  await picture(page, 'main-4-methods');

  // 比较两组差异 is a question, not a name: the search must understand it.
  await page.keyboard.press('/');
  await page.keyboard.type('比较两组');
  await page
    .getByRole('option', { name: /独立样本\s?t\s?检验/i })
    .or(page.getByRole('button', { name: /独立样本\s?t\s?检验/i }))
    .first()
    .click();
  await picture(page, 'main-5-card');
  await page
    .getByRole('button', { name: /开始$/ })
    .or(page.getByRole('link', { name: /开始$/ }))
    .first()
    .click();
  await page.waitForURL('**/analysis/operation/**');

  const variable = (name: string) => page.getByRole('tree', { name: '变量' }).getByText(name, { exact: true });
  const box = (name: RegExp) => page.getByRole('group', { name });
  await drag(page, variable('性别'), box(/^分组变量/));
  await drag(page, variable('每周运动时长'), box(/^检验变量/));
  await picture(page, 'main-6-dropped');
  const results = page.getByRole('region', { name: '结果' }).last();
  await results.getByText('95% CI').first().waitFor();
  await picture(page, 'main-7-result');
  await page
    .getByRole('link', { name: '打开报告' })
    .or(page.getByRole('button', { name: '打开报告' }))
    .first()
    .click();
  await page.waitForURL('**/analysis/result/**');
  await page.getByText('方法说明与引用').first().waitFor();
  await picture(page, 'main-8-report');

  await page.getByRole('button', { name: '分享' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('7 天').waitFor();
  await picture(page, 'main-9-share');
  await dialog.getByRole('button', { name: '创建链接' }).click();
  const link = await dialog.getByLabel('分享链接').inputValue();
  await picture(page, 'main-10-shared');
  expect(troubles).toEqual([]);
  await context.close();

  const phone390 = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const visitor = await watch(phone390);
  await visitor.page.goto(link);
  await visitor.page.getByText('每周运动时长').first().waitFor();
  await picture(visitor.page, 'main-11-visitor');
  expect(await visitor.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(visitor.troubles).toEqual([]);
  await phone390.close();
});
