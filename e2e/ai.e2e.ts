import { AxeBuilder } from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADDRESS, call, launch, newPerson, picture, signedIn, watch } from './browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => browser.close());

const POINTS_PACKAGE = 51;

test('points are bought, a reading is begun by keyboard, costs one point and is there again', async () => {
  const token = await newPerson();
  const begun = await call(token, 'POST', '/v1/user/file/example', { path: 'hypothesis_test/independent_t_test' });
  let vid = begun.envelope.data.vid as number | undefined;
  for (let tries = 0; tries < 300 && vid === undefined; tries += 1) {
    const { envelope } = await call(token, 'GET', `/v1/runs/${String(begun.envelope.data.run_id)}`);
    if (envelope.data.state === 'done') ({ vid } = envelope.data.result as { vid: number });
    else await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const version = await call(token, 'GET', `/v1/user/file/versions/${vid}`);
  const columns = version.envelope.data.columns as { id: string; name: string }[];
  const id = (name: string) => columns.find((column) => column.name === name)?.id;
  const form = { group: id('补充方式'), variables: [id('牙长')] };
  const done = await call(token, 'POST', `/algorithm/hypothesis_test/independent_t_test?vid=${vid}`, form);
  const { project_id: pid, report_id: rid } = done.envelope.data as { project_id: number; report_id: number };

  const context = await signedIn(browser, token);
  const { page, troubles } = await watch(context);
  const address = `${ADDRESS}/analysis/result/${vid}?project_id=${pid}&report_id=${rid}`;
  const card = page.getByRole('region', { name: 'AI 解读' });
  const order = await call(token, 'POST', '/v1/user/orders', { subscription_id: POINTS_PACKAGE, quantity: 1, qr: 2 });
  const { order_no: no } = order.envelope.data.order as { order_no: string };
  await call(null, 'POST', `/sandbox/cashier/${no}`, { act: 'pay' });
  const { envelope } = await call(token, 'GET', '/v1/user/point');
  const had = envelope.data.user_ai_point as number;
  expect(had).toBeGreaterThanOrEqual(20);
  const again = card.getByRole('button', { name: `重新解读（1 点，余 ${had - 1} 点）` });
  await page.goto(address);
  await card.getByRole('button', { name: `开始 AI 解读（1 点，余 ${had} 点）` }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: '开始 AI 解读' });
  const sends = dialog.locator('pre');
  await dialog.getByText('将发送什么').click();
  expect(await sends.textContent()).not.toMatch(/牙长|补充方式/);
  await picture(page, 'ai-1-dialog');
  await dialog.getByRole('button', { name: '同意并开始（1 点）' }).focus();
  await page.keyboard.press('Enter');
  await card.getByText('由AI生成，请核对').waitFor();
  await card.getByText(/先看结论：.*牙长/).waitFor();
  await again.waitFor();

  await page.goto(address);
  await card.getByText(/先看结论：.*牙长/).waitFor();
  await again.scrollIntoViewIfNeeded();
  await picture(page, 'ai-2-reading');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await card.getByText('规则解读（免费）').click();
  await card.getByText('由规则生成').scrollIntoViewIfNeeded();
  await page.waitForTimeout(500);
  await picture(page, 'ai-3-phone-dark');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  const { violations } = await new AxeBuilder({ page })
    .include('section[aria-label="AI 解读"]')
    .withTags(['wcag2a', 'wcag2aa'])
    .analyze();
  expect(violations.map((violation) => violation.id)).toEqual([]);
  expect(troubles).toEqual([]);
  await context.close();
});

test('the chat of the help menu answers out of the help pages, by keyboard and on a phone', async () => {
  const context = await signedIn(browser, await newPerson());
  const { page, troubles } = await watch(context);
  await page.goto(`${ADDRESS}/mydata/index`);
  await page.getByRole('button', { name: '帮助' }).click();
  await page.getByRole('menuitem', { name: '在线客服' }).click();
  const chat = page.getByRole('dialog', { name: '在线客服' });
  await chat.getByText('内容由AI生成，仅供参考').waitFor();
  const field = chat.getByRole('textbox', { name: '你的问题' });
  await field.fill('独立样本t检验怎么做');
  await field.press('Enter');
  await chat.getByText('摘自帮助中心', { exact: true }).waitFor();
  await field.fill('我要退款');
  await field.press('Enter');
  await chat.getByText('这类问题由人工处理').waitFor();
  await picture(page, 'chat-1-light');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForTimeout(500);
  await picture(page, 'chat-2-phone-dark');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  const { violations } = await new AxeBuilder({ page })
    .include('[role="dialog"]')
    .withTags(['wcag2a', 'wcag2aa'])
    .analyze();
  expect(violations.map((violation) => violation.id)).toEqual([]);
  await chat
    .getByRole('link', { name: /^独立样本/ })
    .first()
    .click();
  await page.waitForURL('**/help/independent-t-test/');
  expect(troubles).toEqual([]);
  await context.close();
});
